// Betting of limit hold'em between two: fold, call (or check), raise (or bet). Player 0 is the
// dealer, has the small blind of 1 and acts first before the flop, last after it; player 1 has the
// big blind of 2, which is the first bet of its round. Bets are 2 before and on the flop, 4 on the
// turn and the river, at most four of them in a round.
#pragma once

#include <cstdint>

namespace zermelo::holdem {

enum Move : std::uint8_t { kFold, kCall, kRaise, kMoves };

inline constexpr int kRounds = 4, kMostBets = 4, kMostPaid = 48;

struct Betting {
  static constexpr std::uint8_t kShowdown = 1, kFolded = 2;  // and who did

  std::uint8_t paid[2] = {1, 2};
  std::uint8_t round = 0;  // before the flop, flop, turn, river
  std::uint8_t bets = 1;   // in this round
  std::uint8_t moves = 0;  // in this round
  std::uint8_t over = 0;   // kShowdown, or kFolded + who

  int actor() const { return round == 0 ? moves & 1 : 1 - (moves & 1); }

  bool legal(int move) const {
    return move == kFold ? paid[0] != paid[1] : move == kRaise ? bets < kMostBets : true;
  }

  void play(int move) {
    const int who = actor(), other = 1 - who;
    const bool closes = moves > 0;
    ++moves;
    if (move == kFold) {
      over = static_cast<std::uint8_t>(kFolded + who);
      return;
    }
    paid[who] = paid[other];
    if (move == kRaise) {
      paid[who] = static_cast<std::uint8_t>(paid[who] + (round < 2 ? 2 : 4));
      ++bets;
    } else if (closes && round == kRounds - 1) {
      over = kShowdown;
    } else if (closes) {
      ++round;
      bets = moves = 0;
    }
  }

  friend bool operator==(const Betting&, const Betting&) = default;
};

}  // namespace zermelo::holdem
