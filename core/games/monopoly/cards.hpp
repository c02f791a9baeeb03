// What a drawn card does. Included by monopoly.hpp.
#pragma once

#include "monopoly.hpp"

namespace zermelo {

inline void Monopoly::draw(State& s, const monopoly::Card& c) const {
  using monopoly::Effect;
  const int p = s.mover, at = s.place[p];
  switch (c.effect) {
    case Effect::advance:
      return go_to(s, c.what, true);
    case Effect::station:
      return go_to(s, (at + 5) / 10 * 10 % 40 + 5, true, 2);
    case Effect::works:
      return go_to(s, at < 12 || at >= 28 ? 12 : 28, true, 2);
    case Effect::back:
      return go_to(s, at - c.what, false);
    case Effect::arrest:
      return arrest(s);
    case Effect::keep:
      s.kept[p] = std::min(kKept, s.kept[p] + 1);
      break;
    case Effect::money:
      if (c.what >= 0)
        s.cash[p] += c.what;
      else
        pay(s, p, -c.what, -1);
      break;
    case Effect::everybody:
      for (int q = 0; q < players_; ++q) {
        if (q == p || !in_game(s, q) || !in_game(s, p)) continue;
        if (c.what >= 0)
          pay(s, q, c.what, p);
        else
          pay(s, p, -c.what, q);
      }
      break;
    case Effect::repairs: {
      int cost = 0;
      for (int l = 0; l < monopoly::kLots; ++l) {
        if (owner(s, l) != p) continue;
        cost += houses(s, l) == monopoly::kHotel ? c.hotel : houses(s, l) * c.what;
      }
      pay(s, p, cost, -1);
      break;
    }
  }
  finish(s);
}

}  // namespace zermelo
