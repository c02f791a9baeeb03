// The same kernel for every processor and for those with a quick PEXT; which one is asked once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "terms.hpp"

namespace zermelo::chess {

// Inlined, or never, in the kernel's own instruction set.
#define CHESS_HOT CHESS_TARGET __attribute__((always_inline)) inline
#define CHESS_INLINE CHESS_TARGET __attribute__((always_inline)) static inline
#define CHESS_APART CHESS_TARGET __attribute__((noinline)) static

#define CHESS_MOVES MagicMoves
#define CHESS_JUDGE MagicJudge
#define CHESS_KERNEL Magic
#define CHESS_TARGET
#include "kernel_moves.hpp"
// Each is the base of the next.
#include "kernel_eval.hpp"
// And the whole.
#include "kernel.hpp"
#undef CHESS_MOVES
#undef CHESS_JUDGE
#undef CHESS_KERNEL
#undef CHESS_TARGET

#if defined(__x86_64__)
#define CHESS_MOVES PextMoves
#define CHESS_JUDGE PextJudge
#define CHESS_KERNEL Pext
#define CHESS_TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt")))
#define CHESS_PEXT
#include "kernel_moves.hpp"
// Each is the base of the next.
#include "kernel_eval.hpp"
// And the whole.
#include "kernel.hpp"
#undef CHESS_MOVES
#undef CHESS_JUDGE
#undef CHESS_KERNEL
#undef CHESS_TARGET
#undef CHESS_PEXT

// The first processors of AMD to have PEXT took some hundred cycles for it.
inline bool has_pext() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
         !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2") && !__builtin_cpu_is("bdver4");
}
#else
using Pext = Magic;
inline bool has_pext() { return false; }
#endif

#undef CHESS_HOT
#undef CHESS_INLINE
#undef CHESS_APART

}  // namespace zermelo::chess
