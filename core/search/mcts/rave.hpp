// Rapid action value estimation (RAVE), after Gelly and Silver 2011: the value of a move is blended
// from its own simulations and from those in which it was played later (all moves as first, AMAF).
#pragma once

#include "statistics.hpp"

namespace zermelo {

template <class G, bool Shared>
class MctsRave : public MctsStatistics<G, Shared> {
 protected:
  using Base = MctsStatistics<G, Shared>;
  using Base::game_, Base::path_, Base::played_, Base::rave_, Base::tree_;

  MctsRave(const G& game, const MctsParams& params, MctsTree& tree, const Budget& budget,
           std::uint64_t seed)
      : Base(game, params, tree, budget, seed) {
    if (rave_) played_.enable(game.facts.amaf_size);
  }

  // Stores the AMAF indices of new children. The simulator is in the state of their parent.
  void set_amaf_indices(std::uint32_t first, int count) {
    for (int i = 0; i < count; ++i) {
      const int index = game_.amaf(game_.self, this->state(), tree_[first + i].action);
      if (index < 0 || index >= game_.facts.amaf_size) {
        throw RulesError("amaf returned " + std::to_string(index) + ", but amaf_size is " +
                         std::to_string(game_.facts.amaf_size));
      }
      tree_.amaf(first + i).index = static_cast<std::uint32_t>(index);
    }
  }

  // The move to a node of the path belongs to the line that earned the value.
  void mark_played(std::uint32_t node, int player) {
    if (player >= 0) played_.prepend(player, tree_.amaf(node).index);
  }

  // Backpropagation of AMAF at one node of the path: x counts for each child whose move its player
  // has played in this line, now or later. played_ holds no earlier moves.
  void update_amaf(std::uint32_t at, double x) {
    const int player = this->read(tree_[at].player);
    if (player < 0 || tree_[at].proven()) return;
    const auto value = static_cast<float>(player == 1 ? -x : x);
    const std::uint32_t end = tree_.end(at);
    for (std::uint32_t c = tree_.first(at); c < end; ++c) {
      if (played_.contains(player, tree_.amaf(c).index)) add_amaf_value(c, player, value);
    }
  }

 private:
  // Threads may overwrite each other's update; a lost sample does no harm.
  void add_amaf_value(std::uint32_t at, int player, float value) {
    AmafStats& amaf = tree_.amaf(at);
    const std::uint32_t visits = zermelo::read<Shared>(amaf.visits) + 1;
    const float mean = zermelo::read<Shared>(amaf.mean);
    zermelo::write<Shared>(amaf.visits, visits);
    zermelo::write<Shared>(amaf.mean, mean + (value - mean) / static_cast<float>(visits));
    // A proven value is never blended. A child that is not considered yet keeps its bound.
    if (tree_[at].proven() || !this->considered(at)) return;
    this->set_terms(at, player, this->read(tree_[at].visits));
  }
};

}  // namespace zermelo
