// Retrograde analysis: the value of every position, from the ends of the game backwards.
//
// What is won is won in the fewest plies, what is lost is lost in the most; what is never decided
// is a draw, so that play may go round in circles. Thompson 1986; Ströhlein 1970.
#pragma once

#include <functional>
#include <string>

#include "../game.hpp"
#include "../limits.hpp"
#include "../parts/tablebase.hpp"

namespace zermelo {

// How far a build has come.
struct Progress {
  const char* phase;
  std::uint64_t done, total;  // total 0: not known
};

// What a build is given beside the game.
struct BuildRequest {
  std::string path;                                  // of the file to write
  std::string game;                                  // the text that names the rules
  int threads = 1;                                   // of a class; the outcome is the same
  std::uint64_t memory = UINT64_MAX;                 // bytes it may use
  std::function<std::string(const void*)> describe;  // a position, as its people write it
  std::function<void(const Progress&)> tell;         // now and then; may be empty
};

// Tables one class of endgames and writes its file. `lower` has the classes of lower numbers.
TableInfo table_class(const Game& game, int number, const Tablebase& lower,
                      const BuildRequest& request, Budget& budget);

// Tables all positions that can be reached from `state`; `name` says which that is.
TableInfo table_reachable(const Game& game, const void* state, const std::string& name,
                          const BuildRequest& request, Budget& budget);

// Does each position's value and distance follow from its successors'? Returns how many were
// looked at; a TableError names the first that does not.
std::uint64_t verify_class(const Game& game, int number, const Tablebase& tables,
                           const BuildRequest& request, Budget& budget);
std::uint64_t verify_reachable(const Game& game, const void* state, const Tablebase& tables,
                               const BuildRequest& request, Budget& budget);

// Memory that a class needs while it is built, and the file at least.
std::uint64_t class_memory(std::uint64_t size);

// Tells how far it is, a few times a second.
class Teller {
 public:
  Teller(const BuildRequest& request, Budget& budget, const char* phase, std::uint64_t total);
  // Call every few thousand positions: ends the work when its budget is spent.
  void step(std::uint64_t done);

 private:
  const BuildRequest& request_;
  Budget& budget_;
  const char* phase_;
  std::uint64_t total_;
  double next_ = 0;
};

}  // namespace zermelo
