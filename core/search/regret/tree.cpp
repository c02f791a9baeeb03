#include "tree.hpp"

#include <string>

#include "listing.hpp"

namespace zermelo {
namespace {

class Builder {
 public:
  Builder(const Game& game, InformationTree& tree, std::uint64_t most, Budget& budget)
      : game_(game),
        tree_(tree),
        most_(most),
        budget_(budget),
        size_(game.facts.state_size),
        sets_(game, tree) {}

  void build(const void* state) {
    tree_.players = game_.facts.players;
    last_own_.assign(tree_.players, -1);
    add(state, 1.0, nullptr);
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) expand(i);
  }

 private:
  // A new node; `own`: the last action of each player on the path to it.
  void add(const void* state, double odds, const std::int64_t* own) {
    budget_.enter();
    if (tree_.nodes.size() >= most_) {
      throw RulesError("the game has more than " + std::to_string(most_) + " histories",
                       "use the algorithm 'sampling', which stores no tree, or a smaller game");
    }
    if (states_.size() > kMostBytes) {
      throw RulesError(
          "the game has more histories than fit in " + std::to_string(kMostBytes >> 30) + " GB",
          "use the algorithm 'sampling', which stores no tree, or a smaller game");
    }
    const int player = Listing::mover(game_, state);
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
    here_.list(game_, state, player);
    const std::vector<Action>& moves = here_.moves;
    InformationTree::Node& node = tree_.nodes[i];
    node.count = static_cast<std::uint32_t>(moves.size());
    node.first = static_cast<std::uint32_t>(tree_.nodes.size());
    if (player >= 0) node.at = set_of(i, state, player);
    next_.resize(size_);
    for (std::size_t k = 0; k < moves.size(); ++k) {
      std::vector<std::int64_t>& own = own_;
      own.assign(last_own_.begin() + i * tree_.players,
                 last_own_.begin() + (i + 1) * tree_.players);
      if (player >= 0) own[player] = tree_.sets[tree_.nodes[i].at].at + k;
      game_.play(game_.self, state, moves[k], next_.data());
      add(next_.data(), player == kChance ? here_.odds[k] : 1.0, own.data());
    }
  }

  void finish(std::size_t i, const void* state) {
    tree_.nodes[i].at = static_cast<std::uint32_t>(tree_.utilities.size());
    Listing::utilities(game_, state, tree_.utilities);
  }

  // The information set of node i, whose moves are listed.
  std::uint32_t set_of(std::size_t i, const void* state, int player) {
    const std::int64_t came_by = last_own_[i * tree_.players + player];
    const std::uint32_t found =
        sets_.find(state, player, here_.moves, static_cast<std::uint32_t>(i), came_by).first;
    if (tree_.sets[found].came_by != came_by) {
      throw RulesError(
          "player " + std::to_string(player) + " forgets earlier actions or observations",
          "observation(s, p) must contain everything that p has observed and done, or "
          "declare recall = False");
    }
    return found;
  }

  const Game& game_;
  InformationTree& tree_;
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // of their states

  const std::uint64_t most_;
  Budget& budget_;
  const std::size_t size_;
  std::vector<std::byte> states_, scratch_, next_;
  std::vector<std::int64_t> last_own_, own_;  // by node and player: its last action, among all
  Listing here_;
  SetsByKey sets_;
};

}  // namespace

InformationTree::InformationTree(const Game& game, const void* state, std::uint64_t most,
                                 Budget& budget) {
  Builder(game, *this, most, budget).build(state);
}

}  // namespace zermelo
