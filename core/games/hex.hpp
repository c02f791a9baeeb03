// Hex on an n x n rhombus (n up to 19): Red connects top and bottom, Blue connects left and right.
// There are no draws. With the swap rule, the second player may answer the first stone by taking it
// over: it turns blue and moves to the cell mirrored in the long diagonal, so that it is to Blue
// exactly what it was to Red. Piet Hein (1942), John Nash (1948).
//
// Cells are numbered row by row from the top left; each row is shifted half a cell to the right:
//
//      0  1  2          a1 b1 c1
//        3  4  5          a2 b2 c2        neighbours of 4: 3 5 (row), 1 2 (above), 6 7 (below)
//          6  7  8          a3 b3 c3
//
// An action is the number of a cell; n * n is the swap.
//
// Win detection: a state carries, for each colour, the stones linked to its first edge. A new stone
// is flooded into that set when it touches it, so each stone is visited once per game.
//
// Evaluation: how many more stones each colour needs to connect its edges, where two stones with
// two empty cells between them (a bridge) already count as connected, as in van Rijswijck,
// "Search and evaluation in Hex" (2002).
//
// Playouts save bridges: if the opponent has taken one of the two cells of a bridge, the mover
// takes the other one. Around that cell there are, in circular order, a stone of the mover, one of
// the opponent and again one of the mover; the mover's edges count as its stones.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "../game.hpp"
#include "../parts/bits.hpp"
#include "../parts/hash.hpp"
#include "../parts/random.hpp"

namespace zermelo {

// W: words of 64 cells that the board needs.
template <int W>
class Hex {
 public:
  static constexpr int kLargest = 19;
  using Set = Bits<W>;
  struct State {
    Set stones[2];        // of Red and Blue
    Set linked[2];        // those connected to the top (Red) or the left edge (Blue)
    std::uint64_t mover;  // 0 or 1
  };

  Hex(int size, bool swap) : n_(size), swap_(swap), near_(size * size) {
    for (int r = 0; r < n_; ++r) {
      for (int c = 0; c < n_; ++c) add_cell(r, c);
    }
    for (int cell = 0; cell < n_ * n_; ++cell) near_[cell] = neighbours(Set::one(cell));
  }

  static int words(int size) { return (size * size + 63) / 64; }

  Facts facts() const {
    return {.utility_min = -1,
            .utility_max = 1,
            .step = 2,
            .max_actions = n_ * n_ + 1,
            .amaf_size = 2 * n_ * n_ + 1,
            .planes = 3,
            .rows = n_,
            .columns = n_,
            .policy_size = n_ * n_ + 1};
  }
  EngineHints hints() const { return {.slow_narrow = true}; }

  // -- rules -------------------------------------------------------------------------------------

  State initial() const { return {}; }

  // Only the player who moved last can have connected the edges.
  int to_move(const State& s) const {
    const int last = 1 - static_cast<int>(s.mover);
    return (s.linked[last] & edge_[last][1]).any() ? kTerminal : static_cast<int>(s.mover);
  }

  int actions(const State& s, Action* out, int) const {
    int count = 0;
    empty(s).each([&](int cell) { out[count++] = cell; });
    if (may_swap(s)) out[count++] = n_ * n_;
    return count;
  }

  int count(const State& s) const { return empty(s).count() + may_swap(s); }

  Action sample(const State& s, std::uint64_t random) const {
    const Set open = empty(s);
    const int cells = open.count();
    const auto k = static_cast<int>(Random::scaled(random, cells + may_swap(s)));
    return k == cells ? n_ * n_ : nth_cell(open, k);
  }

  State play(const State& s, Action action) const {
    State next = s;
    advance(next, action);
    return next;
  }
  void advance(State& s, Action action) const {
    const int player = static_cast<int>(s.mover);
    int cell = static_cast<int>(action);
    if (cell == n_ * n_) {
      s.stones[0].each([&](int first) { cell = first % n_ * n_ + first / n_; });
      s.stones[0] = s.linked[0] = {};
    }
    s.stones[player] = s.stones[player] | Set::one(cell);
    if (edge_[player][0].has(cell) || (near_[cell] & s.linked[player]).any()) {
      s.linked[player] = linked(s.stones[player], s.linked[player], Set::one(cell));
    }
    s.mover = 1 - player;
  }

  double utility(const State& s, int player) const {
    return player == static_cast<int>(s.mover) ? -1 : 1;
  }

  std::uint64_t key(const State& s) const { return key_of(s.stones[0], s.stones[1], s.mover); }

  bool valid(const State& s) const {
    const Set all = s.stones[0] | s.stones[1];
    if (s.mover > 1 || (s.stones[0] & s.stones[1]).any() || (all & board_) != all) return false;
    // Red is a stone ahead after its move; after a swap, Blue is.
    const int ahead = s.stones[0].count() - s.stones[1].count() - static_cast<int>(s.mover);
    if (ahead != 0 && !(ahead == -1 && swap_)) return false;
    for (int p = 0; p < 2; ++p) {
      if (linked_to_first(p, s.stones[p]) != s.linked[p]) return false;
    }
    return !(s.linked[s.mover] & edge_[s.mover][1]).any();
  }

  // The state with these stones, which need not be valid: "R", "B" or "." for each cell.
  State with_stones(std::string_view cells, int mover) const {
    State s{};
    for (int i = 0; i < n_ * n_ && i < static_cast<int>(cells.size()); ++i) {
      if (cells[i] != '.') s.stones[cells[i] == 'B'] = s.stones[cells[i] == 'B'] | Set::one(i);
    }
    for (int p = 0; p < 2; ++p) s.linked[p] = linked_to_first(p, s.stones[p]);
    s.mover = static_cast<std::uint64_t>(mover);
    return s;
  }

  // -- hints -------------------------------------------------------------------------------------

  // The stones the opponent still needs less those `player` needs; half a stone for the turn.
  double evaluate(const State& s, int player) const {
    const Set open = empty(s);
    const int red = Distances(*this, 0, s.stones[0], open).to_go();
    const int blue = Distances(*this, 1, s.stones[1], open).to_go();
    const double e = blue - red + (s.mover ? -0.5 : 0.5);
    return player == 0 ? e : -e;
  }

  // A winning cell alone, or the cell that stops the opponent from winning at once; else every
  // action, cells on the shortest ways of both players first.
  int narrow(const State& s, Action* out, float* promise, int capacity, double*, double*) const {
    const int player = static_cast<int>(s.mover);
    for (const int p : {player, 1 - player}) {
      const Set winning = winning_cells(s, p);
      if (winning.any() && !may_swap(s)) {
        winning.each([&](int cell) { out[0] = cell; });
        promise[0] = 0;
        return 1;
      }
    }
    const int total = actions(s, out, capacity), cells = total - may_swap(s);
    std::fill(promise, promise + total, 0.0f);
    const Set open = empty(s);
    for (int p = 0; p < 2; ++p) {
      for (int side = 0; side < 2; ++side) {
        const Distances from(*this, p, s.stones[p], open, side);
        for (int i = 0; i < cells; ++i) promise[i] -= from.cell[out[i]];
      }
    }
    if (cells < total) promise[cells] = *std::max_element(promise, promise + cells);  // the swap
    return total;
  }

  // The board turned by 180 degrees is the same game.
  std::uint64_t mirror_key(const State& s) const {
    return std::min(key(s), key_of(turned(s.stones[0]), turned(s.stones[1]), s.mover));
  }

  int plies_left(const State& s) const { return empty(s).count() + may_swap(s); }

  // Saves one of the mover's bridges, if one is attacked; else any action.
  Action playout(const State& s, std::uint64_t random) const {
    const Set attacked = attacked_bridges(s);
    if (!attacked.any()) return sample(s, random);
    return nth_cell(attacked, static_cast<int>(Random::scaled(random, attacked.count())));
  }

  // The stones of the player and of the other one, and ones if the player is Red.
  void encode(const State& s, int player, float* out) const {
    std::fill_n(out, 2 * n_ * n_, 0.0F);
    s.stones[player].each([&](int cell) { out[cell] = 1; });
    s.stones[1 - player].each([&](int cell) { out[n_ * n_ + cell] = 1; });
    std::fill_n(out + 2 * n_ * n_, n_ * n_, player == 0 ? 1.0F : 0.0F);
  }
  int policy_index(Action action) const { return static_cast<int>(action); }

  // A cell and the player; the swap.
  int amaf(const State& s, Action action) const {
    const int cells = n_ * n_, cell = static_cast<int>(action);
    return cell == cells ? 2 * cells : static_cast<int>(s.mover) * cells + cell;
  }

 private:
  // Directions in circular order; a step in two neighbouring directions is a bridge.
  enum { kEast, kSouthEast, kSouthWest, kWest, kNorthWest, kNorthEast };

  void add_cell(int r, int c) {
    const Set cell = Set::one(r * n_ + c);
    board_ = board_ | cell;
    if (c > 0) from_west_ = from_west_ | cell;
    if (c < n_ - 1) from_east_ = from_east_ | cell;
    if (r == 0) edge_[0][0] = edge_[0][0] | cell;
    if (r == n_ - 1) edge_[0][1] = edge_[0][1] | cell;
    if (c == 0) edge_[1][0] = edge_[1][0] | cell;
    if (c == n_ - 1) edge_[1][1] = edge_[1][1] | cell;
  }

  // Shifts by 1 to 63 bits.
  static Set up(const Set& set, int n) {
    Set result;
    result.word[0] = set.word[0] << n;
    for (int i = 1; i < W; ++i) result.word[i] = set.word[i] << n | set.word[i - 1] >> (64 - n);
    return result;
  }
  static Set down(const Set& set, int n) {
    Set result;
    result.word[W - 1] = set.word[W - 1] >> n;
    for (int i = 0; i < W - 1; ++i) result.word[i] = set.word[i] >> n | set.word[i + 1] << (64 - n);
    return result;
  }

  // Every cell of the set moved one step.
  template <int kDirection>
  Set moved(const Set& set) const {
    if constexpr (kDirection == kEast) return up(set, 1) & from_west_;
    if constexpr (kDirection == kSouthEast) return up(set, n_) & board_;
    if constexpr (kDirection == kSouthWest) return up(set, n_ - 1) & from_east_;
    if constexpr (kDirection == kWest) return down(set, 1) & from_east_;
    if constexpr (kDirection == kNorthWest) return down(set, n_);
    if constexpr (kDirection == kNorthEast) return down(set, n_ - 1) & from_west_;
  }
  Set neighbours(const Set& set) const {
    return moved<kEast>(set) | moved<kSouthEast>(set) | moved<kSouthWest>(set) | moved<kWest>(set) |
           moved<kNorthWest>(set) | moved<kNorthEast>(set);
  }

  // For each direction, the cells whose neighbour there is in the set.
  struct Around {
    Set toward[6];
    Around(const Hex& game, const Set& set)
        : toward{game.moved<kWest>(set), game.moved<kNorthWest>(set), game.moved<kNorthEast>(set),
                 game.moved<kEast>(set), game.moved<kSouthEast>(set), game.moved<kSouthWest>(set)} {
    }
    void add(int direction, const Set& cells) { toward[direction] = toward[direction] | cells; }
  };

  // The empty cells that complete a bridge of the mover whose other cell the opponent has taken.
  Set attacked_bridges(const State& s) const {
    const auto player = s.mover;
    Around own(*this, s.stones[player]);
    const Around opponent(*this, s.stones[1 - player]);
    const Set(&edge)[2] = edge_[player];
    for (const int d : {player ? kWest : kNorthWest, player ? kSouthWest : kNorthEast}) {
      own.add(d, edge[0]);
    }
    for (const int d : {player ? kEast : kSouthEast, player ? kNorthEast : kSouthWest}) {
      own.add(d, edge[1]);
    }
    Set found;
    for (int d = 0; d < 6; ++d) {
      const int next = (d + 1) % 6, last = (d + 2) % 6;
      found = found | (own.toward[d] & opponent.toward[next] & own.toward[last]);
    }
    return found & empty(s);
  }

  static int nth_cell(const Set& set, int k) {
    int i = 0;
    for (; k >= std::popcount(set.word[i]); ++i) k -= std::popcount(set.word[i]);
    return 64 * i + nth_bit(set.word[i], k);
  }

  Set empty(const State& s) const { return board_ ^ (s.stones[0] | s.stones[1]); }

  bool may_swap(const State& s) const {
    return swap_ && s.mover == 1 && s.stones[0].count() == 1 && !s.stones[1].any();
  }

  // `known` and all stones connected to `fresh`.
  Set linked(const Set& stones, Set known, Set fresh) const {
    while (fresh.any()) {
      known = known | fresh;
      Set around;
      fresh.each([&](int cell) { around = around | near_[cell]; });
      fresh = around & stones & ~known;
    }
    return known;
  }

  Set linked_to_first(int player, const Set& stones) const {
    return linked(stones, {}, stones & edge_[player][0]);
  }

  // The empty cells that connect both edges of `player` at once.
  Set winning_cells(const State& s, int player) const {
    Set cells = empty(s);
    const Set ends[2] = {s.linked[player],
                         linked(s.stones[player], {}, s.stones[player] & edge_[player][1])};
    for (int side = 0; side < 2; ++side) {
      cells = cells & (edge_[player][side] | neighbours(ends[side]));
    }
    return cells;
  }

  // How many stones of one colour connect each empty cell, itself included, to an edge.
  struct Distances {
    static constexpr int kFar = kLargest * kLargest;
    std::uint16_t cell[64 * W];
    int across = kFar;  // to the opposite edge

    Distances(const Hex& game, int player, const Set& own, const Set& open, int side = 0) {
      std::fill(cell, cell + 64 * W, std::uint16_t{kFar});
      const Set goal = game.beside_edge(player, 1 - side, open);
      Set next = game.beside_edge(player, side, open), reached;
      for (int stones = 0; next.any(); ++stones) {
        // Own stones within reach cost nothing.
        for (Set free = next & own; free.any(); free = next & own & ~reached) {
          reached = reached | free;
          next = next | game.beside(free, open);
        }
        if (across == kFar && (reached & goal).any()) across = stones;
        const Set placed = next & open & ~reached;
        placed.each([&](int c) { cell[c] = static_cast<std::uint16_t>(stones + 1); });
        reached = reached | placed;
        next = game.beside(placed, open);
      }
    }
    int to_go() const { return across; }
  };

  // The cells that are adjacent to the set or a bridge away from it.
  Set beside(const Set& set, const Set& open) const {
    const Set e = moved<kEast>(set), se = moved<kSouthEast>(set), sw = moved<kSouthWest>(set);
    const Set w = moved<kWest>(set), nw = moved<kNorthWest>(set), ne = moved<kNorthEast>(set);
    return e | se | sw | w | nw | ne | bridge<kEast, kSouthEast>(e, se, open) |
           bridge<kSouthEast, kSouthWest>(se, sw, open) | bridge<kSouthWest, kWest>(sw, w, open) |
           bridge<kWest, kNorthWest>(w, nw, open) | bridge<kNorthWest, kNorthEast>(nw, ne, open) |
           bridge<kNorthEast, kEast>(ne, e, open);
  }
  // One step in each of two neighbouring directions, where both cells between are empty.
  template <int kOne, int kOther>
  Set bridge(const Set& one, const Set& other, const Set& open) const {
    return moved<kOther>(one & open) & moved<kOne>(other & open);
  }

  // The cells on an edge, or a bridge away from it.
  Set beside_edge(int player, int side, const Set& open) const {
    const Set& edge = edge_[player][side];
    const Set free = edge & open;
    if (player == 0) {
      return edge | (side == 0 ? moved<kSouthEast>(free) & moved<kSouthWest>(free)
                               : moved<kNorthWest>(free) & moved<kNorthEast>(free));
    }
    return edge | (side == 0 ? moved<kEast>(free) & moved<kNorthEast>(free)
                             : moved<kWest>(free) & moved<kSouthWest>(free));
  }

  static std::uint64_t key_of(const Set& red, const Set& blue, std::uint64_t mover) {
    return hash_bytes(&red, sizeof red) + 3 * hash_bytes(&blue, sizeof blue) + mover;
  }

  Set turned(const Set& set) const {
    Set result;
    set.each([&](int cell) { result = result | Set::one(n_ * n_ - 1 - cell); });
    return result;
  }

  int n_;
  bool swap_;
  Set board_, from_west_, from_east_;  // all cells; those with a western, an eastern neighbour
  Set edge_[2][2];                     // by player: first edge (top or left), last edge
  std::vector<Set> near_;              // the neighbours of each cell
};

}  // namespace zermelo
