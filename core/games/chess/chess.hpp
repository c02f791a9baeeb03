// Chess and Chess960. White is player 0.
//
// Checkmate is 1 or -1. A draw: stalemate, insufficient material, the third occurrence of a
// position, 50 moves by each side without a capture or a pawn move. With automatic draws only: the
// fifth occurrence and 75 moves. Checkmate takes precedence over the move count.
//
// Design: a state carries the positions since the last irreversible move, for repetitions.
// `play_into` copies only the part in use, and `used` says how much that is. The kernel
// (kernel.hpp) is compiled with and without PEXT and chosen once at run time. `leaves` counts perft
// as published tables do: only the lack of a legal move ends a line, not a draw by rule.
#pragma once

#include <algorithm>
#include <cstring>

#include "../../game.hpp"
#include "../../parts/hash.hpp"
#include "endgames.hpp"
#include "kernels.hpp"

namespace zermelo {

enum class ChessEnd : std::uint8_t { none, mate, stalemate, material, repetition, moves };

template <class Kernel>
class Chess {
 public:
  using State = chess::State;
  using Position = chess::Position;
  using Board = chess::Board;

  // start: the number of the first row, 518 as usual (Scharnagl's numbers). material: the
  // evaluation is the textbook's material sum, 1 3 3 5 9.
  Chess(int start, bool automatic, bool material = false,
        const chess::Weights& weights = chess::kThumb)
      : times_(automatic ? 4 : 2),
        quiet_(automatic ? 150 : 100),
        material_(material),
        weights_(weights),
        initial_(start_of(start)) {
    chess::prepare();
  }

  Facts facts() const {
    return {.utility_min = -1, .utility_max = 1, .step = 1, .max_actions = chess::kMostMoves};
  }
  EngineHints hints() const {
    return {.selective = true, .scores_noisy_only = true, .mirror_keeps_actions = true};
  }

  State initial() const { return initial_; }

  int to_move(const State& s) const {
    if (drawn(s) || !has_move(s)) return kTerminal;
    return s.mover;
  }

  int actions(const State& s, Action* out, int capacity) const {
    return fitting<false>(s, out, capacity);
  }

  int count(const State& s) const {
    return s.mover ? Kernel::template count<1>(s) : Kernel::template count<0>(s);
  }

  // Copies of the history only what is in use.
  void play_into(const State& s, Action a, State& next) const {
    static_cast<Position&>(next) = s;
    if (s.mover) {
      Kernel::template play<1>(next, a);
    } else {
      Kernel::template play<0>(next, a);
    }
    next.number = static_cast<std::uint16_t>(s.number + (s.mover && s.number < 65535));
    const bool clears = chess::piece_of(a) == chess::kPawn || chess::taken_of(a) >= 0;
    next.clock = static_cast<std::uint8_t>(clears ? 0 : s.clock + 1);
    next.repeats = 0;
    if (clears || next.castle != s.castle) {  // no earlier position can repeat
      next.count = 0;
      next.past = 0;
      return;
    }
    std::memcpy(next.before, s.before, s.count * sizeof s.before[0]);
    next.before[s.count] = s.hash;
    next.count = static_cast<std::uint16_t>(s.count + 1);
    next.past = mix(s.past + s.hash);
    next.repeats = static_cast<std::uint8_t>(repeats(next));
  }

  State play(const State& s, Action a) const {
    State next{};
    play_into(s, a, next);
    return next;
  }

  std::uint32_t used(const State& s) const {
    return static_cast<std::uint32_t>(sizeof s - (chess::kMostPast - s.count) * sizeof s.before[0]);
  }

  ChessEnd end(const State& s) const {
    if (!has_move(s)) return in_check(s) ? ChessEnd::mate : ChessEnd::stalemate;
    if (chess::dead(s)) return ChessEnd::material;
    if (s.repeats >= times_) return ChessEnd::repetition;
    return s.clock >= quiet_ ? ChessEnd::moves : ChessEnd::none;
  }

  double utility(const State& s, int player) const {
    if (end(s) != ChessEnd::mate) return 0;
    return player == s.mover ? -1 : 1;
  }

  std::uint64_t key(const State& s) const {
    return mix(s.hash ^ mix(s.past ^ (std::uint64_t{s.clock} << 32 | s.number)));
  }

  // The transposition key: without the history, until a draw by the move count is near.
  std::uint64_t mirror_key(const State& s) const {
    return s.clock + kNearDraw < quiet_ ? s.hash : mix(s.hash + s.clock);
  }

  int quiet_plies(const State& s) const { return s.count; }

  // Pawns.
  double evaluate(const State& s, int player) const {
    if (material_) return balance(s, player);
    const int units = Kernel::evaluate(s, weights_);
    return (player == chess::kWhite ? units : -units) / double{chess::kUnit};
  }

  // Captures and promotions to queens with SEE >= 0, best first.
  int noisy(const State& s, Action* out, int capacity) const {
    Action all[chess::kMostMoves];
    float worth[chess::kMostMoves];
    int count = 0;
    const int found = fitting<true>(s, all, chess::kMostMoves);
    for (int i = 0; i < found; ++i) {
      const Action action = all[i];
      const float promise = promise_of(s, action);
      if (promise <= 0) continue;
      int at = count++;
      for (; at > 0 && worth[at - 1] < promise; --at) {
        worth[at] = worth[at - 1];
        all[at] = all[at - 1];
      }
      worth[at] = promise;
      all[at] = action;
    }
    std::copy_n(all, std::min(count, capacity), out);
    return count;
  }

  // All moves; noisy moves are scored by the captured piece, or negatively if SEE is negative.
  int narrow(const State& s, Action* out, float* promise, int capacity, double*, double*) const {
    const int count = actions(s, out, capacity);
    for (int i = 0; i < std::min(count, capacity); ++i) promise[i] = promise_of(s, out[i]);
    return count;
  }

  bool urgent(const State& s) const { return in_check(s); }

  // In pawns. benchmarks/chess_doubt.py measures about 0.55 times the root of the plies, but with
  // heavy tails (tactics), which a rise with each ply allows for.
  double doubt(const State&, int depth, int shallow) const { return 0.8 * (depth - shallow); }

  std::uint64_t leaves(const State& s, int depth, Tick tick) const {
    return s.mover ? Kernel::template leaves<1>(s, depth, tick)
                   : Kernel::template leaves<0>(s, depth, tick);
  }

  const Endgames* endgames() const { return &chess::endgames(); }

  // -- for searches that know chess --------------------------------------------------------------
  static bool in_check(const Position& s) {
    return s.mover ? Kernel::template checked<1>(s) : Kernel::template checked<0>(s);
  }
  static bool has_move(const Position& s) {
    return s.mover ? Kernel::template has_move<1>(s) : Kernel::template has_move<0>(s);
  }
  // Static exchange evaluation of a legal action in hundredths of a pawn.
  static int see(const Position& s, Action a) {
    return s.mover ? Kernel::template see<1>(s, a) : Kernel::template see<0>(s, a);
  }
  static bool gives_check(const Position& s, Action a) {
    Position next = s;
    if (s.mover) {
      Kernel::template play<1>(next, a);
    } else {
      Kernel::template play<0>(next, a);
    }
    return in_check(next);
  }
  // Plays a null move; false: in check, or with only pawns and one minor piece (zugzwang).
  // Earlier positions do not count for repetitions.
  static bool pass(const State& s, State& next) {
    const Board men = s.side[s.mover];
    const Board heavy = men & (s.by[chess::kRook] | s.by[chess::kQueen]);
    const Board light = men & (s.by[chess::kKnight] | s.by[chess::kBishop]);
    if ((!heavy && !chess::several(light)) || in_check(s)) return false;
    static_cast<Position&>(next) = s;
    if (s.ep) next.hash ^= chess::kKeys.ep[s.ep & 7];
    next.ep = 0;
    next.mover = s.mover ^ 1;
    next.hash ^= chess::kKeys.mover;
    next.clock = static_cast<std::uint8_t>(std::min(s.clock + 1, chess::kMostPast));
    next.repeats = 0;
    next.count = 0;
    next.past = 0;
    return true;
  }

  // -- the border --------------------------------------------------------------------------------
  // Why a position is impossible, or null.
  static const char* fault(const Position& s) {
    using namespace chess;
    const Board all = s.side[0] | s.side[1];
    Board seen = 0;
    for (const Board men : s.by) {
      if (men & seen) return "two pieces are on the same square";
      seen |= men;
    }
    if (seen != all || s.side[0] & s.side[1] || s.mover > 1)
      return "two pieces are on the same square";
    for (int i = 0; i < 2; ++i) {
      if (std::popcount(s.by[kKing] & s.side[i]) != 1) return "each side needs exactly one king";
      if (std::popcount(s.side[i]) > 16) return "a side has more than 16 pieces";
      if (std::popcount(s.side[i] & s.by[kPawn]) > 8) return "a side has more than 8 pawns";
      const Board rooks = s.castle & s.side[i], king = s.by[kKing] & s.side[i];
      if (!rooks) continue;
      if (rooks & ~(s.by[kRook] & rank_of(i)) || !(king & rank_of(i)) ||
          several(rooks & (king - 1)) || several(rooks & ~(king - 1))) {
        return "castling rights need the king and the rook on their first rank";
      }
    }
    if (s.castle & ~all) return "castling rights need the king and the rook on their first rank";
    if (s.by[kPawn] & (kRank1 | kRank1 << 56)) return "a pawn is on the first or the last rank";
    Position other = s;
    other.mover ^= 1;
    if (in_check(other)) return "the side that is not to move is in check";
    if (s.clock > kMostPast || s.number < 1) return "the move counters are out of range";
    if (s.ep && !(s.mover ? ep_fits<1>(s) : ep_fits<0>(s))) {
      return "no en passant capture is possible on that square";
    }
    return nullptr;
  }

  // A FEN names the square behind a pawn even where nobody can take there: then it is dropped.
  static void drop_idle_ep(Position& s) {
    if (s.ep && !(ep_taken(s))) s.ep = 0;
  }

  bool valid(const State& s) const {
    if (fault(s) || s.count > s.clock || s.hash != chess::hash_of(s)) return false;
    if (s.ep && !(ep_taken(s))) return false;
    std::uint64_t past = 0;
    for (int i = 0; i < s.count; ++i) past = mix(past + s.before[i]);
    for (int i = s.count; i < chess::kMostPast; ++i) {
      if (s.before[i]) return false;  // equal states are equal bytes
    }
    return past == s.past && s.repeats == repeats(s);
  }

 private:
  static bool ep_taken(const Position& s) {
    return s.mover ? Kernel::template ep_taken<1>(s) : Kernel::template ep_taken<0>(s);
  }

  template <bool Noisy>
  static int fitting(const State& s, Action* out, int capacity) {
    const auto list = s.mover ? Kernel::template list<1, Noisy> : Kernel::template list<0, Noisy>;
    if (capacity >= chess::kMostMoves) return list(s, out);
    Action all[chess::kMostMoves];
    const int count = list(s, all);
    std::copy_n(all, std::min(count, capacity), out);
    return count;
  }

  static double balance(const Position& s, int player) {
    int sum = 0;
    for (int piece = 0; piece < 5; ++piece) {
      sum += chess::kWorth[piece] * (std::popcount(s.by[piece] & s.side[player]) -
                                     std::popcount(s.by[piece] & s.side[1 - player]));
    }
    return sum;
  }

  // > 0: a capture or a promotion that wins or keeps material; < 0: one that does not; 0: quiet.
  static float promise_of(const Position& s, Action a) {
    using namespace chess;
    const int taken = taken_of(a), piece = piece_of(a), promoted = promoted_of(a);
    if (taken < 0 && !promoted) return 0;
    if (promoted && promoted != kQueen) return -1;
    // Capturing a more valuable piece cannot lose material.
    if ((promoted || taken < 0 || kWorth[piece] > kWorth[taken]) && see(s, a) < 0) return -1;
    return static_cast<float>((promoted ? 16 : 1) + (taken >= 0 ? 16 * kWorth[taken] : 0)) -
           static_cast<float>(piece) / 8;
  }

  bool drawn(const State& s) const {
    if (s.repeats >= times_ || chess::dead(s)) return true;
    return s.clock >= quiet_;
  }

  // The occurrences of the position since the last irreversible move.
  static int repeats(const State& s) {
    int found = 0;
    for (int i = s.count - 4; i >= 0; i -= 2) found += s.before[i] == s.hash;
    return found;
  }

  // The pawn that has gone two steps is there, and it came over empty squares.
  template <int Us>
  static bool ep_fits(const Position& s) {
    constexpr int kBack = Us == chess::kWhite ? -8 : 8;
    if (s.ep >> 3 != (Us == chess::kWhite ? 5 : 2)) return false;
    const Board empty = ~(s.side[0] | s.side[1]);
    return chess::bit(s.ep + kBack) & s.by[chess::kPawn] & s.side[1 - Us] &&
           chess::bit(s.ep) & empty && chess::bit(s.ep - kBack) & empty;
  }

  // The men of the first row by Scharnagl's number: the two bishops, the queen, the knights, and
  // the king between the rooks in what is left.
  static State start_of(int number) {
    using namespace chess;
    int row[8];
    std::fill_n(row, 8, -1);
    const auto place = [&](int nth, int piece) {
      for (int i = 0; i < 8; ++i) {
        if (row[i] < 0 && nth-- == 0) row[i] = piece;
      }
    };
    row[number % 4 * 2 + 1] = kBishop;
    row[number / 4 % 4 * 2] = kBishop;
    place(number / 16 % 6, kQueen);
    int first = 0, second = number / 96;  // of the ten pairs of five places
    while (second >= 4 - first) second -= 4 - first++;
    place(first + second + 1, kKnight);
    place(first, kKnight);
    place(0, kRook);
    place(0, kKing);
    place(0, kRook);
    State s{};
    for (int i = 0; i < 8; ++i) {
      s.by[row[i]] |= bit(i) | bit(56 + i);
      if (row[i] == kRook) s.castle |= bit(i) | bit(56 + i);
    }
    s.by[kPawn] = kRank1 << 8 | kRank1 << 48;
    s.side[kWhite] = kRank1 | kRank1 << 8;
    s.side[kBlack] = kRank1 << 48 | kRank1 << 56;
    s.number = 1;
    s.hash = hash_of(s);
    return s;
  }

  static constexpr int kNearDraw = 20;  // plies

  int times_, quiet_;  // a position was there so often before; plies without a capture or pawn
  bool material_;      // the evaluation is the balance of material
  chess::Weights weights_;
  State initial_;
};

}  // namespace zermelo
