// Othello for Python: the fitting kernel, the weights, and the features for training.
#include "games/othello/othello.hpp"

#include "games.hpp"

namespace zermelo::bindings {
namespace {

template <class Kernel>
Handle othello_of(int size, const nb::bytes& weights) {
  othello::Evaluation learned;
  if (weights.size()) learned = othello::Evaluation(weights.c_str(), weights.size());
  return own(std::make_shared<Othello<Kernel>>(size, std::move(learned)));
}

// `portable`: the kernel for processors without AVX2.
Handle make_othello(int size, nb::bytes weights, bool portable) {
  if (size != 8 && size != 6 && size != 4) {
    raise("UsageError", "invalid size=" + std::to_string(size), "expected 8, 6 or 4");
  }
  if (weights.size() && (size != 8 || weights.size() != othello::Evaluation::kBytes)) {
    raise("UsageError", "the weights do not match this board size",
          "train weights with: zermelo train othello");
  }
  if (portable || !othello::has_avx2()) return othello_of<othello::Portable>(size, weights);
  return othello_of<othello::Avx2>(size, weights);
}

// The state with these discs, or None if it is impossible.
nb::bytes state_of(int size, othello::Board own, othello::Board opp, int player) {
  using Rules = Othello<othello::Portable>;
  if (size != 8 && size != 6 && size != 4) return nb::bytes("", 0);
  const Rules rules(size, {});
  const Rules::State s = rules.with_discs(own, opp, player & 1);
  if (!rules.valid(s)) return nb::bytes("", 0);
  return nb::bytes(reinterpret_cast<const char*>(&s), sizeof s);
}

// For each of the concatenated states its stage and the indices of its weights, as 32-bit numbers.
nb::bytes features(nb::bytes states) {
  using Rules = Othello<othello::Portable>;
  static const Rules rules(8, {});
  constexpr std::size_t kRow = 1 + othello::kFeatures;
  const std::size_t count = states.size() / sizeof(Rules::State);
  std::vector<std::uint32_t> out(count * kRow);
  for (std::size_t i = 0; i < count; ++i) {
    Rules::State s;
    std::memcpy(&s, states.c_str() + i * sizeof s, sizeof s);
    if (!rules.valid(s)) raise("BadPosition", "the data is not a valid state of this game");
    out[i * kRow] = othello::stage_of(s.own, s.opp);
    rules.features(s, &out[i * kRow + 1]);
  }
  return nb::bytes(reinterpret_cast<const char*>(out.data()), out.size() * sizeof out[0]);
}

}  // namespace

ZERMELO_GAME(othello, m) {
  m.def("othello", &make_othello, nb::arg("size"), nb::arg("weights") = nb::bytes("", 0),
        nb::arg("portable") = false);
  m.def("othello_state", &state_of, nb::arg("size"), nb::arg("own"), nb::arg("opp"),
        nb::arg("player"));
  m.def("othello_features", &features, nb::arg("states"));
  m.attr("othello_stages") = othello::kStages;
  m.attr("othello_weights") = othello::kWeights;
  m.attr("othello_features_each") = othello::kFeatures;
}

}  // namespace zermelo::bindings
