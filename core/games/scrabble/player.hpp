// Players: the greedy player maximizes points plus the value of the leave. The simulating player
// evaluates its best plays in sampled deals, in which both sides continue greedily.
#pragma once

#include "../../limits.hpp"
#include "scrabble.hpp"

namespace zermelo::scrabble {

struct Choice {
  Action action;
  int score;
  double equity;
};

class Player {
 public:
  using State = Scrabble::State;
  explicit Player(const Scrabble& rules) : rules_(rules) {}

  // Points plus the value of the leave. With an empty bag, tiles left over are subtracted, and a
  // player who goes out gets those of the other. Uses only what the mover observes.
  double equity(const State& s, int score, const std::uint8_t* kept) const {
    if (Scrabble::total(s.bag)) return score + Scrabble::leave(kept);
    if (Scrabble::total(kept)) return score - Scrabble::points(kept);
    return score + 2 * Scrabble::points(s.rack[1 - s.mover]);  // the unseen tiles are the other's
  }

  Choice weigh(const State& s, const Play& p) const {
    std::uint8_t kept[kKinds];
    std::copy_n(s.rack[s.mover], kKinds, kept);
    for (int i = 0; i < p.placed; ++i) --kept[p.used[i]];
    return {rules_.codes().code(p), p.score, equity(s, p.score, kept)};
  }

  Choice weigh_exchange(const State& s, Action a) const {
    std::uint8_t kept[kKinds], given[kKinds];
    Codes::given(a, given);
    for (int i = 0; i < kKinds; ++i) kept[i] = s.rack[s.mover][i] - given[i];
    const double lost = Scrabble::total(given) ? 0 : kPassed;
    return {a, 0, equity(s, 0, kept) - lost};
  }

  // All actions, best first.
  std::vector<Choice> all(const State& s) const {
    std::vector<Choice> found;
    each_play(rules_.words(), s.board, s.rack[s.mover],
              [&](const Play& p) { found.push_back(weigh(s, p)); });
    const std::size_t plays = found.size();
    std::vector<Action> rest(plays + 128 + 1);
    const int n = rules_.actions(s, rest.data(), static_cast<int>(rest.size()));
    for (int i = static_cast<int>(plays); i < n; ++i) found.push_back(weigh_exchange(s, rest[i]));
    std::stable_sort(found.begin(), found.end(),
                     [](const Choice& a, const Choice& b) { return a.equity > b.equity; });
    return found;
  }

  // The best play; where there is none it gives all tiles back, or passes.
  Action greedy(const State& s) const {
    Choice best{kExchange, 0, -1e9};
    Play play{};
    each_play(rules_.words(), s.board, s.rack[s.mover], [&](const Play& p) {
      std::uint8_t kept[kKinds];
      std::copy_n(s.rack[s.mover], kKinds, kept);
      for (int i = 0; i < p.placed; ++i) --kept[p.used[i]];
      const double e = equity(s, p.score, kept);
      if (e > best.equity) best.equity = e, play = p;
    });
    if (best.equity > -1e9) return rules_.codes().code(play);
    if (Scrabble::total(s.bag) < kFewest) return kExchange;
    return Codes::exchange(s.rack[s.mover]);
  }

  // The `candidates` best choices, each with the mean of what it leads to after `plies` more turns
  // in `deals` deals: the mover's lead in points. The same deals for all.
  std::vector<Choice> simulate(const State& s, int candidates, int deals, int plies,
                               std::uint64_t seed, Budget& budget) const {
    std::vector<Choice> best = all(s);
    if (static_cast<int>(best.size()) > candidates) best.resize(candidates);
    for (Choice& c : best) c.equity = 0;
    Random rng(seed);
    for (int d = 0; d < deals; ++d) {
      State deal;
      rules_.deal(s, s.mover, rng.next(), deal);
      for (Choice& c : best) c.equity += played(deal, c.action, plies, budget) / deals;
    }
    std::stable_sort(best.begin(), best.end(),
                     [](const Choice& a, const Choice& b) { return a.equity > b.equity; });
    return best;
  }

 private:
  // The mover's lead after an action and `plies` turns: points, and what each kept before it drew
  // (what it drew then is chance's, and would only add noise).
  double played(const State& s, Action a, int plies, Budget& budget) const {
    State here = s;
    double kept[2] = {};
    for (int i = 0; i <= plies && rules_.to_move(here) >= 0; ++i) {
      budget.enter();
      if (i) a = greedy(here);
      kept[here.mover] = kept_worth(here, a);
      here = rules_.play(here, a);
    }
    if (rules_.to_move(here) < 0) return here.score[s.mover] - here.score[1 - s.mover];
    const int us = s.mover;
    return here.score[us] - here.score[1 - us] + kept[us] - kept[1 - us];
  }

  double kept_worth(const State& s, Action a) const {
    std::uint8_t kept[kKinds], used[kKinds] = {};
    if (a >= kPlay) {
      rules_.score_of(s, rules_.codes().play(a), used);
    } else {
      Codes::given(a, used);
    }
    for (int i = 0; i < kKinds; ++i) kept[i] = s.rack[s.mover][i] - used[i];
    return Scrabble::total(s.bag) ? Scrabble::leave(kept) : -Scrabble::points(kept);
  }

  static constexpr double kPassed = 10;  // what a turn is worth
  const Scrabble& rules_;
};

}  // namespace zermelo::scrabble
