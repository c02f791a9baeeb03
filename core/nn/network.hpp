// A neural network for playing: a list of layers over a batch of positions, in single precision on
// one thread. Training happens elsewhere; a weights file brings the layers and their weights.
//
// A buffer holds what a layer writes, for each sample of the batch: either `channels` numbers for
// each point of the board (spatial), or `channels` numbers (flat). Buffer 0 is the input. Several
// layers may write different parts of one flat buffer.
#pragma once

#include <cstddef>
#include <vector>

#include "kernel.hpp"

namespace zermelo::nn {

enum class Operation {
  kConvolution3,  // 3x3, spatial to spatial, zeros around the board
  kConvolution1,  // 1x1, spatial to spatial
  kDense,         // flat to flat
  kFlatten,       // spatial to flat: all points of channel 0, then of channel 1…
  kPool,          // spatial to flat: the mean of every channel, then the greatest of every channel
};

enum class Activation { kNone, kRelu, kTanh };

struct Layer {
  Operation operation;
  int source = 0;
  int target = 0;
  int offset = 0;   // where in a flat target the outputs start
  int outputs = 0;  // of products; kFlatten and kPool: derived
  int added = -1;   // a buffer that is added before the activation (residual connection); -1: none
  Activation activation = Activation::kNone;
};

struct Buffer {
  bool spatial = false;
  int channels = 0;
};

// The shape of a network. The input is spatial if height > 0.
struct Shape {
  int height = 0, width = 0;
  std::vector<Buffer> buffers;
  std::vector<Layer> layers;
  std::vector<int> results;  // buffers that evaluate returns
};

class Network {
 public:
  // The weights of the layers with a product, one after the other: for each a matrix and a bias.
  // Matrices: [output][input] or [output][input][row][column]. Throws std::invalid_argument if the
  // shape is inconsistent or the number of weights is wrong.
  // `portable`: without instructions that only some processors have.
  Network(Shape shape, const float* weights, std::size_t count, bool portable = false);

  // Numbers per sample of the input, and of all results together.
  int input_size() const { return input_size_; }
  int result_size() const { return result_size_; }

  // The buffers of one thread, for one network.
  class Memory {
   public:
    explicit Memory(const Network& network);

   private:
    friend class Network;
    std::vector<std::vector<float>> buffers_;
    std::vector<float> part_;                    // outputs for a part of a flat buffer
    std::vector<float> transformed_, products_;  // of the tiles of a convolution
  };

  // Evaluates `samples` inputs, each `input_size()` numbers: [channel][row][column] or flat. Writes
  // `result_size()` numbers per sample: the results one after the other, spatial ones as
  // [channel][row][column].
  void evaluate(const float* inputs, int samples, float* results, Memory& memory) const;

 private:
  struct Packed {
    std::vector<float> weights, bias;
    int inputs = 0, outputs = 0;  // outputs: padded to whole blocks
    bool tiled = false;           // by Winograd's filtering; inputs are padded, too
  };

  void check() const;
  void check_layer(const Layer& layer) const;
  void place_tiles();
  void pack_matrix(const float* weights, int outputs, int taps, Packed& out) const;
  void pack_tiles(const float* weights, int outputs, Packed& out) const;
  std::size_t pack(const Layer& layer, const float* weights, std::size_t left, Packed& out) const;
  // The numbers per pixel and per sample of a buffer, with padding.
  int pixel_floats(const Buffer& b) const { return (b.channels + kBlock - 1) / kBlock * kBlock; }
  long sample_floats(const Buffer& b) const {
    return static_cast<long>(b.spatial ? places_in_sample_ : 1) * pixel_floats(b);
  }
  int size_of(const Buffer& b) const {
    return b.channels * (b.spatial ? shape_.height * shape_.width : 1);
  }

  void load(const float* inputs, int samples, Memory& memory) const;
  void run(const Layer& layer, const Packed& packed, int samples, Memory& memory) const;
  void convolution(const Layer& layer, const Packed& packed, int samples, Memory& memory) const;
  void product(const Layer& layer, const Packed& packed, int samples, Memory& memory) const;
  void flatten(const Layer& layer, int samples, Memory& memory) const;
  void pool(const Layer& layer, int samples, Memory& memory) const;
  void store(int samples, const Memory& memory, float* results) const;

  Shape shape_;
  std::vector<Packed> packed_;        // by layer; empty where there is no product
  std::vector<int> places_;           // of the board's points in a sample of a spatial buffer
  std::vector<int> taps_;             // distances of the points of a 3x3 convolution
  std::vector<int> patches_, tiles_;  // of the inputs and outputs of each tile (Tiles::places)
  int tile_count_ = 0;
  std::vector<float> zeros_;  // the bias of products of tiles
  int places_in_sample_ = 0;
  int input_size_ = 0, result_size_ = 0;
  int chunk_ = 1;  // samples that run through all layers together, so that they stay in the cache
  const Kernel& kernel_;
};

}  // namespace zermelo::nn
