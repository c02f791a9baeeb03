// Neural networks for Python: built from a list of layers, evaluated in batches.
#include "nn/network.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <tuple>

#include "handle.hpp"

namespace zermelo::bindings {
namespace {

using Floats = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
// Operation, source, target, offset, outputs, added, activation.
using LayerRow = std::tuple<std::string, int, int, int, int, int, std::string>;

template <class Enum, std::size_t n>
Enum named(const std::string& name, const char* const (&names)[n]) {
  for (std::size_t i = 0; i < n; ++i) {
    if (name == names[i]) return static_cast<Enum>(i);
  }
  raise("UsageError", "invalid network: '" + name + "' is unknown");
}

constexpr const char* kOperations[] = {"conv3", "conv1", "dense", "flatten", "pool"};
constexpr const char* kActivations[] = {"none", "relu", "tanh"};

std::shared_ptr<nn::Network> make_network(int height, int width,
                                          const std::vector<std::tuple<bool, int>>& buffers,
                                          const std::vector<LayerRow>& layers,
                                          const std::vector<int>& results, const Floats& weights,
                                          bool portable) {
  nn::Shape shape{
      .height = height, .width = width, .buffers = {}, .layers = {}, .results = results};
  for (const auto& [spatial, channels] : buffers) shape.buffers.push_back({spatial, channels});
  for (const auto& [operation, source, target, offset, outputs, added, activation] : layers) {
    shape.layers.push_back({named<nn::Operation>(operation, kOperations), source, target, offset,
                            outputs, added, named<nn::Activation>(activation, kActivations)});
  }
  try {
    return std::make_shared<nn::Network>(std::move(shape), weights.data(), weights.size(),
                                         portable);
  } catch (const std::invalid_argument& error) {
    raise("UsageError", error.what(), "the file is damaged or from another version");
  }
}

nb::object as_array(std::unique_ptr<float[]> numbers, const std::vector<std::size_t>& shape) {
  float* data = numbers.release();
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, float>(data, shape.size(), shape.data(), owner));
}

nb::object evaluate(const nn::Network& network, const Floats& inputs) {
  if (inputs.ndim() != 2 || static_cast<int>(inputs.shape(1)) != network.input_size() ||
      inputs.shape(0) > 1 << 20) {
    raise("UsageError", "invalid network input",
          "expected rows of " + std::to_string(network.input_size()) + " numbers");
  }
  const auto samples = inputs.shape(0), width = static_cast<std::size_t>(network.result_size());
  auto results = std::make_unique<float[]>(std::max<std::size_t>(1, samples * width));
  {
    const nb::gil_scoped_release free;
    nn::Network::Memory memory(network);
    network.evaluate(inputs.data(), static_cast<int>(samples), results.get(), memory);
  }
  return as_array(std::move(results), {samples, width});
}

}  // namespace

// -- what networks read of a game ----------------------------------------------------------------
nb::object Handle::encode(const nb::bytes& state, int player) const {
  check_player(table, player);
  if (!table.encode) raise("UsageError", "this game has no encoding");
  const Facts& f = table.facts;
  const std::vector<std::size_t> shape({static_cast<std::size_t>(f.planes),
                                        static_cast<std::size_t>(f.rows),
                                        static_cast<std::size_t>(f.columns)});
  auto numbers = std::make_unique<float[]>(shape[0] * shape[1] * shape[2]);
  table.encode(table.self, check_open(state), player, numbers.get());
  return as_array(std::move(numbers), shape);
}

// Of an action that is legal in some state.
int Handle::policy_index(Action action) const {
  if (!table.policy_index) raise("UsageError", "this game has no policy indices");
  return table.policy_index(table.self, action);
}

void bind_network(nb::module_& m) {
  nb::class_<nn::Network>(m, "Network", "A neural network, evaluated natively.")
      .def("evaluate", &evaluate, nb::arg("inputs"))
      .def_prop_ro("input_size", &nn::Network::input_size)
      .def_prop_ro("result_size", &nn::Network::result_size);
  m.def("network", &make_network, nb::arg("height"), nb::arg("width"), nb::arg("buffers"),
        nb::arg("layers"), nb::arg("results"), nb::arg("weights"), nb::arg("portable") = false);
}

}  // namespace zermelo::bindings
