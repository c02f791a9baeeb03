// Counts positions and runs every algorithm on native games, without Python, and prints what came
// out. The output must not depend on the compiler, the standard library or the processor:
// .ci/portability compares builds with each other and with smoke.txt.
//
// Chess, Othello and backgammon have a kernel for AVX2 and a portable one. Both run where the
// processor can, and must agree.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "games/backgammon/backgammon.hpp"
#include "games/backgammon/learning.hpp"
#include "games/blind_tic_tac_toe.hpp"
#include "games/bridge/bridge.hpp"
#include "games/checkers/checkers.hpp"
#include "games/chess/chess.hpp"
#include "games/connect_four.hpp"
#include "games/dodgem.hpp"
#include "games/game_2048.hpp"
#include "games/kuhn.hpp"
#include "games/leduc.hpp"
#include "games/monopoly/monopoly.hpp"
#include "games/nim.hpp"
#include "games/othello/othello.hpp"
#include "games/pig.hpp"
#include "games/split_nim.hpp"
#include "games/tic_tac_toe.hpp"
#include "inlined.hpp"
#include "nn/network.hpp"
#include "parts/judge.hpp"
#include "parts/random.hpp"
#include "parts/runner.hpp"
#include "search/all.hpp"

namespace {

using namespace zermelo;

using State = std::vector<std::byte>;

// What the searches of one game printed.
using Lines = std::vector<std::string>;

template <class... Values>
void add(Lines& lines, const char* format, Values... values) {
  char line[512];
  std::snprintf(line, sizeof line, format, values...);
  lines.emplace_back(line);
}

State initial_of(const Game& game) {
  State s(game.facts.state_size);
  game.initial(game.self, s.data());
  return s;
}

std::vector<Action> moves_of(const Game& game, const State& s) {
  std::vector<Action> list(4096);
  std::vector<double> odds(list.size());
  const int room = static_cast<int>(list.size());
  const bool chance = game.to_move(game.self, s.data()) == kChance;
  list.resize(chance ? game.outcomes(game.self, s.data(), list.data(), odds.data(), room)
                     : game.actions(game.self, s.data(), list.data(), room));
  return list;
}

// The position after `plies` random moves, and after more until a player is to move.
State after(const Game& game, int plies, std::uint64_t seed) {
  Random random(seed);
  State s = initial_of(game), next = s;
  for (int i = 0; i < plies || game.to_move(game.self, s.data()) == kChance; ++i) {
    const std::vector<Action> list = moves_of(game, s);
    game.play(game.self, s.data(), list[random.below(static_cast<std::uint32_t>(list.size()))],
              next.data());
    if (game.to_move(game.self, next.data()) == kTerminal) break;
    s = next;
  }
  return s;
}

const Algorithm& algorithm_named(std::string_view name) {
  for (const Algorithm& a : algorithms()) {
    if (a.name == name) return a;
  }
  std::fprintf(stderr, "there is no algorithm %.*s\n", static_cast<int>(name.size()), name.data());
  std::exit(2);
}

struct Run {
  const char* algorithm;
  int depth = kNoDepth;
  std::uint64_t nodes = UINT64_MAX;
  Options options = {};
};

void search(Lines& lines, const Game& game, const State& s, const Run& run) {
  const Algorithm& a = algorithm_named(run.algorithm);
  const Limits limits{run.depth, run.nodes, 0};
  Options options = run.options;
  Result r;
  for (;;) {
    Budget budget(limits);
    const Request request{game, s.data(), limits, options, budget, nullptr, nullptr};
    try {
      run_watched(limits, budget, [&] { r = a.run(request); }, [] { return false; });
      break;
    } catch (const ScoreGame&) {
      options.scores = true;
    }
  }
  if (!r.has_value) return add(lines, "  %s: nothing in %" PRIu64 " nodes", run.algorithm, r.nodes);
  std::string values, line;
  char text[32];
  for (const double v : r.values) {
    std::snprintf(text, sizeof text, " %.17g", v);
    values += text;
  }
  for (std::size_t i = 0; i < r.line.size() && i < 6; ++i) {
    line.append(1, ' ').append(std::to_string(r.line[i]));
  }
  add(lines, "  %s: value %.17g%s kind %d nodes %" PRIu64 " leaves %" PRIu64 " line%s",
      run.algorithm, r.value, values.c_str(), static_cast<int>(r.bound), r.nodes, r.leaves,
      line.c_str());
}

struct Plan {
  const char* name;
  int perft = 0;               // depth
  std::vector<int> positions;  // plies from the start
  std::vector<Run> runs;
  std::uint64_t playouts = 0;
};

Lines results(const Game& game, const Plan& plan) {
  Lines lines;
  const State start = initial_of(game);
  for (int depth = 1; depth <= plan.perft; ++depth) {
    Budget budget{Limits{}};
    add(lines, "  perft %d: %" PRIu64, depth, perft(game, start.data(), depth, budget));
  }
  for (const int plies : plan.positions) {
    const State s = after(game, plies, 17 + static_cast<std::uint64_t>(plies));
    add(lines, " after %d plies: key %016" PRIx64, plies, game.key(game.self, s.data()));
    if (game.evaluate) {
      add(lines, "  evaluation: %.17g", game.evaluate(game.self, s.data(), 0));
    }
    for (const Run& run : plan.runs) search(lines, game, s, run);
  }
  if (plan.playouts) {
    Budget budget{Limits{}};
    const Playouts p = playouts(game, start.data(), plan.playouts, 5, budget);
    add(lines, "  playouts: plies %" PRIu64 " sum %.17g", p.plies, p.sums[0]);
  }
  return lines;
}

void print(const char* name, const Lines& lines) {
  std::printf("%s\n", name);
  for (const std::string& line : lines) std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

template <class Rules>
void play(const Plan& plan, const Rules& rules, const InlinedEngine* engine = nullptr,
          const InlinedMcts* mcts = nullptr) {
  Game game = table_of(rules);
  game.engine = engine;
  game.mcts = mcts;
  print(plan.name, results(game, plan));
}

// The same with two kernels.
template <class Portable, class Fast>
void play_both(const Plan& plan, const Portable& portable, const Fast* fast,
               const InlinedEngine* engines = nullptr) {
  Game game = table_of(portable);
  game.engine = engines;
  const Lines lines = results(game, plan);
  print(plan.name, lines);
  if (!fast) return;
  Game other = table_of(*fast);
  if (engines) other.engine = engines + 1;
  if (results(other, plan) == lines) return;
  std::printf("  the kernels for AVX2 give other results:\n");
  print(plan.name, results(other, plan));
  std::exit(1);
}

Options with_table() {
  Options o;
  o.table_mb = 1;
  return o;
}

Options deepening() {
  Options o = with_table();
  o.deepen = true;
  return o;
}

std::vector<Run> two_player_runs(int depth, std::uint64_t nodes) {
  return {{"minimax", depth - 2},
          {"alphabeta", depth},
          {"alphabeta", depth, UINT64_MAX, with_table()},
          {"engine", depth, UINT64_MAX, with_table()},
          {"engine", kNoDepth, nodes, deepening()},
          {"mcts", kNoDepth, nodes}};
}

void small_games() {
  Plan plan{"tic-tac-toe", 6, {0, 2}, two_player_runs(7, 2000), 500};
  plan.runs.push_back({"proof-number", kNoDepth, 20000, with_table()});
  play(plan, StandardTicTacToe(3, 3, 3), nullptr, &kTicTacToeMcts[1]);
  plan.name = "connect four", plan.positions = {0, 9, 20};
  play(plan, StandardConnectFour(7, 6, false), &kConnectFourEngines[1], &kConnectFourMcts[1]);
  play({"checkers", 6, {0, 20}, two_player_runs(6, 1000), 50}, Checkers(4));
  play({"dodgem", 6, {0, 3}, two_player_runs(6, 1000), 0}, Dodgem(3));
  play({"nim", 0, {0}, {{"proof-number", kNoDepth, 20000, with_table()}}, 100},
       Nim({3, 4, 5}, 0, false, 2));
}

void kernels() {
  Plan plan{"chess", 3, {0, 12, 50}, two_player_runs(4, 1000), 10};
  const Chess<chess::Magic> magic(518, false, false, chess::kThumb);
  const Chess<chess::Pext> pext(518, false, false, chess::kThumb);
  play_both(plan, magic, chess::has_pext() ? &pext : nullptr, kChessEngines);

  plan = {"othello", 5, {0, 30, 46}, two_player_runs(5, 1000), 50};
  const Othello<othello::Portable> plain(8, {});
  const Othello<othello::Avx2> avx2(8, {});
  play_both(plan, plain, othello::has_avx2() ? &avx2 : nullptr);

  const auto networks = std::make_shared<backgammon::Networks>();
  backgammon::shake(*networks, 7);
  plan = {"backgammon", 0, {1, 7, 30}, {{"expectiminimax", 1}, {"mcts", kNoDepth, 100}}, 0};
  const Backgammon<backgammon::Portable> points({false, true}, networks);
  const Backgammon<backgammon::Avx2> points_avx2({false, true}, networks);
  play_both(plan, points, backgammon::has_avx2() ? &points_avx2 : nullptr);
}

void chance_games() {
  std::vector<Run> runs;
  for (int prune = 0; prune <= 2; ++prune) {
    Run run{"expectiminimax", 3};
    run.options.prune = prune;
    runs.push_back(run);
  }
  runs.push_back({"expectimax", 3});
  runs.push_back({"mcts", kNoDepth, 300});
  play({"2048", 0, {4, 40}, runs, 5}, Game2048(0.1));
  runs.push_back({"value-iteration"});
  play({"pig", 0, {2}, runs, 20}, Pig(15));
}

void many_players() {
  const std::vector<Run> runs = {{"maxn", 4}, {"paranoid", 4}, {"best-reply", 4}};
  play({"nim of three", 0, {0, 1}, runs, 0}, Nim({2, 3, 3}, 0, false, 3));
  const std::vector<Run> few = {{"maxn", kNoDepth, 2000}, {"mcts", kNoDepth, 100}};
  play({"monopoly", 0, {9}, few, 5}, Monopoly(3, 9, 1500, false));
}

void hidden_games() {
  const std::vector<Run> runs = {{"pimc", 3}, {"ismcts", kNoDepth, 300}, {"belief", 2}};
  play({"kuhn poker", 0, {2, 3}, runs, 100}, Kuhn());
  play({"leduc poker", 0, {2, 4}, runs, 100}, Leduc(false));
  play({"blind tic-tac-toe", 0, {0, 2}, runs, 100}, BlindTicTacToe(3, 2, 3, false));
}

void counts() {
  const SplitNim rules({12, 7});
  const Game game = table_of(rules);
  const State s = initial_of(game);
  Budget budget{Limits{}};
  std::printf("split nim\n  grundy: %u\n  positions: %" PRIu64 "\n", grundy(game, s.data(), budget),
              count_positions(game, s.data(), budget));
}

// A small network with both kernels. Their rounding differs, so few digits are printed.
void network() {
  using enum nn::Operation;
  const nn::Shape shape{.height = 5,
                        .width = 4,
                        .buffers = {{true, 3}, {true, 20}, {true, 20}, {false, 40}, {false, 6}},
                        .layers = {{kConvolution3, 0, 1, 0, 20, -1, nn::Activation::kRelu},
                                   {kConvolution3, 1, 2, 0, 20, 1, nn::Activation::kRelu},
                                   {kPool, 2, 3},
                                   {kDense, 3, 4, 0, 6, -1, nn::Activation::kTanh}},
                        .results = {4}};
  Random random(1);
  std::vector<float> weights(20 * 28 + 20 * 181 + 6 * 41), inputs(7 * 60), results(7 * 6);
  for (float& w : weights) w = static_cast<float>(random.part() - 0.5) / 4;
  for (float& x : inputs) x = static_cast<float>(random.below(2));
  for (const bool portable : {false, true}) {
    const nn::Network n(shape, weights.data(), weights.size(), portable);
    nn::Network::Memory memory(n);
    n.evaluate(inputs.data(), 7, results.data(), memory);
    std::printf("network\n ");
    for (int i = 36; i < 42; ++i) std::printf(" %.2f", static_cast<double>(results[i]));
    std::printf("\n");
  }
}

}  // namespace

int main() {
  small_games();
  kernels();
  chance_games();
  many_players();
  hidden_games();
  counts();
  network();
}
