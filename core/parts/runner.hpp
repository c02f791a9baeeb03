// Runs a search on a thread with a stack large enough for very deep games, while the caller's
// thread watches the clock and asks `poll` now and then (for Ctrl-C). The search itself looks at
// one flag, so a slow evaluation cannot make it miss its deadline by more than one call.
#pragma once

#include <pthread.h>
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

class Runner {
 public:
  // `poll` is called about 50 times a second; true means: stop now.
  static void run(const Limits& limits, Budget& budget, std::function<void()> work,
                  const std::function<bool()>& poll) {
    Runner runner(std::move(work));
    runner.watch(limits, budget, poll);
    if (runner.error_) std::rethrow_exception(runner.error_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  explicit Runner(std::function<void()> work) : work_(std::move(work)) {
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
    const int failed = pthread_create(&thread_, &attributes, &Runner::enter, this);
    pthread_attr_destroy(&attributes);
    if (failed) {
      munmap(stack_, size_);
      throw std::bad_alloc();
    }
  }

  ~Runner() {
    pthread_join(thread_, nullptr);
    munmap(stack_, size_);
  }

  static void* enter(void* self) {
    auto* runner = static_cast<Runner*>(self);
    stack_floor = static_cast<const char*>(runner->stack_) + kStackMargin;
    try {
      runner->work_();
    } catch (...) {
      runner->error_ = std::current_exception();
    }
    const std::lock_guard lock(runner->mutex_);
    runner->done_ = true;
    runner->wake_.notify_all();
    return nullptr;
  }

  void watch(const Limits& limits, Budget& budget, const std::function<bool()>& poll) {
    const bool timed = limits.seconds > 0;
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(limits.seconds));
    std::unique_lock lock(mutex_);
    while (!done_) {
      auto until = Clock::now() + kPollEvery;
      if (timed && budget.stopped() == Stop::none) until = std::min(until, deadline);
      wake_.wait_until(lock, until, [this] { return done_; });
      if (done_) break;
      if (timed && Clock::now() >= deadline) budget.stop(Stop::time);
      lock.unlock();
      if (poll()) budget.stop(Stop::interrupted);
      lock.lock();
    }
  }

  std::function<void()> work_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::exception_ptr error_;
  void* stack_ = MAP_FAILED;
  std::size_t size_ = 0;
  pthread_t thread_;
};

}  // namespace zermelo
