// The matrix product for every processor (see CMakeLists.txt).
#include "multiply.hpp"

namespace zermelo::nn {
void multiply_portable(const Product& p) { multiply<4, 6>(p); }
}  // namespace zermelo::nn
