#include "tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <unordered_map>

#include "../../parts/hash.hpp"

namespace zermelo {
namespace {

constexpr double kOddsError = 1e-9;

class Builder {
 public:
  Builder(const Game& game, InformationTree& tree, std::uint64_t most, Budget& budget)
      : game_(game), tree_(tree), most_(most), budget_(budget), size_(game.facts.state_size) {}

  void build(const void* state) {
    tree_.players = game_.facts.players;
    last_own_.assign(tree_.players, -1);
    add(state, 1.0, nullptr);
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) expand(i);
  }

 private:
  // A new node; `own`: what each player did last on the way to it.
  void add(const void* state, double odds, const std::int64_t* own) {
    budget_.enter();
    if (tree_.nodes.size() >= most_) {
      throw RulesError("the game has more than " + std::to_string(most_) + " histories",
                       "use a sampling algorithm (mccfr), or a smaller game");
    }
    const int player = game_.to_move(game_.self, state);
    if (player >= tree_.players || player < kTerminal) {
      throw RulesError("player(s) names nobody who plays this game", "players are counted from 0");
    }
    tree_.nodes.push_back({player});
    tree_.odds.push_back(odds);
    const auto* bytes = static_cast<const std::byte*>(state);
    states_.insert(states_.end(), bytes, bytes + size_);
    if (own) last_own_.insert(last_own_.end(), own, own + tree_.players);
  }

  void expand(std::size_t i) {
    scratch_.assign(states_.begin() + i * size_, states_.begin() + (i + 1) * size_);
    const void* state = scratch_.data();
    const int player = tree_.nodes[i].player;
    if (player == kTerminal) return finish(i, state);
    list(state, player);
    InformationTree::Node& node = tree_.nodes[i];
    node.count = static_cast<std::uint32_t>(moves_.size());
    node.first = static_cast<std::uint32_t>(tree_.nodes.size());
    if (player >= 0) node.at = set_of(i, state, player);
    next_.resize(size_);
    for (std::size_t k = 0; k < moves_.size(); ++k) {
      std::vector<std::int64_t>& own = own_;
      own.assign(last_own_.begin() + i * tree_.players,
                 last_own_.begin() + (i + 1) * tree_.players);
      if (player >= 0) own[player] = tree_.sets[tree_.nodes[i].at].at + k;
      game_.play(game_.self, state, moves_[k], next_.data());
      add(next_.data(), player == kChance ? odds_[k] : 1.0, own.data());
    }
  }

  void finish(std::size_t i, const void* state) {
    tree_.nodes[i].at = static_cast<std::uint32_t>(tree_.utilities.size());
    for (int p = 0; p < tree_.players; ++p) {
      const double u = game_.utility(game_.self, state, p);
      if (!std::isfinite(u)) {
        throw RulesError("a utility is not a finite number", "let utility(s, p) be a number");
      }
      tree_.utilities.push_back(u);
    }
  }

  // The actions or outcomes of a state into moves_ and odds_.
  void list(const void* state, int player) {
    const bool chance = player == kChance;
    const auto ask = [&](int capacity) {
      return chance ? game_.outcomes(game_.self, state, moves_.data(), odds_.data(), capacity)
                    : game_.actions(game_.self, state, moves_.data(), capacity);
    };
    if (chance && !game_.outcomes) throw RulesError("nature moves, but outcomes(s) is not there");
    const int room = std::max(64, game_.facts.max_actions);
    moves_.resize(room), odds_.resize(room);
    int count = ask(room);
    if (count > room) {
      moves_.resize(count), odds_.resize(count);
      count = ask(count);
    }
    if (count <= 0) {
      throw RulesError(chance ? "a chance node has no outcome"
                              : "a state that is not terminal has no legal action");
    }
    moves_.resize(count), odds_.resize(count);
    if (!chance) return;
    double sum = 0;
    for (const double p : odds_) {
      if (!(p >= 0)) throw RulesError("a probability of outcomes(s) is negative or NaN");
      sum += p;
    }
    if (std::abs(sum - 1) > kOddsError * count) {
      throw RulesError("the probabilities of outcomes(s) do not add up to 1");
    }
  }

  // The information set of node i, whose moves are listed.
  std::uint32_t set_of(std::size_t i, const void* state, int player) {
    const std::uint64_t seen = game_.observation(game_.self, state, player);
    const std::uint64_t key = mix(seen + static_cast<std::uint64_t>(player) * 0x9e3779b97f4a7c15u);
    const std::int64_t came_by = last_own_[i * tree_.players + player];
    const auto [place, fresh] = by_key_.try_emplace(key, tree_.sets.size());
    if (fresh) {
      tree_.sets.push_back({player, static_cast<std::uint32_t>(moves_.size()),
                            static_cast<std::uint32_t>(tree_.actions.size()),
                            static_cast<std::uint32_t>(i), came_by});
      tree_.actions.insert(tree_.actions.end(), moves_.begin(), moves_.end());
      tree_.owner.insert(tree_.owner.end(), moves_.size(), place->second);
      const auto* bytes = static_cast<const std::byte*>(state);
      tree_.states.insert(tree_.states.end(), bytes, bytes + size_);
      return place->second;
    }
    const InformationTree::Set& set = tree_.sets[place->second];
    const auto known = tree_.actions.begin() + set.at;
    if (set.player != player || set.count != moves_.size() ||
        !std::equal(moves_.begin(), moves_.end(), known)) {
      throw RulesError("a player cannot tell two states apart in which it has other actions",
                       "let observation(s, p) differ where actions(s) does");
    }
    if (set.came_by != came_by) {
      throw RulesError("player " + std::to_string(player) + " forgets what it did or saw before",
                       "let observation(s, p) tell everything that p has seen and done");
    }
    return place->second;
  }

  const Game& game_;
  InformationTree& tree_;
  const std::uint64_t most_;
  Budget& budget_;
  const std::size_t size_;
  std::vector<std::byte> states_, scratch_, next_;
  std::vector<std::int64_t> last_own_, own_;  // by node and player: its last action, among all
  std::vector<Action> moves_;
  std::vector<double> odds_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_key_;
};

}  // namespace

InformationTree::InformationTree(const Game& game, const void* state, std::uint64_t most,
                                 Budget& budget) {
  Builder(game, *this, most, budget).build(state);
}

}  // namespace zermelo
