// A transposition table or a tree that is kept between searches.
#pragma once

#include <atomic>
#include <memory>

#include "algorithm.hpp"
#include "handle.hpp"
#include "parts/table.hpp"
#include "search/mcts/tree.hpp"

namespace zermelo::bindings {

class Memory {
 public:
  explicit Memory(int megabytes) : megabytes(megabytes) {}

  // Gives a search the table or tree that its algorithm keeps. The memory of another kind of
  // algorithm is dropped.
  void serve(Options& options, Keeps kind, const Facts& facts);
  void clear();
  int fullness() const { return table_ ? table_->fullness() : 0; }

  const int megabytes;

  // While this object lives, a search uses the memory.
  class Use {
   public:
    explicit Use(Memory* m) : memory_(m) {
      if (memory_) ++memory_->users_;
    }
    ~Use() {
      if (memory_) --memory_->users_;
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Memory* memory_;
  };

 private:
  std::unique_ptr<Table> table_;
  std::unique_ptr<MctsTree> tree_;
  std::atomic<int> users_ = 0;
};

}  // namespace zermelo::bindings
