#include "../superko.hpp"

#include <cmath>
#include <memory>

#include "../parts/complete.hpp"
#include "../parts/rules_errors.hpp"
#include "all.hpp"
#include "superko/attractor.hpp"
#include "superko/proof.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(solves games with superko, for example 4 by 4 Go.

With superko the legal moves depend on all earlier positions, so a transposition table finds few
positions again. This solver looks at the game without history, in which a repetition counts as a
failure of the player who tries to force a result. What that player forces there, they also force in
the game with superko: the strategy never repeats a position, and superko takes moves away from the
opponent only.

For a utility, retrograde analysis computes what each player forces without history. A proof-number
search of the game with superko settles the rest. It uses the result of the retrograde analysis if
the history cannot disturb the strategy. Binary search over the utilities finds the value.

When:  exact values of Go up to 4 by 4.
Needs: two players, superko, few positions (millions).
Cost:  about 600 MB of memory and 15 seconds for 4 by 4 Go.
From:  Tromp and Farnebäck 2007 (the number of positions); Allis 1994 (proof numbers).
)";

using superko::Attractor;
using superko::Positions;
using superko::Proof;

class Superko {
 public:
  explicit Superko(const Request& request)
      : request_(request), game_(request.game), tick_([this] { check_stop(); }) {}

  Result run() {
    if (!game_.superko) {
      throw RulesError("superko solves only games in which superko is the only rule of repetition",
                       "use another algorithm");
    }
    try {
      prepare();
      solve();
      if (request_.options.ties) find_ties();
    } catch (const Stopped&) {
      stopped_ = true;
    }
    return result();
  }

 private:
  void check_stop() const {
    if (request_.budget.stopped() != Stop::none) throw Stopped{};
  }

  void prepare() {
    graph_ = game_.superko->graph(game_.self, tick_);
    positions_ = std::make_unique<Positions>(*graph_, tick_);
    high_ = static_cast<int>(positions_->utilities().size());
  }

  // The value is at least utilities()[low_] and less than utilities()[high_].
  void solve() {
    const int player = game_.to_move(game_.self, request_.state);
    while (high_ - low_ > 1) {
      const int middle = (low_ + high_) / 2;
      Action move{};
      const bool reached = search(request_.state, middle, &move);
      (reached ? low_ : high_) = middle;
      if (reached == (player == 0)) best_ = {move};
    }
    if (best_.empty()) best_ = {root_actions(request_).front()};  // all moves lose everything
  }

  // Whether a state that is not terminal is worth at least utilities()[aim].
  bool search(const void* state, int aim, Action* move) {
    if (aim != aim_) {
      for (const int attacker : {0, 1}) {
        attractors_[attacker] = std::make_unique<Attractor>(*positions_, attacker, aim, tick_);
      }
      aim_ = aim;
    }
    const std::uint64_t memory = std::uint64_t(std::max(1, request_.options.table_mb)) << 20;
    Proof proof(game_, *graph_, {attractors_[0].get(), attractors_[1].get()},
                positions_->utilities()[aim], memory, request_.budget);
    const bool reached = proof.search(state, move);
    deepest_ = std::max(deepest_, proof.deepest());
    return reached;
  }

  // Which other root moves have the value of the root: those that do not fall short of it.
  void find_ties() {
    const int player = game_.to_move(game_.self, request_.state);
    const int aim = player == 0 ? low_ : high_;
    const bool all = aim == 0 || aim == static_cast<int>(positions_->utilities().size());
    std::vector<std::byte> next(game_.facts.state_size);
    for (const Action a : root_actions(request_)) {
      if (a == best_.front()) continue;
      game_.play(game_.self, request_.state, a, next.data());
      Action reply{};
      if (all || reaches(next.data(), aim, &reply) == (player == 0)) best_.push_back(a);
    }
  }

  bool reaches(const void* state, int aim, Action* move) {
    if (game_.to_move(game_.self, state) != kTerminal) return search(state, aim, move);
    return game_.utility(game_.self, state, 0) >= positions_->utilities()[aim];
  }

  Result result() const {
    Result r;
    r.nodes = request_.budget.nodes();
    r.stopped = stopped_ ? request_.budget.stopped() : Stop::none;
    r.depth = r.deepest = deepest_;
    if (!positions_) return r;
    const std::vector<double>& utilities = positions_->utilities();
    const bool least = low_ > 0, most = high_ < static_cast<int>(utilities.size());
    r.has_value = high_ - low_ == 1 || least || most;
    r.value = least || high_ - low_ == 1 ? utilities[low_] : utilities[high_ - 1];
    r.bound = high_ - low_ == 1 ? Bound::exact : least ? Bound::lower : Bound::upper;
    for (const Action a : best_) r.moves.push_back({a, r.value, r.bound, r.nodes, {a}});
    if (!best_.empty()) r.line = {best_.front()};
    r.note = "retrograde analysis of " + std::to_string(positions_->size()) +
             " positions without history (up to symmetry), then proof-number search with superko";
    return r;
  }

  const Request& request_;
  const Game& game_;
  superko::Tick tick_;
  std::unique_ptr<SuperkoGraph> graph_;
  std::unique_ptr<Positions> positions_;
  std::unique_ptr<Attractor> attractors_[2];  // for the utility aim_
  int aim_ = -1, low_ = 0, high_ = 0, deepest_ = 0;
  std::vector<Action> best_;
  bool stopped_ = false;
};

Result run(const Request& request) { return Superko(request).run(); }

}  // namespace

const Algorithm kSuperko{
    .name = "superko",
    .doc = kDoc,
    .can = {.superko = true},
    .options = {table_option("tree of the proof in MB", 256), ties_option()},
    .run = run,
};

}  // namespace zermelo
