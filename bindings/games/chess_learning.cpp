// Games of chess for training and for matches, and the evaluation terms of their positions.
#include "chess_learning.hpp"

#include <chrono>
#include <cmath>
#include <cstring>

#include "games.hpp"
#include "games/chess/chess.hpp"
#include "inlined.hpp"
#include "watched.hpp"

namespace zermelo::bindings {

chess::Weights weights_of(const nb::bytes& pairs) {
  using chess::kTerms;
  if (!pairs.size()) return chess::kThumb;
  std::int16_t both[kTerms][2];
  if (pairs.size() != sizeof both) {
    raise("UsageError", "the data is not a weight file of chess",
          "train weights with: zermelo train chess");
  }
  std::memcpy(both, pairs.c_str(), sizeof both);
  chess::Weights w;
  for (int i = 0; i < kTerms; ++i) w.of[i] = chess::pack(both[i][0], both[i][1]);
  return w;
}

namespace {

using Rules = Chess<chess::Magic>;

// A training position.
struct Example {
  chess::Board by[6], white, castle;
  std::int16_t score;  // score of the search for White, in units
  std::int8_t result;  // of the game: 1 White won, 0, -1
  std::uint8_t mover;
  std::uint32_t game;  // the number of the game in its batch
};

chess::Position position_of(const Example& e) {
  chess::Position p{};
  chess::Board all = 0;
  for (int i = 0; i < 6; ++i) all |= p.by[i] = e.by[i];
  p.side[0] = e.white & all;
  p.side[1] = all & ~e.white;
  p.castle = e.castle;
  p.mover = e.mover;
  p.number = 1;
  if (e.mover > 1 || Rules::fault(p))
    raise("BadPosition", "the data does not contain chess positions");
  return p;
}

// How a game is played, and when it is adjudicated.
struct Terms {
  int nodes;                    // of a search
  int opening;                  // random plies
  double uneven = 2;            // pawns: openings that are more uneven are not played
  double won = 10, even = 0.1;  // pawns: an advantage that decides if it lasts
  int won_for = 6, even_for = 12, even_from = 80, most = 400;  // plies
};

struct Random {
  std::uint64_t seed;
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>((mix(seed += 0x9e3779b97f4a7c15ULL) >> 32) * n >> 32);
  }
};

// A non-terminal position after some random moves.
chess::State opening_of(const Rules& rules, int plies, Random& random) {
  while (true) {
    chess::State s = rules.initial();
    for (int i = 0; i < plies && rules.to_move(s) != kTerminal; ++i) {
      Action all[chess::kMostMoves];
      const int count = rules.actions(s, all, chess::kMostMoves);
      s = rules.play(s, all[random.below(count)]);
    }
    if (rules.to_move(s) != kTerminal) return s;
  }
}

Result think(const Handle& game, const chess::State& s, int nodes) {
  Limits limits;
  limits.nodes = nodes;
  Budget budget(limits);
  Options options;
  options.deepen = options.quiescence = true;
  options.table_mb = 2;
  return game.table.engine->run({game.table, &s, limits, options, budget, nullptr, nullptr});
}

// One game; false: it was stopped, or its opening was too uneven.
bool play(const Handle* const players[2], const Rules& rules, chess::State s, const Terms& terms,
          const Budget& watch, std::vector<Example>& out, std::uint32_t number, int& result) {
  const std::size_t first = out.size();
  int lead = 0, level = 0,
      ply = 0;  // plies for which one side has been winning, the game has been even
  result = 0;
  for (; rules.to_move(s) != kTerminal; ++ply) {
    const Result r = think(*players[s.mover], s, terms.nodes);
    if (watch.stopped() != Stop::none) return false;
    Action action;
    if (r.line.empty()) {
      Action all[chess::kMostMoves];
      rules.actions(s, all, chess::kMostMoves);
      action = all[0];
    } else {
      action = r.line.front();
    }
    const double score = r.decisive ? (r.value > 0 ? 100 : -100) : r.value;
    if (ply == 0 && std::abs(score) > terms.uneven) return false;
    if (r.has_value && !r.decisive && std::abs(score) < 20 && !Rules::in_check(s) &&
        chess::taken_of(action) < 0 && !chess::promoted_of(action)) {
      Example e{};
      std::copy_n(s.by, 6, e.by);
      e.white = s.side[0];
      e.castle = s.castle;
      e.score = static_cast<std::int16_t>(std::lround(score * chess::kUnit));
      e.mover = s.mover;
      e.game = number;
      out.push_back(e);
    }
    const int side = score > terms.won ? 1 : score < -terms.won ? -1 : 0;
    lead = side == 0 ? 0 : lead * side >= 0 ? lead + side : side;
    level = std::abs(score) <= terms.even ? level + 1 : 0;
    if (std::abs(lead) >= terms.won_for) {
      result = side;
      break;
    }
    if (ply >= terms.most || (ply >= terms.even_from && level >= terms.even_for)) break;
    s = rules.play(s, action);
  }
  if (rules.to_move(s) == kTerminal) result = static_cast<int>(rules.utility(s, 0));
  for (std::size_t i = first; i < out.size(); ++i) {
    out[i].result = static_cast<std::int8_t>(result);
  }
  return true;
}

// Pairs of games from the same opening, the first player with White and with Black. Returns the
// quiet positions and the results for the first player. Pairs with an uneven opening are skipped.
nb::tuple play_games(const Handle& a, const Handle& b, int pairs, std::uint64_t seed, int nodes,
                     int opening, bool adjudicate) {
  static const Rules rules(518, false);
  if (a.table.engine != b.table.engine || a.table.facts.state_size != sizeof(chess::State) ||
      !a.table.engine || nodes < 1 || pairs < 0 || opening < 0) {
    raise("UsageError", "invalid players for a chess match");
  }
  Terms terms{nodes, opening};
  if (!adjudicate) terms.won = 50, terms.even_from = 1000;
  std::vector<Example> examples;
  std::vector<int> results;
  Budget watch{Limits{}};
  run(Limits{}, watch, [&] {
    for (int i = 0; i < pairs && watch.stopped() == Stop::none; ++i) {
      Random random{mix(seed * 1000003 + static_cast<std::uint64_t>(i))};
      for (bool done = false; !done && watch.stopped() == Stop::none;) {
        const chess::State s = opening_of(rules, opening, random);
        const std::size_t before = examples.size();
        const Handle* const both[2][2] = {{&a, &b}, {&b, &a}};
        int result[2];
        done = true;
        for (int turn = 0; turn < 2 && done; ++turn) {
          done = play(both[turn], rules, s, terms, watch, examples, 2 * i + turn, result[turn]);
          if (&a == &b) break;  // it would repeat the same game
        }
        if (!done) {
          examples.resize(before);
          continue;
        }
        results.push_back(result[0]);
        if (&a != &b) results.push_back(-result[1]);
      }
    }
  });
  return nb::make_tuple(
      nb::bytes(reinterpret_cast<const char*>(examples.data()), examples.size() * sizeof(Example)),
      results, watch.stopped() == Stop::none);
}

template <class T>
nb::bytes bytes_of(const std::vector<T>& v) {
  return nb::bytes(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
}

// Of each example: the number of terms (16 bits); their indices (16 bits) and counts (16 bits),
// concatenated; phase and scale (8 bits each); its evaluation (32
// bits).
nb::tuple trace(const nb::bytes& examples, const nb::bytes& weights, bool portable) {
  const chess::Weights w = weights_of(weights);
  chess::prepare();
  const std::size_t count = examples.size() / sizeof(Example);
  std::vector<std::uint16_t> sizes(count), terms;
  std::vector<std::int16_t> times;
  std::vector<std::uint8_t> phases(count), scales(count);
  std::vector<std::int32_t> values(count);
  const bool pext = !portable && chess::has_pext();
  for (std::size_t i = 0; i < count; ++i) {
    Example e;
    std::memcpy(&e, examples.c_str() + i * sizeof e, sizeof e);
    const chess::Position p = position_of(e);
    chess::Count c(w);
    values[i] = pext ? chess::Pext::judge(p, c) : chess::Magic::judge(p, c);
    for (int t = 0; t < chess::kTerms; ++t) {
      if (!c.of[t]) continue;
      terms.push_back(static_cast<std::uint16_t>(t));
      times.push_back(c.of[t]);
      ++sizes[i];
    }
    phases[i] = static_cast<std::uint8_t>(c.phase);
    scales[i] = static_cast<std::uint8_t>(c.scale);
  }
  return nb::make_tuple(bytes_of(sizes), bytes_of(terms), bytes_of(times), bytes_of(phases),
                        bytes_of(scales), bytes_of(values));
}

nb::bytes thumb() {
  std::vector<std::int16_t> pairs;
  for (const std::uint32_t w : chess::kThumb.of) {
    pairs.push_back(static_cast<std::int16_t>(chess::middle_of(w)));
    pairs.push_back(static_cast<std::int16_t>(chess::end_of(w)));
  }
  return bytes_of(pairs);
}

// The mean time of an evaluation over the examples, in nanoseconds.
double evaluation_time(const nb::bytes& examples, const nb::bytes& weights, int rounds) {
  const chess::Weights w = weights_of(weights);
  chess::prepare();
  std::vector<chess::Position> all(examples.size() / sizeof(Example));
  for (std::size_t i = 0; i < all.size(); ++i) {
    Example e;
    std::memcpy(&e, examples.c_str() + i * sizeof e, sizeof e);
    all[i] = position_of(e);
  }
  const bool pext = chess::has_pext();
  volatile int sink = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    for (const chess::Position& p : all) {
      sink = pext ? chess::Pext::evaluate(p, w) : chess::Magic::evaluate(p, w);
    }
  }
  static_cast<void>(sink);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  return 1e9 * spent.count() / std::max<double>(1, static_cast<double>(all.size()) * rounds);
}

}  // namespace

ZERMELO_GAME(chess_learning, m) {
  m.def("chess_games", &play_games, nb::arg("first"), nb::arg("second"), nb::arg("pairs"),
        nb::arg("seed"), nb::arg("nodes"), nb::arg("opening"), nb::arg("adjudicate") = true);
  m.def("chess_trace", &trace, nb::arg("examples"), nb::arg("weights"),
        nb::arg("portable") = false);
  m.def("chess_evaluation_time", &evaluation_time, nb::arg("examples"), nb::arg("weights"),
        nb::arg("rounds"));
  m.def("chess_thumb", &thumb);
  m.def("chess_terms", [] {
    nb::list list;
    for (const chess::TermGroup& g : chess::kTermGroups) {
      list.append(nb::make_tuple(std::string(g.name), g.size));
    }
    return list;
  });
  m.attr("chess_example_bytes") = sizeof(Example);
  m.attr("chess_phases") = chess::kPhases;
  m.attr("chess_scales") = chess::kScales;
  m.attr("chess_unit") = chess::kUnit;
}

}  // namespace zermelo::bindings
