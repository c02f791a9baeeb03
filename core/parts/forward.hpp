// A game that stands before another and passes every question on to it. Who wraps a game derives
// from Forward, takes this table and changes in it what is to be different.
#pragma once

#include "../game.hpp"

namespace zermelo {

struct Forward {
  Game base;
};

inline const Game& base_of(const void* self) { return static_cast<const Forward*>(self)->base; }

// `to` must live as long as the table.
inline Game forwarded(const Forward& to) {
  Game t = to.base;
  t.self = &to;
#define ZERMELO_FORWARD(name, parameters, arguments)                 \
  if (t.name) {                                                      \
    t.name = [] parameters { return base_of(self).name arguments; }; \
  }
  ZERMELO_FORWARD(initial, (const void* self, void* s), (base_of(self).self, s))
  ZERMELO_FORWARD(to_move, (const void* self, const void* s), (base_of(self).self, s))
  ZERMELO_FORWARD(actions, (const void* self, const void* s, Action* out, int n),
                  (base_of(self).self, s, out, n))
  ZERMELO_FORWARD(noisy, (const void* self, const void* s, Action* out, int n),
                  (base_of(self).self, s, out, n))
  ZERMELO_FORWARD(play, (const void* self, const void* s, Action a, void* next),
                  (base_of(self).self, s, a, next))
  ZERMELO_FORWARD(utility, (const void* self, const void* s, int p), (base_of(self).self, s, p))
  ZERMELO_FORWARD(evaluate, (const void* self, const void* s, int p), (base_of(self).self, s, p))
  ZERMELO_FORWARD(key, (const void* self, const void* s), (base_of(self).self, s))
  ZERMELO_FORWARD(lasting_key, (const void* self, const void* s), (base_of(self).self, s))
  ZERMELO_FORWARD(valid, (const void* self, const void* s), (base_of(self).self, s))
  ZERMELO_FORWARD(outcomes, (const void* self, const void* s, Action* out, double* odds, int n),
                  (base_of(self).self, s, out, odds, n))
  ZERMELO_FORWARD(observation, (const void* self, const void* s, int p), (base_of(self).self, s, p))
  ZERMELO_FORWARD(deal, (const void* self, const void* s, int p, std::uint64_t random, void* out),
                  (base_of(self).self, s, p, random, out))
  ZERMELO_FORWARD(timeless, (const void* self, const void* s, void* out),
                  (base_of(self).self, s, out))
  ZERMELO_FORWARD(values, (const void* self, const void* s, Action* out, double* value, int n),
                  (base_of(self).self, s, out, value, n))
  ZERMELO_FORWARD(narrow,
                  (const void* self, const void* s, Action* out, float* promise, int n, double* low,
                   double* high),
                  (base_of(self).self, s, out, promise, n, low, high))
  ZERMELO_FORWARD(mirror_key, (const void* self, const void* s), (base_of(self).self, s))
  ZERMELO_FORWARD(doubt, (const void* self, const void* s, int depth, int shallow),
                  (base_of(self).self, s, depth, shallow))
  ZERMELO_FORWARD(plies_left, (const void* self, const void* s), (base_of(self).self, s))
  ZERMELO_FORWARD(quiet_plies, (const void* self, const void* s), (base_of(self).self, s))
  ZERMELO_FORWARD(urgent, (const void* self, const void* s), (base_of(self).self, s))
  ZERMELO_FORWARD(pass, (const void* self, const void* s, void* next),
                  (base_of(self).self, s, next))
  ZERMELO_FORWARD(sample, (const void* self, const void* s, std::uint64_t random),
                  (base_of(self).self, s, random))
  ZERMELO_FORWARD(used, (const void* self, const void* s), (base_of(self).self, s))
  ZERMELO_FORWARD(count, (const void* self, const void* s), (base_of(self).self, s))
  ZERMELO_FORWARD(leaves,
                  (const void* self, const void* s, int depth, void (*tick)(void*), void* with),
                  (base_of(self).self, s, depth, tick, with))
  static_assert(sizeof(Game) == sizeof(Facts) + 8 + 30 * sizeof(void*),
                "a function was added to the table: forward it here too");
#undef ZERMELO_FORWARD
  t.endgames = nullptr;  // its functions want the base's self
  t.engine = nullptr;    // so do compiled-in rules
  t.mcts = nullptr;
  return t;
}

}  // namespace zermelo
