#include "network.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "../platform.hpp"

namespace zermelo::nn {
namespace {

constexpr int kOne[1] = {0};            // the place of a sample's only pixel, and the only tap
constexpr long kCache = 256 * 1024;     // bytes of buffers that should stay in the cache
constexpr int kLeastTiled = 16;         // inputs of a 3x3 convolution that is computed by tiles
constexpr int kMostChannels = 1 << 16;  // per buffer
constexpr int kMostSide = 64;
constexpr long kMostWeights = 64L << 20;

[[noreturn]] void invalid(const std::string& what) {
  throw std::invalid_argument("invalid network: " + what);
}

bool is_product(Operation operation) {
  return operation == Operation::kConvolution3 || operation == Operation::kConvolution1 ||
         operation == Operation::kDense;
}

const Kernel& kernel(bool portable) {
#if defined(ZERMELO_AVX2_KERNEL)
  if (!portable && platform::has_avx2_and_fma()) return kAvx2;
#endif
  (void)portable;
  return kPortable;
}

}  // namespace

Network::Network(Shape shape, const float* weights, std::size_t count, bool portable)
    : shape_(std::move(shape)), kernel_(kernel(portable)) {
  check();
  const int height = shape_.height, width = shape_.width, row = width + 1;
  // A border of zeros around the board. The last column of a row borders on the first of the next.
  places_in_sample_ = height ? (height + 2) * row + 1 : 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) places_.push_back((y + 1) * row + x + 1);
  }
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) taps_.push_back(y * row + x);
  }
  if (height) place_tiles();
  input_size_ = size_of(shape_.buffers[0]);
  for (const int b : shape_.results) result_size_ += size_of(shape_.buffers[b]);
  packed_.resize(shape_.layers.size());
  std::size_t used = 0;
  for (std::size_t i = 0; i < packed_.size(); ++i) {
    if (is_product(shape_.layers[i].operation)) {
      used += pack(shape_.layers[i], weights + used, count - used, packed_[i]);
    }
  }
  if (used != count)
    invalid("too many weights: " + std::to_string(count - used) + " are left over");
  long bytes = 0;
  std::size_t widest = 0;
  for (const Buffer& b : shape_.buffers) bytes += sample_floats(b) * 4;
  for (const Packed& p : packed_) {
    if (!p.tiled) continue;
    widest = std::max(widest, static_cast<std::size_t>(p.inputs + p.outputs));
    zeros_.resize(std::max(zeros_.size(), p.bias.size()));
  }
  bytes += static_cast<long>(widest) * tile_count_ * kFrequencies * 4;
  chunk_ = static_cast<int>(std::clamp<long>(kCache / bytes, 1, 256));
}

// -- checks --------------------------------------------------------------------------------------
void Network::check() const {
  const auto board = [](int side) { return side >= 0 && side <= kMostSide; };
  if (!board(shape_.height) || !board(shape_.width) || !shape_.height != !shape_.width) {
    invalid("board of " + std::to_string(shape_.height) + " by " + std::to_string(shape_.width));
  }
  if (shape_.buffers.empty()) invalid("no buffers");
  for (const Buffer& b : shape_.buffers) {
    if (b.channels < 1 || b.channels > kMostChannels || (b.spatial && !shape_.height)) {
      invalid("a buffer with " + std::to_string(b.channels) + " channels");
    }
  }
  for (const Layer& layer : shape_.layers) check_layer(layer);
  for (const int b : shape_.results) {
    if (b < 0 || b >= static_cast<int>(shape_.buffers.size())) invalid("an unknown result");
  }
}

void Network::check_layer(const Layer& layer) const {
  const auto known = [&](int b) { return b >= 0 && b < static_cast<int>(shape_.buffers.size()); };
  if (!known(layer.source) || !known(layer.target) || layer.target == 0 ||
      layer.source == layer.target || (layer.added != -1 && !known(layer.added))) {
    invalid("a layer with an unknown buffer");
  }
  const Buffer &source = shape_.buffers[layer.source], &target = shape_.buffers[layer.target];
  const bool convolution =
      layer.operation == Operation::kConvolution3 || layer.operation == Operation::kConvolution1;
  if (source.spatial != (layer.operation != Operation::kDense) || target.spatial != convolution) {
    invalid("a layer between buffers of the wrong kinds");
  }
  int outputs = layer.outputs;
  if (layer.operation == Operation::kFlatten) outputs = size_of(source);
  if (layer.operation == Operation::kPool) outputs = 2 * source.channels;
  if (outputs < 1 || layer.offset < 0 || layer.offset > target.channels - outputs ||
      (convolution && outputs != target.channels)) {
    invalid("a layer with " + std::to_string(outputs) + " outputs for " +
            std::to_string(target.channels) + " channels");
  }
  if (layer.added != -1) {
    const Buffer& added = shape_.buffers[layer.added];
    if (!is_product(layer.operation) || added.spatial != target.spatial ||
        added.channels != target.channels || outputs != target.channels) {
      invalid("a residual connection between different shapes");
    }
  }
}

// -- weights -------------------------------------------------------------------------------------
// Packs a matrix in blocks of outputs, so that the kernel reads it from front to back.
std::size_t Network::pack(const Layer& layer, const float* weights, std::size_t left,
                          Packed& out) const {
  const int inputs = shape_.buffers[layer.source].channels, outputs = layer.outputs;
  const int taps = layer.operation == Operation::kConvolution3 ? 9 : 1;
  const long matrix = static_cast<long>(outputs) * inputs * taps;
  if (matrix > kMostWeights || left < static_cast<std::size_t>(matrix + outputs)) {
    invalid("too few weights");
  }
  out.inputs = inputs;
  out.outputs = (outputs + kBlock - 1) / kBlock * kBlock;
  out.tiled = taps == 9 && inputs >= kLeastTiled;
  if (out.tiled) {
    pack_tiles(weights, outputs, out);
  } else {
    pack_matrix(weights, outputs, taps, out);
  }
  out.bias.assign(out.outputs, 0);
  std::copy_n(weights + matrix, outputs, out.bias.begin());
  const auto finite = [](float w) { return std::isfinite(w); };
  if (!std::all_of(weights, weights + matrix + outputs, finite)) {
    invalid("a weight is not finite");
  }
  return matrix + outputs;
}

void Network::pack_matrix(const float* weights, int outputs, int taps, Packed& out) const {
  const int inputs = out.inputs;
  out.weights.assign(static_cast<std::size_t>(out.outputs) * taps * inputs, 0);
  for (int o = 0; o < outputs; ++o) {
    for (int i = 0; i < inputs; ++i) {
      for (int t = 0; t < taps; ++t) {
        const long place = (static_cast<long>(o / kBlock) * taps + t) * inputs + i;
        out.weights[place * kBlock + o % kBlock] =
            weights[(static_cast<long>(o) * inputs + i) * taps + t];
      }
    }
  }
}

// The transformed filters: a matrix for each frequency.
void Network::pack_tiles(const float* weights, int outputs, Packed& out) const {
  constexpr double kFilter[kPatch][3] = {{0.5, 0, 0},
                                         {-0.5, -0.5, -0.5},
                                         {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                         {1.0 / 6, 1.0 / 3, 2.0 / 3},
                                         {0, 0, 1}};
  const int inputs = out.inputs;
  out.inputs = (inputs + kBlock - 1) / kBlock * kBlock;
  const long matrix = static_cast<long>(out.outputs) * out.inputs;
  out.weights.assign(matrix * kFrequencies, 0);
  for (int o = 0; o < outputs; ++o) {
    for (int i = 0; i < inputs; ++i) {
      const float* g = weights + (static_cast<long>(o) * inputs + i) * 9;
      const long place = (static_cast<long>(o / kBlock) * out.inputs + i) * kBlock + o % kBlock;
      for (int f = 0; f < kFrequencies; ++f) {
        double sum = 0;
        for (int k = 0; k < 9; ++k) {
          sum +=
              kFilter[f / kPatch][k / 3] * kFilter[f % kPatch][k % 3] * static_cast<double>(g[k]);
        }
        out.weights[f * matrix + place] = static_cast<float>(sum);
      }
    }
  }
}

void Network::place_tiles() {
  const int height = shape_.height, width = shape_.width;
  for (int top = 0; top < height; top += kTile) {
    for (int left = 0; left < width; left += kTile, ++tile_count_) {
      const auto place = [&](int y, int x, int outside) {
        const bool inside = y >= 0 && y < height && x >= 0 && x < width;
        return inside ? places_[y * width + x] : outside;
      };
      for (int k = 0; k < kFrequencies; ++k) {
        patches_.push_back(place(top + k / kPatch - 1, left + k % kPatch - 1, 0));
      }
      for (int k = 0; k < kTile * kTile; ++k) {
        tiles_.push_back(place(top + k / kTile, left + k % kTile, -1));
      }
    }
  }
}

// -- evaluation ----------------------------------------------------------------------------------
Network::Memory::Memory(const Network& network) {
  // Zeroed once: no layer writes the border, and the padding stays finite.
  for (const Buffer& b : network.shape_.buffers) {
    buffers_.emplace_back(static_cast<std::size_t>(network.sample_floats(b) * network.chunk_));
  }
}

void Network::evaluate(const float* inputs, int samples, float* results, Memory& memory) const {
  for (int done = 0; done < samples; done += chunk_) {
    const int count = std::min(chunk_, samples - done);
    load(inputs + static_cast<long>(done) * input_size_, count, memory);
    for (std::size_t i = 0; i < packed_.size(); ++i) {
      run(shape_.layers[i], packed_[i], count, memory);
    }
    store(count, memory, results + static_cast<long>(done) * result_size_);
  }
}

void Network::load(const float* inputs, int samples, Memory& memory) const {
  const Buffer& b = shape_.buffers[0];
  const int pixels = b.spatial ? static_cast<int>(places_.size()) : 1, stride = pixel_floats(b);
  for (int n = 0; n < samples; ++n) {
    float* to = memory.buffers_[0].data() + n * sample_floats(b);
    const float* from = inputs + static_cast<long>(n) * input_size_;
    for (int c = 0; c < b.channels; ++c) {
      for (int i = 0; i < pixels; ++i) to[(b.spatial ? places_[i] : 0) * stride + c] = *from++;
    }
  }
}

void Network::run(const Layer& layer, const Packed& packed, int samples, Memory& memory) const {
  switch (layer.operation) {
    case Operation::kFlatten:
      flatten(layer, samples, memory);
      break;
    case Operation::kPool:
      pool(layer, samples, memory);
      break;
    default:
      if (packed.tiled) {
        convolution(layer, packed, samples, memory);
      } else {
        product(layer, packed, samples, memory);
      }
  }
  if (layer.activation != Activation::kTanh) return;
  const Buffer& b = shape_.buffers[layer.target];
  const int outputs = b.spatial ? b.channels : layer.outputs;
  for (int n = 0; n < samples; ++n) {
    float* sample = memory.buffers_[layer.target].data() + n * sample_floats(b) + layer.offset;
    for (int i = 0; i < (b.spatial ? static_cast<int>(places_.size()) : 1); ++i) {
      float* at = sample + (b.spatial ? places_[i] * pixel_floats(b) : 0);
      for (int c = 0; c < outputs; ++c) at[c] = std::tanh(at[c]);
    }
  }
}

void Network::convolution(const Layer& layer, const Packed& packed, int samples,
                          Memory& memory) const {
  const Buffer &source = shape_.buffers[layer.source], &target = shape_.buffers[layer.target];
  const long rows = static_cast<long>(samples) * tile_count_;
  const auto room = [&](std::vector<float>& v, int channels) {
    v.resize(std::max(v.size(), static_cast<std::size_t>(rows * channels * kFrequencies)));
    return v.data();
  };
  Tiles t;
  t.samples = samples, t.tiles = tile_count_;
  t.channels = packed.inputs, t.places = patches_.data();
  t.transformed = room(memory.transformed_, packed.inputs);
  t.frequency = rows * packed.inputs;
  t.input = memory.buffers_[layer.source].data();
  t.pixel = pixel_floats(source), t.sample = sample_floats(source);
  kernel_.transform(t);

  Product p;
  p.samples = static_cast<int>(rows), p.pixels = 1;
  p.places = p.taps = kOne, p.tap_count = 1;
  p.inputs = packed.inputs, p.outputs = packed.outputs;
  p.bias = zeros_.data();
  p.input_pixel = packed.inputs, p.input_sample = packed.inputs;
  p.output_pixel = packed.outputs, p.output_sample = packed.outputs;
  float* const products = room(memory.products_, packed.outputs);
  for (int f = 0; f < kFrequencies; ++f) {
    p.weights = packed.weights.data() + static_cast<long>(f) * packed.outputs * packed.inputs;
    p.input = t.transformed + f * t.frequency;
    p.output = products + f * rows * packed.outputs;
    kernel_.multiply(p);
  }

  t.channels = packed.outputs, t.places = tiles_.data();
  t.transformed = products, t.frequency = rows * packed.outputs;
  t.output = memory.buffers_[layer.target].data();
  t.pixel = pixel_floats(target), t.sample = sample_floats(target);
  t.bias = packed.bias.data();
  t.relu = layer.activation == Activation::kRelu;
  if (layer.added != -1) t.added = memory.buffers_[layer.added].data();
  kernel_.restore(t);
}

void Network::product(const Layer& layer, const Packed& packed, int samples, Memory& memory) const {
  const Buffer &source = shape_.buffers[layer.source], &target = shape_.buffers[layer.target];
  const bool spatial = target.spatial, wide = layer.operation == Operation::kConvolution3;
  Product p;
  p.samples = samples;
  p.pixels = spatial ? static_cast<int>(places_.size()) : 1;
  p.places = spatial ? places_.data() : kOne;
  p.taps = wide ? taps_.data() : kOne;
  p.tap_count = wide ? 9 : 1;
  p.inputs = packed.inputs, p.outputs = packed.outputs;
  p.weights = packed.weights.data(), p.bias = packed.bias.data();
  p.input = memory.buffers_[layer.source].data();
  p.input_pixel = pixel_floats(source), p.input_sample = sample_floats(source);
  p.output_pixel = pixel_floats(target), p.output_sample = sample_floats(target);
  p.relu = layer.activation == Activation::kRelu;
  if (layer.added != -1) p.added = memory.buffers_[layer.added].data();
  float* const output = memory.buffers_[layer.target].data();
  if (layer.outputs == target.channels) {
    p.output = output;
    kernel_.multiply(p);
    return;
  }
  // A part of a flat buffer: whole blocks might write over what follows.
  std::vector<float>& part = memory.part_;
  part.resize(std::max(part.size(), static_cast<std::size_t>(samples) * p.outputs));
  p.output = part.data(), p.output_sample = p.output_pixel = p.outputs;
  kernel_.multiply(p);
  for (int n = 0; n < samples; ++n) {
    std::copy_n(part.data() + static_cast<long>(n) * p.outputs, layer.outputs,
                output + n * sample_floats(target) + layer.offset);
  }
}

void Network::flatten(const Layer& layer, int samples, Memory& memory) const {
  const Buffer &source = shape_.buffers[layer.source], &target = shape_.buffers[layer.target];
  for (int n = 0; n < samples; ++n) {
    const float* from = memory.buffers_[layer.source].data() + n * sample_floats(source);
    float* to = memory.buffers_[layer.target].data() + n * sample_floats(target) + layer.offset;
    for (int c = 0; c < source.channels; ++c) {
      for (const int place : places_) *to++ = from[place * pixel_floats(source) + c];
    }
  }
}

void Network::pool(const Layer& layer, int samples, Memory& memory) const {
  const Buffer &source = shape_.buffers[layer.source], &target = shape_.buffers[layer.target];
  for (int n = 0; n < samples; ++n) {
    const float* from = memory.buffers_[layer.source].data() + n * sample_floats(source);
    float* to = memory.buffers_[layer.target].data() + n * sample_floats(target) + layer.offset;
    for (int c = 0; c < source.channels; ++c) {
      float sum = 0, most = from[places_[0] * pixel_floats(source) + c];
      for (const int place : places_) {
        const float x = from[place * pixel_floats(source) + c];
        sum += x;
        most = std::max(most, x);
      }
      to[c] = sum / static_cast<float>(places_.size());
      to[source.channels + c] = most;
    }
  }
}

void Network::store(int samples, const Memory& memory, float* results) const {
  for (int n = 0; n < samples; ++n) {
    for (const int number : shape_.results) {
      const Buffer& b = shape_.buffers[number];
      const float* from = memory.buffers_[number].data() + n * sample_floats(b);
      for (int c = 0; c < b.channels; ++c) {
        if (!b.spatial) {
          *results++ = from[c];
          continue;
        }
        for (const int place : places_) *results++ = from[place * pixel_floats(b) + c];
      }
    }
  }
}

}  // namespace zermelo::nn
