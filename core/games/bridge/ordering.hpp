// Which card to try first. All cards are seen, so most questions at the table have an answer.
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

class Ordering {
 public:
  // The moves of `seat`, `index` cards after the leader's, cards that are alike once; best first.
  // `hint` is a card that was good in a like position.
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
      // Up to the next card of somebody else.
      const Cards wall = lowest(others & lane(suit) & ~(low - 1));
      const Cards group = wall ? mine & (wall - 1) : mine;
      from ^= group;
      out[n++] = {low, group, 0};
    }
    if (n > 1) {
      switch (index) {
        case 0:
          lead(h, seat, out, n);
          break;
        case 1:
          second(h, seat, t, out, n);
          break;
        case 2:
          third(h, seat, t, out, n);
          break;
        default:
          fourth(h, seat, t, out, n);
      }
      for (int i = 0; i < n; ++i) {
        if (out[i].group & hint) out[i].score += 1000;
      }
    }
    return n;
  }

 private:
  static void lead(const Hands& h, int seat, Move* out, int n) {
    const int mate = partner(seat), left = next_seat(seat), right = previous_seat(seat);
    int suit = -1, weight = 0;
    std::uint32_t l = 0, p = 0, a = 0, b = 0;
    bool ruff_left = false, ruff_right = false, ruff_mate = false;
    for (int i = 0; i < n; ++i) {
      Move& m = out[i];
      if (suit != suit_of(m.card)) {
        suit = suit_of(m.card);
        l = h.suit(seat, suit), p = h.suit(mate, suit);
        a = h.suit(left, suit), b = h.suit(right, suit);
        const bool side_suit = h.trumps && suit != 3;
        ruff_left = side_suit && !a && h.suit(left, 3);
        ruff_right = side_suit && !b && h.suit(right, 3);
        ruff_mate = side_suit && !p && h.suit(mate, 3);
        weight = 2 * (std::popcount(l) + std::popcount(p)) - std::popcount(a) - std::popcount(b);
      }
      const auto c = static_cast<std::uint32_t>(m.card >> (kShift * suit));
      const auto top = static_cast<std::uint32_t>(highest(m.group) >> (kShift * suit));
      const auto o = a | b;
      int score = weight;
      if (ruff_left || ruff_right) {
        score -= 20;
        if (ruff_mate) score += 10;
      } else if (ruff_mate) {
        score += 25;
      } else if (!(o & above(top)) && o) {  // wins by itself
        score += 18;
        if (p & above(top)) score -= 6;
      } else if ((p & above(o)) && o) {  // the partner has the winner
        score += 20 - std::popcount(c - 1) / 2;
      } else if (!o) {
        score += 10;
      } else {
        // The others will win it: give away little, lead toward strength.
        const auto best = std::bit_floor(o);
        score += best & a ? -4 : 2;
        score -= std::popcount(c - 1);
        const auto second = std::bit_floor((l | p | o) ^ best);
        if (second & p) score += 6;
        if (second & l) score += std::popcount(m.group) > 1 ? 8 : -3;
        if (c == second && !(std::popcount(m.group) > 1)) score -= 10;
      }
      m.score = score;
    }
  }

  // Cheap cards first, from where they are missed least.
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
          m.score = 40 - rank_of(m.card);
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
        m.score = (mate_holds ? 14 : 22) - rank_of(m.card) / 2;
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
