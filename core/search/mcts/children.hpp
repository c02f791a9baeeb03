// The children of a node: their first terms, progressive widening, and which one to visit.
#pragma once

#include "priors.hpp"

namespace zermelo {

template <class G, bool Shared>
class MctsChildren : public MctsPriors<G, Shared> {
 protected:
  using Base = MctsPriors<G, Shared>;
  using Base::Base;
  using Base::considered, Base::credits_, Base::mean_of, Base::params_, Base::path_, Base::random;
  using Base::in_order_, Base::visit_all_first_;
  using Base::rave_, Base::scale_, Base::set_terms, Base::store_terms, Base::tree_, Base::urgency_;
  using Lock = typename Base::Lock;

  // The visits of the last node of the path, without this simulation.
  std::uint32_t visits_before() const {
    if constexpr (Shared) return visits_before_;
    return tree_[path_.back().node].visits.load(std::memory_order_relaxed);
  }

  // The terms of new children. With progressive widening only the first ones are considered.
  void set_first_terms(std::uint32_t at, int player, std::uint32_t first, int count) {
    const int considered = params_.widening && player >= 0 ? params_.widening : count;
    for (int i = 0; i < count; ++i) {
      if (i < considered) {
        set_first_play_urgency(at, player, first + i);
      } else {
        store_terms(first + i, -INFINITY, 0);
      }
    }
  }

  // The value of an unvisited child: the mean of its parent plus the first-play urgency.
  void set_first_play_urgency(std::uint32_t at, int player, std::uint32_t child) {
    if (visit_all_first_) return set_terms(child, player, 0);
    constexpr auto relaxed = std::memory_order_relaxed;
    for (int p = 0; p < this->width(); ++p) {
      double sign = p == player;
      if (this->width() == 1) sign = player == 1 ? -1 : 1;
      const double v = mean_of(at, p) + sign * urgency_ * scale_;
      if (p == 0) tree_[child].mean.store(v, relaxed);
      if (this->width() > 1) tree_.values(child)[p].store(v, relaxed);
    }
    set_terms(child, player, 0);
  }

  std::uint32_t select_child(std::uint32_t at) {
    const std::uint32_t first = tree_.first(at), visits = visits_before();
    const std::uint32_t count = params_.widening ? widen(at, visits) : tree_[at].count;
    const float factor = this->exploration_factor(visits);
    const Selection<Shared> children(tree_.terms(), first, count, factor);
    const std::uint32_t top = children.best(visits, in_order_, NothingPending{});
    return tree_[top].proven() ? credit_and_explore(top, at) : top;
  }

  // Progressive widening (Coulom 2007): after t(n) visits, n children beyond the first are
  // considered, where t(n + 1) = t(n) + 40 * 1.4^n. Returns how many are considered.
  ZERMELO_NOINLINE std::uint32_t widen(std::uint32_t at, std::uint32_t visits) {
    std::uint32_t count = params_.widening;
    double threshold = 40, step = 40;
    for (; visits >= threshold && count < tree_[at].count; threshold += step *= 1.4) ++count;
    count = std::min<std::uint32_t>(count, tree_[at].count);
    const std::uint32_t first = tree_.first(at);
    for (std::uint32_t c = first + count; c-- > first && !considered(c);) consider(at, c);
    return count;
  }
  void consider(std::uint32_t at, std::uint32_t child) {
    const Lock lock(tree_[child]);  // another thread may have been faster
    if (!considered(child)) set_first_play_urgency(at, tree_[at].player, child);
  }

  // The selected child is proven: its value is backed up, and the best unproven sibling is
  // explored.
  ZERMELO_NOINLINE std::uint32_t credit_and_explore(std::uint32_t top, std::uint32_t at) {
    // Another thread's update of AMAF may have overwritten the terms of the proof.
    if (Shared && rave_) this->set_proven_terms(top, tree_[at].player);
    const float factor = this->exploration_factor(visits_before());
    std::uint32_t unproven = 0;
    float most = 0;
    for (std::uint32_t c = tree_.first(at); c < tree_.end(at); ++c) {
      if (tree_[c].proven()) continue;
      const float bound = this->upper_bound(tree_.terms(), c, factor);
      if (!unproven || bound > most) unproven = c, most = bound;
    }
    if (!unproven) return top;
    if (!considered(unproven)) {  // progressive widening: all that are considered are proven
      consider(at, unproven);
    } else {
      credits_.push_back({path_.size() - 1, top});
    }
    return unproven;
  }

  // A random child of a chance node. If it is proven, its value is backed up and an unproven one is
  // explored.
  std::uint32_t sample_child(std::uint32_t at) {
    const std::uint32_t first = tree_.first(at), end = tree_.end(at);
    const auto probability = [&](std::uint32_t i) { return tree_.prior(first + i); };
    const std::uint32_t c = first + pick_outcome_by(random.part(), end - first, probability);
    if (!tree_[c].proven()) return c;
    double total = 0;  // of the unproven
    for (std::uint32_t i = first; i < end; ++i) total += tree_[i].proven() ? 0 : tree_.prior(i);
    std::uint32_t unproven = 0;
    double r = random.part() * total;
    for (std::uint32_t i = first; i < end && (!unproven || r >= 0); ++i) {
      if (!tree_[i].proven()) unproven = i, r -= tree_.prior(i);
    }
    if (!unproven) return c;
    credits_.push_back({path_.size() - 1, c});
    return unproven;
  }

  std::uint32_t visits_before_ = 0;  // several threads: see visits_before()
};

}  // namespace zermelo
