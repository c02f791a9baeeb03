// Chess: what a position is, what an action is, the keys of a position's hash.
//
//      56 57 58 59 60 61 62 63    a8 … h8      bit 0 is a1, bit 7 is h1, bit 63 is h8
//      …
//       0  1  2  3  4  5  6  7    a1 … h1
//
// An action says all that playing it needs:
//
//      bits 0-5 from | 6-11 to | 12-14 promoted to (a piece, or 0) | 15-17 the piece
//      18-20 the piece taken, plus 1 (0: none) | 21-22 kind
//
// Castling is written as the king taking its own rook, which is clear in Chess960 too.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "../../game.hpp"
#include "../../parts/hash.hpp"

namespace zermelo::chess {

using Board = std::uint64_t;

enum Piece { kPawn, kKnight, kBishop, kRook, kQueen, kKing };
enum Kind : Action { kPlain, kDouble, kEnPassant, kCastle };

inline constexpr int kWhite = 0, kBlack = 1;
inline constexpr Board kFileA = 0x0101010101010101, kFileH = kFileA << 7, kRank1 = 0xFF;
inline constexpr Board kDarkSquares = 0xAA55AA55AA55AA55;
inline constexpr int kMostPast = 150;   // plies without a pawn's move or a capture, at most
inline constexpr int kMostMoves = 416;  // 15 queens on an empty board could not have more
inline constexpr int kUnit = 128;       // of evaluations, to a pawn: a power of two loses no digit
inline constexpr int kWorth[6] = {1, 3, 3, 5, 9, 0};

inline constexpr Board bit(int square) { return Board{1} << square; }
inline constexpr int lowest(Board b) { return std::countr_zero(b); }
inline constexpr bool several(Board b) { return b & (b - 1); }
inline constexpr Board rank_of(int side) { return side == kWhite ? kRank1 : kRank1 << 56; }

struct Position {
  Board by[6];           // pawns, knights, bishops, rooks, queens, kings of both sides
  Board side[2];         // White's men, Black's men
  Board castle;          // rooks that may still castle
  std::uint64_t hash;    // of men, mover, castle and ep
  std::uint8_t ep;       // where a pawn can be taken in passing, by a legal move; else 0
  std::uint8_t mover;    // 0: White
  std::uint8_t clock;    // plies since the last capture or pawn's move
  std::uint8_t repeats;  // how often the position was there before
  std::uint16_t number;  // of the move, as in a FEN
  std::uint16_t count;   // of hashes in State::before
};

// Only the first `count` of `before` mean anything; `play` copies no more.
struct State : Position {
  std::uint64_t past;               // a digest of `before`
  std::uint64_t before[kMostPast];  // hashes since the last move that nothing can undo
};

inline constexpr Action action_of(int from, int to, int piece, int taken = -1, int promoted = 0,
                                  Kind kind = kPlain) {
  return static_cast<Action>(from | to << 6 | promoted << 12 | piece << 15 | (taken + 1) << 18) |
         kind << 21;
}
inline constexpr int from_of(Action a) { return a & 63; }
inline constexpr int to_of(Action a) { return a >> 6 & 63; }
inline constexpr int promoted_of(Action a) { return a >> 12 & 7; }
inline constexpr int piece_of(Action a) { return a >> 15 & 7; }
inline constexpr int taken_of(Action a) { return static_cast<int>(a >> 18 & 7) - 1; }
inline constexpr Kind kind_of(Action a) { return static_cast<Kind>(a >> 21 & 3); }

// Where king and rook come to stand.
inline constexpr int castled_king(int king, int rook) {
  return (king & 56) + (rook > king ? 6 : 2);
}
inline constexpr int castled_rook(int king, int rook) {
  return (king & 56) + (rook > king ? 5 : 3);
}

struct Keys {
  std::uint64_t man[2][6][64], castle[64], ep[8], mover;
};

inline constexpr Keys kKeys = [] {
  Keys k{};
  std::uint64_t seed = 0x2545F4914F6CDD1D;
  const auto next = [&] {  // splitmix64
    std::uint64_t x = seed += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
  };
  for (auto& side : k.man) {
    for (auto& piece : side) {
      for (auto& key : piece) key = next();
    }
  }
  for (auto& key : k.castle) key = next();
  for (auto& key : k.ep) key = next();
  k.mover = next();
  return k;
}();

inline int piece_at(const Position& p, Board square) {
  for (int piece = 0; piece < 6; ++piece) {
    if (p.by[piece] & square) return piece;
  }
  return -1;
}

inline std::uint64_t hash_of(const Position& p) {
  std::uint64_t h = p.mover ? kKeys.mover : 0;
  for (int side = 0; side < 2; ++side) {
    for (int piece = 0; piece < 6; ++piece) {
      for (Board b = p.by[piece] & p.side[side]; b; b &= b - 1)
        h ^= kKeys.man[side][piece][lowest(b)];
    }
  }
  for (Board b = p.castle; b; b &= b - 1) h ^= kKeys.castle[lowest(b)];
  return p.ep ? h ^ kKeys.ep[p.ep & 7] : h;
}

// Neither side could ever mate: bare kings, one knight, or bishops of one colour of squares.
inline bool dead(const Position& p) {
  if (p.by[kPawn] | p.by[kRook] | p.by[kQueen]) return false;
  const Board knights = p.by[kKnight], bishops = p.by[kBishop];
  if (knights) return !several(knights) && !bishops;
  return !(bishops & kDarkSquares) || !(bishops & ~kDarkSquares);
}

}  // namespace zermelo::chess
