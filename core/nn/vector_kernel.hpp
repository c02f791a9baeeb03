// The kernel, for vectors of kLanes floats. It is included by one file per kind of processor, which
// is compiled for that processor. Everything here is local to the file, and nothing of the standard
// library is used. Otherwise the linker might keep a shared function in a version that other
// processors cannot run.
#pragma once

#include "../platform.hpp"
#include "kernel.hpp"

namespace zermelo::nn {
namespace {

// The micro-kernel: kRows pixels by kVectors vectors of outputs, which stay in registers.
template <int kLanes, int kVectors, int kRows>
void micro_kernel(const Product& p, const float* const* rows, float* const* targets,
                  const float* const* added, int first) {
  using Vector = typename platform::Floats<kLanes>::Vector;
  using Memory = typename platform::Floats<kLanes>::Memory;
  Vector sum[kRows][kVectors];
  for (int v = 0; v < kVectors; ++v) {
    const Vector bias = *reinterpret_cast<const Memory*>(p.bias + first + v * kLanes);
    for (int r = 0; r < kRows; ++r) sum[r][v] = bias;
  }
  const long steps = static_cast<long>(p.tap_count) * p.inputs;
  const float* weights[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    const int output = first + v * kLanes;
    weights[v] = p.weights + output / kBlock * kBlock * steps + output % kBlock;
  }
  for (int t = 0; t < p.tap_count; ++t) {
    const long offset = static_cast<long>(p.taps[t]) * p.input_pixel;
    for (int i = 0; i < p.inputs; ++i) {
      Vector w[kVectors];
      for (int v = 0; v < kVectors; ++v) {
        w[v] = *reinterpret_cast<const Memory*>(weights[v]);
        weights[v] += kBlock;
      }
      for (int r = 0; r < kRows; ++r) {
        const float x = rows[r][offset + i];
        for (int v = 0; v < kVectors; ++v) sum[r][v] += w[v] * x;
      }
    }
  }
  const Vector zero = {};
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      Vector out = sum[r][v];
      const int place = first + v * kLanes;
      if (p.added) out += *reinterpret_cast<const Memory*>(added[r] + place);
      if (p.relu) out = out > zero ? out : zero;
      *reinterpret_cast<Memory*>(targets[r] + place) = out;
    }
  }
}

// The pointers of up to kMost pixels, which may belong to different samples.
template <int kMost>
struct Rows {
  const float* input[kMost];
  float* output[kMost];
  const float* added[kMost];
  int count = 0;

  // From pixel `pixel` of `sample` on, which are moved on.
  void fill(const Product& p, int& sample, int& pixel, int most) {
    for (count = 0; count < most && sample < p.samples; ++count) {
      const long place = p.places[pixel];
      const long out = sample * p.output_sample + place * p.output_pixel;
      input[count] = p.input + sample * p.input_sample + place * p.input_pixel;
      output[count] = p.output + out;
      added[count] = p.added ? p.added + out : nullptr;
      if (++pixel == p.pixels) pixel = 0, ++sample;
    }
  }
};

// The micro-kernel with `rows.count` rows, 1 to kRows.
template <int kLanes, int kVectors, int kRows, int kMost>
void rows_of(const Product& p, const Rows<kMost>& rows, int first) {
  if (rows.count == kRows) {
    micro_kernel<kLanes, kVectors, kRows>(p, rows.input, rows.output, rows.added, first);
  } else if constexpr (kRows > 1) {
    rows_of<kLanes, kVectors, kRows - 1>(p, rows, first);
  }
}

template <int kLanes, int kVectors, int kMost>
void columns(const Product& p, int first) {
  // Parts of nearly equal size: a last one with few rows would be slow.
  const long all = static_cast<long>(p.samples) * p.pixels;
  const long parts = (all + kMost - 1) / kMost;
  Rows<kMost> rows;
  int sample = 0, pixel = 0;
  for (long t = 0; t < parts; ++t) {
    const long left = (all * (t + 1)) / parts - (all * t) / parts;
    rows.fill(p, sample, pixel, static_cast<int>(left));
    rows_of<kLanes, kVectors, kMost>(p, rows, first);
  }
}

// Vector types lose their attribute as template arguments, so the number of lanes is the argument.
// One-dimensional transforms of F(3, 3) with the points 0, 1, -1, 2 and infinity: `step` is the
// distance of the numbers in x.
template <int kLanes>
void transform_line(typename platform::Floats<kLanes>::Vector* x, int step) {
  using Vector = typename platform::Floats<kLanes>::Vector;
  const Vector a = x[0], b = x[step], c = x[2 * step], d = x[3 * step], e = x[4 * step];
  x[0] = 2 * (a - c) + (d - b);
  x[step] = d - c - 2 * b;
  x[2 * step] = 2 * b - 3 * c + d;
  x[3 * step] = d - b;
  x[4 * step] = 2 * (b - d) + (e - c);
}
template <int kLanes>
void restore_line(typename platform::Floats<kLanes>::Vector* x, int step) {
  using Vector = typename platform::Floats<kLanes>::Vector;
  const Vector a = x[0], b = x[step], c = x[2 * step], d = x[3 * step], e = x[4 * step];
  x[0] = a + b + c + d;
  x[step] = b - c + 2 * d;
  x[2 * step] = b + c + 4 * d + e;
}

template <int kLanes>
void transform(const Tiles& t) {
  using Vector = typename platform::Floats<kLanes>::Vector;
  using Memory = typename platform::Floats<kLanes>::Memory;
  float* to = t.transformed;
  for (int n = 0; n < t.samples; ++n) {
    const float* const sample = t.input + n * t.sample;
    for (int i = 0; i < t.tiles; ++i, to += t.channels) {
      const int* const places = t.places + i * kFrequencies;
      for (int c = 0; c < t.channels; c += kLanes) {
        Vector x[kFrequencies];
        for (int k = 0; k < kFrequencies; ++k) {
          x[k] = *reinterpret_cast<const Memory*>(sample + long{places[k]} * t.pixel + c);
        }
        for (int k = 0; k < kPatch; ++k) transform_line<kLanes>(x + k, kPatch);
        for (int k = 0; k < kPatch; ++k) transform_line<kLanes>(x + k * kPatch, 1);
        for (int k = 0; k < kFrequencies; ++k) {
          *reinterpret_cast<Memory*>(to + k * t.frequency + c) = x[k];
        }
      }
    }
  }
}

template <int kLanes>
void restore(const Tiles& t) {
  using Vector = typename platform::Floats<kLanes>::Vector;
  using Memory = typename platform::Floats<kLanes>::Memory;
  const Vector zero = {};
  const float* from = t.transformed;
  for (int n = 0; n < t.samples; ++n) {
    for (int i = 0; i < t.tiles; ++i, from += t.channels) {
      const int* const places = t.places + i * kTile * kTile;
      for (int c = 0; c < t.channels; c += kLanes) {
        Vector x[kFrequencies];
        for (int k = 0; k < kFrequencies; ++k) {
          x[k] = *reinterpret_cast<const Memory*>(from + k * t.frequency + c);
        }
        for (int k = 0; k < kPatch; ++k) restore_line<kLanes>(x + k, kPatch);
        for (int k = 0; k < kTile; ++k) restore_line<kLanes>(x + k * kPatch, 1);
        const Vector bias = *reinterpret_cast<const Memory*>(t.bias + c);
        for (int k = 0; k < kTile * kTile; ++k) {
          if (places[k] < 0) continue;
          const long place = n * t.sample + long{places[k]} * t.pixel + c;
          Vector y = x[k / kTile * kPatch + k % kTile] + bias;
          if (t.added) y += *reinterpret_cast<const Memory*>(t.added + place);
          if (t.relu) y = y > zero ? y : zero;
          *reinterpret_cast<Memory*>(t.output + place) = y;
        }
      }
    }
  }
}

template <int kLanes, int kMost>
void multiply(const Product& p) {
  int first = 0;
  for (; first + 2 * kLanes <= p.outputs; first += 2 * kLanes) columns<kLanes, 2, kMost>(p, first);
  for (; first < p.outputs; first += kLanes) columns<kLanes, 1, kMost>(p, first);
}

}  // namespace
}  // namespace zermelo::nn
