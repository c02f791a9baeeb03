// What a position looks like. See kernel_moves.hpp, whose class is the base of this one.

class CHESS_JUDGE : public CHESS_MOVES {
 public:
  // White's advantage in units (kUnit to a pawn).
  CHESS_TARGET static int evaluate(const Position& p) {
    constexpr int kMan[6] = {128, 410, 430, 640, 1230, 0};
    int sum = 0;
    const Board all = p.side[0] | p.side[1];
    for (int side = 0; side < 2; ++side) {
      int s = 0;
      for (int piece = 0; piece < 6; ++piece) {
        for (Board b = p.by[piece] & p.side[side]; b; b &= b - 1) {
          const int at = lowest(b), file = at & 7, rank = side ? 7 - (at >> 3) : at >> 3;
          const int centre = std::min({file, 7 - file}) + std::min({rank, 7 - rank});
          s += kMan[piece];
          switch (piece) {
            case kPawn:
              s += rank * rank * 2 + (file > 1 && file < 6 ? rank * 4 : 0);
              break;
            case kKnight:
              s += centre * 10;
              break;
            case kBishop:
              s += 5 * std::popcount(bishop(at, all));
              break;
            case kRook:
              s += 3 * std::popcount(rook(at, all));
              break;
            case kQueen:
              s += 2 * std::popcount(rook(at, all) | bishop(at, all));
              break;
            default:
              s += (p.by[kQueen] ? -12 : 8) * centre;
          }
        }
      }
      sum += side ? -s : s;
    }
    return sum + (p.mover ? -12 : 12);
  }
};
