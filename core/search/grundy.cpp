// Sprague 1935, Grundy 1939: an impartial position in which the last player to move wins is
// equivalent to a Nim heap. Its size is the least number that is not among the successors' numbers
// (mex); 0 means that the mover loses.
#include <unordered_map>

#include "../parts/walk.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

class Grundy {
 public:
  Grundy(const Game& game, const void* state, Budget& budget)
      : game_(game), walk_(game, state), budget_(budget) {}

  std::uint32_t value(int ply) {
    const std::uint64_t key = game_.key(game_.self, walk_.state(ply));
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    budget_.enter();
    walk_.check_depth(ply);
    std::vector<bool> seen;
    if (game_.to_move(game_.self, walk_.state(ply)) != kTerminal) {
      const auto list = walk_.list(game_.actions, ply);
      for (int i = 0; i < list.count; ++i) {
        walk_.play(ply, walk_.action(list, i));
        const std::uint32_t v = value(ply + 1);
        if (v >= seen.size()) seen.resize(v + 1);
        seen[v] = true;
      }
      walk_.release(list);
    }
    std::uint32_t least = 0;
    while (least < seen.size() && seen[least]) ++least;
    return known_[key] = least;
  }

 private:
  const Game& game_;
  Walk walk_;
  Budget& budget_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
};

}  // namespace

std::uint32_t grundy(const Game& game, const void* state, Budget& budget) {
  return Grundy(game, state, budget).value(0);
}

}  // namespace zermelo
