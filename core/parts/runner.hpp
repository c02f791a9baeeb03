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
#include <vector>

#include "../limits.hpp"

namespace zermelo {

inline constexpr std::size_t kStackBytes = std::size_t{1} << 30;   // reserved, used as needed
inline constexpr std::size_t kStackMargin = std::size_t{4} << 20;  // for calls out of a search
inline constexpr std::size_t kStackKept = std::size_t{256} << 10;  // of an idle thread
inline constexpr std::size_t kMostIdle = 4;                        // threads
inline constexpr auto kPollEvery = std::chrono::milliseconds(20);

// A search must not go below this address of its thread's stack.
inline thread_local const char* stack_floor = nullptr;

// What the search that runs on this thread may still spend; null where none is watched.
inline thread_local Budget* running_budget = nullptr;

// Work on a thread with a stack deep enough for recursion over very long games. Threads are kept
// when their work is done: a short search should not pay for a new one.
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
  // Is the work done? Waits for it until then.
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
    std::byte* stack = nullptr;
    std::size_t size = 0;
    pthread_t id;

    Thread() {
      // Halve the wish where the system grants no such range of addresses.
      void* range = MAP_FAILED;
      for (size = kStackBytes; size >= 4 * kStackMargin; size /= 2) {
        range = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range != MAP_FAILED) break;
      }
      if (range == MAP_FAILED) throw std::bad_alloc();
      stack = static_cast<std::byte*>(range);
      mprotect(stack, 4096, PROT_NONE);
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      pthread_attr_setstack(&attributes, stack, size);
      const int failed = pthread_create(&id, &attributes, &Thread::enter, this);
      pthread_attr_destroy(&attributes);
      if (failed) {
        munmap(stack, size);
        throw std::bad_alloc();
      }
    }
    ~Thread() {
      {
        const std::lock_guard lock(mutex);
        leave = true;
        wake.notify_all();
      }
      pthread_join(id, nullptr);
      munmap(stack, size);
    }
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;

    static void* enter(void* self) {
      static_cast<Thread*>(self)->serve();
      return nullptr;
    }
    void serve() {
      stack_floor = reinterpret_cast<const char*>(stack) + kStackMargin;
      for (std::unique_lock lock(mutex);;) {
        wake.wait(lock, [&] { return work || leave; });
        if (leave) return;
        lock.unlock();
        work();
        lock.lock();
        work = nullptr;
        wake.notify_all();
        lock.unlock();
        // A deep search must not keep its stack.
        madvise(stack + 4096, size - kStackKept - 4096, MADV_DONTNEED);
        lock.lock();
      }
    }
  };

  // Threads without work. Never destroyed: they end with the process. A forked child begins anew,
  // for it has no threads but its own.
  struct Idle {
    std::mutex mutex;
    std::vector<Thread*> threads;

    static Idle& all() {
      static Idle* const idle = [] {
        pthread_atfork([] { all().mutex.lock(); }, [] { all().mutex.unlock(); },
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
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(limits.seconds));
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
