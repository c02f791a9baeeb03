// The parts of a network that depend on the processor: the matrix product of a layer, and the
// transforms of convolutions that are computed as products of tiles.
#pragma once

namespace zermelo::nn {

// Outputs are computed in blocks: the size of a block, and of all padding, in floats.
inline constexpr int kBlock = 16;

// A layer's outputs for all pixels of all samples:
//   output[pixel] = activation(bias + sum over taps of weights[tap] * input[pixel + tap] + added)
// A dense layer has one pixel per sample and one tap.
struct Product {
  int samples = 0;
  int pixels = 0;               // per sample
  const int* places = nullptr;  // of the pixels in a sample of a buffer, in pixels
  const int* taps = nullptr;    // distances, in pixels
  int tap_count = 0;
  int inputs = 0;                  // per tap
  int outputs = 0;                 // a multiple of kBlock
  const float* weights = nullptr;  // [block][tap][input][kBlock]
  const float* bias = nullptr;
  // Buffers: the floats per pixel and per sample.
  const float* input = nullptr;
  int input_pixel = 0;
  long input_sample = 0;
  float* output = nullptr;
  int output_pixel = 0;
  long output_sample = 0;
  const float* added = nullptr;  // in the layout of the output, or null
  bool relu = false;
};

// A 3x3 convolution as products of transformed tiles: Winograd's minimal filtering F(3x3, 3x3)
// (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015). A tile of 3x3
// outputs depends on 5x5 inputs. Both have 25 transformed numbers per channel, so a tile costs 25
// multiplications per pair of channels in place of 81.
inline constexpr int kTile = 3, kPatch = kTile + 2, kFrequencies = kPatch * kPatch;

struct Tiles {
  int samples = 0;
  int tiles = 0;                 // per sample
  int channels = 0;              // a multiple of kBlock
  const int* places = nullptr;   // [tile][kFrequencies] inputs or [tile][kTile * kTile] outputs
  float* transformed = nullptr;  // [frequency][sample and tile][channels]
  long frequency = 0;            // the floats per frequency
  // A buffer: the floats per pixel and per sample.
  const float* input = nullptr;
  float* output = nullptr;
  int pixel = 0;
  long sample = 0;
  const float* bias = nullptr;
  const float* added = nullptr;  // in the layout of the output, or null
  bool relu = false;
};

// What is compiled for one kind of processor.
struct Kernel {
  void (*multiply)(const Product&);
  void (*transform)(const Tiles&);  // from `input`. Places outside the board are those of a zero.
  void (*restore)(const Tiles&);    // to `output`. Places outside the board are -1.
};

extern const Kernel kPortable, kAvx2;

}  // namespace zermelo::nn
