// The kernel for every processor (see CMakeLists.txt).
#include "vector_kernel.hpp"

namespace zermelo::nn {
const Kernel kPortable{multiply<4, 6>, transform<4>, restore<4>};
}  // namespace zermelo::nn
