// The network's arithmetic.
//
// This file is compiled once for each instruction set (see network.hpp): BACKGAMMON_KERNEL names
// the class, BACKGAMMON_TARGET the functions' instruction set. No fused multiply-add: both give the
// same bits.

class BACKGAMMON_KERNEL {
 public:
  // sums = w's biases and the inputs' columns.
  BACKGAMMON_TARGET static void sum(const Weights& w, const Inputs& in, float* sums) {
    add_columns(w, w.bias, in, sums);
  }

  // The outputs of the network, from the sums of other inputs (`base`) and these; `hidden` receives
  // the activations of the hidden units.
  BACKGAMMON_TARGET static Chances think(const Weights& w, const float* base, const Inputs& in,
                                         float* hidden) {
    add_columns(w, base, in, hidden);
    Lane say[kOutputs] = {};
    for (int i = 0; i < kHidden; i += kWide) {
      Lane h;
      std::memcpy(&h, hidden + i, sizeof h);
      squash(h);
      std::memcpy(hidden + i, &h, sizeof h);
      for (int k = 0; k < kOutputs; ++k) {
        Lane weight;
        std::memcpy(&weight, w.out[k] + i, sizeof weight);
        say[k] += h * weight;
      }
    }
    Lane all = {};
    for (int k = 0; k < kOutputs; ++k) {
      const Lane& s = say[k];
      all[k] = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7])) + w.out_bias[k];
    }
    squash(all);
    Chances c;
    for (int k = 0; k < kOutputs; ++k) c.of[k] = all[k];
    return c;
  }

  // Gradient step that changes the outputs by `rate * error`.
  BACKGAMMON_TARGET static void learn(Weights& w, const Inputs& in, const float* hidden,
                                      const float* error, float rate) {
    alignas(32) float back[kHidden];
    for (int i = 0; i < kHidden; i += kWide) {
      Lane h, blame = {};
      std::memcpy(&h, hidden + i, sizeof h);
      for (int k = 0; k < kOutputs; ++k) {
        Lane weight;
        std::memcpy(&weight, w.out[k] + i, sizeof weight);
        blame += weight * error[k];
        weight += h * (rate * error[k]);
        std::memcpy(w.out[k] + i, &weight, sizeof weight);
      }
      blame *= h * (1 - h) * rate;
      std::memcpy(back + i, &blame, sizeof blame);
      Lane bias;
      std::memcpy(&bias, w.bias + i, sizeof bias);
      bias += blame;
      std::memcpy(w.bias + i, &bias, sizeof bias);
    }
    for (int k = 0; k < kOutputs; ++k) w.out_bias[k] += rate * error[k];
    for (int n = 0; n < in.count; ++n) {
      float* column = w.in[in.at[n]];
      const float x = in.x[n];
      for (int i = 0; i < kHidden; i += kWide) {
        Lane c, b;
        std::memcpy(&c, column + i, sizeof c);
        std::memcpy(&b, back + i, sizeof b);
        c += b * x;
        std::memcpy(column + i, &c, sizeof c);
      }
    }
  }

 private:
  static constexpr int kWide = 8, kBlock = 32;
  using Lane = platform::Floats8;

  BACKGAMMON_TARGET static void add_columns(const Weights& w, const float* base, const Inputs& in,
                                            float* sums) {
    for (int block = 0; block < kHidden; block += kBlock) {
      Lane a[kBlock / kWide];
      std::memcpy(a, base + block, sizeof a);
      for (int n = 0; n < in.count; ++n) {
        const float* column = w.in[in.at[n]] + block;
        const float x = in.x[n];
        for (int j = 0; j < kBlock / kWide; ++j) {
          Lane c;
          std::memcpy(&c, column + j * kWide, sizeof c);
          a[j] += c * x;
        }
      }
      std::memcpy(sums + block, a, sizeof a);
    }
  }

  // x becomes 1 / (1 + exp(-x)): a power of 2 and a polynomial for the rest.
  BACKGAMMON_TARGET static void squash(Lane& x) {
    const Lane least = {-30, -30, -30, -30, -30, -30, -30, -30};
    x = x < least ? least : x;
    x = x > -least ? -least : x;
    const Lane t = x * -1.44269504f;
    const Lane magic = t + 12582912.0f;  // rounds to a whole number
    const Lane whole = magic - 12582912.0f;
    const Lane f = t - whole;
    Lane p = 0.0013333558f * f + 0.0096181291f;
    p = p * f + 0.0555041087f;
    p = p * f + 0.2402265070f;
    p = p * f + 0.6931471806f;
    p = p * f + 1.0f;
    platform::Ints8 power;
    platform::convert(whole, power);
    power = (power + 127) << 23;
    Lane scale;
    std::memcpy(&scale, &power, sizeof scale);
    x = 1.0f / (1.0f + p * scale);
  }
};
