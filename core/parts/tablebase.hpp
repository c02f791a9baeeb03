// Tables of solved positions on disk: one file per endgame class, or one for a small game.
//
//   header | game, name, sample (texts) | a hash of every block | payload, starting at a page
//
// The payload of a class is a value for every index. Of a small game: the keys of its positions,
// mixed and sorted, then a value for each. A value is a signed number of `width` bytes: 0 a draw,
// n: player 0 wins in n - 1 plies, -n: player 1 does; the least number: the position does not
// exist. A game with scores has a double per position instead, and then a 32-bit distance, -1:
// none.
// Files are written under a temporary name and then renamed, so every file with its final name is
// complete.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../game.hpp"
#include "../platform.hpp"

namespace zermelo {

// A table cannot be read, written or built.
struct TableError : std::runtime_error {
  explicit TableError(const std::string& message, std::string hint)
      : std::runtime_error(message), hint(std::move(hint)) {}
  std::string hint;
};

// The entry of a position: player 0's value, and the plies to the end if both sides play optimally;
// -1 for a draw.
struct Verdict {
  double value = 0;
  int distance = -1;
};

enum class Layout : std::uint32_t { endgame = 1, reachable = 2, scores = 3 };

// The header of a file. Wins and losses are player 0's.
struct TableInfo {
  Layout layout = Layout::endgame;
  std::uint32_t width = 1;      // bytes a value
  std::uint64_t count = 0;      // of values
  std::uint64_t positions = 0;  // that exist
  std::uint64_t wins = 0, draws = 0, losses = 0;
  std::int64_t longest = -1;  // distance of the longest win, -1: no wins
  std::string game;           // fingerprint of the rules
  std::string name;           // of the class, or the root of the small game
  std::string sample;         // a position with the longest win, in the game's notation
};

// Memory of a table, from malloc: unused pages use no memory.
struct FreeTable {
  void operator()(std::byte* memory) const;
  std::uint64_t size = 0;
};

// A table that is open. Each block is read and checked when it is first used.
class TableFile {
 public:
  // Throws a TableError if the file is not a complete table of this game and this name. An empty
  // name accepts any table.
  TableFile(const std::string& path, const std::string& game, const std::string& name);
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  const TableInfo& info() const { return info_; }
  const std::string& path() const { return path_; }
  // For an endgame class. False: the position does not exist.
  bool at(std::uint64_t index, Verdict& verdict) const {
    return index < info_.count && read(index, verdict);
  }
  // For a small game: by a position's lasting key.
  bool find(std::uint64_t key, Verdict& verdict) const;
  void check_all() const;  // every block

 private:
  static constexpr std::uint64_t kBlock = 1 << 16;
  static constexpr std::uint64_t kSmall = 1 << 20;

  struct Descriptor {
    explicit Descriptor(int opened) : number(opened) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    void close();
    int number;
  };

  bool read(std::uint64_t index, Verdict& verdict) const;
  std::uint64_t key_at(std::uint64_t index) const;
  // A value of the payload; it lies within one block.
  template <class T>
  T get(std::uint64_t offset) const {
    const std::uint64_t block = offset / kBlock;
    if (!checked_[block].load(std::memory_order_acquire)) check(block);
    T value;
    if (payload_) {
      std::memcpy(&value, payload_.get() + offset, sizeof value);
    } else {
      read_at(payload_at_ + offset, &value, sizeof value);
    }
    return value;
  }
  void check(std::uint64_t block) const;
  void claim();  // memory for the payload, if available
  void read_at(std::uint64_t offset, void* to, std::uint64_t size) const;
  void open_checked(const std::string& game, const std::string& name);
  [[noreturn]] void broken(const std::string& what) const;

  std::string path_;
  TableInfo info_;
  Descriptor file_;
  std::uint64_t size_ = 0, payload_at_ = 0, payload_size_ = 0, values_at_ = 0;
  std::unique_ptr<std::byte[], FreeTable> payload_;  // null: values are read from the file
  std::vector<std::uint64_t> hashes_;
  std::unique_ptr<std::atomic<bool>[]> checked_;  // by block: loaded and checked
  mutable std::mutex checking_;

  friend void write_table(const std::string&, const TableInfo&, std::span<const std::byte>);
};

// Writes a table; on any failure (a full disk…) throws a TableError and leaves nothing behind.
void write_table(const std::string& path, const TableInfo& info,
                 std::span<const std::byte> payload);

// The tables of one game, for probing in a search. The game must outlive it.
class Tablebase {
 public:
  Tablebase(const Game& game, std::vector<std::shared_ptr<const TableFile>> files);

  bool probe(const void* state, Verdict& verdict) const {
    if (reachable_) return reachable_->find(key_(game_.self, state), verdict);
    if (classes_.empty()) return false;
    const Endgames& e = *game_.endgames;
    const int number = e.class_of(game_.self, state);
    if (number < 0 || !classes_[number]) return false;
    if (!classes_[number]->at(e.index(game_.self, state), verdict)) return false;
    if (e.turned && e.turned(game_.self, state)) verdict.value = 0 - verdict.value;
    return true;
  }

  // The file of a class; null: missing.
  const TableFile* of(int number) const { return classes_[number].get(); }
  const TableFile* reachable() const { return reachable_.get(); }

 private:
  Game game_;
  std::uint64_t (*key_)(const void*, const void*);
  std::vector<std::shared_ptr<const TableFile>> classes_;  // by number
  std::shared_ptr<const TableFile> reachable_;             // or this one alone
};

}  // namespace zermelo
