#include <algorithm>
#include <cmath>

#include "../parts/belief.hpp"
#include "../parts/random.hpp"
#include "all.hpp"
#include "mcts/playout.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(Monte Carlo tree search over information sets.

Each simulation samples a state that is consistent with what the player to move has observed, and
continues from there. Statistics are kept per information set, so a player acts the same way in all
states that it cannot distinguish: there is no strategy fusion. Every player has its own tree.

When:  hidden information, in games that are too large for regret minimization.
Needs: observation(s, p), and sample(s, p, rng) if there are too many states to list.
Cost:  one playout per simulation. Finds good play, not an equilibrium: bluffs are not balanced.
From:  Cowling, Powley and Whitehouse 2012 (MO-ISMCTS: one tree per player), with bounds of random
       width as in RandUCB (Vaswani and others 2020).
)";

class IsMcts {
 public:
  explicit IsMcts(const Request& request)
      : request_(request),
        game_(request.game),
        lister_(game_),
        random_(request.options.seed),
        playing_(game_, request.budget, request.options.seed + 1),
        player_(lister_.to_move(request.state)),
        belief_(game_),
        stride_((game_.facts.state_size + 63) / 64 * 64),
        room_(2 * stride_ + 64),
        utilities_(game_.facts.players) {
    here_ = room_.data() + (64 - reinterpret_cast<std::uintptr_t>(room_.data()) % 64);
    there_ = here_ + stride_;
    if (request.options.belief) {
      belief_ = *request.options.belief;
    } else {
      belief_.add(request.state, 1);
    }
    double sum = 0;
    for (const double w : belief_.weights) upto_.push_back(sum += w);
    low_ = game_.facts.utility_min, high_ = game_.facts.utility_max;
    fixed_ = std::isfinite(low_) && std::isfinite(high_);
    if (!fixed_) low_ = kInfinity, high_ = -kInfinity;
    const std::size_t bytes = std::size_t(std::max(1, request.options.table_mb)) << 20;
    most_edges_ = bytes / (sizeof(Edge) + sizeof(Set) + 16);
    slots_.resize(1 << 10);
    lister_.common(belief_, player_);
    std::memcpy(here_, belief_.state(0), game_.facts.state_size);
    root_ = set_of(player_, lister_.list(here_, player_));
    root_sums_.resize(std::size_t(sets_[root_].count) * game_.facts.players);
    root_squares_.resize(sets_[root_].count);
  }

  Result run() {
    try {
      for (;;) {
        request_.budget.enter();
        simulate();
      }
    } catch (const Stopped&) {
    }
    return told();
  }

 private:
  struct Edge {
    Action action;
    std::uint32_t visits;
    double sum;  // of the utilities of the player to move
  };
  // An information set with its actions.
  struct Set {
    std::uint64_t seen;
    std::uint32_t first, count, visits;
    std::uint32_t met;  // the last simulation that visited it
  };
  struct Step {
    std::uint32_t set, edge;
    int player;
  };

  void simulate() {
    draw();
    path_.clear();
    ++simulation_;
    bool grown = false;
    int player, plies = 0;
    while ((player = lister_.to_move(here_)) != kTerminal && !grown) {
      if ((++plies & 255) == 0) look_up(plies);
      if (player == kChance) {
        play(outcome(lister_.list(here_, player)));
      } else {
        grown = choose(player);
      }
    }
    judge(player);
    for (const double u : utilities_) {
      if (!fixed_) low_ = std::min(low_, u), high_ = std::max(high_, u);
    }
    back_up();
  }

  // The value of here_, where `player` moves, for every player.
  void judge(int player) {
    playing_.set(here_);
    double* x = utilities_.data();
    switch (request_.options.mcts.rollout) {
      case Rollout::random:
        playing_.random_playout(player, x);
        break;
      case Rollout::playout:
        playing_.heavy_playout(player, x);
        break;
      case Rollout::greedy:
        playing_.greedy_playout(player, x);
        break;
      default:
        playing_.short_playout(player,
                               request_.options.mcts.rollout == Rollout::none
                                   ? 0
                                   : request_.options.mcts.rollout_depth,
                               x);
    }
    if (playing_.width() == 1 && game_.facts.players == 2) x[1] = -x[0];
  }

  void draw() {
    std::size_t i = 0;
    if (belief_.count() > 1) {
      const double r = random_.part() * upto_.back();
      i = std::upper_bound(upto_.begin(), upto_.end() - 1, r) - upto_.begin();
    }
    std::memcpy(here_, belief_.state(i), game_.facts.state_size);
  }
  void play(Action action) {
    game_.play(game_.self, here_, action, there_);
    std::swap(here_, there_);
  }
  Action outcome(int count) {
    return lister_.actions[pick_outcome(random_.part(), count, lister_.odds.data())];
  }
  void look_up(int plies) const {
    if (request_.budget.stopped() != Stop::none) throw Stopped{};
    if (plies > kMostPlies) {
      throw EndlessGame("a playout did not end within a million moves");
    }
  }

  // The action with the greatest upper bound. True: it was never tried, so the tree ends here.
  bool choose(int player) {
    const int count = lister_.list(here_, player);
    const std::uint32_t at = set_of(player, count);
    // The tree is full, or play repeats and might never end.
    if (at == kNone || sets_[at].met == simulation_) {
      play(lister_.actions[random_.below(count)]);
      return true;
    }
    Set& set = sets_[at];
    set.met = simulation_;
    const Edge* edges = edges_.data() + set.first;
    std::uint32_t best = 0, untried = 0;
    for (std::uint32_t i = 0; i < set.count; ++i) {
      if (edges[i].visits == 0 && random_.below(++untried) == 0) best = i;
    }
    if (!untried) {
      // The exploration constant is sampled. Otherwise players with hidden moves would explore in
      // lockstep, and each would learn against the exploration of the other.
      const double doubt = 2 * random_.part() * request_.options.mcts.exploration *
                           std::max(1e-9, high_ - low_) *
                           std::sqrt(std::log(static_cast<double>(set.visits)) / 2);
      double most = -kInfinity;
      for (std::uint32_t i = 0; i < set.count; ++i) {
        const double bound =
            edges[i].sum / edges[i].visits + doubt / std::sqrt(double(edges[i].visits));
        if (bound > most) most = bound, best = i;
      }
    }
    path_.push_back({at, best, player});
    play(edges[best].action);
    return untried > 0;
  }

  void back_up() {
    for (const Step& step : path_) {
      Set& set = sets_[step.set];
      Edge& e = edges_[set.first + step.edge];
      ++set.visits, ++e.visits;
      e.sum += utilities_[step.player];
    }
    if (path_.empty() || path_[0].set != root_) return;
    const std::size_t i = path_[0].edge, width = game_.facts.players;
    for (std::size_t p = 0; p < width; ++p) root_sums_[i * width + p] += utilities_[p];
    root_squares_[i] += utilities_[0] * utilities_[0];
  }

  // The information set of the player to move in here_, whose actions are listed.
  std::uint32_t set_of(int player, int count) {
    const std::uint64_t own = static_cast<std::uint64_t>(player) * 0x9e3779b97f4a7c15u;
    const std::uint64_t seen = mix(seen_by(game_, here_, player) + own) | 1;
    std::size_t at = seen & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      const Set& set = sets_[slots_[at] - 1];
      if (set.seen != seen) continue;
      if (!same(set, count)) {
        const std::size_t size = game_.facts.state_size;
        differing_actions(game_, here_,
                          firsts_.empty() ? nullptr : firsts_.data() + (slots_[at] - 1) * size);
      }
      return slots_[at] - 1;
    }
    if (edges_.size() + count > most_edges_) return kNone;
    slots_[at] = static_cast<std::uint32_t>(sets_.size() + 1);
    sets_.push_back(
        {seen, static_cast<std::uint32_t>(edges_.size()), static_cast<std::uint32_t>(count), 0, 0});
    for (int i = 0; i < count; ++i) edges_.push_back({lister_.actions[i], 0, 0});
    if (game_.facts.state_size <= kSmallState) {
      firsts_.insert(firsts_.end(), here_, here_ + game_.facts.state_size);
    }
    if (2 * sets_.size() > slots_.size()) widen();
    return static_cast<std::uint32_t>(sets_.size() - 1);
  }
  // Whether the listed actions are those of the set, in any order.
  bool same(const Set& set, int count) const {
    if (set.count != static_cast<std::uint32_t>(count)) return false;
    const Edge* edges = edges_.data() + set.first;
    const Action* listed = lister_.actions.data();
    for (int i = 0; i < count; ++i) {
      if (edges[i].action == listed[i]) continue;
      const auto is = [&](const Edge& e) { return e.action == listed[i]; };
      if (std::none_of(edges, edges + count, is) ||
          std::find(listed, listed + count, edges[i].action) == listed + count) {
        return false;
      }
    }
    return true;
  }
  void widen() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      std::size_t at = sets_[i].seen & (slots_.size() - 1);
      while (slots_[at]) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<std::uint32_t>(i + 1);
    }
  }

  Result told() const {
    Result r;
    r.stopped = request_.budget.stopped();
    r.nodes = request_.budget.nodes();
    const Set& set = sets_[root_];
    const std::size_t width = game_.facts.players;
    const bool single = duel(game_.facts);
    std::uint32_t best = 0;
    for (std::uint32_t i = 0; i < set.count; ++i) {
      const Edge& e = edges_[set.first + i];
      if (e.visits > edges_[set.first + best].visits) best = i;
      if (e.visits == 0) continue;
      RootMove m;
      m.action = e.action, m.nodes = e.visits, m.bound = Bound::estimate, m.line = {e.action};
      m.value = root_sums_[i * width] / e.visits;
      const double spread = root_squares_[i] / e.visits - m.value * m.value;
      m.error = std::sqrt(std::max(0.0, spread) / e.visits);
      for (std::size_t p = 0; p < width && !single; ++p) {
        m.values.push_back(root_sums_[i * width + p] / e.visits);
      }
      r.moves.push_back(std::move(m));
    }
    if (r.moves.empty()) return r;
    r.has_value = true;
    r.bound = Bound::estimate;
    for (const RootMove& m : r.moves) {
      if (m.action != edges_[set.first + best].action) continue;
      r.value = m.value, r.values = m.values, r.line = m.line;
    }
    r.note = std::to_string(sets_.size()) + " information sets visited";
    return r;
  }

  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr int kMostPlies = 1 << 20;
  static constexpr std::size_t kSmallState = 16;  // bytes

  const Request& request_;
  const Game& game_;
  Lister lister_;
  Random random_;
  Simulator<Game> playing_;
  int player_;
  Belief belief_;
  std::vector<double> upto_;
  std::size_t stride_;
  std::vector<std::byte> room_;
  std::byte *here_, *there_;
  std::vector<double> utilities_;
  double low_, high_;  // of the utilities: declared, or seen so far
  bool fixed_;
  std::size_t most_edges_;
  std::vector<Edge> edges_;
  std::vector<Set> sets_;
  std::vector<std::byte> firsts_;     // a state of each set, for messages; only if they are small
  std::vector<std::uint32_t> slots_;  // sets by observation: number + 1, 0: empty
  std::uint32_t simulation_ = 0;
  std::vector<Step> path_;
  std::uint32_t root_;
  std::vector<double> root_sums_, root_squares_;  // by root action and player; player 0's
};

Result run(const Request& request) { return IsMcts(request).run(); }

}  // namespace

const Algorithm kIsMcts{
    .name = "ismcts",
    .aliases = {"is-mcts"},
    .doc = kDoc,
    .can =
        {.chance = true, .hidden = true, .general_sum = true, .many_players = true, .proof = false},
    .limits = {.required = true},
    .traits = {.simulates = true},
    .automatic = {.whom = Automatic::For::everybody,
                  .min_players = 2,
                  .reason = "searches over information sets"},
    .sampled_states = 1000,
    .options = {simulations_option(), deals_option(), exploration_option(), rollout_option(),
                rollout_depth_option(), table_option("memory for the trees in MB", 256)},
    .run = run,
};

}  // namespace zermelo
