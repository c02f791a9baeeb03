// The constant parts of a Pac-Man game: the floor, the start cells and the distances.
//
//      %%%%%%%     The cells that are no wall are numbered row by row from the top left, from 0.
//      %P . G%     So are the dots, and after the last dot the capsules (o): the bits of a state.
//      %%%%%%%
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace zermelo::pacman {

inline constexpr int kMostSide = 32;
inline constexpr int kMostGhosts = 4;

// An action, and where a ghost is heading.
enum Direction : std::uint8_t { kStop, kNorth, kEast, kSouth, kWest };
inline constexpr int kDirections = 5;
inline constexpr Direction kReverse[kDirections] = {kStop, kSouth, kWest, kNorth, kEast};

class Maze {
 public:
  static constexpr std::uint16_t kFar = 0xffff;  // no way leads there

  // `text` is the concatenated rows. ok() is false if it is not a layout.
  Maze(int width, int height, std::string_view text) {
    if (width < 3 || height < 3 || width > kMostSide || height > kMostSide) return;
    if (text.size() != static_cast<std::size_t>(width) * height) return;
    std::vector<int> number(text.size(), -1), capsules;
    int pacmen = 0;
    for (int i = 0; i < width * height; ++i) {
      const char c = text[i];
      const int x = i % width, y = i / width;
      if (c == '%') continue;
      if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return;
      const int cell = number[i] = cells++;
      if (c == 'P') pacman = cell, ++pacmen;
      if (c == 'G' && ghosts == kMostGhosts) return;
      if (c == 'G') home[ghosts++] = cell;
      if (c == '.') things.push_back(cell);
      if (c == 'o') capsules.push_back(cell);
    }
    dots = static_cast<int>(things.size());
    things.insert(things.end(), capsules.begin(), capsules.end());
    if (pacmen != 1 || dots == 0) return;
    connect(width, number);
    measure();
    thing_at.assign(cells, -1);
    for (int k = 0; k < static_cast<int>(things.size()); ++k) {
      thing_at[things[k]] = static_cast<std::int16_t>(k);
      if (distance(pacman, things[k]) == kFar) return;
    }
    ok_ = true;
  }

  bool ok() const { return ok_; }
  int capsules() const { return static_cast<int>(things.size()) - dots; }
  std::uint16_t distance(int from, int to) const { return distance_[from * cells + to]; }

  int cells = 0, ghosts = 0, dots = 0;
  int pacman = 0;                      // where he starts
  int home[kMostGhosts] = {};          // where the ghosts do
  int longest = 0;                     // way between two cells
  std::vector<int> things;             // the cell of each dot, then of each capsule
  std::vector<std::int16_t> thing_at;  // a cell's bit, -1: none
  std::vector<std::array<std::int16_t, kDirections>> next;  // where a step leads, -1: into a wall

 private:
  void connect(int width, const std::vector<int>& number) {
    const int step[kDirections] = {0, -width, 1, width, -1};
    for (int i = 0; i < static_cast<int>(number.size()); ++i) {
      if (number[i] < 0) continue;
      auto& ways = next.emplace_back();
      for (int d = 0; d < kDirections; ++d) {
        ways[d] = static_cast<std::int16_t>(number[i + step[d]]);
      }
    }
  }

  // Breadth first from every cell.
  void measure() {
    distance_.assign(static_cast<std::size_t>(cells) * cells, kFar);
    std::vector<int> queue;
    for (int from = 0; from < cells; ++from) {
      std::uint16_t* far = &distance_[static_cast<std::size_t>(from) * cells];
      far[from] = 0;
      queue.assign(1, from);
      for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const std::int16_t to : next[queue[i]]) {
          if (to < 0 || far[to] != kFar) continue;
          far[to] = static_cast<std::uint16_t>(far[queue[i]] + 1);
          queue.push_back(to);
        }
      }
      if (far[queue.back()] > longest) longest = far[queue.back()];
    }
  }

  bool ok_ = false;
  std::vector<std::uint16_t> distance_;
};

}  // namespace zermelo::pacman
