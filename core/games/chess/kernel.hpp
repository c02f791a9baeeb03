// What is done with the legal moves: listing, counting, playing. kernel_eval.hpp's class, and
// kernel_moves.hpp's below it, are the base of this one.

class CHESS_KERNEL : public CHESS_JUDGE {
 public:
  // -- questions ---------------------------------------------------------------------------------
  struct Count {
    int n = 0;
    template <int>
    CHESS_HOT void piece(int, Board to) {
      n += std::popcount(to);
    }
    template <int>
    CHESS_HOT void pawns(Board to) {
      n += std::popcount(to);
    }
    template <int>
    CHESS_HOT void doubles(Board to) {
      n += std::popcount(to);
    }
    template <int>
    CHESS_HOT void promotions(Board to) {
      n += 4 * std::popcount(to);
    }
    CHESS_TARGET void en_passant(int, int) { ++n; }
    CHESS_TARGET void castle(int, int) { ++n; }
  };

  template <int Us>
  CHESS_APART int count(const Position& p) {
    Count sink;
    generate<Us, false>(p, sink);
    return sink.n;
  }

  // The rules cannot inline what is compiled for another processor, so they ask this.
  template <int Us>
  CHESS_TARGET static bool checked(const Position& p) {
    return in_check<Us>(p);
  }

  // Can some pawn of `Us` take in passing on the position's square?
  template <int Us>
  CHESS_TARGET static bool ep_taken(const Position& p) {
    return passed<1 - Us>(p, p.ep + (Us == kWhite ? -8 : 8)) == p.ep;
  }

  template <int Us>
  CHESS_TARGET static bool has_move(const Position& p) {
    const Board own = p.side[Us], taken = own | p.side[1 - Us];
    const int king = lowest(p.by[kKing] & own);
    const Pins pin = pins<Us>(p, king, taken);
    if (!pin.checkers) {  // nearly always a pawn, a knight or a slider is free to go
      const Board free = own & ~pin.pinned;
      if (up<Us, 0>(free & p.by[kPawn]) & ~taken) return true;
      for (Board b = free & p.by[kKnight]; b; b &= b - 1) {
        if (kLeaps.knight[lowest(b)] & ~own) return true;
      }
      for (Board b = free & (p.by[kRook] | p.by[kQueen]); b; b &= b - 1) {
        if (kLeaps.rook[lowest(b)] & kLeaps.king[lowest(b)] & ~own) return true;
      }
      for (Board b = free & p.by[kBishop]; b; b &= b - 1) {
        if (kLeaps.bishop[lowest(b)] & kLeaps.king[lowest(b)] & ~own) return true;
      }
    }
    return count<Us>(p) > 0;
  }

  // Lists as the contract wants it: no more than fits, but all are counted. The generator never
  // finds more than kMostMoves, so a list of that size needs no look at the capacity.
  template <int Us, bool Noisy>
  struct List {
    const Position& p;
    Action* out;

    CHESS_HOT int taken(int to) const {
      return p.side[1 - Us] & bit(to) ? piece_at(p, bit(to)) : -1;
    }
    template <int Piece>
    CHESS_HOT void piece(int from, Board to) {
      for (; to; to &= to - 1) *out++ = action_of(from, lowest(to), Piece, taken(lowest(to)));
    }
    template <int Step>
    CHESS_HOT void pawns(Board to) {
      for (; to; to &= to - 1) {
        *out++ = action_of(lowest(to) - Step, lowest(to), kPawn, taken(lowest(to)));
      }
    }
    template <int Step>
    CHESS_HOT void doubles(Board to) {
      for (; to; to &= to - 1) {
        *out++ = action_of(lowest(to) - Step, lowest(to), kPawn, -1, 0, kDouble);
      }
    }
    template <int Step>
    CHESS_HOT void promotions(Board to) {
      for (; to; to &= to - 1) {
        const int square = lowest(to);
        for (int piece = kQueen; piece >= (Noisy ? kQueen : kKnight); --piece) {
          *out++ = action_of(square - Step, square, kPawn, taken(square), piece);
        }
      }
    }
    CHESS_TARGET void en_passant(int from, int to) {
      *out++ = action_of(from, to, kPawn, kPawn, 0, kEnPassant);
    }
    CHESS_TARGET void castle(int king, int rook) {
      *out++ = action_of(king, rook, kKing, -1, 0, kCastle);
    }
  };

  template <int Us, bool Noisy>
  CHESS_TARGET static int list(const Position& p, Action* out) {
    List<Us, Noisy> sink{p, out};
    generate<Us, Noisy>(p, sink);
    return static_cast<int>(sink.out - out);
  }

  // -- what a move does --------------------------------------------------------------------------
  // `taken` is -1 where nothing is taken, 6 where it is not known what. The counters are play's.
  template <int Us, bool Hashed>
  CHESS_INLINE void move(Position& n, int piece, int from, int to, int taken, int promoted) {
    const Board gone = bit(from), here = bit(to);
    if (taken == 6) {
      for (int other = kPawn; other <= kQueen; ++other) n.by[other] &= ~here;
      n.side[1 - Us] &= ~here;
    } else if (taken >= 0) {
      n.by[taken] ^= here;
      n.side[1 - Us] ^= here;
      if constexpr (Hashed) n.hash ^= kKeys.man[1 - Us][taken][to];
    }
    const int placed = promoted ? promoted : piece;
    n.by[piece] ^= gone;
    n.by[placed] ^= here;
    n.side[Us] ^= gone | here;
    if constexpr (Hashed) n.hash ^= kKeys.man[Us][piece][from] ^ kKeys.man[Us][placed][to];
  }

  template <int Us, bool Hashed>
  CHESS_INLINE void castle(Position& n, int king, int rook) {
    const int king_to = castled_king(king, rook), rook_to = castled_rook(king, rook);
    n.by[kKing] ^= bit(king) ^ bit(king_to);
    n.by[kRook] ^= bit(rook) ^ bit(rook_to);
    n.side[Us] ^= bit(king) ^ bit(rook) ^ bit(king_to) ^ bit(rook_to);
    if constexpr (Hashed) {
      n.hash ^= kKeys.man[Us][kKing][king] ^ kKeys.man[Us][kKing][king_to] ^
                kKeys.man[Us][kRook][rook] ^ kKeys.man[Us][kRook][rook_to];
    }
  }

  // After a pawn's double step of `Us`: the square it passed, if it can be taken there.
  template <int Us>
  CHESS_INLINE int passed(const Position& n, int to) {
    const int ep = Us == kWhite ? to - 8 : to + 8;
    Board takers = kLeaps.pawn[Us][ep] & n.by[kPawn] & n.side[1 - Us];
    for (; takers; takers &= takers - 1) {
      if (ep_legal<1 - Us>(n, lowest(takers), ep)) return ep;
    }
    return 0;
  }

  // `n` is a copy of the position before; the counters are set by the caller.
  template <int Us>
  CHESS_TARGET static void play(Position& n, Action a) {
    const int from = from_of(a), to = to_of(a), piece = piece_of(a);
    const Board rights = n.castle;
    if (n.ep) n.hash ^= kKeys.ep[n.ep & 7];
    n.ep = 0;
    n.castle &= ~(bit(from) | bit(to));
    if (piece == kKing) n.castle &= ~rank_of(Us);
    for (Board b = rights ^ n.castle; b; b &= b - 1) n.hash ^= kKeys.castle[lowest(b)];
    switch (kind_of(a)) {
      case kCastle:
        castle<Us, true>(n, from, to);
        break;
      case kEnPassant: {
        const int gone = to + (Us == kWhite ? -8 : 8);
        n.by[kPawn] ^= bit(gone);
        n.side[1 - Us] ^= bit(gone);
        n.hash ^= kKeys.man[1 - Us][kPawn][gone];
        move<Us, true>(n, kPawn, from, to, -1, 0);
        break;
      }
      case kDouble:
        move<Us, true>(n, kPawn, from, to, -1, 0);
        n.ep = static_cast<std::uint8_t>(passed<Us>(n, to));
        if (n.ep) n.hash ^= kKeys.ep[n.ep & 7];
        break;
      default:
        move<Us, true>(n, piece, from, to, taken_of(a), promoted_of(a));
    }
    n.mover = 1 - Us;
    n.hash ^= kKeys.mover;
  }

  // -- the size of the tree ----------------------------------------------------------------------

  // Plays every move it is handed and counts what is below. The last ply is counted, not played.
  template <int Us, bool Last>
  struct Descend {
    const Position& p;
    int depth;
    Tick tick;
    std::uint64_t total = 0;

    CHESS_HOT void below(const Position& n) {
      if constexpr (Last) {
        total += count<1 - Us>(n);
      } else {
        total += leaves<1 - Us>(n, depth - 1, tick);
      }
    }
    CHESS_HOT void go(int piece, int from, int to, int promoted) {
      Position n = p;
      n.ep = 0;
      n.castle &= ~(bit(from) | bit(to));
      if (piece == kKing) n.castle &= ~rank_of(Us);
      move<Us, false>(n, piece, from, to, p.side[1 - Us] & bit(to) ? 6 : -1, promoted);
      below(n);
    }
    template <int Piece>
    CHESS_HOT void piece(int from, Board to) {
      for (; to; to &= to - 1) go(Piece, from, lowest(to), 0);
    }
    template <int Step>
    CHESS_HOT void pawns(Board to) {
      for (; to; to &= to - 1) go(kPawn, lowest(to) - Step, lowest(to), 0);
    }
    template <int Step>
    CHESS_HOT void doubles(Board to) {
      for (; to; to &= to - 1) {
        Position n = p;
        move<Us, false>(n, kPawn, lowest(to) - Step, lowest(to), -1, 0);
        n.ep = static_cast<std::uint8_t>(passed<Us>(n, lowest(to)));
        below(n);
      }
    }
    template <int Step>
    CHESS_HOT void promotions(Board to) {
      for (; to; to &= to - 1) {
        for (int piece = kKnight; piece <= kQueen; ++piece) {
          go(kPawn, lowest(to) - Step, lowest(to), piece);
        }
      }
    }
    CHESS_TARGET void en_passant(int from, int to) {
      Position n = p;
      const Board gone = bit(to + (Us == kWhite ? -8 : 8));
      n.ep = 0;
      n.by[kPawn] ^= gone;
      n.side[1 - Us] ^= gone;
      move<Us, false>(n, kPawn, from, to, -1, 0);
      below(n);
    }
    CHESS_TARGET void castle(int king, int rook) {
      Position n = p;
      n.ep = 0;
      n.castle &= ~rank_of(Us);
      CHESS_KERNEL::castle<Us, false>(n, king, rook);
      below(n);
    }
  };

  // As published tables count: only the men's moves end a line, no draw by rule.
  template <int Us>
  CHESS_APART std::uint64_t leaves(const Position& p, int depth, Tick tick) {
    if (depth <= 0) return 1;
    if (depth == 1) return count<Us>(p);
    if (depth == 2) {
      Descend<Us, true> sink{p, depth, tick};
      generate<Us, false>(p, sink);
      return sink.total;
    }
    tick();
    Descend<Us, false> sink{p, depth, tick};
    generate<Us, false>(p, sink);
    return sink.total;
  }
};
