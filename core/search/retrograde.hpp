// Retrograde analysis: the value of every position, backwards from the terminal positions.
//
// Wins are as short and losses as long as possible. Undecided positions are draws, so games may
// have cycles. Thompson 1986; Ströhlein 1970.
#pragma once

#include <functional>
#include <string>

#include "../game.hpp"
#include "../limits.hpp"
#include "../parts/tablebase.hpp"

namespace zermelo {

// The progress of a build.
struct Progress {
  const char* phase;
  std::uint64_t done, total;  // total 0: not known
};

// The arguments of a build besides the game.
struct BuildRequest {
  std::string path;                                  // of the file to write
  std::string game;                                  // the text that identifies the rules
  int threads = 1;                                   // of a class; the result does not depend on it
  std::uint64_t memory = UINT64_MAX;                 // memory limit in bytes
  std::function<std::string(const void*)> describe;  // formats a position in the game's notation
  std::function<void(const Progress&)> tell;         // called regularly; may be empty
};

// Builds the table of one endgame class and writes its file. `lower` has the tables of the lower
// classes.
TableInfo table_class(const Game& game, int number, const Tablebase& lower,
                      const BuildRequest& request, Budget& budget);

// Builds the table of all positions reachable from `state`; `name` identifies `state`.
TableInfo table_reachable(const Game& game, const void* state, const std::string& name,
                          const BuildRequest& request, Budget& budget);

// Verifies that each position's value and distance follow from its successors. Returns the number
// of positions; a TableError names the first wrong one.
std::uint64_t verify_class(const Game& game, int number, const Tablebase& tables,
                           const BuildRequest& request, Budget& budget);
std::uint64_t verify_reachable(const Game& game, const void* state, const Tablebase& tables,
                               const BuildRequest& request, Budget& budget);

// The memory to build a class, and the least size of its file.
std::uint64_t class_memory(std::uint64_t size);

// Reports the progress a few times per second.
class Teller {
 public:
  Teller(const BuildRequest& request, Budget& budget, const char* phase, std::uint64_t total);
  // Call every few thousand positions: ends the work when its budget is used up.
  void step(std::uint64_t done);

 private:
  const BuildRequest& request_;
  Budget& budget_;
  const char* phase_;
  std::uint64_t total_;
  double next_ = 0;
};

}  // namespace zermelo
