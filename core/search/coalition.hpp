// One player against a coalition of all others, by alpha-beta on the utility of the player at the
// root. Used by paranoid search and by best-reply search, in which only one of the others replies.
#pragma once

#include "../parts/many.hpp"

namespace zermelo {

template <class Tracer, bool one_reply>
class Coalition : public ManyFrame<Tracer> {
 public:
  using Base = ManyFrame<Tracer>;
  using Base::Base;

  Result run() {
    return Base::run([this](int depth) {
      value(0, depth, 0, -kInfinity, kInfinity, {});
      return this->answer(depth, this->duel() ? Bound::exact : Bound::estimate);
    });
  }

 private:
  // The progress of the other players between two moves of the root player.
  struct Round {
    int acted = 0;         // of them
    bool replied = false;  // one of them had a free choice
  };

  // Leaves a tuple at values(ply). Its entry for the root player is the value, or a bound of it
  // outside the window (bound_ says which).
  void value(int ply, int depth, Action by, double alpha, double beta, Round round) {
    // 1. A leaf: the end of the game or the depth limit
    const int player = this->enter(ply, by, alpha, beta);
    bound_ = Bound::exact;
    if (player == kTerminal) return this->terminal(ply);
    if (depth == 0) return this->at_horizon(ply);

    // 2. Transposition table
    const std::uint64_t key = key_of(ply, round), start = this->budget.nodes();
    const bool asks = this->table && ply > 0 && player != kChance;
    const auto* known = asks ? this->table->find(key) : nullptr;
    if (this->serves(known, depth) && settles(*known, alpha, beta)) {
      bound_ = known->bound;
      return this->recall(ply, *known);
    }
    const bool felt = std::exchange(this->horizon, false);
    const int last = std::exchange(this->mover, player == kChance ? this->mover : ply);
    Action best = known ? known->action : 0;

    // 3. Chance is averaged, so its children need exact values
    if (player == kChance) {
      const int below = this->below_chance(ply, depth);
      this->expect(ply, [&](Action a) { value(ply + 1, below, a, -kInfinity, kInfinity, round); });
      bound_ = Bound::exact;
    } else if (one_reply && player != root() && round.replied) {
      // 4. Another player has replied: this one makes its default move, which costs no depth.
      best = usual(ply, player);
      this->walk.play(ply, best);
      value(ply + 1, depth, best, alpha, beta, after(round, true));
      this->take(ply);
      this->walk.extend_line(ply, best);
      tell_backup(ply, true, alpha, beta);
    } else {
      best = choose(ply, depth, player, alpha, beta, round, known != nullptr, best);
    }

    // 5. Back up.
    this->mover = last;
    if (player != kChance) this->remember(key, ply, depth, best, bound_, start);
    const Bound kind = bound_ == Bound::exact && this->horizon ? Bound::estimate : bound_;
    this->tell_leave(ply, kind);
    this->horizon |= felt;
  }

  // The best child: the greatest value for the root player, or the least where another player
  // moves.
  Action choose(int ply, int depth, int player, double alpha, double beta, Round round, bool hinted,
                Action hint) {
    const bool ours = player == root();
    const double sign = ours ? 1 : -1;
    const double limit = ours ? beta : alpha;
    double& own = ours ? alpha : beta;
    const double entry = own;
    const auto list = this->walk.list(this->game.actions, ply);
    if (list.count == 0) this->no_actions();
    const bool waits = one_reply && !ours && round.acted + 2 < this->players;
    const int count = list.count + waits;
    const int first = hinted && ply > 0 ? place(list, hint) : 0;
    Action best = 0;
    bool some = false, cut = false;
    for (int i = 0; i < count && !cut; ++i) {
      // Searches the table move first, and last the option to leave the reply to another player.
      const int at = i == 0 ? first : i <= first ? i - 1 : i;
      const bool leave_it = at == list.count;
      const Action action = leave_it ? usual(ply, player) : this->walk.action(list, at);
      const std::uint64_t before = this->budget.nodes();
      const bool earlier = ply == 0 && std::exchange(this->horizon, false);
      this->walk.play(ply, action);
      value(ply + 1, leave_it ? depth : depth - 1, action, alpha, beta,
            ours ? Round{} : after(round, !leave_it));
      if (ply == 0) {
        this->note_root(action, bound_, proved(bound_), before);
        this->horizon |= earlier;
      }
      const double v = this->values(ply + 1)[root()];
      const bool improved = !some || sign * v > sign * this->values(ply)[root()];
      if (improved) {
        some = true;
        best = action;
        this->take(ply);
        this->walk.extend_line(ply, action);
      }
      cut = sign * v >= sign * limit;
      if (!cut && sign * v > sign * own) own = v;
      tell_backup(ply, improved, alpha, beta);
      const int rest = list.count - std::max(at, first) - 1;
      if constexpr (Tracer::kOn) {
        if (cut && rest > 0) {
          this->tracer.cut(ply, this->show(v), this->show(alpha), this->show(beta),
                           this->walk.at(list, list.count - rest), rest);
        }
      }
    }
    this->walk.release(list);
    const double v = this->values(ply)[root()];
    if (cut) {
      bound_ = ours ? Bound::lower : Bound::upper;
    } else {
      const bool inside = sign * v > sign * entry;
      bound_ = inside ? Bound::exact : ours ? Bound::upper : Bound::lower;
    }
    return best;
  }

  int root() const { return this->root_player; }

  // Counts the other players until all have acted, then resets, as after a move of the root player.
  Round after(Round round, bool replied) const {
    round.replied |= replied;
    return ++round.acted + 1 >= this->players ? Round{} : round;
  }

  // The default move of a player without a free choice: the one with the best evaluation for it,
  // else the first.
  Action usual(int ply, int player) {
    const auto list = this->walk.list(this->game.actions, ply);
    if (list.count == 0) this->no_actions();
    Action best = this->walk.action(list, 0);
    if (this->game.evaluate && list.count > 1) {
      double most = -kInfinity;
      for (int i = 0; i < list.count; ++i) {
        const Action action = this->walk.action(list, i);
        this->walk.play(ply, action);
        const void* next = this->walk.state(ply + 1);
        const bool over = this->game.to_move(this->game.self, next) == kTerminal;
        const double v =
            over ? this->judge.terminal(next, player) : this->judge.horizon(next, player);
        if (v > most) most = v, best = action;
      }
    }
    this->walk.release(list);
    return best;
  }

  static bool settles(const TupleTable::Head& known, double alpha, double beta, double v) {
    return known.bound == Bound::exact || (known.bound == Bound::lower ? v >= beta : v <= alpha);
  }
  bool settles(const TupleTable::Head& known, double alpha, double beta) const {
    return settles(known, alpha, beta, known.values()[root()]);
  }

  std::uint64_t key_of(int ply, Round round) {
    const std::uint64_t at = 2 * round.acted + round.replied;
    return this->key(ply) + at * 0x9e3779b97f4a7c15;
  }

  int place(const Walk::List& list, Action action) const {
    for (int i = 0; i < list.count; ++i) {
      if (this->walk.action(list, i) == action) return i;
    }
    return 0;
  }

  // What is proved of player 0's value of the root move searched last. In multi-player or
  // general-sum games nothing is proved: the others may not oppose the root player.
  Bound proved(Bound found) {
    if (!this->duel()) return Bound::estimate;
    if (root() == 1 && found != Bound::exact) {
      found = found == Bound::lower ? Bound::upper : Bound::lower;
    }
    return this->settle(this->values(1)[0], found, this->horizon);
  }

  void tell_backup(int ply, bool improved, double alpha, double beta) {
    this->tracer.backup(ply, this->show(this->values(ply)[0]), improved, this->show(alpha),
                        this->show(beta));
    this->tell(ply);
  }

  Bound bound_ = Bound::exact;  // the kind of the value left last
};

}  // namespace zermelo
