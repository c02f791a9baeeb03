// Attacks, legal moves by sets, and what an exchange wins.
//
// This file and kernel.hpp are compiled once for each instruction set (see kernels.hpp):
// CHESS_MOVES and CHESS_KERNEL name the two classes, CHESS_TARGET the functions' instruction set,
// CHESS_PEXT is there where it has PEXT. `Us` is the side to move, so that the compiler knows which
// way pawns go.
//
// The moves are found in one place, `generate`, which hands sets of them to a sink: one that lists,
// one that counts, one that plays them all (kernel.hpp).

class CHESS_MOVES {
 public:
  // -- attacks -----------------------------------------------------------------------------------
#ifdef CHESS_PEXT
  CHESS_INLINE Board rook(int square, Board taken) {
    const Slider& t = kSliders.rook[square];
    return pext_attacks[t.first + _pext_u64(taken, t.mask)];
  }
  CHESS_INLINE Board bishop(int square, Board taken) {
    const Slider& t = kSliders.bishop[square];
    return pext_attacks[t.first + _pext_u64(taken, t.mask)];
  }
#else
  CHESS_INLINE Board rook(int square, Board taken) {
    const Slider& t = kSliders.rook[square];
    return magic_attacks[t.first + ((taken & t.mask) * t.magic >> t.shift)];
  }
  CHESS_INLINE Board bishop(int square, Board taken) {
    const Slider& t = kSliders.bishop[square];
    return magic_attacks[t.first + ((taken & t.mask) * t.magic >> t.shift)];
  }
#endif

  // Is the square attacked by the men of `By`, with these squares taken?
  template <int By>
  CHESS_INLINE bool attacked(const Position& p, int square, Board taken) {
    const Board by = p.side[By], queens = p.by[kQueen];
    if (((kLeaps.pawn[1 - By][square] & p.by[kPawn]) | (kLeaps.knight[square] & p.by[kKnight]) |
         (kLeaps.king[square] & p.by[kKing])) &
        by) {
      return true;
    }
    return ((bishop(square, taken) & (p.by[kBishop] | queens)) |
            (rook(square, taken) & (p.by[kRook] | queens))) &
           by;
  }

  template <int Us>
  CHESS_INLINE bool in_check(const Position& p) {
    return attacked<1 - Us>(p, lowest(p.by[kKing] & p.side[Us]), p.side[0] | p.side[1]);
  }

  // The checkers, and the pieces pinned to the king.
  struct Pins {
    Board checkers, pinned;
  };
  template <int Us>
  CHESS_INLINE Pins pins(const Position& p, int king, Board taken) {
    const Board opp = p.side[1 - Us], queens = p.by[kQueen];
    Pins found{
        ((kLeaps.pawn[Us][king] & p.by[kPawn]) | (kLeaps.knight[king] & p.by[kKnight])) & opp, 0};
    Board snipers = ((kLeaps.bishop[king] & (p.by[kBishop] | queens)) |
                     (kLeaps.rook[king] & (p.by[kRook] | queens))) &
                    opp;
    for (; snipers; snipers &= snipers - 1) {
      const Board screen = kLines.between[king][lowest(snipers)] & taken;
      if (!screen) found.checkers |= snipers & -snipers;
      if (!several(screen)) found.pinned |= screen;
    }
    found.pinned &= p.side[Us];
    return found;
  }

  // -- all legal moves, by sets ------------------------------------------------------------------
  template <int Us, bool Noisy, class Sink>
  CHESS_INLINE void generate(const Position& p, Sink& sink) {
    const Board own = p.side[Us], opp = p.side[1 - Us], taken = own | opp;
    const int king = lowest(p.by[kKing] & own);
    const Pins pin = pins<Us>(p, king, taken);
    king_moves<Us, Noisy>(p, king, sink);
    Board check = ~Board{0};  // where a move ends a check
    if (pin.checkers) {
      if (several(pin.checkers)) return;
      check = pin.checkers | kLines.between[king][lowest(pin.checkers)];
    } else {
      if (!Noisy && p.castle & own) castle_moves<Us>(p, king, sink);
      if (pin.pinned) pinned_moves<Us, Noisy>(p, pin.pinned, king, sink);
    }
    const Board allowed = (Noisy ? opp : ~own) & check;
    const Board free = own & ~pin.pinned;
    pawn_moves<Us, Noisy>(p, free & p.by[kPawn], check, sink);
    if (p.ep) ep_moves<Us>(p, sink);
    for (Board b = free & p.by[kKnight]; b; b &= b - 1) {
      const int from = lowest(b);
      sink.template piece<kKnight>(from, kLeaps.knight[from] & allowed);
    }
    for (Board b = free & p.by[kBishop]; b; b &= b - 1) {
      const int from = lowest(b);
      sink.template piece<kBishop>(from, bishop(from, taken) & allowed);
    }
    for (Board b = free & p.by[kRook]; b; b &= b - 1) {
      const int from = lowest(b);
      sink.template piece<kRook>(from, rook(from, taken) & allowed);
    }
    for (Board b = free & p.by[kQueen]; b; b &= b - 1) {
      const int from = lowest(b);
      sink.template piece<kQueen>(from, (bishop(from, taken) | rook(from, taken)) & allowed);
    }
  }

  template <int Us, bool Noisy, class Sink>
  CHESS_INLINE void king_moves(const Position& p, int king, Sink& sink) {
    const Board own = p.side[Us], opp = p.side[1 - Us];
    Board to = kLeaps.king[king] & (Noisy ? opp : ~own);
    if (!to) return;
    const Board taken = (own | opp) ^ bit(king);  // the king does not block sliders
    const Board pawns = p.by[kPawn] & opp;
    to &= ~(up<1 - Us, -1>(pawns) | up<1 - Us, 1>(pawns) | kLeaps.king[lowest(p.by[kKing] & opp)]);
    for (Board b = p.by[kKnight] & opp; b; b &= b - 1) to &= ~kLeaps.knight[lowest(b)];
    const Board slanting = (p.by[kBishop] | p.by[kQueen]) & opp;
    const Board straight = (p.by[kRook] | p.by[kQueen]) & opp;
    for (Board b = to; b; b &= b - 1) {
      const int square = lowest(b);
      if ((bishop(square, taken) & slanting) | (rook(square, taken) & straight)) to ^= bit(square);
    }
    sink.template piece<kKing>(king, to);
  }

  template <int Us, class Sink>
  CHESS_INLINE void castle_moves(const Position& p, int king, Sink& sink) {
    const Board all = p.side[0] | p.side[1];
    for (Board b = p.castle & p.side[Us]; b; b &= b - 1) {
      const int rook_at = lowest(b), king_to = castled_king(king, rook_at);
      const int rook_to = castled_rook(king, rook_at);
      const Board others = all ^ bit(king) ^ bit(rook_at);
      const Board path = kLines.between[king][king_to] | bit(king_to);
      if ((path | kLines.between[rook_at][rook_to] | bit(rook_to)) & others) continue;
      // In Chess960 the rook may have hidden the king's new square from a slider.
      bool safe = !attacked<1 - Us>(p, king_to, others | bit(rook_to));
      for (Board walk = path; walk && safe; walk &= walk - 1) {
        safe = !attacked<1 - Us>(p, lowest(walk), all ^ bit(king));
      }
      if (safe) sink.castle(king, rook_at);
    }
  }

  // A set of squares one row on for `Us`, and `Files` to the right.
  template <int Us, int Files>
  CHESS_INLINE Board up(Board b) {
    constexpr int n = Us == kWhite ? 8 + Files : 8 - Files;
    if constexpr (Files == 1) b &= ~kFileH;
    if constexpr (Files == -1) b &= ~kFileA;
    return Us == kWhite ? b << n : b >> n;
  }

  template <int Us, bool Noisy, class Sink>
  CHESS_INLINE void pawn_moves(const Position& p, Board pawns, Board allowed, Sink& sink) {
    constexpr Board kLast = rank_of(1 - Us), kThird = Us == kWhite ? kRank1 << 16 : kRank1 << 40;
    constexpr int kAhead = Us == kWhite ? 8 : -8;
    const Board opp = p.side[1 - Us], empty = ~(p.side[Us] | opp);
    const Board one = up<Us, 0>(pawns) & empty, to = one & allowed;
    const Board left = up<Us, -1>(pawns) & opp & allowed, right = up<Us, 1>(pawns) & opp & allowed;
    if ((to | left | right) & kLast) {
      sink.template promotions<kAhead>(to & kLast);
      sink.template promotions<kAhead - 1>(left & kLast);
      sink.template promotions<kAhead + 1>(right & kLast);
    }
    sink.template pawns<kAhead - 1>(left & ~kLast);
    sink.template pawns<kAhead + 1>(right & ~kLast);
    if constexpr (!Noisy) {
      sink.template pawns<kAhead>(to & ~kLast);
      sink.template doubles<2 * kAhead>(up<Us, 0>(one & kThird) & empty & allowed);
    }
  }

  // Pinned men stay in line with the king; knights cannot.
  template <int Us, bool Noisy, class Sink>
  CHESS_APART void pinned_moves(const Position& p, Board pinned, int king, Sink& sink) {
    const Board taken = p.side[0] | p.side[1], goals = Noisy ? p.side[1 - Us] : ~p.side[Us];
    for (Board b = pinned & ~p.by[kKnight]; b; b &= b - 1) {
      const int from = lowest(b);
      const Board line = kLines.line[king][from], at = bit(from);
      if (p.by[kPawn] & at) {
        pawn_moves<Us, Noisy>(p, at, line, sink);
      } else if (p.by[kBishop] & at) {
        sink.template piece<kBishop>(from, bishop(from, taken) & line & goals);
      } else if (p.by[kRook] & at) {
        sink.template piece<kRook>(from, rook(from, taken) & line & goals);
      } else {
        sink.template piece<kQueen>(from, (bishop(from, taken) | rook(from, taken)) & line & goals);
      }
    }
  }

  template <int Us, class Sink>
  CHESS_APART void ep_moves(const Position& p, Sink& sink) {
    Board from = kLeaps.pawn[1 - Us][p.ep] & p.by[kPawn] & p.side[Us];
    for (; from; from &= from - 1) {
      if (ep_legal<Us>(p, lowest(from), p.ep)) sink.en_passant(lowest(from), p.ep);
    }
  }

  // Two pawns leave a row at once: the king must not be attacked then.
  template <int Us>
  CHESS_INLINE bool ep_legal(const Position& p, int from, int to) {
    Position after = p;
    const Board gone = bit(to + (Us == kWhite ? -8 : 8));
    after.by[kPawn] ^= bit(from) | bit(to) | gone;
    after.side[Us] ^= bit(from) | bit(to);
    after.side[1 - Us] ^= gone;
    return !in_check<Us>(after);
  }

  // -- exchanges ---------------------------------------------------------------------------------
  // Static exchange evaluation (SEE) in hundredths of a pawn: both sides recapture on the square
  // with their least valuable piece and stop when a capture loses material. Pins are ignored.
  template <int Us>
  CHESS_TARGET static int see(const Position& p, Action a) {
    constexpr int kValue[6] = {100, 300, 300, 500, 900, 10000};
    if (kind_of(a) == kCastle) return 0;
    const int to = to_of(a), taken = taken_of(a), promoted = promoted_of(a);
    int standing = kValue[promoted ? promoted : piece_of(a)];  // on the square now
    int gain[34], n = 0;
    gain[0] = (taken >= 0 ? kValue[taken] : 0) + (promoted ? standing - kValue[kPawn] : 0);
    Board all = (p.side[0] | p.side[1]) & ~bit(from_of(a));
    if (kind_of(a) == kEnPassant) all ^= bit(to + (Us == kWhite ? -8 : 8));
    const Board slanting = p.by[kBishop] | p.by[kQueen], straight = p.by[kRook] | p.by[kQueen];
    const Board leapers = (kLeaps.pawn[kWhite][to] & p.by[kPawn] & p.side[kBlack]) |
                          (kLeaps.pawn[kBlack][to] & p.by[kPawn] & p.side[kWhite]) |
                          (kLeaps.knight[to] & p.by[kKnight]) | (kLeaps.king[to] & p.by[kKing]);
    for (int side = 1 - Us;; side ^= 1) {
      const Board attackers =
          (leapers | (bishop(to, all) & slanting) | (rook(to, all) & straight)) & all;
      const Board mine = attackers & p.side[side];
      if (!mine) break;
      int least = kPawn;
      while (!(mine & p.by[least])) ++least;
      if (least == kKing && attackers & p.side[1 - side]) break;  // it would be taken
      ++n;
      gain[n] = standing - gain[n - 1];
      standing = kValue[least];
      const Board from = mine & p.by[least];
      all ^= from & -from;
    }
    for (; n > 0; --n) gain[n - 1] = -std::max(-gain[n - 1], gain[n]);
    return gain[0];
  }
};
