// Move ordering of the double-dummy solver.
#pragma once

#include "sure_tricks.hpp"

namespace zermelo::bridge {

struct Move {
  Cards card;   // the lowest of a sequence of equals
  Cards group;  // all of it
  int score;
};

struct Trick {
  int leader;
  int led;       // suit
  Cards best;    // the card that wins so far
  int holder;    // who played it
  Cards played;  // all of them
};

// Beats `card` the winner so far? Trumps lie in the highest lane.
inline bool beats(const Hands& h, Cards card, const Trick& t) {
  return card > t.best && (card & (lane(t.led) | (h.trumps ? lane(3) : 0)));
}

// Whether the second hand's side surely wins the trick.
inline bool wins_second(const Hands& h, int seat, const Trick& t, Cards& rel) {
  const int third = next_seat(seat), mate = partner(seat);
  const auto theirs = h.suit(third, t.led), own = h.suit(seat, t.led), mates = h.suit(mate, t.led);
  if (h.trumps && t.led != 3) {
    if (!theirs && h.suit(third, 3)) return false;
    if ((!own && h.suit(seat, 3)) || (!mates && h.suit(mate, 3))) return true;
  }
  const auto led = static_cast<std::uint32_t>(t.best >> (kShift * t.led));
  if ((own | mates) < (led | theirs)) return false;
  rel |= in_suit(std::bit_floor(own | mates), t.led);
  return true;
}

class Ordering {
 public:
  // The moves of `seat`, `index` cards after the leader's, equivalent cards once; best first.
  // `hint` is a lead that was good in a similar position.
  static int moves(const Hands& h, int seat, int index, const Trick& t, Cards hint, Move* out) {
    const Cards own = h.seat[seat];
    Cards from = own;
    if (index && of_suit(own, t.led)) from = own & lane(t.led);
    const Cards others = h.seat[next_seat(seat)] | h.seat[partner(seat)] |
                         h.seat[previous_seat(seat)] | (index ? t.best : 0);
    int n = 0;
    while (from) {
      const Cards low = lowest(from);
      const int suit = suit_of(low);
      const Cards mine = from & lane(suit);
      // Up to the next card of another hand.
      const Cards wall = lowest(others & lane(suit) & ~(low - 1));
      const Cards group = wall ? mine & (wall - 1) : mine;
      from ^= group;
      out[n++] = {low, group, 0};
    }
    if (n > 1) {
      switch (index) {
        case 0:
          lead(h, seat, hint, out, n);
          return n;
        case 1:
          second(h, seat, t, out, n);
          break;
        case 2:
          third(h, seat, t, out, n);
          break;
        default:
          fourth(h, seat, t, out, n);
      }
    }
    return n;
  }

 private:
  // Weights for leads. Suits in which the opponents have few cards come first, because they make
  // small trees. The cases are those of Haglund's DDS; the numbers were fitted on random deals to
  // minimize the nodes, starting from its ranking.
  struct LeadWeights {
    int left, right;         // each card of the opponent; a void counts as a whole hand
    int own, mate;           // each card of ours
    int they_ruff, we_ruff;  // an opponent, the partner is void and has trumps
    int for_ruff;            // the partner wins and can give a ruff
    int right_high;          // the right opponent has one of the two best, guarded
    int through;             // the left opponent has the best, the partner the second
    // The trick will be ours:
    int both_high;  // we have best and second, one each
    int cash;       // with the best card
    int under;      // a low card although we have the best
    int mate_high;  // the partner has the best
    int fells;      // a lone best card of theirs falls to a ruff
    int ruff;       // else by ruffing
    int win_rank;   // each rank below the best, in eighths
    // It will not:
    int second_third;  // we have the next two
    int lone_best;     // their best is bare
    int top_of_run;    // the second best, from a sequence
    int best_ruffed;   // our best would be ruffed
    int lose_rank;     // each rank higher, in eighths
    int killer;        // decided a similar position
    int win_killer;    // if it wins
  };
  static constexpr LeadWeights with_trumps = {.left = 10,
                                              .right = 10,
                                              .own = -3,
                                              .mate = 0,
                                              .they_ruff = -15,
                                              .we_ruff = 15,
                                              .for_ruff = 20,
                                              .right_high = -10,
                                              .through = 25,
                                              .both_high = 40,
                                              .cash = 35,
                                              .under = 0,
                                              .mate_high = 30,
                                              .fells = 35,
                                              .ruff = 20,
                                              .win_rank = 2,
                                              .second_third = 15,
                                              .lone_best = 0,
                                              .top_of_run = 35,
                                              .best_ruffed = 35,
                                              .lose_rank = 7,
                                              .killer = 20,
                                              .win_killer = 45};
  static constexpr LeadWeights without = {.left = 7,
                                          .right = 7,
                                          .own = 0,
                                          .mate = 3,
                                          .they_ruff = 0,
                                          .we_ruff = 0,
                                          .for_ruff = 0,
                                          .right_high = -10,
                                          .through = 25,
                                          .both_high = 45,
                                          .cash = 30,
                                          .under = 0,
                                          .mate_high = 30,
                                          .fells = 35,
                                          .ruff = 15,
                                          .win_rank = 1,
                                          .second_third = 15,
                                          .lone_best = 0,
                                          .top_of_run = 35,
                                          .best_ruffed = 35,
                                          .lose_rank = 8,
                                          .killer = 20,
                                          .win_killer = 50};

  // One suit as the leader sees it.
  struct LeadSuit {
    std::uint32_t l, p, a, b, o;        // leader, partner, left, right, both opponents
    std::uint32_t best, second, third;  // the highest cards that are left
    std::uint32_t tp, ta, tb;           // trumps of partner, left and right if they are void
    bool plain, ruffed, lone;           // a side suit; an opponent ruffs; their best is alone
  };

  static LeadSuit lead_suit(const Hands& h, int seat, int suit, bool trumps) {
    const int mate = partner(seat), left = next_seat(seat), right = previous_seat(seat);
    LeadSuit s;
    s.l = h.suit(seat, suit), s.p = h.suit(mate, suit);
    s.a = h.suit(left, suit), s.b = h.suit(right, suit), s.o = s.a | s.b;
    const auto all = s.l | s.p | s.o;
    s.best = std::bit_floor(all);
    s.second = std::bit_floor(all ^ s.best);
    s.third = std::bit_floor(all ^ s.best ^ s.second);
    s.plain = trumps && suit != 3;
    s.ta = s.plain && !s.a ? h.suit(left, 3) : 0;
    s.tb = s.plain && !s.b ? h.suit(right, 3) : 0;
    s.tp = s.plain && !s.p ? h.suit(mate, 3) : 0;
    s.ruffed = s.tp < std::max(s.ta, s.tb);
    s.lone = s.best == s.a || s.best == s.b;
    return s;
  }

  // The part of the score that all cards of a suit share.
  static int suit_score(const Hands& h, int seat, const LeadSuit& s, const LeadWeights& w) {
    const int all_left = std::popcount(h.seat[seat]);
    int score = w.own * std::popcount(s.l) + w.mate * std::popcount(s.p) -
                w.left * (s.a ? std::popcount(s.a) : all_left) -
                w.right * (s.b ? std::popcount(s.b) : all_left);
    if (s.ta | s.tb) score += w.they_ruff;
    if (s.tp && s.b) score += w.we_ruff;
    if (((s.best | s.second) & s.b) && std::popcount(s.b) != 1) {
      score += w.right_high;
    } else if ((s.best & s.a) && (s.second & s.p) && std::popcount(s.p) != 1) {
      score += w.through;
    }
    if (s.plain && std::popcount(s.l) == 1 && h.suit(seat, 3) && std::popcount(s.p) > 1 &&
        (s.best & s.p)) {
      score += w.for_ruff;
    }
    return score;
  }

  // The part of the score of a lead that wins the trick with the card `c` of rank `rank`.
  static int winning_score(const LeadSuit& s, const LeadWeights& w, std::uint32_t c, int rank) {
    const int by_rank = w.win_rank * rank / 8;
    if (s.lone) return w.fells + by_rank;
    if (s.best & s.l) {
      return (s.second & s.p ? w.both_high : c == s.best ? w.cash : w.under) + by_rank;
    }
    if (s.best & s.p) return (s.second & s.l ? w.both_high : w.mate_high) + by_rank;
    return w.ruff + by_rank;
  }

  static int losing_score(const LeadSuit& s, const LeadWeights& w, std::uint32_t c, int rank,
                          bool from_sequence) {
    const auto ours = s.l | s.p;
    const int score = (s.second & ours) && (s.third & ours) ? w.second_third : 0;
    if (s.lone) return score + w.lone_best;
    if (s.best & ours) {
      return score + (s.best & s.l & ~c && !(s.second & s.p) ? w.under : w.best_ruffed);
    }
    if (c == s.second && from_sequence) return score + w.top_of_run;
    return score + w.lose_rank * rank / 8;
  }

  static void lead(const Hands& h, int seat, Cards hint, Move* out, int n) {
    const bool trumps = h.trumps && (h.seat[0] | h.seat[1] | h.seat[2] | h.seat[3]) >> (3 * kShift);
    const LeadWeights& w = trumps ? with_trumps : without;
    for (int i = 0; i < n;) {
      const int suit = suit_of(out[i].card);
      const LeadSuit s = lead_suit(h, seat, suit, trumps);
      const int base = suit_score(h, seat, s, w);
      for (; i < n && suit_of(out[i].card) == suit; ++i) {
        Move& m = out[i];
        const auto c = static_cast<std::uint32_t>(highest(m.group) >> (kShift * suit));
        const int rank = std::popcount((s.l | s.p | s.o) & ~(c - 1));  // 1: the best
        const bool wins = !s.ruffed && (c == s.best || s.p > s.o || s.tp);
        m.score = base + (wins ? winning_score(s, w, c, rank)
                               : losing_score(s, w, c, rank, std::popcount(m.group) > 1));
        if (m.group & hint) m.score += wins ? w.win_killer : w.killer;
      }
    }
  }

  // Low cards first, from the suits that need them least.
  static int discard(const Hands& h, int seat, const Move& m) {
    const int suit = suit_of(m.card);
    const auto own = h.suit(seat, suit);
    const auto all = own | h.suit(next_seat(seat), suit) | h.suit(partner(seat), suit) |
                     h.suit(previous_seat(seat), suit);
    const auto top = std::bit_floor(all), second = std::bit_floor(all ^ top);
    int score = -rank_of(m.card) + std::popcount(own);
    if (own & top) score -= std::popcount(own) == 1 ? 8 : 0;
    if ((own & second) && std::popcount(own) == 2) score -= 4;
    return score;
  }

  static void second(const Hands& h, int seat, const Trick& t, Move* out, int n) {
    const int mate = partner(seat), after = next_seat(seat);
    const auto theirs = h.suit(after, t.led), ours = h.suit(mate, t.led);
    const auto so_far = static_cast<std::uint32_t>(t.best >> (kShift * t.led));
    const bool side_suit = h.trumps && t.led != 3;
    const bool they_ruff = side_suit && !theirs && h.suit(after, 3);
    const bool we_ruff = side_suit && !ours && h.suit(mate, 3);
    const auto theirs_best = std::max(std::bit_floor(theirs), so_far);
    const bool mate_wins = !they_ruff && (we_ruff || std::bit_floor(ours) > theirs_best);
    for (int i = 0; i < n; ++i) {
      Move& m = out[i];
      const int suit = suit_of(m.card);
      if (suit == t.led) {
        const auto top = static_cast<std::uint32_t>(highest(m.group) >> (kShift * suit));
        const bool wins = top > theirs_best && !they_ruff;
        if (wins && !mate_wins) {
          m.score = 60 - rank_of(m.card);
        } else if (wins) {
          m.score = 10 - rank_of(m.card);
        } else {
          m.score = 20 - rank_of(m.card);
          // Covering costs them a higher card.
          if (!mate_wins && top > so_far && std::popcount(m.group) > 1) m.score += 8;
        }
      } else if (side_suit && suit == 3) {
        const bool over = !theirs && h.suit(after, 3) > m.card >> (kShift * 3);
        m.score = (mate_wins ? 5 : 30) - rank_of(m.card) / 2 - (over ? 15 : 0);
      } else {
        m.score = 10 + discard(h, seat, m);
      }
    }
  }

  static void third(const Hands& h, int seat, const Trick& t, Move* out, int n) {
    const int after = next_seat(seat);
    const auto theirs = h.suit(after, t.led);
    const bool side_suit = h.trumps && t.led != 3;
    Cards theirs_best = Cards{std::bit_floor(theirs)} << (kShift * t.led);
    if (side_suit && !theirs) theirs_best = highest(h.seat[after] & lane(3));
    const bool mate_holds = t.holder == partner(seat);
    const bool mate_wins = mate_holds && t.best > theirs_best;
    for (int i = 0; i < n; ++i) {
      Move& m = out[i];
      const Cards top = highest(m.group);
      const bool winning = beats(h, top, t);
      if (winning && top > theirs_best) {
        m.score = (mate_wins ? 5 : 40) - rank_of(m.card) / 2;
      } else if (winning && !mate_wins) {
        // Makes the fourth hand spend its winner, or spends ours.
        m.score = (mate_holds ? 14 : 30) - rank_of(m.card) / 2;
      } else if (suit_of(m.card) == t.led) {
        m.score = 20 - rank_of(m.card);
      } else if (side_suit && suit_of(m.card) == 3) {
        m.score = -10 - rank_of(m.card);
      } else {
        m.score = 12 + discard(h, seat, m);
      }
    }
  }

  static void fourth(const Hands& h, int seat, const Trick& t, Move* out, int n) {
    const bool mate_wins = t.holder == partner(seat);
    for (int i = 0; i < n; ++i) {
      Move& m = out[i];
      const Cards top = highest(m.group);
      if (beats(h, top, t)) {
        m.score = (mate_wins ? 0 : 40) - rank_of(m.card);
      } else if (suit_of(m.card) == t.led) {
        m.score = 20 - rank_of(m.card);
      } else if (h.trumps && suit_of(m.card) == 3) {
        m.score = -10 - rank_of(m.card);
      } else {
        m.score = 12 + discard(h, seat, m);
      }
    }
  }
};

}  // namespace zermelo::bridge
