// One matrix product of a network's layer, the only part that depends on the processor.
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

void multiply_portable(const Product& p);
void multiply_avx2(const Product& p);

}  // namespace zermelo::nn
