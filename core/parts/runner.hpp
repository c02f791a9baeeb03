// Runs a search on a thread with a stack large enough for very deep games, while the caller's
// thread watches the clock and calls `poll` regularly (for Ctrl-C). The search itself checks one
// flag, so a slow evaluation cannot make it miss its deadline by more than one call.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <vector>

#include "../limits.hpp"
#include "../platform.hpp"

namespace zermelo {

inline constexpr std::size_t kStackBytes = std::size_t{1} << 30;   // reserved, used as needed
inline constexpr std::size_t kStackMargin = std::size_t{4} << 20;  // for calls out of a search
inline constexpr std::size_t kStackKept = std::size_t{256} << 10;  // of an idle thread
inline constexpr std::size_t kMostIdle = 4;                        // threads
inline constexpr auto kPollEvery = std::chrono::milliseconds(20);
inline constexpr double kLongest = 1e9;  // seconds: 30 years

// The lowest stack address that a search may use.
inline thread_local const char* stack_floor = nullptr;

// The budget of the search that runs on this thread; null if there is none.
inline thread_local Budget* running_budget = nullptr;

// Work on a thread with a stack deep enough for recursion over very long games. Finished
// threads are reused, so that a short search does not pay for a new one.
class DeepThread {
 public:
  explicit DeepThread(std::function<void()> work) : thread_(Idle::take()) {
    const std::lock_guard lock(thread_->mutex);
    thread_->work = std::move(work);
    thread_->wake.notify_all();
  }
  ~DeepThread() {
    join();
    Idle::give(thread_);
  }
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;

  void join() {
    std::unique_lock lock(thread_->mutex);
    thread_->wake.wait(lock, [&] { return !thread_->work; });
  }
  // Waits until this time; returns whether the work is done.
  bool done_by(std::chrono::steady_clock::time_point then) {
    std::unique_lock lock(thread_->mutex);
    return thread_->wake.wait_until(lock, then, [&] { return !thread_->work; });
  }

 private:
  struct Thread {
    std::mutex mutex;
    std::condition_variable wake;
    std::function<void()> work;  // empty: nothing to do
    bool leave = false;
    platform::BigStackThread thread{kStackBytes, 4 * kStackMargin, &Thread::enter, this};

    Thread() = default;
    ~Thread() {
      const std::lock_guard lock(mutex);
      leave = true;
      wake.notify_all();
    }
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;

    static void enter(void* self) { static_cast<Thread*>(self)->serve(); }
    void serve() {
      stack_floor = thread.lowest() + kStackMargin;
      for (std::unique_lock lock(mutex);;) {
        wake.wait(lock, [&] { return work || leave; });
        if (leave) return;
        lock.unlock();
        work();
        lock.lock();
        work = nullptr;
        wake.notify_all();
        lock.unlock();
        // Releases the stack of a deep search.
        thread.shrink(kStackKept);
        lock.lock();
      }
    }
  };

  // Threads without work. Never destroyed: they end with the process. A forked child starts with an
  // empty list, because it has no other threads.
  struct Idle {
    std::mutex mutex;
    std::vector<Thread*> threads;

    static Idle& all() {
      static Idle* const idle = [] {
        platform::at_fork([] { all().mutex.lock(); }, [] { all().mutex.unlock(); },
                          [] {
                            all().threads.clear();
                            all().mutex.unlock();
                          });
        return new Idle;
      }();
      return *idle;
    }
    static Thread* take() {
      Idle& idle = all();
      {
        const std::lock_guard lock(idle.mutex);
        if (!idle.threads.empty()) {
          Thread* const t = idle.threads.back();
          idle.threads.pop_back();
          return t;
        }
      }
      return new Thread;
    }
    static void give(Thread* t) {
      Idle& idle = all();
      {
        const std::lock_guard lock(idle.mutex);
        if (idle.threads.size() < kMostIdle) return idle.threads.push_back(t);
      }
      delete t;
    }
  };

  Thread* thread_;
};

// Runs `work` on a thread with a deep stack and supervises it. `poll` is called about 50 times per
// second; true means: stop now. Exceptions of `work` are rethrown here.
inline void run_watched(const Limits& limits, Budget& budget, const std::function<void()>& work,
                        const std::function<bool()>& poll) {
  using Clock = std::chrono::steady_clock;
  std::exception_ptr error;
  DeepThread thread([&] {
    running_budget = &budget;
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    running_budget = nullptr;
  });
  const bool timed = limits.seconds > 0;
  // An infinite time limit is valid, but clocks cannot represent it.
  const std::chrono::duration<double> allowed(timed ? std::min(limits.seconds, kLongest) : 0);
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(allowed);
  for (;;) {
    auto until = Clock::now() + kPollEvery;
    if (timed && budget.stopped() == Stop::none) until = std::min(until, deadline);
    if (thread.done_by(until)) break;
    if (timed && Clock::now() >= deadline) budget.stop(Stop::time);
    if (poll()) budget.stop(Stop::interrupted);
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace zermelo
