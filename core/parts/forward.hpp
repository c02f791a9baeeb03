// A game that passes every call on to another game. A wrapper derives from Forward, takes the table
// of forwarded() and replaces the functions it changes.
#pragma once

#include "../game.hpp"

namespace zermelo {

struct Forward {
  Game base;
};

inline const Game& base_of(const void* self) { return static_cast<const Forward*>(self)->base; }

// Passes a call of the member `Function` of Game on to the base.
template <auto Function>
struct Forwarding;
template <class R, class... A, R (*Game::*Function)(const void*, A...)>
struct Forwarding<Function> {
  static R call(const void* self, A... arguments) {
    const Game& base = base_of(self);
    return (base.*Function)(base.self, arguments...);
  }
};

// The table of a wrapper; `to` must outlive it.
inline Game forwarded(const Forward& to) {
  Game t = to.base;
  t.self = &to;
#define ZERMELO_CONTRACT(kind, returns, name, ...) \
  if (t.name) t.name = Forwarding<&Game::name>::call;
#include "../contract.def"
  t.endgames = nullptr;  // its functions expect the base's `self`
  t.superko = nullptr;
  t.engine = nullptr;  // so do compiled-in rules
  t.mcts = nullptr;
  return t;
}

}  // namespace zermelo
