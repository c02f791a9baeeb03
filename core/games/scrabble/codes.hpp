// Actions as numbers that name themselves, whatever the position:
//
//   0 … 26        chance draws a tile of this kind
//   kExchange …   the tiles that are given back, as a set with repetitions; none: a pass
//   kPlay …       words by their numbers; of each its places, of each place which letters are
//   blanks
#pragma once

#include "../../game.hpp"
#include "plays.hpp"

namespace zermelo::scrabble {

inline constexpr Action kExchange = 32, kPlay = 1u << 23;

class Codes {
 public:
  explicit Codes(const Lexicon& words) {
    first_.reserve(words.count() + 1);
    std::uint64_t at = kPlay;
    for (std::size_t i = 0; i < words.count(); ++i) {
      first_.push_back(static_cast<Action>(at));
      const int length = static_cast<int>(words.word(static_cast<std::uint32_t>(i)).size());
      lengths_.push_back(static_cast<std::uint8_t>(length));
      at += std::uint64_t(places(length)) * blankings(length);
    }
    fits_ = at <= UINT32_MAX;
    end_ = static_cast<Action>(at);
  }

  bool fits() const { return fits_; }  // have all words numbers?

  bool is_play(Action a) const { return a >= kPlay && a < end_; }

  Action code(const Play& p) const {
    const int length = lengths_[p.word];
    const int line = p.down ? p.cell % kSize : p.cell / kSize;
    const int at = p.down ? p.cell / kSize : p.cell % kSize;
    const int place = (p.down * kSize + line) * (kSize + 1 - length) + at;
    return first_[p.word] + static_cast<Action>(place * blankings(length) + rank(p.blanks, length));
  }

  // Word, cell, direction and blanks of a play.
  Play play(Action a) const {
    Play p{};
    p.word = static_cast<std::uint32_t>(std::upper_bound(first_.begin(), first_.end(), a) -
                                        first_.begin() - 1);
    const int length = lengths_[p.word];
    const int rest = static_cast<int>(a - first_[p.word]);
    const int place = rest / blankings(length), at = place % (kSize + 1 - length);
    const int line = place / (kSize + 1 - length) % kSize;
    p.down = place / (kSize + 1 - length) >= kSize;
    p.cell = static_cast<std::uint8_t>(p.down ? at * kSize + line : line * kSize + at);
    p.blanks = unrank(rest % blankings(length), length);
    return p;
  }

  // Tiles by kind, as the number of a non-decreasing row of seven (0: none, then the kinds).
  static Action exchange(const std::uint8_t* given) {
    int row[kRack] = {}, n = 0;
    for (int kind = 0; kind < kKinds; ++kind) n += given[kind];
    int at = kRack - n;
    for (int kind = 0; kind < kKinds; ++kind) {
      for (int i = 0; i < given[kind]; ++i) row[at++] = kind + 1;
    }
    std::uint32_t number = 0;
    for (int i = 0; i < kRack; ++i) number += choose(row[i] + i, i + 1);
    return kExchange + number;
  }

  static void given(Action a, std::uint8_t* out) {
    std::uint32_t number = a - kExchange;
    std::fill_n(out, kKinds, std::uint8_t{0});
    for (int i = kRack - 1; i >= 0; --i) {
      int b = kKinds + i;
      while (choose(b, i + 1) > number) --b;
      number -= choose(b, i + 1);
      if (b - i > 0) ++out[b - i - 1];
    }
  }

 private:
  static int places(int length) { return 2 * kSize * (kSize + 1 - length); }
  static int blankings(int length) { return 1 + length + length * (length - 1) / 2; }

  // Up to two blanks: none, one, two.
  static int rank(std::uint16_t blanks, int length) {
    if (!blanks) return 0;
    const int low = std::countr_zero(blanks), high = 15 - std::countl_zero(blanks);
    return low == high ? 1 + low : 1 + length + high * (high - 1) / 2 + low;
  }
  static std::uint16_t unrank(int number, int length) {
    if (number == 0) return 0;
    if (number <= length) return static_cast<std::uint16_t>(1u << (number - 1));
    number -= 1 + length;
    int high = 1;
    while ((high + 1) * high / 2 <= number) ++high;
    return static_cast<std::uint16_t>(1u << high | 1u << (number - high * (high - 1) / 2));
  }

  static std::uint32_t choose(int n, int k) {
    std::uint64_t c = 1;
    for (int i = 0; i < k; ++i) c = n - i > 0 ? c * (n - i) / (i + 1) : 0;
    return static_cast<std::uint32_t>(c);
  }

  std::vector<Action> first_;  // of each word
  std::vector<std::uint8_t> lengths_;
  Action end_ = kPlay;
  bool fits_ = true;
};

}  // namespace zermelo::scrabble
