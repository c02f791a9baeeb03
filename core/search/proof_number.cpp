#include <sys/mman.h>

#include <bit>
#include <climits>
#include <new>

#include "../parts/frame.hpp"
#include "../parts/hash.hpp"
#include "../parts/tablebase.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(proof-number: proves whether the player to move wins (df-pn).

A node's proof number is how many open leaves must at least be won to prove a win, its disproof
number how many to refute it. The search goes where the fewest are missing, depth first, and keeps
both numbers in a table (df-pn). It asks whether the player to move wins, and if not, whether the
other does: neither is a draw. A child may use up a quarter more than its rival before they change
places (the 1 + epsilon trick).

Play that comes back to a position of the path wins for nobody. A refutation that rests on such a
return holds on this path alone and is not kept in the table, unless the return is to the refuted
position itself or to one after it; proofs never rest on one. So every answer is sound, but a game
that goes round in circles a lot may take long.

When:  games of wins and losses with forced lines, narrow or uneven trees; small games with circles.
Needs: two players, utilities 1, 0 and -1, no chance, nothing hidden.
Cost:  memory: the table's; time depends on how narrow the proof is.
From:  Allis 1994 (proof numbers); Nagai 2002 (df-pn); Pawlewicz and Lew 2007 (1 + epsilon).

table=MB  mirror narrow (on)
)";

using Count = std::uint32_t;
constexpr Count kAll = (1 << 29) - 1;  // the number of what cannot be
constexpr int kNothing = INT_MAX;      // a refutation that rests on no return

// [0]: what is missing for a proof, [1]: for a refutation.
struct Numbers {
  Count of[2] = {1, 1};
  bool proved() const { return of[0] == 0; }
  bool refuted() const { return of[1] == 0; }
  bool settled() const { return proved() || refuted(); }
};
constexpr Numbers kProved{{0, kAll}}, kRefuted{{kAll, 0}};

Count add(Count a, Count b) { return std::min(a + b, kAll); }

// Numbers by position: four share a cache line, the one that cost least work gives way.
class NumberTable {
 public:
  // Zeroed pages come from the system as they are touched: a small search pays for little.
  explicit NumberTable(std::size_t megabytes)
      : mask_(std::bit_floor((megabytes << 20) / sizeof(Cluster)) - 1) {
    void* memory = mmap(nullptr, (mask_ + 1) * sizeof(Cluster), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    clusters_ = static_cast<Cluster*>(memory);
  }
  ~NumberTable() { munmap(clusters_, (mask_ + 1) * sizeof(Cluster)); }
  NumberTable(const NumberTable&) = delete;
  NumberTable& operator=(const NumberTable&) = delete;

  bool find(std::uint64_t key, Numbers& n) const {
    for (const Slot& s : at(key).slots) {
      if (s.key != key || !s.packed) continue;
      n = {{static_cast<Count>(s.packed >> 35), static_cast<Count>(s.packed >> 6 & kAll)}};
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
  Cluster* clusters_;
};

class ProofNumber : public Frame<NoTrace> {
 public:
  ProofNumber(const Request& request, NoTrace& tracer)
      : Frame(request, tracer),
        table_(std::max(1, options.table_mb)),
        key_(options.mirror && game.mirror_key ? game.mirror_key : game.key) {
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
    std::uint64_t key;  // 0: the end, or known to a tablebase
    Numbers n;
    int rests = kNothing;  // the ply of the path that its refutation rests on
  };

  // Two questions: does the mover win, does the other?
  Result solve() {
    const void* root = walk.state(0);
    root_player = game.to_move(game.self, root);
    for (const int attacker : {root_player, 1 - root_player}) {
      attacker_ = attacker;
      children_.clear();
      best_ = 0;
      if (look(0, {{kAll, kAll}}).proved()) {
        const double win = attacker == 0 ? 1 : -1;
        return answer(win, attacker == root_player);
      }
    }
    return answer(0, true);
  }

  // One move is known to be as good as the value says, or (of a lost position) all of them.
  Result answer(double value, bool one) {
    for (const Action a : root_actions_) {
      if (one && a != best_) continue;
      moves.push_back({a, judge.lift(value), Bound::exact, budget.nodes(), {a}});
    }
    walk.start_line(1);
    walk.extend_line(0, best_);
    return result(judge.lift(value), Bound::exact, kNoDepth);
  }

  // Works below the position at `ply` until a number reaches its limit. rests_ is left as the ply
  // that its refutation rests on.
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
    if (player < 0 || player >= game.facts.players) wrong_player();
    if (static_cast<std::size_t>(ply) >= path_.size()) path_.resize(2 * ply + 64);
    path_[ply] = key;
    on_path(key, 1);
    const std::size_t first = children_.size();
    n = expand(ply) ? work(ply, player, first, limit) : known_;
    on_path(key, -1);
    if (rests_ >= ply) rests_ = kNothing;  // a return to here says nothing of how one came here
    if (rests_ == kNothing) table_.store(key, n, budget.nodes() - start);
    children_.resize(first);
    return n;
  }

  Numbers work(int ply, int player, std::size_t first, Numbers limit) {
    const int mine = player == attacker_ ? 0 : 1, other = 1 - mine;  // the mover's number is least
    for (;;) {
      Count least = kAll, second = kAll, sum = 0;
      std::size_t best = first;
      for (std::size_t i = first; i < children_.size(); ++i) {
        const Numbers& c = children_[i].n;
        sum = add(sum, c.of[other]);
        if (c.of[mine] < least) {
          second = least, least = c.of[mine], best = i;
        } else {
          second = std::min(second, c.of[mine]);
        }
      }
      Numbers n;
      n.of[mine] = least, n.of[other] = sum;
      if (n.settled() || n.of[0] >= limit.of[0] || n.of[1] >= limit.of[1]) {
        rests_ = n.refuted() ? rest_of(first, mine) : kNothing;
        if (ply == 0) keep_root(first, best);
        return n;
      }
      Numbers below;
      below.of[mine] = std::min(limit.of[mine], add(second, second / 4 + 1));
      below.of[other] =
          limit.of[other] == kAll ? kAll : limit.of[other] - sum + children_[best].n.of[other];
      walk.play(ply, children_[best].action);
      const Numbers found = look(ply + 1, below);
      children_[best].n = found;
      children_[best].rests = found.refuted() ? rests_ : kNothing;
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

  // Lists the children with what is known of them. False: the game itself knows the answer.
  bool expand(int ply) {
    const void* state = walk.state(ply);
    const bool narrow = ply > 0 && options.narrow && game.narrow;
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
      c.n = worth(game.utility(game.self, state, 0));
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
    if (utility != 0 && utility != 1 && utility != -1) {
      throw RulesError("proof-number search is for games of wins, draws and losses",
                       "this one ends in scores: let the engine solve it");
    }
    return utility == (attacker_ == 0 ? 1 : -1) ? kProved : kRefuted;
  }

  // The two questions have their own entries.
  std::uint64_t key_of(const void* state) const {
    return mix(key_(game.self, state) + (attacker_ == 0 ? 0 : 0x9e3779b97f4a7c15ULL));
  }

  // How often keys like this one are on the path: a quick no.
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
  int attacker_ = 0;  // whose win is asked for
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
  if (Result r; from_tables(request, r)) return r;
  NoTrace none;
  ProofNumber search(request, none);
  Result r = search.run();
  r.tabled = search.tabled();
  return r;
}

}  // namespace

const Algorithm kProofNumber = {"proof-number", kDoc,  "table mirror narrow bounded tablebase",
                                false,          false, false,
                                false,          false, run_proof_number};

}  // namespace zermelo
