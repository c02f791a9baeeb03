// Keeps the memory of one finished search for the next: asking the system for zeroed pages again
// would cost a short search more than its own work. One spare per kind of owner.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>

#include "../platform.hpp"

namespace zermelo {

template <class Owner>
class SparePages {
 public:
  struct Spare {
    platform::Pages memory = {};
    std::uint64_t generation = 0;  // of the contents that the owner left
  };

  // The spare memory, if it has this size and a generation below the limit; else zeroed memory.
  static Spare take(std::size_t size, std::uint64_t limit = UINT64_MAX) {
    Store& s = store();
    const std::lock_guard lock(s.mutex);
    const bool fits = s.spare.memory && s.spare.memory.size() == size;
    if (!fits || s.spare.generation >= limit) return {};
    return std::move(s.spare);
  }
  static void leave(Spare spare) {
    Store& s = store();
    const std::lock_guard lock(s.mutex);
    s.spare = std::move(spare);
  }

 private:
  struct Store {
    std::mutex mutex;
    Spare spare;
  };
  static Store& store() {
    static Store* const one = new Store;  // never destroyed: a search may outlast the program
    return *one;
  }
};

}  // namespace zermelo
