#include "memory.hpp"

namespace zermelo::bindings {

void Memory::serve(Options& options, Keeps kind, const Facts& facts) {
  const bool grows = kind == Keeps::tree;
  if (users_ && (grows || tree_)) clear();  // a tree has one user at a time
  if (grows) {
    table_.reset();
    const int width = facts.players <= 2 && facts.zero_sum ? 1 : facts.players;
    const bool amaf = options.mcts.rave > 0;
    if (!tree_ || tree_->width() != width || tree_->has_amaf() != amaf) {
      tree_ = std::make_unique<MctsTree>(megabytes, width, amaf);
    }
    options.mcts.tree = tree_.get();
  } else {
    tree_.reset();
    if (!table_) table_ = std::make_unique<Table>(megabytes, true);
    options.memory = table_.get();
  }
}

void Memory::clear() {
  if (users_) raise("UsageError", "a search is using this memory", "stop it first");
  table_.reset();
  tree_.reset();
}

void bind_memory(nb::module_& m) {
  nb::class_<Memory>(m, "Memory")
      .def(nb::init<int>(), nb::arg("megabytes"))
      .def("clear", &Memory::clear)
      .def("fullness", &Memory::fullness)
      .def_ro("megabytes", &Memory::megabytes);
}

}  // namespace zermelo::bindings
