// Go for Python: the layout that fits the board, and queries for notation, scoring and learning.
#include "games/go/go.hpp"

#include <nanobind/stl/shared_ptr.h>

#include "games.hpp"
#include "inlined.hpp"
#include "watched.hpp"

namespace zermelo::bindings {
namespace {

// Queries of the Python side about a state, beyond the contract.
class GoView {
 public:
  virtual ~GoView() = default;
  virtual nb::dict parts(const nb::bytes& state) const = 0;
  virtual const char* fault(const nb::bytes& state, int action) const = 0;
  virtual nb::object set_up(const std::vector<int>& black, const std::vector<int>& white, int mover,
                            int passes) const = 0;
  virtual nb::bytes to_play(const nb::bytes& state, int mover) const = 0;
  virtual int score(const nb::bytes& state) const = 0;
  virtual std::vector<int> safe(const nb::bytes& state, int player) const = 0;
  virtual std::vector<double> ownership(const nb::bytes& state, int games,
                                        std::uint64_t seed) const = 0;
  virtual nb::bytes features(const nb::bytes& state) const = 0;
  virtual nb::bytes shapes(const nb::bytes& state) const = 0;
};

template <int N>
class GoViewOf final : public GoView {
  using Rules = Go<N>;
  using State = typename Rules::State;

 public:
  GoViewOf(std::shared_ptr<const Rules> rules, Handle handle)
      : rules_(std::move(rules)), handle_(std::move(handle)) {}

  nb::dict parts(const nb::bytes& state) const override {
    const State& s = at(state);
    std::string cells;
    int last = -1, ko = -1;
    for (int a = 0; a < rules_->size() * rules_->size(); ++a) {
      const go::Point p = rules_->point(a);
      cells += "XO."[s.colour[p]];
      if (s.last == p) last = a;
      if (s.ko == p) ko = a;
    }
    nb::dict d;
    d["cells"] = cells;
    d["mover"] = static_cast<int>(s.mover);
    d["passes"] = static_cast<int>(s.passes);
    d["repeated"] = s.repeated != 0;
    d["last"] = last;
    d["ko"] = ko;
    d["lost"] = nb::make_tuple(s.lost[0], s.lost[1]);
    d["placed"] = nb::make_tuple(s.placed[0], s.placed[1]);
    return d;
  }

  const char* fault(const nb::bytes& state, int action) const override {
    static constexpr const char* kNames[] = {"", "over", "occupied", "suicide", "ko", "superko"};
    const int pass = rules_->size() * rules_->size();
    if (action < 0 || action > pass)
      raise("IllegalAction", "invalid point " + std::to_string(action));
    return kNames[static_cast<int>(rules_->fault(at(state), static_cast<Action>(action)))];
  }

  nb::object set_up(const std::vector<int>& black, const std::vector<int>& white, int mover,
                    int passes) const override {
    std::vector<bool> seen(static_cast<std::size_t>(rules_->size() * rules_->size()));
    for (const auto* list : {&black, &white}) {
      for (const int a : *list) {
        if (a < 0 || a >= static_cast<int>(seen.size()) || seen[a]) {
          raise("BadPosition", "two stones on one point, or a stone off the board");
        }
        seen[a] = true;
      }
    }
    auto s = std::make_unique<State>();
    if (!rules_->set_up(black, white, mover == 1, *s)) return nb::none();
    s->passes = static_cast<std::uint8_t>(std::clamp(passes, 0, 2));
    return nb::bytes(reinterpret_cast<const char*>(s.get()), sizeof *s);
  }

  nb::bytes to_play(const nb::bytes& state, int mover) const override {
    const auto s = std::make_unique<State>(at(state));
    rules_->give_turn(*s, mover == 1);
    return nb::bytes(reinterpret_cast<const char*>(s.get()), sizeof *s);
  }

  int score(const nb::bytes& state) const override { return rules_->score(at(state)); }

  // The points that are unconditionally `player`'s (Benson).
  std::vector<int> safe(const nb::bytes& state, int player) const override {
    std::vector<int> points;
    if constexpr (N <= 5) {
      const go::Mask mask = rules_->safe(at(state), player == 1);
      for (int a = 0; a < rules_->size() * rules_->size(); ++a) {
        if (mask >> rules_->point(a) & 1) points.push_back(a);
      }
    } else {
      raise("UsageError", "unconditional life is computed on boards up to 5x5");
    }
    return points;
  }

  // The mean owner of each point over playouts: 1 Black, -1 White.
  std::vector<double> ownership(const nb::bytes& state, int games,
                                std::uint64_t seed) const override {
    const State& start = at(state);
    std::vector<double> sum(static_cast<std::size_t>(rules_->size() * rules_->size()));
    const nb::gil_scoped_release free;
    Random random(seed);
    auto s = std::make_unique<State>();
    std::int8_t owner[State::kPoints];
    for (int i = 0; i < games; ++i) {
      std::memcpy(static_cast<void*>(s.get()), &start, start.used());
      s->passes = 0;
      while (rules_->to_move(*s) != kTerminal) {
        rules_->advance(*s, rules_->playout(*s, random.next()));
      }
      go::area(*s, owner);
      for (std::size_t a = 0; a < sum.size(); ++a) sum[a] += owner[rules_->point(a)];
    }
    for (double& x : sum) x /= games;
    return sum;
  }

  // The features of every action, in the order of `actions`: rows of kMost numbers of 16 bits,
  // filled up with the number of features.
  nb::bytes features(const nb::bytes& state) const override {
    const State& s = at(state);
    std::vector<Action> list(static_cast<std::size_t>(rules_->size() * rules_->size()) + 1);
    const int count = rules_->actions(s, list.data(), static_cast<int>(list.size()));
    const auto none = static_cast<std::uint16_t>(go::feature::count());
    std::vector<std::uint16_t> rows(static_cast<std::size_t>(count) * go::Features::kMost, none);
    for (int i = 0; i < count; ++i) {
      const go::Features f = rules_->features(s, list[i]);
      std::copy(f.list, f.list + f.count, rows.begin() + i * go::Features::kMost);
    }
    return nb::bytes(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof rows[0]);
  }

  // The hashes of the larger patterns around every action, in the order of `actions`.
  nb::bytes shapes(const nb::bytes& state) const override {
    const State& s = at(state);
    std::vector<Action> list(static_cast<std::size_t>(rules_->size() * rules_->size()) + 1);
    const int count = rules_->actions(s, list.data(), static_cast<int>(list.size()));
    std::vector<std::uint64_t> rows(static_cast<std::size_t>(count) * go::kShapeLevels);
    for (int i = 0; i < count; ++i) rules_->shapes(s, list[i], &rows[i * go::kShapeLevels]);
    return nb::bytes(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof rows[0]);
  }

 private:
  const State& at(const nb::bytes& state) const {
    return *static_cast<const State*>(handle_.check(state));
  }

  std::shared_ptr<const Rules> rules_;
  Handle handle_;
};

template <int N>
nb::tuple make(const GoOptions& options) {
  const auto rules = std::make_shared<Go<N>>(options);
  Handle handle = own(rules);
  if constexpr (N == 9) handle.table.mcts = &kGoMcts[0];
  if constexpr (N == 13) handle.table.mcts = &kGoMcts[1];
  if constexpr (N == 19) handle.table.mcts = &kGoMcts[2];
  std::shared_ptr<GoView> view = std::make_shared<GoViewOf<N>>(rules, handle);
  return nb::make_tuple(handle, view);
}

// Weights as Python packs them: those of all features for priors, the same for playouts, then a
// 64-bit hash and a weight for each larger pattern; or nothing.
go::Weights read_weights(const nb::bytes& data) {
  if (data.size() == 0) return {};
  const auto features = static_cast<std::size_t>(go::feature::count());
  constexpr std::size_t kEntry = sizeof(std::uint64_t) + sizeof(float);
  const std::size_t vectors = 2 * features * sizeof(float);
  const std::size_t shapes = data.size() < vectors ? 0 : (data.size() - vectors) / kEntry;
  const auto fine = [](float w) { return w > 0 && std::isfinite(w); };
  go::Weights w{std::vector<float>(features), std::vector<float>(features), {}};
  bool good = data.size() == vectors + shapes * kEntry && shapes <= go::ShapeTable::kMost;
  if (good) {
    const char* at = data.c_str();
    for (std::vector<float>* part : {&w.moves, &w.playout}) {
      std::memcpy(part->data(), at, features * sizeof(float));
      at += features * sizeof(float);
      good = good && std::all_of(part->begin(), part->end(), fine);
    }
    w.shapes.resize(shapes);
    for (go::ShapeTable::Entry& e : w.shapes) {
      std::memcpy(&e.hash, at, sizeof e.hash);
      std::memcpy(&e.weight, at + sizeof e.hash, sizeof e.weight);
      at += kEntry;
      good = good && fine(e.weight);
    }
  }
  if (!good)
    raise("UsageError", "the weights of Go's features are damaged or from another version");
  return w;
}

// The rules, and further queries about their states.
nb::tuple make_go(int size, double komi, bool superko, bool suicide, bool territory, bool wins,
                  const std::vector<int>& handicap, const nb::bytes& weights) {
  if (size < 2 || size > 25) {
    raise("UsageError", "invalid size " + std::to_string(size), "expected 2 to 25");
  }
  if (!(std::abs(komi) <= 1000)) {
    raise("UsageError", "invalid komi " + std::to_string(komi), "expected -1000 to 1000");
  }
  for (const int a : handicap) {
    if (a < 0 || a >= size * size) raise("UsageError", "a handicap stone is off the board");
  }
  const GoOptions options{size,      komi, superko,  suicide,
                          territory, wins, handicap, read_weights(weights)};
  if (size <= 5) return make<5>(options);
  if (size <= 9) return make<9>(options);
  if (size <= 13) return make<13>(options);
  if (size <= 19) return make<19>(options);
  return make<25>(options);
}

}  // namespace

ZERMELO_GAME(go, m) {
  nb::class_<GoView>(m, "GoView", "What notation, scoring and learning ask about a Go state.")
      .def("parts", &GoView::parts, nb::arg("state"))
      .def("fault", &GoView::fault, nb::arg("state"), nb::arg("action"))
      .def("set_up", &GoView::set_up, nb::arg("black"), nb::arg("white"), nb::arg("mover"),
           nb::arg("passes"))
      .def("to_play", &GoView::to_play, nb::arg("state"), nb::arg("mover"))
      .def("score", &GoView::score, nb::arg("state"))
      .def("safe", &GoView::safe, nb::arg("state"), nb::arg("player"))
      .def("ownership", &GoView::ownership, nb::arg("state"), nb::arg("games"), nb::arg("seed"))
      .def("features", &GoView::features, nb::arg("state"))
      .def("shapes", &GoView::shapes, nb::arg("state"));
  m.def("go", &make_go, nb::arg("size"), nb::arg("komi"), nb::arg("superko"), nb::arg("suicide"),
        nb::arg("territory"), nb::arg("wins"), nb::arg("handicap"),
        nb::arg("weights") = nb::bytes("", 0));
  m.attr("go_features") = go::feature::count();
  m.attr("go_features_each") = go::Features::kMost;
  // The first feature of each group: a move has at most one feature of a group.
  using namespace go::feature;
  m.attr("go_feature_groups") =
      nb::make_tuple(+kPass, +kCapture, +kEscape, +kAtari, +kSqueeze, +kExtend, +kConnect, +kLine,
                     +kDistance, +kDistance2, +kPattern);
  // The groups that playouts look at, besides rules of their own for captures and escapes.
  m.attr("go_playout_groups") =
      nb::make_tuple(+kPass, +kCapture, +kEscape, +kAtari, +kLine, +kDistance, +kPattern);
  m.attr("go_shape_levels") = go::kShapeLevels;
  m.attr("go_no_shape") = go::kNoShape;
}

}  // namespace zermelo::bindings
