// Validation of Monopoly states that come from outside.
#pragma once

#include "monopoly.hpp"

namespace zermelo {

inline bool Monopoly::valid_players(const State& s) const {
  for (int p = 0; p < kPlayers; ++p) {
    const bool in = s.cash[p] >= 0;
    if (s.cash[p] < -1 || s.cash[p] > kMostMoney || (in && p >= players_)) return false;
    if (!in && (s.place[p] || s.tries[p] || s.kept[p])) return false;
    if (s.place[p] > monopoly::kJail || s.kept[p] > kKept || s.tries[p] >= kTries) return false;
    if (s.tries[p] && s.place[p] != monopoly::kJail) return false;
  }
  return true;
}

inline bool Monopoly::valid_lots(const State& s) const {
  for (int l = 0; l < monopoly::kLots; ++l) {
    const int who = owner(s, l);
    if (s.lot[l] >> 7 || houses(s, l) > monopoly::kHotel) return false;
    if (who < 0 ? s.lot[l] != 0 : who >= players_ || !in_game(s, who)) return false;
    const bool built = houses(s, l) > 0;
    if (built && (!monopoly::kLot[l].house || !colour(s, monopoly::kLot[l].group, who).whole)) {
      return false;
    }
    if (built && houses(s, l) > colour(s, monopoly::kLot[l].group, who).least + 1) return false;
  }
  return true;
}

inline bool Monopoly::valid(const State& s) const {
  if (!valid_players(s) || !valid_lots(s)) return false;
  if (s.phase > over || s.mover >= players_ || s.asked >= players_ || s.none) return false;
  if (s.subject >= monopoly::kLots || s.doubles > 2 || s.traded > 1 || s.rolled > 12) return false;
  const int n = left(s);
  if (n < 1 || s.round > rounds_) return false;
  if (s.phase == over) {
    return (n == 1 || s.round == rounds_) && !s.doubles && !s.traded && !s.subject && !s.asked &&
           !s.rolled;
  }
  if (n < 2 || s.round >= rounds_ || !in_game(s, s.mover)) return false;
  const int price = monopoly::kLot[s.subject].price, who = owner(s, s.subject);
  const bool idle = !s.subject && !s.asked;
  switch (s.phase) {
    case turn:
    case roll:
      return idle && !s.rolled;
    case buy:
      return !s.asked && who < 0 && s.rolled >= 2 && s.cash[s.mover] >= price;
    case offer:
      return s.asked != s.mover && in_game(s, s.asked) && who < 0 && s.rolled >= 2 &&
             s.cash[s.asked] >= price;
    case trade:
      return s.asked == who && s.traded && !s.rolled && askable(s, s.subject);
    default: {  // a card is drawn
      const int at = s.place[s.mover];
      const auto kind = at < monopoly::kSquares ? monopoly::kSquare[at].kind : monopoly::Kind::tax;
      const auto wanted = s.phase == luck ? monopoly::Kind::luck : monopoly::Kind::fund;
      return idle && s.rolled >= 2 && kind == wanted;
    }
  }
}

}  // namespace zermelo
