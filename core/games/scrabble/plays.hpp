// All plays of a rack on a board, after Appel and Jacobson (1988): every play covers an anchor, a
// free cell beside a tile. Left of the anchor come letters of the rack (or those that lie there),
// then the word is extended to the right through the graph of words, wherever the words across
// allow the letter. Plays down are plays along on the board turned over.
#pragma once

#include "tiles.hpp"

namespace zermelo::scrabble {

struct Play {
  std::uint32_t word;    // its number in the list
  std::uint16_t blanks;  // bit i: the word's letter i is a blank of this play
  std::uint8_t cell;     // of the word's first letter
  std::uint8_t down;
  std::uint8_t placed;  // how many tiles
  std::int16_t score;
  std::uint8_t used[kRack];  // kinds of the tiles, left to right
};

inline int step_of(bool down) { return down ? kSize : 1; }

// What may lie on a free cell by the words across it.
struct Cross {
  std::uint32_t allowed;  // letters, a bit each
  std::int16_t sum;       // points of the tiles across; -1: there are none
};

template <class Take>
class Generator {
 public:
  Generator(const Lexicon& words, const std::uint8_t* board, const std::uint8_t* rack, Take take)
      : words_(words), board_(board), take_(take) {
    std::copy_n(rack, kKinds, rack_);
    for (int i = 0; i < kKinds; ++i) {
      if (i && rack[i]) held_ |= 1u << (i - 1);
    }
  }

  void run() {
    bool empty = true;
    for (int i = 0; i < kCells && empty; ++i) empty = !board_[i];
    for (const bool down : {false, true}) {
      down_ = down;
      for (int line = 0; line < kSize; ++line) look(line, empty);
    }
  }

 private:
  int cell(int line, int at) const { return down_ ? at * kSize + line : line * kSize + at; }

  // One row, or one column.
  void look(int line, bool empty) {
    bool anchor[kSize] = {}, any = false;
    for (int at = 0; at < kSize; ++at) {
      const int here = cell(line, at);
      tile_[at] = board_[here];
      if (tile_[at]) continue;
      anchor[at] = empty ? here == kCells / 2 : beside(here);
      any |= anchor[at];
    }
    if (!any) return;
    for (int at = 0; at < kSize; ++at) {
      if (!tile_[at]) cross_[at] = across(cell(line, at));
    }
    line_ = line;
    int free = 0;  // cells left of here that no other anchor looks after
    for (int at = 0; at < kSize; ++at) {
      if (anchor[at]) {
        anchor_ = at;
        count_ = 0;
        if (at > 0 && tile_[at - 1]) {
          continue_from_tiles(at);
        } else {
          left(words_.root(), 0, free, 0);
        }
        free = 0;
      } else {
        free = tile_[at] ? 0 : free + 1;
      }
    }
  }

  bool beside(int here) const {
    const int x = here % kSize, y = here / kSize;
    return (x > 0 && board_[here - 1]) || (x < kSize - 1 && board_[here + 1]) ||
           (y > 0 && board_[here - kSize]) || (y < kSize - 1 && board_[here + kSize]);
  }

  Cross across(int here) const {
    const int step = step_of(!down_);
    const int at = down_ ? here % kSize : here / kSize;  // along the other way
    int first = at, last = at;
    while (first > 0 && board_[here + (first - 1 - at) * step]) --first;
    while (last < kSize - 1 && board_[here + (last + 1 - at) * step]) ++last;
    if (first == last) return {Lexicon::kLetters, -1};
    Cross found{0, 0};
    std::uint32_t node = words_.root();
    for (int i = first; i < at && node != Lexicon::kNone; ++i) {
      node = words_.after(node, letter_of(board_[here + (i - at) * step]));
    }
    for (int i = first; i <= last; ++i) {
      if (i != at) found.sum += points_of(board_[here + (i - at) * step]);
    }
    if (node == Lexicon::kNone) return found;
    for (std::uint32_t m = words_.node(node).mask & Lexicon::kLetters; m; m &= m - 1) {
      const int letter = std::countr_zero(m) + 1;
      std::uint32_t end = words_.after(node, letter);
      for (int i = at + 1; i <= last && end != Lexicon::kNone; ++i) {
        end = words_.after(end, letter_of(board_[here + (i - at) * step]));
      }
      if (end != Lexicon::kNone && words_.ends(end)) found.allowed |= 1u << (letter - 1);
    }
    return found;
  }

  // The tiles left of the anchor are the word's beginning.
  void continue_from_tiles(int at) {
    int first = at;
    while (first > 0 && tile_[first - 1]) --first;
    std::uint32_t node = words_.root(), number = 0;
    for (int i = first; i < at; ++i) {
      const auto& n = words_.node(node);
      const int letter = letter_of(tile_[i]);
      if (!(n.mask >> (letter - 1) & 1)) return;
      number += words_.arc(n, letter).before;
      node = words_.arc(n, letter).to;
    }
    right(node, number, at, first);
  }

  // Beginnings of up to `room` tiles left of the anchor, `length` so far.
  void left(std::uint32_t node, std::uint32_t number, int room, int length) {
    right(node, number, anchor_, anchor_ - length);
    if (room == 0) return;
    each_letter(node, number, Lexicon::kLetters, [&](std::uint32_t to, std::uint32_t next) {
      left(to, next, room - 1, length + 1);
    });
  }

  // On from cell `at` of a word that began at `first`.
  void right(std::uint32_t node, std::uint32_t number, int at, int first) {
    const bool open = at == kSize || !tile_[at];
    if (open && at > anchor_ && words_.ends(node)) record(number, first, at);
    if (at == kSize) return;
    if (open) {
      each_letter(node, number, cross_[at].allowed,
                  [&](std::uint32_t to, std::uint32_t next) { right(to, next, at + 1, first); });
      return;
    }
    const auto& n = words_.node(node);
    const int letter = letter_of(tile_[at]);
    if (!(n.mask >> (letter - 1) & 1)) return;
    const auto& arc = words_.arc(n, letter);
    right(arc.to, number + arc.before, at + 1, first);
  }

  // Continues with every letter on the rack, as a tile and as a blank.
  template <class Go>
  void each_letter(std::uint32_t node, std::uint32_t number, std::uint32_t allowed, Go go) {
    const auto& n = words_.node(node);
    std::uint32_t m = n.mask & allowed & Lexicon::kLetters;
    if (!rack_[0]) m &= held_;
    for (; m; m &= m - 1) {
      const int letter = std::countr_zero(m) + 1;
      const auto& arc = words_.arc(n, letter);
      if (rack_[letter]) {
        lay(letter, static_cast<std::uint8_t>(letter));
        go(arc.to, number + arc.before);
        take_back(letter);
      }
      if (rack_[0]) {
        lay(0, static_cast<std::uint8_t>(letter | kBlank));
        go(arc.to, number + arc.before);
        take_back(0);
      }
    }
  }

  void lay(int kind, std::uint8_t tile) {
    if (--rack_[kind] == 0 && kind) held_ &= ~(1u << (kind - 1));
    laid_[count_++] = tile;
  }
  void take_back(int kind) {
    if (++rack_[kind] == 1 && kind) held_ |= 1u << (kind - 1);
    --count_;
  }

  void record(std::uint32_t number, int first, int end) {
    Play p{};
    p.word = number;
    p.cell = static_cast<std::uint8_t>(cell(line_, first));
    p.down = down_;
    p.placed = static_cast<std::uint8_t>(count_);
    int sum = 0, times = 1, others = 0, next = 0;
    for (int at = first; at < end; ++at) {
      if (tile_[at]) {
        sum += points_of(tile_[at]);
        continue;
      }
      // A single tile that makes two words is a play along.
      if (down_ && count_ == 1 && cross_[at].sum >= 0) return;
      const int here = cell(line_, at);
      const std::uint8_t tile = laid_[next];
      if (tile & kBlank) p.blanks |= static_cast<std::uint16_t>(1u << (at - first));
      p.used[next++] = static_cast<std::uint8_t>(kind_of(tile));
      const int points = points_of(tile) * kPremiums.letter[here];
      sum += points;
      times *= kPremiums.word[here];
      if (cross_[at].sum >= 0) others += (cross_[at].sum + points) * kPremiums.word[here];
    }
    p.score = static_cast<std::int16_t>(sum * times + others + (count_ == kRack ? kBingo : 0));
    take_(p);
  }

  const Lexicon& words_;
  const std::uint8_t* board_;
  Take take_;
  std::uint8_t rack_[kKinds];
  std::uint32_t held_ = 0;  // the letters of the rack, a bit each
  bool down_ = false;
  int line_ = 0, anchor_ = 0, count_ = 0;
  std::uint8_t tile_[kSize];
  Cross cross_[kSize];
  std::uint8_t laid_[kRack + 1];  // of the word so far, left to right
};

// Calls `take` with every play.
template <class Take>
void each_play(const Lexicon& words, const std::uint8_t* board, const std::uint8_t* rack,
               Take take) {
  Generator<Take>(words, board, rack, take).run();
}

}  // namespace zermelo::scrabble
