// Small games: all reachable positions, listed breadth first, then solved by retrograde analysis.
#include "reachable.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "../parts/hash.hpp"
#include "../parts/rules_errors.hpp"
#include "retrograde.hpp"

namespace zermelo {

Reachable::Reachable(const Game& game, const void* root, const BuildRequest& request,
                     Budget& budget)
    : game_(game), bytes_(game.facts.state_size), memory_(request.memory) {
  Teller teller(request, budget, "positions", 0);
  slots_.assign(1024, kNoPosition);
  std::vector<std::byte> next(bytes_);
  std::vector<Action> actions(std::max(256, game.facts.max_actions));
  number(root);
  for (Number n = 0; n < keys_.size(); ++n) {
    if (n % 256 == 0) teller.step(n);
    first_.push_back(edges_.size());
    std::memcpy(next.data(), state(n), bytes_);  // the states may move in memory
    const int player = game.to_move(game.self, next.data());
    mover_.push_back(static_cast<std::int8_t>(player));
    if (player == kTerminal) {
      ends_.push_back({n, game.utility(game.self, next.data(), 0)});
      continue;
    }
    if (player < 0 || player > 1) wrong_player(game.facts, player);
    expand(next, actions);
  }
  first_.push_back(edges_.size());
}

void Reachable::expand(std::vector<std::byte>& from, std::vector<Action>& actions) {
  int room = static_cast<int>(actions.size());
  int count = game_.actions(game_.self, from.data(), actions.data(), room);
  if (count > room) {
    actions.resize(count);
    count = game_.actions(game_.self, from.data(), actions.data(), count);
  }
  if (count <= 0) no_moves(count);
  child_.resize(bytes_);
  for (int i = 0; i < count; ++i) {
    game_.play(game_.self, from.data(), actions[i], child_.data());
    edges_.push_back(number(child_.data()));
  }
}

Reachable::Number Reachable::number(const void* state) {
  const std::uint64_t key = game_.key(game_.self, state);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = mix(key) & mask;
  for (; slots_[at] != kNoPosition; at = (at + 1) & mask) {
    if (keys_[slots_[at]] == key) return slots_[at];
  }
  const auto fresh = static_cast<Number>(keys_.size());
  slots_[at] = fresh;
  keys_.push_back(key);
  const auto* from = static_cast<const std::byte*>(state);
  states_.insert(states_.end(), from, from + bytes_);
  if (2 * keys_.size() > slots_.size()) grow();
  return fresh;
}

void Reachable::grow() {
  // Memory per position: its state, key and index, and its moves forwards and backwards.
  const std::uint64_t each = bytes_ + 8 + 16 + 40 + 8 * (edges_.size() / (first_.size() + 1) + 1);
  if (keys_.size() >= kNoPosition / 2 || 2 * each * keys_.size() > memory_) {
    throw TableError("the game is too large for a tablebase: " + std::to_string(keys_.size()) +
                         " positions were found so far, and twice as many need " +
                         std::to_string((2 * each * keys_.size()) >> 20) +
                         " MB of memory; the limit is " + std::to_string(memory_ >> 20) + " MB",
                     "start from a later position (--position), or allow more memory (--memory)");
  }
  slots_.assign(2 * slots_.size(), kNoPosition);
  const std::size_t mask = slots_.size() - 1;
  for (Number n = 0; n < keys_.size(); ++n) {
    std::size_t at = mix(keys_[n]) & mask;
    while (slots_[at] != kNoPosition) at = (at + 1) & mask;
    slots_[at] = n;
  }
}

std::vector<std::uint64_t> Reachable::lasting_keys() const {
  if (!game_.lasting_key) return keys_;
  std::vector<std::uint64_t> keys(size());
  for (Number n = 0; n < size(); ++n) keys[n] = game_.lasting_key(game_.self, state(n));
  return keys;
}

namespace {

using Number = Reachable::Number;

// The predecessors of each position.
class Backwards {
 public:
  explicit Backwards(const Reachable& r) : first_(r.size() + 1), from_(r.edges().size()) {
    for (const Number to : r.edges()) ++first_[to];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    for (Number n = r.size(); n-- > 0;) {
      for (const Number to : r.next(n)) from_[--first_[to]] = n;
    }
  }
  std::span<const Number> before(Number n) const {
    return {from_.data() + first_[n], from_.data() + first_[n + 1]};
  }

 private:
  std::vector<std::uint64_t> first_;
  std::vector<Number> from_;
};

// Wins, draws and losses in games with cycles: as in a file, 0 or plies + 1 with the winner's sign.
std::vector<std::int32_t> solve_wins(const Reachable& r) {
  const Backwards back(r);
  std::vector<std::int32_t> value(r.size());
  std::vector<std::uint32_t> open(r.size());
  for (Number n = 0; n < r.size(); ++n) open[n] = static_cast<std::uint32_t>(r.next(n).size());
  std::vector<Number> now, then;
  for (const auto& [n, u] : r.ends()) {
    if (u == 0) continue;
    value[n] = u > 0 ? 1 : -1;
    now.push_back(n);
  }
  for (std::int32_t plies = 2; !now.empty(); ++plies) {
    then.clear();
    for (const Number n : now) {
      const int sign = value[n] > 0 ? 1 : -1;
      for (const Number b : back.before(n)) {
        if (value[b]) continue;
        const bool wins = (r.mover(b) == 0) == (sign > 0);
        if (!wins && --open[b] > 0) continue;
        value[b] = sign * plies;
        then.push_back(b);
      }
    }
    now.swap(then);
  }
  return value;
}

// Any scores, in a game without cycles: each position after its successors.
std::vector<Verdict> solve_scores(const Reachable& r) {
  const Backwards back(r);
  std::vector<Verdict> verdict(r.size());
  std::vector<std::uint32_t> open(r.size());
  std::vector<Number> ready;
  for (Number n = 0; n < r.size(); ++n) open[n] = static_cast<std::uint32_t>(r.next(n).size());
  for (const auto& [n, u] : r.ends()) {
    verdict[n] = {u + 0.0, u == 0 ? -1 : 0};
    ready.push_back(n);
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const Number n = ready[i];
    if (!r.next(n).empty()) {
      const double sign = r.mover(n) == 0 ? 1 : -1;
      Verdict best = verdict[r.next(n)[0]];
      for (const Number to : r.next(n)) {
        const Verdict& v = verdict[to];
        const bool sooner =
            sign * v.value > 0 ? v.distance < best.distance : v.distance > best.distance;
        if (sign * v.value > sign * best.value || (v.value == best.value && sooner)) best = v;
      }
      verdict[n] = {best.value, best.value == 0 ? -1 : best.distance + 1};
    }
    for (const Number b : back.before(n)) {
      if (--open[b] == 0) ready.push_back(b);
    }
  }
  if (ready.size() < r.size()) {
    throw TableError("the game has cycles and final scores other than win, draw and loss",
                     "tablebases support cycles only in win/draw/loss games");
  }
  return verdict;
}

template <class T>
void append(std::vector<std::byte>& out, T value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

// The payload, in the order of the mixed keys; info is filled in.
class Packer {
 public:
  Packer(const Reachable& r, TableInfo& info) : info_(info), keys_(r.lasting_keys()) {
    order_.resize(r.size());
    std::iota(order_.begin(), order_.end(), Number{0});
    for (std::uint64_t& k : keys_) k = mix(k);
    std::sort(order_.begin(), order_.end(),
              [&](Number a, Number b) { return keys_[a] < keys_[b]; });
    for (std::size_t i = 1; i < order_.size(); ++i) {
      if (keys_[order_[i]] == keys_[order_[i - 1]]) {
        throw RulesError("two different positions have the same key",
                         "states that differ must have different contents");
      }
    }
    for (const Number n : order_) append(payload_, keys_[n]);
    info.count = info.positions = r.size();
  }

  void count(Number n, double value, int distance) {
    ++(value > 0 ? info_.wins : value < 0 ? info_.losses : info_.draws);
    if (distance > info_.longest) info_.longest = distance, longest_ = n;
  }

  void wins(const std::vector<std::int32_t>& value) {
    info_.layout = Layout::reachable;
    for (const Number n : order_) count(n, value[n], std::abs(value[n]) - 1);
    info_.width = info_.longest < INT8_MAX ? 1 : info_.longest < INT16_MAX ? 2 : 4;
    for (const Number n : order_) {
      if (info_.width == 1) append(payload_, static_cast<std::int8_t>(value[n]));
      if (info_.width == 2) append(payload_, static_cast<std::int16_t>(value[n]));
      if (info_.width == 4) append(payload_, value[n]);
    }
  }

  void scores(const std::vector<Verdict>& verdict) {
    info_.layout = Layout::scores;
    info_.width = 4;
    for (const Number n : order_) {
      count(n, verdict[n].value, verdict[n].distance);
      append(payload_, verdict[n].value);
    }
    for (const Number n : order_) append(payload_, std::int32_t{verdict[n].distance});
  }

  Number longest() const { return longest_; }
  std::span<const std::byte> payload() const { return payload_; }

 private:
  TableInfo& info_;
  std::vector<std::uint64_t> keys_;
  std::vector<Number> order_;
  std::vector<std::byte> payload_;
  Number longest_ = 0;
};

}  // namespace

TableInfo table_reachable(const Game& game, const void* state, const std::string& name,
                          const BuildRequest& request, Budget& budget) {
  const Reachable r(game, state, request, budget);
  bool scores = false;
  for (const auto& [n, u] : r.ends()) {
    if (std::isnan(u)) throw RulesError("a utility is NaN", "utility(s, p) must return a number");
    scores |= u != 0 && std::abs(u) != 1;
  }
  TableInfo info;
  info.game = request.game;
  info.name = name;
  Packer packer(r, info);
  if (scores) {
    packer.scores(solve_scores(r));
  } else {
    packer.wins(solve_wins(r));
  }
  if (info.longest >= 0 && request.describe) {
    info.sample = request.describe(r.state(packer.longest()));
  }
  write_table(request.path, info, packer.payload());
  return info;
}

}  // namespace zermelo
