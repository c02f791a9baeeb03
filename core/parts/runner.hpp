// Runs a search on a thread with a stack large enough for very deep games, while the caller's
// thread watches the clock and asks `poll` now and then (for Ctrl-C). The search itself looks at
// one flag, so a slow evaluation cannot make it miss its deadline by more than one call.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <new>

#include "../limits.hpp"

namespace zermelo {

inline constexpr std::size_t kStackBytes = std::size_t{1} << 30;   // reserved, used as needed
inline constexpr std::size_t kStackMargin = std::size_t{4} << 20;  // for calls out of a search
inline constexpr auto kPollEvery = std::chrono::milliseconds(20);

// A search must not go below this address of its thread's stack.
inline thread_local const char* stack_floor = nullptr;

// What the search that runs on this thread may still spend; null where none is watched.
inline thread_local Budget* running_budget = nullptr;

// A thread with a stack deep enough for recursion over very long games.
class DeepThread {
 public:
  explicit DeepThread(std::function<void()> work) : work_(std::move(work)) {
    // Halve the wish where the system grants no such range of addresses.
    for (size_ = kStackBytes; size_ >= 4 * kStackMargin; size_ /= 2) {
      stack_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (stack_ != MAP_FAILED) break;
    }
    if (stack_ == MAP_FAILED) throw std::bad_alloc();
    mprotect(stack_, 4096, PROT_NONE);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack_, size_);
    const int failed = pthread_create(&thread_, &attributes, &DeepThread::enter, this);
    pthread_attr_destroy(&attributes);
    if (failed) {
      munmap(stack_, size_);
      throw std::bad_alloc();
    }
  }
  ~DeepThread() {
    join();
    munmap(stack_, size_);
  }
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;

  void join() {
    if (!joined_) pthread_join(thread_, nullptr);
    joined_ = true;
  }

 private:
  static void* enter(void* self) {
    auto* thread = static_cast<DeepThread*>(self);
    stack_floor = static_cast<const char*>(thread->stack_) + kStackMargin;
    thread->work_();
    return nullptr;
  }

  std::function<void()> work_;
  bool joined_ = false;
  void* stack_ = MAP_FAILED;
  std::size_t size_ = 0;
  pthread_t thread_;
};

// The processor that this thread runs on; -1: not known.
inline int processor() {
#ifdef __linux__
  return sched_getcpu();
#else
  return -1;
#endif
}

// Moves this thread `places` processors on from `here`, and lets it go from there: the system may
// leave the threads of a short search on one processor for most of its time.
inline void start_elsewhere([[maybe_unused]] int here, [[maybe_unused]] int places) {
#ifdef __linux__
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

// Runs `work` on a deep thread and watches over it. `poll` is called about 50 times a second; true
// means: stop now. What `work` throws is thrown here.
inline void run_watched(const Limits& limits, Budget& budget, const std::function<void()>& work,
                        const std::function<bool()>& poll) {
  using Clock = std::chrono::steady_clock;
  std::mutex mutex;
  std::condition_variable wake;
  bool done = false;
  std::exception_ptr error;
  DeepThread thread([&] {
    running_budget = &budget;
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    wake.notify_all();
  });
  const bool timed = limits.seconds > 0;
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(limits.seconds));
  std::unique_lock lock(mutex);
  while (!done) {
    auto until = Clock::now() + kPollEvery;
    if (timed && budget.stopped() == Stop::none) until = std::min(until, deadline);
    wake.wait_until(lock, until, [&] { return done; });
    if (done) break;
    if (timed && Clock::now() >= deadline) budget.stop(Stop::time);
    lock.unlock();
    if (poll()) budget.stop(Stop::interrupted);
    lock.lock();
  }
  lock.unlock();
  thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace zermelo
