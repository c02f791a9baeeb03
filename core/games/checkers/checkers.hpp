// Checkers (English draughts) on 32 squares. Black is player 0 and moves first.
//
// Captures are forced and must be completed. A man that reaches the far row stops there and becomes
// a king. A player who cannot move loses. 80 plies without a capture or a move of a man are a draw.
// Captures along different paths are different actions, even if they end in the same position.
#pragma once

#include "../../game.hpp"
#include "../../parts/hash.hpp"
#include "board.hpp"
#include "endgames.hpp"
#include "evaluation.hpp"

namespace zermelo {

class Checkers {
 public:
  using State = checkers::State;

  // pieces: endgames with up to this many are numbered.
  explicit Checkers(int pieces) : numbering_(pieces) {}

  Facts facts() const { return {.utility_min = -1, .utility_max = 1, .step = 1}; }
  EngineHints hints() const { return {.noisy_is_forced = true, .mirror_keeps_actions = true}; }

  State initial() const {
    const checkers::Set men = 0xFF | 0xF << 9;
    return {{men, 0xFull << 22 | 0xFFull << 27}, 0, 0, 0};
  }

  int to_move(const State& s) const {
    if (!can_move(s) || s.quiet >= checkers::kQuietLimit) return kTerminal;
    return static_cast<int>(s.mover);
  }

  int actions(const State& s, Action* out, int capacity) const {
    return s.mover == 0 ? checkers::list_moves<0>(s, out, capacity)
                        : checkers::list_moves<1>(s, out, capacity);
  }

  State play(const State& s, Action action) const { return checkers::after(s, action); }

  double utility(const State& s, int player) const {
    if (can_move(s)) return 0;
    return player == static_cast<int>(s.mover) ? -1 : 1;
  }

  std::uint64_t key(const State& s) const { return hash(s, s.quiet); }

  // How long nothing has happened matters only when the draw comes near.
  std::uint64_t mirror_key(const State& s) const {
    return hash(s, s.quiet < kQuietMatters ? 0 : s.quiet);
  }

  int quiet_plies(const State& s) const { return static_cast<int>(s.quiet); }

  bool valid(const State& s) const {
    const checkers::Set all = s.side[0] | s.side[1];
    const checkers::Set men = all & ~s.kings;
    for (int i = 0; i < 2; ++i) {
      if (std::popcount(s.side[i]) > checkers::kMostPieces) return false;
      if (s.side[i] & men & checkers::crown(i)) return false;
    }
    return all && !(all & ~checkers::kBoard) && !(s.side[0] & s.side[1]) && !(s.kings & ~all) &&
           s.quiet <= checkers::kQuietLimit && s.mover <= 1;
  }

  // Hundredths of a man.
  double evaluate(const State& s, int player) const {
    const int score = checkers::score_of(s);
    return player == 0 ? score : -score;
  }

  // Captures. Where there are any there is nothing else to play.
  int noisy(const State& s, Action* out, int capacity) const {
    return s.mover == 0 ? checkers::list_jumps<0>(s, out, capacity)
                        : checkers::list_jumps<1>(s, out, capacity);
  }

  const checkers::Numbering& numbering() const { return numbering_; }
  const Endgames* endgames() const { return &endgames_; }

 private:
  static constexpr std::uint32_t kQuietMatters = 56;

  static bool can_move(const State& s) {
    return s.mover == 0 ? checkers::can_move<0>(s) : checkers::can_move<1>(s);
  }

  static std::uint64_t hash(const State& s, std::uint32_t quiet) {
    const std::uint64_t rest =
        s.side[1] | std::uint64_t{quiet} << 40 | std::uint64_t{s.mover} << 48;
    return mix(mix(s.side[0] + s.kings * 0x9e3779b97f4a7c15ULL) ^ rest);
  }

  checkers::Numbering numbering_;
  Endgames endgames_ = checkers::endgames_of<Checkers>(numbering_);
};

}  // namespace zermelo
