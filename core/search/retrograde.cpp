// Retrograde analysis of one class of endgames (Ströhlein 1970, Thompson 1986).
//
// Every position has a cell: its value as far as it is known, and how many of its successors in the
// class are still open. Plies are counted up: positions decided at a distance send messages to
// their predecessors. The first message to a winner is the shortest win, the last one to a loser
// the longest loss.
#include "retrograde.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "../parts/rules_errors.hpp"
#include "../platform.hpp"
#include "retrograde_cells.hpp"

namespace zermelo {
namespace {

using namespace retrograde;

constexpr int kFarthest = INT16_MAX - 2;
constexpr Index kChunk = 1 << 13;  // positions that a thread takes at a time
constexpr int kMessages = 64;      // that wait for their cells

class ClassBuilder {
 public:
  ClassBuilder(const Game& game, int number, const Tablebase& lower, const BuildRequest& request,
               Budget& budget)
      : game_(game),
        e_(*game.endgames),
        number_(number),
        lower_(lower),
        request_(request),
        budget_(budget),
        size_(e_.size(game.self, number)),
        alone_(request.threads <= 1),
        cells_(size_),
        marks_(size_) {}

  TableInfo build() {
    sweep("moves", [this](Hand& hand, Index from, Index to) {
      for (Index i = from; i < to; ++i) begin(hand, i);
    });
    for (int distance = 0; distance < farthest_.load(); ++distance) {
      distance_ = distance;
      sweep("distances", [this](Hand& hand, Index from, Index to) { look(hand, from, to); });
    }
    return finish();
  }

 private:
  struct Message {
    Index to;
    int sign;   // of the winner: 1 is player 0
    bool wins;  // the winner is to move there
  };

  // What a thread works with.
  struct Hand {
    std::vector<std::byte> state, next, before;
    std::vector<Action> actions;
    std::vector<Index> met;
    Message messages[kMessages];
    int count = 0;
  };

  Hand hand() const {
    Hand h;
    const std::size_t bytes = game_.facts.state_size;
    h.state.resize(bytes);
    h.next.resize(bytes);
    h.before.resize(64 * bytes);
    h.actions.resize(std::max(64, game_.facts.max_actions));
    return h;
  }

  // Runs `work` for every index, on the requested number of threads.
  template <class Work>
  void sweep(const char* phase, Work work) {
    Teller teller(request_, budget_, phase, size_);
    std::atomic<Index> next = 0;
    std::exception_ptr error;
    std::mutex mutex;
    const auto run = [&](bool tells) {
      Hand h = hand();
      try {
        for (Index from; (from = next.fetch_add(kChunk)) < size_;) {
          const Index to = std::min(from + kChunk, size_);
          work(h, from, to);
          if (tells) {
            teller.step(to);
          } else if (budget_.stopped() != Stop::none) {
            break;
          }
        }
        deliver(h);
      } catch (...) {
        const std::lock_guard lock(mutex);
        error = std::current_exception();
        next = size_;
      }
    };
    std::vector<std::thread> helpers;
    for (int i = 1; i < request_.threads; ++i) helpers.emplace_back(run, false);
    run(true);
    for (std::thread& t : helpers) t.join();
    if (error) std::rethrow_exception(error);
  }

  // Finds the cells decided at this distance. Other cells may be written meanwhile, these are not.
  void look(Hand& h, Index from, Index to) {
    for (Index i = from; i < to; i += kStrip) {
      if (marks_.due(i, distance_)) look_at(h, i, std::min(i + kStrip, to));
    }
  }

  void look_at(Hand& h, Index from, Index to) {
    const Cell won = cell(distance_ + 1, 0), lost = cell(-distance_ - 1, 0);
    constexpr Index kStride = 16;
    for (Index i = from; i < to; i += kStride) {
      const Index end = std::min(i + kStride, to);
      bool any = false;
      for (Index k = i; k < end; ++k)
        any |= static_cast<int>(cells_[k] == won) | static_cast<int>(cells_[k] == lost);
      for (Index k = i; any && k < end; ++k) {
        if (cells_[k] == won) spread(h, k, 1);
        if (cells_[k] == lost) spread(h, k, -1);
      }
    }
  }

  // Initializes a position: terminal, or from the values of its moves out of the class.
  void begin(Hand& h, Index i) {
    void* s = h.state.data();
    if (!e_.position(game_.self, number_, i, s)) {
      cells_[i] = cell(kNone, kNever);
      return;
    }
    const int player = game_.to_move(game_.self, s);
    if (player == kTerminal) {
      const int won = sign_of(game_.utility(game_.self, s, 0));
      cells_[i] = cell(won, won ? 0 : kNever);
      note(i, 1);
      return;
    }
    if (player < 0 || player > 1) throw RulesError("chance moves in an endgame");
    const int count = list(h, s);
    const int sign = player == 0 ? 1 : -1;
    int soonest = 0, latest = 0;  // a win, and the longest loss, outside the class
    bool draw = false;
    h.met.clear();
    for (int a = 0; a < count; ++a) {
      game_.play(game_.self, s, h.actions[a], h.next.data());
      const int to = e_.class_of(game_.self, h.next.data());
      if (to == number_) {
        meet(h.met, index_of(h.next.data()));
        continue;
      }
      const int v = sign * outside(h.next.data(), to);
      if (v == 0) draw = true;
      if (v > 0 && (!soonest || v < soonest)) soonest = v;
      if (v < 0) latest = std::max(latest, -v);
    }
    if (h.met.size() >= kNever) throw RulesError("an endgame position has too many moves");
    const auto open = static_cast<std::uint32_t>(h.met.size());
    if (soonest) {
      cells_[i] = cell(sign * (soonest + 1), 0);
    } else if (draw) {
      cells_[i] = cell(0, kNever);
    } else {
      cells_[i] = cell(latest ? -sign * (latest + 1) : 0, open);
    }
    if (open_of(cells_[i]) == 0) note(i, std::abs(value_of(cells_[i])));
  }

  // The value of a terminal position or of a position of a lower class, in the encoding of cells.
  int outside(const void* s, int to) const {
    if (to > number_) throw RulesError("a move leads to an endgame class with a higher number");
    if (to >= 0) {
      Verdict v;
      if (!lower_.probe(s, v)) throw RulesError("a move leads to a position without an index");
      return static_cast<int>(v.value) * (v.distance + 1);
    }
    if (game_.to_move(game_.self, s) != kTerminal) {
      throw RulesError("a move leaves all endgame classes without ending the game");
    }
    return sign_of(game_.utility(game_.self, s, 0));
  }

  static int sign_of(double u) {
    if (u != 0 && std::abs(u) != 1)
      throw RulesError("endgame tables support only wins, draws and losses");
    return static_cast<int>(u);
  }

  int list(Hand& h, const void* s) const {
    int room = static_cast<int>(h.actions.size());
    int count = game_.actions(game_.self, s, h.actions.data(), room);
    if (count > room) {
      h.actions.resize(count);
      count = game_.actions(game_.self, s, h.actions.data(), count);
    }
    if (count <= 0) no_moves(count);
    return count;
  }

  Index index_of(const void* s) const {
    const Index i = e_.index(game_.self, s);
    if (i >= size_) throw RulesError("an endgame position has an index outside its class");
    return i;
  }

  // Two moves or two predecessors may have the same index (mirror images): they count once.
  static bool meet(std::vector<Index>& met, Index i) {
    for (const Index old : met) {
      if (old == i) return false;
    }
    met.push_back(i);
    return true;
  }

  // Writes the value and the distance of a decided cell.
  void note(Index i, int farthest) {
    marks_.set(i, farthest, distance_);
    if (farthest > kFarthest) throw RulesError("an endgame takes more than 32,000 plies");
    int old = farthest_.load(std::memory_order_relaxed);
    while (old < farthest && !farthest_.compare_exchange_weak(old, farthest)) {
    }
  }

  // Sends messages to the predecessors of the decided position `i`; sign 1: player 0 wins.
  void spread(Hand& h, Index i, int sign) {
    if (!e_.position(game_.self, number_, i, h.state.data())) return;
    const std::size_t bytes = game_.facts.state_size;
    int room = static_cast<int>(h.before.size() / bytes);
    int count = e_.before(game_.self, h.state.data(), h.before.data(), room);
    if (count > room) {
      h.before.resize(count * bytes);
      count = e_.before(game_.self, h.state.data(), h.before.data(), count);
    }
    h.met.clear();
    for (int k = 0; k < count; ++k) {
      const void* s = h.before.data() + k * bytes;
      const Index to = index_of(s);
      if (!meet(h.met, to)) continue;
      platform::prefetch_to_write(&cells_[to]);
      const int player = game_.to_move(game_.self, s);
      h.messages[h.count++] = {to, sign, (player == 0) == (sign > 0)};
      if (h.count == kMessages) deliver(h);
    }
  }

  // Messages are delayed until their cells have been prefetched.
  void deliver(Hand& h) {
    const int plies = distance_ + 2;  // in the encoding of cells
    for (int k = 0; k < h.count; ++k) {
      const Message m = h.messages[k];
      if (alone_) {
        cells_[m.to] = told(cells_[m.to], m, plies);
        continue;
      }
      const platform::RelaxedRef to(cells_[m.to]);
      Cell old = to.load(), now;
      do {
        now = told(old, m, plies);
      } while (now != old && !to.compare_exchange_weak(old, now));
    }
    h.count = 0;
  }

  // A cell after a message; the order of messages makes no difference.
  Cell told(Cell old, const Message& m, int plies) {
    const std::uint32_t open = open_of(old);
    const int value = value_of(old);
    if (m.wins) {
      if (value == kNone || (open == 0 && std::abs(value) <= plies)) return old;
      note(m.to, plies);
      return cell(m.sign * plies, 0);
    }
    if (open == 0 || open == kNever) return old;
    if (open > 1) return old - 1;
    const int longest = std::max(std::abs(value), plies);
    note(m.to, longest);
    return cell(m.sign * longest, 0);
  }

  // The cells as a file's values.
  TableInfo finish() {
    TableInfo info;
    info.game = request_.game;
    info.name = e_.name(game_.self, number_);
    info.count = size_;
    Index at = 0;
    for (Index i = 0; i < size_; ++i) {
      const Cell c = cells_[i];
      const int value = open_of(c) == 0 || value_of(c) == kNone ? value_of(c) : 0;
      cells_[i] = cell(value, 0);
      if (value == kNone) continue;
      ++info.positions;
      ++(value > 0 ? info.wins : value < 0 ? info.losses : info.draws);
      if (value != 0 && std::abs(value) - 1 > info.longest)
        info.longest = std::abs(value) - 1, at = i;
    }
    if (info.longest >= 0 && request_.describe) {
      Hand h = hand();
      e_.position(game_.self, number_, at, h.state.data());
      info.sample = request_.describe(h.state.data());
    }
    info.width = info.longest < INT8_MAX ? 1 : 2;
    std::vector<std::byte> payload(size_ * info.width);
    for (Index i = 0; i < size_; ++i) {
      const int value = value_of(cells_[i]);
      if (info.width == 1) {
        payload[i] = static_cast<std::byte>(value == kNone ? INT8_MIN : value);
      } else {
        const auto wide = static_cast<std::int16_t>(value);
        std::memcpy(&payload[2 * i], &wide, 2);
      }
    }
    write_table(request_.path, info, payload);
    return info;
  }

  const Game& game_;
  const Endgames& e_;
  int number_;
  const Tablebase& lower_;
  const BuildRequest& request_;
  Budget& budget_;
  Index size_;
  bool alone_;
  Cells cells_;
  StripMarks marks_;
  int distance_ = 0;              // distance of the current messages
  std::atomic<int> farthest_{0};  // the greatest value of a cell
};

}  // namespace

TableInfo table_class(const Game& game, int number, const Tablebase& lower,
                      const BuildRequest& request, Budget& budget) {
  return ClassBuilder(game, number, lower, request, budget).build();
}

std::uint64_t class_memory(std::uint64_t size) { return size * (sizeof(Cell) + 1); }

Teller::Teller(const BuildRequest& request, Budget& budget, const char* phase, std::uint64_t total)
    : request_(request), budget_(budget), phase_(phase), total_(total) {}

void Teller::step(std::uint64_t done) {
  if (budget_.stopped() != Stop::none) throw Stopped{};
  if (!request_.tell) return;
  using Clock = std::chrono::steady_clock;
  const double now = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  if (now < next_) return;
  if (next_ > 0) request_.tell({phase_, done, total_});
  next_ = now + 0.2;
}

}  // namespace zermelo
