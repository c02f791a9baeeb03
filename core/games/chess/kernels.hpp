// The kernel compiled for every processor and for a fast PEXT; the choice is made once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "../../platform.hpp"
#include "terms.hpp"

namespace zermelo::chess {

// Inlined, or never, in the kernel's own instruction set.
#define CHESS_HOT CHESS_TARGET ZERMELO_ALWAYS_INLINE inline
#define CHESS_INLINE CHESS_TARGET ZERMELO_ALWAYS_INLINE static inline
#define CHESS_APART CHESS_TARGET ZERMELO_NOINLINE static

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

#if defined(ZERMELO_X86)
#define CHESS_MOVES PextMoves
#define CHESS_JUDGE PextJudge
#define CHESS_KERNEL Pext
#define CHESS_TARGET ZERMELO_TARGET("avx2,bmi,bmi2,lzcnt")
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

inline bool has_pext() { return platform::has_fast_pext(); }
#else
using Pext = Magic;
inline bool has_pext() { return false; }
#endif

#undef CHESS_HOT
#undef CHESS_INLINE
#undef CHESS_APART

}  // namespace zermelo::chess
