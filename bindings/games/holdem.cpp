// Hold'em for Python: the rules, hand ranks, hand abstraction, training and comparison.
#include "games/holdem/holdem.hpp"

#include <nanobind/stl/array.h>

#include <cstring>
#include <optional>

#include "games.hpp"
#include "games/holdem/likely.hpp"
#include "games/holdem/local_reply.hpp"
#include "games/holdem/solver.hpp"
#include "watched.hpp"

namespace zermelo::bindings {
namespace {

using namespace holdem;

// Cards by number, each once.
std::vector<int> check_cards(const std::vector<int>& cards, std::size_t least, std::size_t most) {
  std::uint64_t seen = 0;
  bool good = cards.size() >= least && cards.size() <= most;
  for (const int c : cards) {
    good = good && c >= 0 && c < kCards && !(seen >> c & 1);
    if (good) seen |= 1ULL << c;
  }
  if (!good) raise("UsageError", "wrong number of cards, or a card appears twice");
  return cards;
}

int rank_of_seven(const std::vector<int>& cards) {
  check_cards(cards, 7, 7);
  return Ranks::table().rank(sum_of(cards.data(), 7));
}

// The ranks of rows of seven cards, one byte per card.
nb::list ranks_of(const nb::bytes& rows) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(rows.c_str());
  const Ranks& ranks = Ranks::table();
  nb::list out;
  for (std::size_t i = 0; i < rows.size(); i += 7) {
    Hand h;
    for (std::size_t k = i; k < std::min(rows.size(), i + 7); ++k) {
      if (data[k] < kCards) h = h + ranks.card(data[k]);
    }
    if (std::popcount(h.mask) != 7) raise("UsageError", "each row must have seven different cards");
    out.append(ranks.rank(h));
  }
  return out;
}

// The number of seven-card hands in each category.
std::vector<std::uint64_t> count_categories() {
  std::vector<std::uint64_t> found(kCategories);
  const Limits limits;
  Budget budget(limits);
  run(limits, budget, [&] {
    const Ranks& ranks = Ranks::table();
    std::vector<std::uint64_t> by_class(kClasses);
    const auto add = [&](auto&& self, Hand h, int below, int left) -> void {
      if (left == 1) {
        for (int c = 0; c < below; ++c) ++by_class[ranks.rank(h + ranks.card(c))];
        return;
      }
      budget.enter();
      for (int c = left - 1; c < below; ++c) self(self, h + ranks.card(c), c, left - 1);
    };
    try {
      add(add, {}, kCards, 7);
    } catch (const Stopped&) {
      return;
    }
    for (int r = 0; r < kClasses; ++r) found[ranks.category(r)] += by_class[r];
  });
  unless_interrupted(budget);
  return found;
}

nb::tuple equity_of(const std::vector<int>& one, const std::vector<int>& other,
                    const std::vector<int>& board) {
  std::vector<int> all = one;
  all.insert(all.end(), other.begin(), other.end());
  all.insert(all.end(), board.begin(), board.end());
  if (one.size() != 2 || other.size() != 2) raise("UsageError", "a hand has two cards");
  check_cards(all, 4, 4 + kBoard);
  std::array<std::uint64_t, 3> found;
  {
    nb::gil_scoped_release free;
    found = equity(one.data(), other.data(), board.data(), static_cast<int>(board.size()));
  }
  return nb::make_tuple(found[0], found[1], found[2]);
}

double share_of(const std::vector<int>& hand, const std::vector<int>& board,
                const std::vector<double>& weights, int draws) {
  std::vector<int> all = hand;
  all.insert(all.end(), board.begin(), board.end());
  const std::size_t open = board.size();
  if (hand.size() != 2 || open == 1 || open == 2) raise("UsageError", "a hand has two cards");
  check_cards(all, 2, 2 + kBoard);
  if (weights.size() != kPairs || draws < 1)
    raise("UsageError", "expected 1326 weights, one per pair of cards, and at least one draw");
  nb::gil_scoped_release free;
  return against(hand.data(), board.data(), static_cast<int>(open), weights, draws);
}

Abstraction::Centres centres_of(const nb::bytes& data) {
  const std::size_t count = data.size() / kBins;
  if (count < 1 || count > Abstraction::kMostGroups || data.size() % kBins) {
    raise("UsageError", "invalid bucket centres");
  }
  Abstraction::Centres out(count);
  std::memcpy(out.data(), data.c_str(), data.size());
  return out;
}

nb::bytes centres(int open, int groups, int boards, std::uint64_t seed) {
  if ((open != 3 && open != 4) || groups < 1 || groups > Abstraction::kMostGroups || boards < 1) {
    raise("UsageError", "invalid number of buckets", "expected 1 to 1000 buckets");
  }
  Abstraction::Centres found;
  {
    nb::gil_scoped_release free;
    found = Abstraction::find(open, groups, boards, seed);
  }
  return nb::bytes(found.data(), found.size() * kBins);
}

// The abstraction and its policy. Groups are computed on demand, so concurrent readers are
// serialized by the GIL.
class Player {
 public:
  Player(const nb::bytes& flop, const nb::bytes& turn, int river, const nb::bytes& odds)
      : abstraction_(centres_of(flop), centres_of(turn), check_river(river)),
        layout_(abstraction_),
        policy_{&abstraction_, &layout_, {}} {
    if (odds.size() == 0) return;
    if (odds.size() != layout_.size())
      raise("UsageError", "the policy does not match the abstraction");
    const auto* levels = reinterpret_cast<const std::uint8_t*>(odds.c_str());
    policy_.odds.assign(levels, levels + odds.size());
    each_choice([&](const PublicNode& node, int, std::size_t at) {
      float all = 0;
      for (int a = 0; a < node.count; ++a) all += policy_.odds[at + a];
      for (int a = 0; a < node.count; ++a) {
        policy_.odds[at + a] = all > 0 ? policy_.odds[at + a] / all : node.moves[a] == kCall;
      }
    });
  }

  std::size_t size() const { return layout_.size(); }
  int groups(int round) const { return round < 0 || round > 3 ? 0 : abstraction_.groups(round); }

  // The group of each pair; -1: the board has one of its cards.
  std::vector<int> group(const std::vector<int>& board) {
    check_cards(board, 0, kBoard);
    if (board.size() == 1 || board.size() == 2) raise("UsageError", "a flop has three cards");
    const auto found = abstraction_.group(board.data(), static_cast<int>(board.size()));
    std::vector<int> out;
    for (const int g : found) out.push_back(g == Abstraction::kNone ? -1 : g);
    return out;
  }

  std::vector<double> odds(const Handle& h, const nb::bytes& state) {
    const Holdem::State& s = check(h, state);
    if (h.table.to_move(h.table.self, &s) < 0)
      raise("UsageError", "no player is to move in this state");
    return odds_of(known(), s);
  }
  std::vector<double> likely(const Handle& h, const nb::bytes& state, int player) {
    const Holdem::State& s = check(h, state);
    if (player != 0 && player != 1) raise("UsageError", "invalid player: expected 0 or 1");
    return holdem::likely(known(), s, player);
  }

  // What this policy wins against the other per hand, for each of some boards, in thousandths of a
  // big blind.
  std::vector<double> meet(Player& other, int boards, std::uint64_t seed) {
    const auto meeting = std::make_unique<Meeting>(known(), other.known());
    return on_boards(boards, seed, [&](const int* board, Random&) { return meeting->play(board); });
  }

  // What a local best response wins against this policy.
  std::vector<double> local_reply(int boards, std::uint64_t seed) {
    LocalReply reply(known());
    return on_boards(boards, seed,
                     [&](const int* board, Random& random) { return reply.play(board, random); });
  }

  // Every decision of every group, and the index of its probabilities.
  template <class F>
  void each_choice(const F& visit) {
    const PublicTree& tree = PublicTree::table();
    for (int n = 0; n < tree.size(); ++n) {
      if (!tree[n].count) continue;
      for (int g = 0; g < abstraction_.groups(tree[n].betting.round); ++g) {
        visit(tree[n], g, layout_.first(n) + static_cast<std::size_t>(g) * tree[n].count);
      }
    }
  }

  Abstraction& abstraction() { return abstraction_; }
  const holdem::Policy& known() const {
    if (policy_.odds.empty()) raise("UsageError", "the file contains buckets but no policy");
    return policy_;
  }

 private:
  static constexpr double kMilliBlinds = 500;  // in a small blind

  // Ends early if interrupted.
  template <class F>
  static std::vector<double> on_boards(int boards, std::uint64_t seed, const F& play) {
    std::vector<double> won;
    const Limits limits;
    Budget budget(limits);
    run(limits, budget, [&] {
      Random random(seed);
      try {
        for (int i = 0; i < boards; ++i) {
          budget.enter();
          int board[kBoard];
          Abstraction::draw(board, kBoard, random);
          won.push_back(kMilliBlinds * play(board, random));
        }
      } catch (const Stopped&) {
      }
    });
    return won;
  }

  static int check_river(int river) {
    if (river < 1 || river > Abstraction::kMostGroups) {
      raise("UsageError", "invalid number of buckets", "expected 1 to 1000 buckets");
    }
    return river;
  }
  static const Holdem::State& check(const Handle& h, const nb::bytes& state) {
    const void* s = h.check(state);
    if (h.table.play != Inlined<Holdem>::play) raise("UsageError", "the game is not hold'em");
    return *static_cast<const Holdem::State*>(s);
  }

  Abstraction abstraction_;
  Layout layout_;
  holdem::Policy policy_;
};

class Learner {
 public:
  Learner(const nb::bytes& flop, const nb::bytes& turn, int river, std::uint64_t seed, double rare,
          bool floor)
      : groups_(flop, turn, river, nb::bytes("", 0)),
        solver_(groups_.abstraction(), SolverParams{.rare = rare, .floor = floor}),
        seed_(seed) {}

  const char* iterate(std::uint64_t count, double seconds) {
    return repeat(count, seconds, [&](Budget& budget) {
      budget.enter();
      solver_.iterate(seed_);
    });
  }

  std::uint64_t iterations() const { return solver_.iterations(); }
  nb::bytes regrets() { return bytes_of(solver_.regrets()); }
  nb::bytes sums() { return bytes_of(solver_.sums()); }
  nb::bytes odds() const { return bytes_of(solver_.odds()); }

  bool resume(const nb::bytes& regrets, const nb::bytes& sums, std::uint64_t iterations) {
    const std::size_t size = solver_.layout().size() * sizeof(float);
    if (regrets.size() != size || sums.size() != size) return false;
    std::memcpy(solver_.regrets().data(), regrets.c_str(), size);
    std::memcpy(solver_.sums().data(), sums.c_str(), size);
    solver_.resume(iterations);
    return true;
  }

 private:
  static nb::bytes bytes_of(const std::vector<float>& v) {
    return nb::bytes(v.data(), v.size() * sizeof(float));
  }

  Player groups_;
  holdem::Solver solver_;
  std::uint64_t seed_;
};

// The meaning of each probability of a policy: round, group, move (0 fold, 1 call, 2 raise), and
// whether a bet must be called.
nb::bytes choices(Player& player) {
  std::vector<std::uint16_t> rows;
  player.each_choice([&](const PublicNode& node, int group, std::size_t) {
    for (int a = 0; a < node.count; ++a) {
      rows.push_back(node.betting.round);
      rows.push_back(static_cast<std::uint16_t>(group));
      rows.push_back(static_cast<std::uint16_t>(node.moves[a]));
      rows.push_back(node.betting.paid[0] != node.betting.paid[1]);
    }
  });
  return nb::bytes(rows.data(), rows.size() * sizeof rows[0]);
}

}  // namespace

ZERMELO_GAME(holdem, m) {
  m.def("holdem", [] { return own(std::make_shared<Holdem>()); });
  m.def("holdem_rank", &rank_of_seven, nb::arg("cards"));
  m.def("holdem_ranks", &ranks_of, nb::arg("rows"));
  m.def("holdem_category", [](int rank) {
    if (rank < 0 || rank >= kClasses) raise("UsageError", "invalid rank: expected 0 to 7461");
    return Ranks::table().category(rank);
  });
  m.def("holdem_counts", &count_categories);
  m.def("holdem_equity", &equity_of, nb::arg("one"), nb::arg("other"), nb::arg("board"));
  m.def("holdem_against", &share_of, nb::arg("hand"), nb::arg("board"), nb::arg("weights"),
        nb::arg("draws"));
  m.def("holdem_centres", &centres, nb::arg("open"), nb::arg("groups"), nb::arg("boards"),
        nb::arg("seed"));
  nb::class_<Player>(m, "HoldemPolicy")
      .def(nb::init<const nb::bytes&, const nb::bytes&, int, const nb::bytes&>(), nb::arg("flop"),
           nb::arg("turn"), nb::arg("river"), nb::arg("odds"))
      .def_prop_ro("size", &Player::size)
      .def("groups", &Player::groups, nb::arg("round"))
      .def("group", &Player::group, nb::arg("board"))
      .def("odds", &Player::odds, nb::arg("game"), nb::arg("state"))
      .def("likely", &Player::likely, nb::arg("game"), nb::arg("state"), nb::arg("player"))
      .def("meet", &Player::meet, nb::arg("other"), nb::arg("boards"), nb::arg("seed"))
      .def("local_reply", &Player::local_reply, nb::arg("boards"), nb::arg("seed"))
      .def("choices", &choices);
  nb::class_<Learner>(m, "HoldemLearner")
      .def(nb::init<const nb::bytes&, const nb::bytes&, int, std::uint64_t, double, bool>(),
           nb::arg("flop"), nb::arg("turn"), nb::arg("river"), nb::arg("seed"),
           nb::arg("rare") = SolverParams{}.rare, nb::arg("floor") = SolverParams{}.floor)
      .def("iterate", &Learner::iterate, nb::arg("count"), nb::arg("seconds"))
      .def("regrets", &Learner::regrets)
      .def("sums", &Learner::sums)
      .def("odds", &Learner::odds)
      .def("resume", &Learner::resume, nb::arg("regrets"), nb::arg("sums"), nb::arg("iterations"))
      .def_prop_ro("iterations", &Learner::iterations);
}

}  // namespace zermelo::bindings
