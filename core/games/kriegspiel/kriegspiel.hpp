// Kriegspiel: chess in which each side sees only its own pieces, with an umpire.
//
// The mover attempts any move that its own pieces allow. If the position forbids it, the umpire
// rejects it, to the mover only, and the mover tries another. After a move both players learn: a
// capture
// and its square; a check and its direction (rank, file, long or short diagonal, knight); how many
// pawn captures the next mover has. There is no draw by repetition, because nobody could claim it.
// Fifty moves without a capture or a pawn move end the game.
//
// Design: positions for a belief are sampled by repair (dealing.hpp). The hidden army makes as many
// moves from its start squares as were played; then pieces are moved, exchanged and replaced until
// no announcement is contradicted. The sampler uses only the player's observation, so equal
// observations give equal samples. It does not claim that all consistent positions are equally
// likely.
#pragma once

#include <algorithm>

#include "../chess/chess.hpp"
#include "dealing.hpp"

namespace zermelo {

class Kriegspiel {
 public:
  using Rules = Chess<chess::Magic>;
  using Position = chess::Position;
  using Board = chess::Board;
  using Kernel = chess::Magic;
  static constexpr int kMostTried = 64;
  enum Check : std::uint8_t { kRank = 1, kFile = 2, kLong = 4, kShort = 8, kHorse = 16 };

  // The umpire's announcements after a move, to both players.
  struct Words {
    std::uint8_t taken_at;  // where a man was taken, plus 1; 0: nowhere
    std::uint8_t checks;    // a sum of Check
    std::uint8_t tries;     // captures by pawns that the next mover has
  };

  struct State : Position {
    std::uint8_t taken_at;  // where a man was taken by the last move, plus 1; 0: nowhere
    std::uint8_t checks;    // by the last move: a sum of Check
    std::uint8_t tries;     // captures by pawns that the mover has
    std::uint8_t refused;   // how many of the mover's attempts
    Words earlier;          // announcements after the move before the last
    std::uint8_t unused;
    std::uint16_t tried[kMostTried];  // which, in order; 0: none
  };

  Kriegspiel() : rules_(518, true), home_(rules_.initial()) {}

  Facts facts() const {
    Facts f = rules_.facts();
    f.hidden = true;
    return f;
  }

  State initial() const { return started(rules_.initial()); }

  // A position of chess with no announcement but the number of captures by pawns.
  static State started(const Position& p) {
    State s{};
    static_cast<Position&>(s) = p;
    s.repeats = 0, s.count = 0;
    s.tries = tries_of(p);
    return s;
  }

  int to_move(const State& s) const {
    if (chess::dead(s) || s.clock >= kQuiet || !Rules::has_move(s)) return kTerminal;
    return s.mover;
  }

  int actions(const State& s, Action* out, int capacity) const {
    Action all[chess::kMostMoves];
    int count = attempts(s, all);
    if (s.refused == kMostTried) count = legal(s, all);  // no room to remember more
    int n = 0;
    for (int i = 0; i < count; ++i) {
      const auto* end = s.tried + s.refused;
      if (std::find(s.tried, end, static_cast<std::uint16_t>(all[i])) != end) continue;
      if (n < capacity) out[n] = all[i];
      ++n;
    }
    return n;
  }

  State play(const State& s, Action attempt) const {
    State next = s;
    Action found = 0;
    if (!find(s, attempt, found)) {
      next.tried[next.refused++] = static_cast<std::uint16_t>(attempt);
      return next;
    }
    std::fill_n(next.tried, kMostTried, std::uint16_t{0});
    next.refused = 0;
    next.earlier = {s.taken_at, s.checks, s.tries};
    s.mover ? Kernel::play<1>(next, found) : Kernel::play<0>(next, found);
    const int taken = chess::taken_of(found);
    const bool clears = chess::piece_of(found) == chess::kPawn || taken >= 0;
    next.clock = static_cast<std::uint8_t>(clears ? 0 : s.clock + 1);
    next.number = static_cast<std::uint16_t>(s.number + (s.mover && s.number < 65535));
    next.taken_at = static_cast<std::uint8_t>(taken < 0 ? 0 : 1 + hit(s, found));
    next.checks = checks_of(next);
    next.tries = tries_of(next);
    return next;
  }

  double utility(const State& s, int player) const {
    if (Rules::has_move(s) || !Rules::in_check(s)) return 0;
    return player == s.mover ? -1 : 1;
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  // Rejected attempts do not change the position.
  std::uint64_t mirror_key(const State& s) const { return mix(s.hash + s.clock); }

  // No clock, no move number, no announcements.
  int timeless(const State& s, State& out) const {
    out = started(s);
    out.clock = 0, out.number = 1;
    return (kQuiet - s.clock) / 2;
  }

  // Its own pieces, the number of the opponent's pieces, and the announcements after its own last
  // move and after the opponent's.
  std::uint64_t observation(const State& s, int player) const {
    const Board own = s.side[player];
    std::uint64_t h = mix(s.castle & own) + s.mover;
    for (const Board men : s.by) h = mix(h ^ (men & own));
    h = mix(h ^ (s.taken_at | s.checks << 8 | s.tries << 16 | std::uint64_t{s.number} << 32));
    h = mix(h ^ (s.earlier.taken_at | s.earlier.checks << 8 | s.earlier.tries << 16));
    h = mix(h ^ std::popcount(s.side[1 - player]));
    if (s.mover != player) return h;
    h = mix(h ^ hash_bytes(s.tried, sizeof s.tried));
    if (s.refused < kMostTried) return h;
    Action all[chess::kMostMoves];  // the umpire lists the legal moves
    const int count = legal(s, all);
    std::sort(all, all + count);
    return mix(h ^ hash_bytes(all, count * sizeof all[0]));
  }

  // Samples squares and kinds of the pieces that the player does not see, consistent with all
  // announcements. Move counters are reset, because players do not observe them.
  bool deal(const State& s, int player, std::uint64_t random, State& out) const {
    if (to_move(s) == kTerminal) return out = s, true;
    Random rng(random);
    const int other = 1 - player;
    Position seen = s;
    for (Board& men : seen.by) men &= s.side[player];
    seen.side[other] = 0, seen.castle &= s.side[player];
    seen.ep = seen.clock = 0;
    const int men = std::popcount(s.side[other]), lost = 16 - men;
    int moves = s.number - 1 + (other == 0 && s.mover == 1);
    if (lost > s.number) moves = kriegspiel::Dealing::kMostMoves;  // no game: an ending, set up
    kriegspiel::Dealing dealing(seen, home_, other, men, moves, rng);
    Position found;
    const auto wrong = [&](const Position& p) { return misfit(p, s, player); };
    if (!dealing.settle(wrong, matters(s, player), found)) return false;
    found.hash = chess::hash_of(found);
    out = started(found);
    out.taken_at = s.taken_at, out.checks = s.checks, out.earlier = s.earlier;
    if (s.mover == player) {
      out.refused = s.refused;
      std::copy_n(s.tried, kMostTried, out.tried);
    }
    return true;
  }

  double evaluate(const State& s, int player) const {
    int sum = 0;
    for (int piece = 0; piece < 5; ++piece) {
      sum += chess::kWorth[piece] * (std::popcount(s.by[piece] & s.side[player]) -
                                     std::popcount(s.by[piece] & s.side[1 - player]));
    }
    double worth = sum / 40.0;
    for (const int side : {0, 1}) {
      if (std::popcount(s.side[1 - side]) > 1 || std::popcount(s.side[side]) == 1) continue;
      worth += (side == player ? 1 : -1) * driven(s, side);
    }
    return std::clamp(worth, -0.9, 0.9);  // averages want the utility's unit
  }

  bool valid(const State& s) const {
    if (Rules::fault(s) || s.hash != chess::hash_of(s) || s.repeats || s.count) return false;
    if (s.clock > kQuiet || s.taken_at > 64 || s.checks > 31 || s.refused > kMostTried)
      return false;
    Position without = s;
    Rules::drop_idle_ep(without);
    if (without.ep != s.ep || s.tries != tries_of(s)) return false;
    if (s.unused || s.earlier.taken_at > 64 || s.earlier.checks > 31) return false;
    for (int i = 0; i < kMostTried; ++i) {
      if ((i < s.refused) != (s.tried[i] != 0)) return false;
      Action found;
      if (i < s.refused && find(s, s.tried[i], found)) return false;  // it would have been played
    }
    return true;
  }

  // The move of chess that an attempt is; false: the umpire refuses it.
  static bool find(const Position& s, Action attempt, Action& found) {
    Action all[chess::kMostMoves];
    const int count = s.mover ? Kernel::list<1, false>(s, all) : Kernel::list<0, false>(s, all);
    for (int i = 0; i < count; ++i) {
      if (seen(all[i]) == attempt) return found = all[i], true;
    }
    return false;
  }

 private:
  static constexpr int kQuiet = 100;  // plies
  static constexpr int kImpossible = 1000;

  // A bare king is mated at the edge, with the other king near.
  static double driven(const State& s, int side) {
    const int bare = chess::lowest(s.side[1 - side]);
    const int king = chess::lowest(s.by[chess::kKing] & s.side[side]);
    const int x = bare & 7, y = bare >> 3;
    const int dx = std::min(x, 7 - x), dy = std::min(y, 7 - y);  // to the edges
    const int apart = std::max(std::abs(x - (king & 7)), std::abs(y - (king >> 3)));
    return 0.75 - 0.1 * std::min(dx, dy) - 0.025 * (dx + dy) - 0.05 * apart;
  }

  // The number of announcements in `s` that would be wrong in `p`, where its own men are the same.
  static int misfit(const Position& p, const State& s, int player) {
    Position turned = p;
    turned.mover ^= 1;
    if (Rules::in_check(turned)) return kImpossible;
    Action all[chess::kMostMoves];
    const int count = legal(p, all);
    if (!count || chess::dead(p)) return kImpossible;
    int wrong =
        std::abs(tries_of(p) - s.tries) + 2 * std::popcount(unsigned(checks_of(p) ^ s.checks));
    if (s.mover != player) return wrong;
    if (s.taken_at && !(p.side[1 - player] & chess::bit(s.taken_at - 1))) ++wrong;
    for (int i = 0; i < s.refused; ++i)
      wrong += std::find(all, all + count, s.tried[i]) != all + count;
    if (s.refused < kMostTried) return wrong;
    Action told[chess::kMostMoves];
    const int known = legal(s, told);
    for (int i = 0; i < known; ++i) wrong += std::find(all, all + count, told[i]) == all + count;
    return wrong + std::max(0, count - known);
  }

  // Squares where a man of the other side affects the announcements.
  static Board matters(const State& s, int player) {
    using namespace chess;
    Board found = 0;
    const Board own = s.side[player];
    const int king = lowest(own & s.by[kKing]);
    if (s.mover != player) return 0;
    if (s.checks & kHorse) found |= kLeaps.knight[king];
    if (s.checks & ~kHorse) found |= kLeaps.rook[king] | kLeaps.bishop[king];
    if (s.taken_at) found |= bit(s.taken_at - 1);
    for (Board b = s.tries ? own & s.by[kPawn] : 0; b; b &= b - 1) {
      found |= kLeaps.pawn[player][lowest(b)];
    }
    for (int i = 0; i < s.refused; ++i) {
      const int from = s.tried[i] & 63, to = s.tried[i] >> 6 & 63;
      found |= kLines.between[from][to] | bit(to);
      if (from == king) found |= kLeaps.king[to] | kLeaps.knight[to];
      found |= kLines.line[king][from];
    }
    return found & ~own;
  }

  // What the mover knows of a move: from, to, promoted.
  static Action seen(Action a) { return a & 0x7fff; }

  static int legal(const Position& s, Action* out) {
    const int count = s.mover ? Kernel::list<1, false>(s, out) : Kernel::list<0, false>(s, out);
    for (int i = 0; i < count; ++i) out[i] = seen(out[i]);
    return count;
  }

  // All moves that the mover's own men allow, whatever stands elsewhere.
  static int attempts(const State& s, Action* out) {
    using namespace chess;
    const int us = s.mover;
    const Board own = s.side[us];
    int n = 0;
    const auto add = [&](int from, Board targets) {
      for (Board b = targets & ~own; b; b &= b - 1) out[n++] = from | lowest(b) << 6;
    };
    for (Board b = own; b; b &= b - 1) {
      const int from = lowest(b);
      switch (piece_at(s, bit(from))) {
        case kPawn:
          pawn(s, from, out, n);
          break;
        case kKnight:
          add(from, kLeaps.knight[from]);
          break;
        case kBishop:
          add(from, rays(from, kSlanting, own));
          break;
        case kRook:
          add(from, rays(from, kStraight, own));
          break;
        case kQueen:
          add(from, rays(from, kStraight, own) | rays(from, kSlanting, own));
          break;
        default:
          add(from, kLeaps.king[from]);
      }
    }
    const int king = lowest(own & s.by[kKing]);
    for (Board b = s.castle & own; b; b &= b - 1) {
      const int rook = lowest(b);
      if (!(way(king, rook) & own & ~(bit(king) | bit(rook)))) out[n++] = king | rook << 6;
    }
    return n;
  }

  // What must be free when castling: all that king and rook come over.
  static Board way(int king, int rook) {
    Board way = 0;
    for (const auto& [a, b] : {std::pair{king, chess::castled_king(king, rook)},
                               std::pair{rook, chess::castled_rook(king, rook)}}) {
      for (int square = std::min(a, b); square <= std::max(a, b); ++square)
        way |= chess::bit(square);
    }
    return way;
  }

  static void pawn(const State& s, int from, Action* out, int& n) {
    using namespace chess;
    const int up = s.mover ? -8 : 8, home = s.mover ? 6 : 1;
    const Board own = s.side[s.mover];
    const auto add = [&](int to) {
      if (to >> 3 != 0 && to >> 3 != 7) {
        out[n++] = from | to << 6;
        return;
      }
      for (int piece = kKnight; piece <= kQueen; ++piece) out[n++] = from | to << 6 | piece << 12;
    };
    if (!(own & bit(from + up))) {
      add(from + up);
      if (from >> 3 == home && !(own & bit(from + 2 * up))) add(from + 2 * up);
    }
    if (!s.tries) return;
    for (const int side : {-1, 1}) {
      const int file = (from & 7) + side;
      if (file >= 0 && file < 8 && !(own & bit(from + up + side))) add(from + up + side);
    }
  }

  static std::uint8_t tries_of(const Position& p) {
    if (!(p.by[chess::kPawn] & p.side[p.mover])) return 0;
    Action all[chess::kMostMoves];
    const int count = p.mover ? Kernel::list<1, false>(p, all) : Kernel::list<0, false>(p, all);
    return static_cast<std::uint8_t>(std::count_if(all, all + count, [](Action a) {
      return chess::piece_of(a) == chess::kPawn && chess::taken_of(a) >= 0;
    }));
  }

  // Where the man stood that a capture takes.
  static int hit(const Position& s, Action a) {
    const int to = chess::to_of(a);
    return chess::kind_of(a) == chess::kEnPassant ? to + (s.mover ? 8 : -8) : to;
  }

  // From where the mover's king is attacked.
  static std::uint8_t checks_of(const Position& p) {
    using namespace chess;
    const Board all = p.side[0] | p.side[1], them = p.side[1 - p.mover];
    const int king = lowest(p.by[kKing] & p.side[p.mover]);
    const Board slanting = (p.by[kBishop] | p.by[kQueen]) & them;
    const Board straight = (p.by[kRook] | p.by[kQueen]) & them;
    int found = kLeaps.knight[king] & p.by[kKnight] & them ? kHorse : 0;
    for (const chess::Step& step : kStraight) {
      if (ray(king, step, all) & straight) found |= step.dy ? kFile : kRank;
    }
    const Board pawns = kLeaps.king[king] & p.by[kPawn] & them;
    for (const chess::Step& step : kSlanting) {
      const Board line = ray(king, step, all);
      const bool above = step.dy == (p.mover ? -1 : 1);  // pawns strike towards the king
      if (!(line & slanting) && !(above && line & pawns)) continue;
      const chess::Step back{-step.dx, -step.dy}, across{-step.dx, step.dy},
          other{step.dx, -step.dy};
      const int own = std::popcount(ray(king, step, 0) | ray(king, back, 0));
      const int turned = std::popcount(ray(king, across, 0) | ray(king, other, 0));
      found |= own >= turned ? kLong : kShort;
    }
    return static_cast<std::uint8_t>(found);
  }

  Rules rules_;
  Position home_;
};

}  // namespace zermelo
