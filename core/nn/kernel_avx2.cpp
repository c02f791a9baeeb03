// The kernel for AVX2 and FMA (see CMakeLists.txt).
#include "vector_kernel.hpp"

namespace zermelo::nn {
const Kernel kAvx2{multiply<8, 6>, transform<8>, restore<8>};
}  // namespace zermelo::nn
