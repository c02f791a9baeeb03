// The matrix product for AVX2 and FMA (see CMakeLists.txt).
#include "multiply.hpp"

namespace zermelo::nn {
void multiply_avx2(const Product& p) { multiply<8, 6>(p); }
}  // namespace zermelo::nn
