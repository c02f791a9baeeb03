#include <bit>
#include <climits>
#include <cmath>
#include <new>
#include <sstream>

#include "../parts/frame.hpp"
#include "../parts/hash.hpp"
#include "../parts/tablebase.hpp"
#include "../platform.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(proves whether the player to move wins (df-pn).

The proof number of a node estimates the work that is left to prove a win, its disproof number the
work to refute one. The search descends depth-first to the node with the least work and keeps both
numbers in a table. It first asks whether the player to move wins, then whether the opponent wins.
If neither wins, the game is a draw. A child may use a quarter more work than the second-best child
before the search switches (the 1 + epsilon trick).

If every child must be solved, the number is the largest of the children plus one for each other
unsolved child (weak proof-number search). A sum would count a position once for every path that
leads to it, and overflow.

A repetition is a win for neither side. A refutation that depends on a repetition of an earlier
position of the path holds only on this path and is not stored, unless the repeated position is the
refuted position itself or comes after it. Proofs never depend on repetitions. Every answer is
therefore sound, but games with many cycles may take long. In games that count quiet moves (chess,
checkers), positions are equal only if the counts are equal.

When:  win/loss games with forced lines, narrow or uneven trees; small games with cycles.
Needs: two players, utilities 1, 0 and -1, no chance, perfect information.
Cost:  memory: the size of the table; time depends on how narrow the proof is. If a limit stops the
       search after it has refuted a win, the value is a bound (at most a draw), not exact.
From:  Allis 1994 (proof numbers); Nagai 2002 (df-pn); Pawlewicz and Lew 2007 (1 + epsilon); Ueda
       et al. 2008 (weak proof numbers).
)";

using Count = std::uint32_t;
constexpr Count kInfinite = (1 << 29) - 1;  // cannot be proved (or refuted): the node is settled
constexpr Count kMost = kInfinite - 1;      // the greatest number of a node that is not settled
constexpr int kNothing = INT_MAX;           // a refutation that depends on no repetition

// [0]: the proof number, [1]: the disproof number.
struct Numbers {
  Count of[2] = {1, 1};
  bool proved() const { return of[0] == 0; }
  bool refuted() const { return of[1] == 0; }
  bool settled() const { return proved() || refuted(); }
};
constexpr Numbers kProved{{0, kInfinite}}, kRefuted{{kInfinite, 0}};

Count add(Count a, Count b, Count most) { return std::min(a + b, most); }

// Proof numbers by position: four entries per cache line, the one with least work is replaced.
class NumberTable {
 public:
  // The system zeroes pages when they are touched, so small searches are cheap.
  explicit NumberTable(std::size_t megabytes)
      : mask_(std::bit_floor((megabytes << 20) / sizeof(Cluster)) - 1),
        memory_((mask_ + 1) * sizeof(Cluster)),
        clusters_(static_cast<Cluster*>(memory_.data())) {}

  bool find(std::uint64_t key, Numbers& n) const {
    for (const Slot& s : at(key).slots) {
      if (s.key != key || !s.packed) continue;
      n = {{static_cast<Count>(s.packed >> 35), static_cast<Count>(s.packed >> 6 & kInfinite)}};
      return true;
    }
    return false;
  }

  void store(std::uint64_t key, const Numbers& n, std::uint64_t work) {
    Slot* victim = nullptr;
    for (Slot& s : at(key).slots) {
      if (s.key == key && s.packed) {
        victim = &s;
        break;
      }
      if (!victim || (s.packed & 63) < (victim->packed & 63)) victim = &s;
    }
    const std::uint64_t size = std::min<std::uint64_t>(63, 1 + std::bit_width(work));
    *victim = {key, std::uint64_t{n.of[0]} << 35 | std::uint64_t{n.of[1]} << 6 | size};
  }

 private:
  struct Slot {
    std::uint64_t key, packed;  // proof 29 | refutation 29 | work 6
  };
  struct alignas(64) Cluster {
    Slot slots[4];
  };
  Cluster& at(std::uint64_t key) const { return clusters_[key & mask_]; }

  std::size_t mask_;
  platform::Pages memory_;
  Cluster* clusters_;
};

[[noreturn]] void refuse_utility(double utility) {
  std::ostringstream text;
  text << "proof-number search supports only wins, draws and losses: a utility of " << utility
       << " is not 1, 0 or -1";
  throw RulesError(text.str(),
                   "use engine or alphabeta; if no final state has this utility, declare "
                   "utility_bounds = (-1, 1)");
}

// A game with scores is refused at once if its bounds are known.
void check_bounds(const Facts& f) {
  for (const double u : {f.utility_min, f.utility_max}) {
    if (std::isfinite(u) && std::abs(u) > 1) refuse_utility(u);
  }
}

class ProofNumber : public Frame<NoTrace> {
 public:
  ProofNumber(const Request& request, NoTrace& tracer)
      : Frame(request, tracer), table_(std::max(1, options.table_mb)), key_(game.key) {
    // A game that counts quiet plies leaves the count out of its mirror_key, but draws depend on
    // it.
    if (options.symmetry && game.mirror_key && !game.quiet_plies) key_ = game.mirror_key;
    scratch_.resize(std::max(256, game.facts.max_actions));
    promise_.resize(scratch_.size());
  }

  Result run() {
    return Frame::run([this](int) { return solve(); });
  }
  std::uint64_t tabled() const { return tabled_; }

 private:
  struct Child {
    Action action;
    std::uint64_t key;  // 0: terminal, or known from a tablebase
    Numbers n;
    int rests = kNothing;  // the ply of the path that its refutation depends on
  };

  // Two proofs: whether the mover wins, and whether the opponent wins.
  Result solve() {
    root_player = game.to_move(game.self, walk.state(0));
    if (wins(root_player)) return answer(root_player == 0 ? 1 : -1, Bound::exact, true);
    try {
      if (wins(1 - root_player)) return answer(root_player == 0 ? -1 : 1, Bound::exact, false);
    } catch (const Stopped&) {  // the mover is known not to win
      best_ = hardest_to_prove();
      return answer(0, root_player == 0 ? Bound::upper : Bound::lower, true);
    }
    return answer(0, Bound::exact, true);
  }

  // Settle whether `attacker` wins; with infinite limits `look` always does.
  bool wins(int attacker) {
    attacker_ = attacker;
    children_.clear();
    return look(0, {{kInfinite, kInfinite}}).proved();
  }

  // One move is proved to have the value, or (in a lost position) all of them. A win is the value
  // of the game only if the utility bounds exclude anything better.
  Result answer(double value, Bound bound, bool one) {
    if (value > 0 && game.facts.utility_max > 1) bound = Bound::lower;
    if (value < 0 && game.facts.utility_min < -1) bound = Bound::upper;
    for (const Action a : root_actions_) {
      if (one && a != best_) continue;
      moves.push_back({a, judge.lift(value), bound, budget.nodes(), {a}});
    }
    walk.start_line(1);
    walk.extend_line(0, best_);
    return result(judge.lift(value), bound, kNoDepth);
  }

  // The root move after which the opponent seems furthest from a win, if the search was stopped.
  Action hardest_to_prove() const {
    if (children_.size() < root_actions_.size()) return best_;
    const auto end = children_.begin() + std::ssize(root_actions_);
    return std::max_element(children_.begin(), end,
                            [](const Child& a, const Child& b) { return a.n.of[0] < b.n.of[0]; })
        ->action;
  }

  // Search below the position at `ply` until it is settled or a number reaches its limit. rests_ is
  // set to the ply that its refutation depends on.
  Numbers look(int ply, Numbers limit) {
    budget.enter();
    walk.check_depth(ply);
    deepest = std::max(deepest, ply);
    const std::uint64_t start = budget.nodes();
    const std::uint64_t key = key_of(walk.state(ply));
    Numbers n;
    rests_ = kNothing;
    if (ply > 0 && table_.find(key, n) && n.settled()) return n;
    const int player = game.to_move(game.self, walk.state(ply));
    if (player < 0 || player >= game.facts.players) wrong_player(game.facts, player);
    if (static_cast<std::size_t>(ply) >= path_.size()) path_.resize(2 * ply + 64);
    path_[ply] = key;
    on_path(key, 1);
    const std::size_t first = children_.size();
    n = expand(ply) ? work(ply, player, first, limit) : known_;
    on_path(key, -1);
    if (rests_ >= ply)
      rests_ = kNothing;  // a repetition of this position does not depend on the path to it
    if (rests_ == kNothing) table_.store(key, n, budget.nodes() - start);
    children_.resize(first);
    return n;
  }

  // The numbers of a node from its children, and the child to search next.
  struct Summary {
    Numbers n;
    std::size_t best;  // the most promising child for the mover
    Count second;      // the mover's number of the next child
    Count open;        // children that are not settled
  };

  // mine: the mover's number (0: proof, the attacker moves). It is the least of the children's. For
  // the other number all children are needed: the largest, and one for each other open child.
  Summary summary(std::size_t first, int mine) const {
    const int other = 1 - mine;
    Count least = kInfinite, second = kInfinite, largest = 0, open = 0;
    std::size_t best = first;
    for (std::size_t i = first; i < children_.size(); ++i) {
      const Numbers& c = children_[i].n;
      if (c.of[mine] < least) {
        second = least, least = c.of[mine], best = i;
      } else {
        second = std::min(second, c.of[mine]);
      }
      if (c.settled()) continue;
      largest = std::max(largest, c.of[other]);
      ++open;
    }
    Numbers n;
    n.of[mine] = least;
    n.of[other] = least == 0 ? kInfinite : open == 0 ? 0 : add(largest, open - 1, kMost);
    return {n, best, second, open};
  }

  // Every visit settles the best child, or raises its mover's number, or raises the other number to
  // the node's own limit. So the loop ends, and with infinite limits it ends with a settled node.
  Numbers work(int ply, int player, std::size_t first, Numbers limit) {
    const int mine = player == attacker_ ? 0 : 1, other = 1 - mine;
    for (;;) {
      const Summary s = summary(first, mine);
      if (s.n.settled() || s.n.of[0] >= limit.of[0] || s.n.of[1] >= limit.of[1]) {
        rests_ = s.n.refuted() ? rest_of(first, mine) : kNothing;
        if (ply == 0) keep_root(first, s.best);
        return s.n;
      }
      Numbers below;
      below.of[mine] = std::min(limit.of[mine], add(s.second, s.second / 4 + 1, kInfinite));
      below.of[other] = limit.of[other] == kInfinite ? kInfinite : limit.of[other] - (s.open - 1);
      walk.play(ply, children_[s.best].action);
      const Numbers found = look(ply + 1, below);
      children_[s.best].n = found;
      children_[s.best].rests = found.refuted() ? rests_ : kNothing;
    }
  }

  // The attacker's node is refuted by all its children, the defender's by any one.
  int rest_of(std::size_t first, int mine) const {
    int rests = mine == 0 ? kNothing : -1;
    for (std::size_t i = first; i < children_.size(); ++i) {
      if (mine == 0) rests = std::min(rests, children_[i].rests);
      if (mine == 1 && children_[i].n.refuted()) rests = std::max(rests, children_[i].rests);
    }
    return rests;
  }

  void keep_root(std::size_t first, std::size_t best) {
    root_actions_.clear();
    for (std::size_t i = first; i < children_.size(); ++i) {
      root_actions_.push_back(children_[i].action);
    }
    best_ = children_[best].action;
  }

  // List the children with their numbers. False: the game's own bounds settle the value.
  bool expand(int ply) {
    const void* state = walk.state(ply);
    const bool narrow = ply > 0 && options.move_hints && game.narrow;
    double low = attacker_ == 0 ? 0 : -1, high = attacker_ == 0 ? 1 : 0;
    const auto ask = [&](int room) {
      return narrow ? game.narrow(game.self, state, scratch_.data(), promise_.data(), room, &low,
                                  &high)
                    : game.actions(game.self, state, scratch_.data(), room);
    };
    int count = ask(static_cast<int>(scratch_.size()));
    if (count > static_cast<int>(scratch_.size())) {
      scratch_.resize(count);
      promise_.resize(count);
      count = ask(count);
    }
    if (narrow) {
      const double worst = attacker_ == 0 ? low : -high, best = attacker_ == 0 ? high : -low;
      known_ = worst > 0 ? kProved : kRefuted;
      if (count == 0 || worst > 0 || best <= 0) return false;
    }
    if (count <= 0) no_actions();
    for (int i = 0; i < count; ++i) children_.push_back(child(ply, scratch_[i]));
    return true;
  }

  Child child(int ply, Action action) {
    walk.play(ply, action);
    const void* state = walk.state(ply + 1);
    Child c{action, 0, {}};
    if (game.to_move(game.self, state) == kTerminal) {
      ++leaves;
      c.n = worth(judge.surface(judge.terminal(state)));
      return c;
    }
    if (Verdict v; options.tablebase && options.tablebase->probe(state, v)) {
      ++leaves, ++tabled_;
      c.n = worth(v.value);
      return c;
    }
    c.key = key_of(state);
    if (const int back = met_at(ply, c.key); back >= 0) {
      c.n = kRefuted;
      c.rests = back;
    } else {
      table_.find(c.key, c.n);
    }
    return c;
  }

  Numbers worth(double utility) const {
    if (utility != 0 && utility != 1 && utility != -1) refuse_utility(utility);
    return utility == (attacker_ == 0 ? 1 : -1) ? kProved : kRefuted;
  }

  // The two proofs have separate entries.
  std::uint64_t key_of(const void* state) const {
    return mix(key_(game.self, state) + (attacker_ == 0 ? 0 : 0x9e3779b97f4a7c15ULL));
  }

  // A filter of the keys on the path, for a quick negative answer.
  void on_path(std::uint64_t key, int change) {
    seen_[key % std::size(seen_)] =
        static_cast<std::uint16_t>(seen_[key % std::size(seen_)] + change);
  }
  int met_at(int ply, std::uint64_t key) const {
    if (!seen_[key % std::size(seen_)]) return -1;
    for (int i = ply; i >= 0; --i) {
      if (path_[i] == key) return i;
    }
    return -1;
  }

  NumberTable table_;
  std::uint64_t (*key_)(const void*, const void*);
  int attacker_ = 0;  // the player whose win is to be proved
  int rests_ = kNothing;
  Numbers known_;
  Action best_ = 0;
  std::uint64_t tabled_ = 0;
  std::vector<Action> root_actions_, scratch_;
  std::vector<float> promise_;
  std::vector<Child> children_;  // of all plies, the deepest last
  std::vector<std::uint64_t> path_;
  std::uint16_t seen_[1 << 14] = {};
};

Result run_proof_number(const Request& request) {
  check_bounds(request.game.facts);
  if (Result r; from_tables(request, r)) return r;
  NoTrace none;
  ProofNumber search(request, none);
  Result r = search.run();
  r.tabled = search.tabled();
  return r;
}

}  // namespace

const Algorithm kProofNumber{
    .name = "proof-number",
    .aliases = {"df-pn"},
    .doc = kDoc,
    .can = {.tablebase = true, .cycles = true, .scores = false},
    .options = {table_option("table of proof numbers in MB", 64), symmetry_option(),
                move_hints_option()},
    .run = run_proof_number,
};

}  // namespace zermelo
