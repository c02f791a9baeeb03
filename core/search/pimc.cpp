#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <unordered_map>

#include "../parts/belief.hpp"
#include "../parts/table.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(perfect-information Monte Carlo: search sampled deals (determinization).

In every state that is consistent with what the player to move has observed (all of them with their
probabilities, or a sample), each action is searched as if nothing were hidden. The action with the
best average is chosen. Bridge programs play this way. Such a search gives no value to information,
and it may plan different actions in states that the player cannot distinguish (strategy fusion).
The result reports if this happened. Values are always estimates.

When:  play matters more than the hidden cards, and a strong perfect-information search exists.
Needs: observation(s, p), and sample(s, p, rng) if there are too many states to list.
Cost:  deals * actions * one perfect-information search.
From:  Levy 1989; Ginsberg 1999 (GIB, 100 deals per card); strategy fusion: Frank and Basin 1998.
)";

class Pimc {
 public:
  explicit Pimc(const Request& request)
      : request_(request),
        open_(request.game),
        lister_(request.game),
        player_(lister_.to_move(request.state)),
        belief_(request.game),
        duel_(open_.facts.players <= 2 && open_.facts.zero_sum),
        room_(2 * (open_.facts.state_size + 64)) {
    open_.facts.hidden = false;
    here_ = room_.data() + (64 - reinterpret_cast<std::uintptr_t>(room_.data()) % 64);
    if (request.options.belief) {
      belief_ = *request.options.belief;
    } else {
      belief_.add(request.state, 1);
    }
    actions_ = lister_.common(belief_, player_);
    choose_inner();
  }

  Result run() {
    const Limits& l = request_.limits;
    const bool to_the_end = l.depth == kNoDepth && (own_ || !request_.options.deepen);
    Result best;
    try {
      for (int depth = to_the_end ? kNoDepth : l.depth == kNoDepth ? 1 : l.depth;; ++depth) {
        Result r = look(depth);
        if (r.has_value && (!best.has_value || r.stopped == Stop::none)) best = std::move(r);
        if (request_.budget.stopped() != Stop::none || !best.horizon || depth >= l.depth) break;
        if (request_.on_depth) (*request_.on_depth)(best);
      }
    } catch (const Stopped&) {
    }
    if (best.has_value) best.note += fusion(best);
    best.stopped = request_.budget.stopped();
    best.nodes = request_.budget.nodes();
    return best;
  }

 private:
  void choose_inner() {
    inner_ = request_.options.inner;
    own_ = open_.values && !inner_;
    if (own_) return;
    if (!inner_) inner_ = !duel_ ? &kMaxN : open_.facts.chance ? &kExpectiminimax : &kEngine;
    options_.threads = 1, options_.seed = request_.options.seed;
    if (inner_->can.memory == Keeps::table) {  // an entry holds in every deal
      table_ = std::make_unique<Table>(std::max(1, request_.options.table_mb), true);
      options_.memory = table_.get();
    }
  }

  // The values of all actions in one deal, by action and player, into `values`. False: stopped.
  bool deal(const void* state, int depth, std::vector<double>& values) {
    const int width = open_.facts.players;
    values.assign(actions_.size() * width, 0);
    if (own_) return solved(state, values);
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      request_.budget.enter();
      open_.play(open_.self, state, actions_[i], here_);
      if (!child(depth, values.data() + i * width)) return false;
    }
    return true;
  }

  bool solved(const void* state, std::vector<double>& values) {
    request_.budget.enter();
    std::vector<Action> out(actions_.size());
    std::vector<double> value(actions_.size());
    const int count =
        open_.values(open_.self, state, out.data(), value.data(), static_cast<int>(out.size()));
    for (int k = 0; k < count && k < static_cast<int>(out.size()); ++k) {
      const auto i = std::find(actions_.begin(), actions_.end(), out[k]) - actions_.begin();
      if (i == static_cast<std::ptrdiff_t>(actions_.size())) continue;
      for (int p = 0; p < open_.facts.players; ++p) {  // the odd ones are the other side
        values[i * open_.facts.players + p] = p & 1 ? -value[k] : value[k];
      }
    }
    return true;
  }

  // The value of here_ for every player.
  bool child(int depth, double* values) {
    const int width = open_.facts.players;
    if (lister_.to_move(here_) == kTerminal) {
      for (int p = 0; p < width; ++p) values[p] = open_.utility(open_.self, here_, p);
      return true;
    }
    Limits limits;
    limits.depth = depth == kNoDepth ? kNoDepth : depth - 1;
    if (limits.depth == 0) {
      horizon_ = true;
      for (int p = 0; p < width; ++p) {
        values[p] = open_.evaluate ? open_.evaluate(open_.self, here_, p) : 0;
      }
      return true;
    }
    options_.bounded = depth == kNoDepth;
    options_.deepen = depth != kNoDepth;
    options_.scores = request_.options.scores;
    const Request asked{open_, here_, limits, options_, request_.budget, nullptr, nullptr};
    const Result r = inner_->run(asked);
    if (!r.has_value || request_.budget.stopped() != Stop::none) return false;
    horizon_ |= r.horizon;
    for (int p = 0; p < width; ++p) {
      values[p] = !r.values.empty() ? r.values[p] : p == 0 ? r.value : -r.value;
    }
    return true;
  }

  // Search every deal to one depth; finished deals count.
  Result look(int depth) {
    const std::size_t width = open_.facts.players, n = actions_.size();
    std::vector<double> sums(n * width), squares(n), values;
    double total = 0, weights_squared = 0;
    horizon_ = false;
    for (std::size_t d = 0; d < belief_.count(); ++d) {
      try {
        if (!deal(belief_.state(d), depth, values)) break;
      } catch (const Stopped&) {
        break;
      }
      const double w = belief_.weights[d];
      total += w, weights_squared += w * w;
      for (std::size_t i = 0; i < n * width; ++i) sums[i] += w * values[i];
      for (std::size_t i = 0; i < n; ++i) squares[i] += w * values[i * width] * values[i * width];
    }
    Result r;
    r.stopped = request_.budget.stopped();
    r.depth = depth == kNoDepth ? 0 : depth;
    r.horizon = horizon_;
    if (total == 0) return r;
    for (double& s : sums) s /= total;
    std::size_t best = 0;
    for (std::size_t i = 1; i < n; ++i) {
      if (worth(sums, i) > worth(sums, best)) best = i;
    }
    r.has_value = true;
    r.value = sums[best * width];
    r.bound = Bound::estimate;  // even with one state, because later moves may be hidden
    r.line = {actions_[best]};
    for (std::size_t i = 0; i < n; ++i) {
      RootMove m;
      m.action = actions_[i], m.value = sums[i * width], m.bound = r.bound;
      m.nodes = belief_.count(), m.line = {actions_[i]};
      const double spread = std::max(0.0, squares[i] / total - m.value * m.value);
      if (request_.options.drawn) m.error = std::sqrt(spread * weights_squared) / total;
      if (!duel_) m.values.assign(&sums[i * width], &sums[i * width] + width);
      r.moves.push_back(std::move(m));
    }
    if (!duel_) r.values = r.moves[best].values;
    return r;
  }

  double worth(const std::vector<double>& sums, std::size_t i) const {
    const std::size_t width = open_.facts.players;
    return sums[i * width + player_];
  }

  // Measures strategy fusion at the mover's next decision: the average of the best values of each
  // deal, compared with the best average.
  std::string fusion(const Result& r) {
    if (belief_.count() < 2 || own_ || r.line.empty()) return {};
    std::unordered_map<std::uint64_t, Belief> next;
    try {
      for (std::size_t d = 0; d < belief_.count(); ++d) {
        open_.play(open_.self, belief_.state(d), r.line[0], here_);
        if (follow()) {
          next.try_emplace(seen_by(open_, here_, player_), request_.game)
              .first->second.add(here_, belief_.weights[d]);
        }
      }
      double lost = 0;
      for (const auto& [seen, belief] : next) lost += count_on(belief);
      lost /= belief_.total();
      if (lost < 1e-9) return {};
      char text[240];
      std::snprintf(text, sizeof text,
                    "strategy fusion: the next choice differs between deals that the player cannot "
                    "distinguish, so the average is too optimistic by %.3g",
                    lost);
      return text;
    } catch (const Stopped&) {
      return {};
    }
  }

  // Play on from here_ with the best moves of the inner search to the mover's next decision.
  bool follow() {
    auto* there = here_ + (open_.facts.state_size + 63) / 64 * 64;
    for (int plies = 0; plies < kMostPlies; ++plies) {
      const int mover = lister_.to_move(here_);
      if (mover == player_) return true;
      if (mover < 0) return false;
      Limits limits;
      limits.depth = request_.limits.depth;
      options_.bounded = limits.depth == kNoDepth;
      options_.deepen = limits.depth != kNoDepth;
      const Request asked{open_, here_, limits, options_, request_.budget, nullptr, nullptr};
      const Result r = inner_->run(asked);
      if (request_.budget.stopped() != Stop::none) throw Stopped{};
      if (r.line.empty()) return false;
      open_.play(open_.self, here_, r.line[0], there);
      std::memcpy(here_, there, open_.facts.state_size);
    }
    return false;
  }

  // The weighted gain of knowing the deal in these states.
  double count_on(const Belief& belief) {
    if (belief.count() < 2) return 0;
    const std::vector<Action> own = actions_;
    actions_ = lister_.common(belief, player_);
    const std::size_t width = open_.facts.players, n = actions_.size();
    std::vector<double> sums(n), values;
    double each = 0;
    for (std::size_t d = 0; d < belief.count(); ++d) {
      if (!deal(belief.state(d), request_.limits.depth, values)) throw Stopped{};
      double most = -kInfinity;
      for (std::size_t i = 0; i < n; ++i) {
        sums[i] += belief.weights[d] * values[i * width + player_];
        most = std::max(most, values[i * width + player_]);
      }
      each += belief.weights[d] * most;
    }
    actions_ = own;
    return each - *std::max_element(sums.begin(), sums.end());
  }

  static constexpr int kMostPlies = 64;  // of the others between two decisions of the mover

  const Request& request_;
  Game open_;  // the game with nothing hidden
  Lister lister_;
  int player_;
  Belief belief_;
  bool duel_;
  std::vector<std::byte> room_;
  std::byte* here_;
  std::vector<Action> actions_;
  const Algorithm* inner_ = nullptr;
  bool own_ = false;  // the game has its own solver
  Options options_;
  std::unique_ptr<Table> table_;
  bool horizon_ = false;
};

Result run(const Request& request) { return Pimc(request).run(); }

// The searches of a determinization. "auto": the game's own solver, or the one that fits.
constexpr std::string_view kInner[] = {"auto",           "engine", "alphabeta", "minimax",
                                       "expectiminimax", "maxn",   "mcts"};

Option inner_option() {
  Option o{
      .name = "inner",
      .doc = "search of each deal; auto: the game's own solver, or an algorithm that supports it",
      .type = Option::Type::algorithm};
  for (const std::string_view name : kInner) {
    o.choices.push_back({name, static_cast<double>(o.choices.size())});
  }
  o.set = [](Options& options, double i) {
    options.inner = find_algorithm(kInner[static_cast<int>(i)]);
  };
  return o;
}

}  // namespace

const Algorithm kPimc{
    .name = "pimc",
    .aliases = {"deals"},
    .doc = kDoc,
    .can =
        {.chance = true, .hidden = true, .general_sum = true, .many_players = true, .proof = false},
    .limits = {.depth = true},
    .sampled_states = 100,
    .options = {deals_option(), inner_option(),
                table_option("transposition table of the inner search in MB", 16), deepen_option()},
    .run = run,
};

}  // namespace zermelo
