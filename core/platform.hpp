// Everything that depends on the compiler, the processor or the operating system. No other file in
// core/ or bindings/ uses builtins, attributes of one compiler, intrinsics' headers, memory maps or
// POSIX threads directly.
//
// Supported: GCC 11 and Clang 14 or newer; x86-64 and 64-bit ARM; Linux and macOS.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#if defined(__x86_64__)
#define ZERMELO_X86 1
#include <immintrin.h>
#endif

// -- functions -----------------------------------------------------------------------------------
// Before the return type, in any order.
#define ZERMELO_ALWAYS_INLINE __attribute__((always_inline))
#define ZERMELO_NOINLINE __attribute__((noinline))
#if defined(ZERMELO_X86)
// Compiles one function for instructions that not every processor has.
#define ZERMELO_TARGET(features) __attribute__((target(features)))
#endif

namespace zermelo::platform {

// -- the processor -------------------------------------------------------------------------------
// In a loop that waits for another thread.
inline void pause() {
#if defined(ZERMELO_X86)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Always inline: GCC drops calls to functions that only prefetch, since they have no effect.
ZERMELO_ALWAYS_INLINE inline void prefetch(const void* address) { __builtin_prefetch(address); }
ZERMELO_ALWAYS_INLINE inline void prefetch_to_write(const void* address) {
  __builtin_prefetch(address, 1);
}

// The index of the lowest bit that is set. Not defined for 0, unlike std::countr_zero, which tests
// for it on processors without TZCNT.
inline int lowest_bit(std::uint32_t x) { return __builtin_ctz(x); }

constexpr std::uint32_t byteswap(std::uint32_t x) { return __builtin_bswap32(x); }
constexpr std::uint64_t byteswap(std::uint64_t x) { return __builtin_bswap64(x); }

using Uint128 = unsigned __int128;

#if defined(ZERMELO_X86)
inline bool has_avx2() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
}
inline bool has_avx2_and_fma() { return has_avx2() && __builtin_cpu_supports("fma"); }
inline bool has_avx2_and_bmi2() { return has_avx2() && __builtin_cpu_supports("bmi2"); }
// Has BMI2 with a fast PEXT: AMD's first processors with PEXT take some hundred cycles for it.
inline bool has_fast_pext() {
  return has_avx2_and_bmi2() && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2") &&
         !__builtin_cpu_is("bdver4");
}
#endif

// -- vectors -------------------------------------------------------------------------------------
// Arithmetic, comparisons (true is -1) and ?: work on all lanes at once. Every processor gets the
// same results: the build turns off fused multiply-add.
using Floats4 = float __attribute__((vector_size(16), may_alias));
using Ints4 = std::int32_t __attribute__((vector_size(16)));
using Floats8 = float __attribute__((vector_size(32)));
using Ints8 = std::int32_t __attribute__((vector_size(32)));

// Any number of floats: as a variable, and in memory, where they need not be aligned.
template <int kLanes>
struct Floats {
  typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));
  typedef float Memory
      __attribute__((vector_size(kLanes * sizeof(float)), aligned(sizeof(float)), may_alias));
  static_assert(sizeof(Vector) == kLanes * sizeof(float));
};

// Lane i of the result is lane `Lanes[i]` of v.
template <int... Lanes>
inline Floats4 permute(Floats4 v) {
#if defined(__clang__) || __GNUC__ >= 12
  return __builtin_shufflevector(v, v, Lanes...);
#else
  return __builtin_shuffle(v, Ints4{Lanes...});
#endif
}

// Lane by lane, a > b ? a : b.
inline Floats4 max(Floats4 a, Floats4 b) {
#if defined(ZERMELO_X86)
  return __builtin_ia32_maxps(a, b);
#else
  return a > b ? a : b;
#endif
}

// Bit i: lane i of a comparison is true.
inline std::uint32_t mask_of(Ints4 comparison) {
#if defined(ZERMELO_X86)
  return static_cast<std::uint32_t>(__builtin_ia32_movmskps(std::bit_cast<Floats4>(comparison)));
#else
  comparison &= Ints4{1, 2, 4, 8};
  return static_cast<std::uint32_t>(comparison[0] | comparison[1] | comparison[2] | comparison[3]);
#endif
}

// Rounds towards 0. By reference: not every processor passes eight lanes in a register.
inline void convert(const Floats8& from, Ints8& to) { to = __builtin_convertvector(from, Ints8); }

// -- memory --------------------------------------------------------------------------------------
// Zeroed memory straight from the system, which provides pages as they are touched.
class Pages {
 public:
  enum Kind { kPlain, kLargePages, kNoReserve };

  Pages() = default;
  // kLargePages: in large pages where the system has them. kNoReserve: may be larger than the
  // memory that is free. Throws std::bad_alloc.
  explicit Pages(std::size_t size, Kind kind = kPlain) : size_(size) {
    const int reserve = kind == kNoReserve ? MAP_NORESERVE : 0;
    void* memory =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | reserve, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = memory;
#if defined(MADV_HUGEPAGE)
    if (kind == kLargePages) madvise(memory, size, MADV_HUGEPAGE);
#endif
  }
  ~Pages() {
    if (memory_) munmap(memory_, size_);
  }
  Pages(Pages&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }

  explicit operator bool() const { return memory_ != nullptr; }
  void* data() const { return memory_; }
  std::size_t size() const { return size_; }

  // Nobody may touch the first `size` bytes any more.
  void protect(std::size_t size) { mprotect(memory_, size, PROT_NONE); }
  // The contents of a part are not needed any more: the system may take its pages back.
  void discard(std::size_t from, std::size_t size) {
#if defined(__APPLE__)
    constexpr int kAdvice = MADV_FREE;
#else
    constexpr int kAdvice = MADV_DONTNEED;
#endif
    madvise(static_cast<std::byte*>(memory_) + from, size, kAdvice);
  }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

// The size of an open file; 0 for anything but a regular file.
inline std::uint64_t file_size(int descriptor) {
  struct stat found;
  const bool regular = fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode);
  return regular ? static_cast<std::uint64_t>(found.st_size) : 0;
}

// std::atomic_ref, which older versions of libc++ do not have. Every access is relaxed.
template <class T>
class RelaxedRef {
 public:
  explicit RelaxedRef(T& to) : to_(&to) {}
  T load() const {
    T value;
    __atomic_load(to_, &value, __ATOMIC_RELAXED);
    return value;
  }
  void store(T value) const { __atomic_store(to_, &value, __ATOMIC_RELAXED); }
  void fetch_or(T bits) const { __atomic_fetch_or(to_, bits, __ATOMIC_RELAXED); }
  void fetch_and(T bits) const { __atomic_fetch_and(to_, bits, __ATOMIC_RELAXED); }
  bool compare_exchange_weak(T& expected, T value) const {
    return __atomic_compare_exchange(to_, &expected, &value, true, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
  }

 private:
  T* to_;
};

// -- threads -------------------------------------------------------------------------------------
// A thread with a stack of any size, which std::thread does not offer.
class BigStackThread {
 public:
  static constexpr std::size_t kGuard = std::size_t{64} << 10;  // whole pages on every processor

  // Runs work(argument). The stack has `bytes`, or less where the system does not grant so much,
  // but at least `least`. Throws std::bad_alloc.
  BigStackThread(std::size_t bytes, std::size_t least, void (*work)(void*), void* argument)
      : stack_(reserve(bytes, least)), work_(work), argument_(argument) {
    stack_.protect(kGuard);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    int failed = pthread_attr_setstack(&attributes, stack_.data(), stack_.size());
    if (!failed) failed = pthread_create(&id_, &attributes, &enter, this);
    pthread_attr_destroy(&attributes);
    if (failed) throw std::bad_alloc();
  }
  // Waits for the work to end.
  ~BigStackThread() { pthread_join(id_, nullptr); }
  BigStackThread(const BigStackThread&) = delete;
  BigStackThread& operator=(const BigStackThread&) = delete;

  // The lowest address of the stack. It grows towards it.
  const char* lowest() const { return static_cast<const char*>(stack_.data()); }
  // Gives back all of the stack but its last `kept` bytes. Only for a thread that does not use
  // more.
  void shrink(std::size_t kept) { stack_.discard(kGuard, stack_.size() - kept - kGuard); }

 private:
  static Pages reserve(std::size_t bytes, std::size_t least) {
    for (;; bytes /= 2) {
      try {
        return Pages(bytes, Pages::kNoReserve);
      } catch (const std::bad_alloc&) {
        if (bytes / 2 < least) throw;
      }
    }
  }
  static void* enter(void* self) {
    const auto* thread = static_cast<const BigStackThread*>(self);
    thread->work_(thread->argument_);
    return nullptr;
  }

  Pages stack_;
  void (*work_)(void*);
  void* argument_;
  pthread_t id_;
};

// Calls these around every fork of the process: before it, and after it in each process.
inline void at_fork(void (*before)(), void (*parent)(), void (*child)()) {
  pthread_atfork(before, parent, child);
}

// The processor that this thread runs on; -1: not known.
inline int processor() {
#if defined(__linux__)
  return sched_getcpu();
#else
  return -1;
#endif
}

// Moves this thread `places` processors on from `here`, and lets it go from there: the system may
// leave the threads of a short search on one processor for most of its time.
inline void start_elsewhere([[maybe_unused]] int here, [[maybe_unused]] int places) {
#if defined(__linux__)
  cpu_set_t allowed, one;
  if (here < 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  const int count = CPU_COUNT(&allowed);
  if (count < 2) return;
  int chosen = here;
  for (int i = 0; i < places % count; ++i) {
    do {
      chosen = (chosen + 1) % CPU_SETSIZE;
    } while (!CPU_ISSET(chosen, &allowed));
  }
  CPU_ZERO(&one);
  CPU_SET(chosen, &one);
  if (sched_setaffinity(0, sizeof one, &one) == 0) {
    sched_setaffinity(0, sizeof allowed, &allowed);
  }
#endif
}

}  // namespace zermelo::platform
