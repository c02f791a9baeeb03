  // The second half of the class in kernel.hpp: playing moves, counting trees, weighing exchanges.

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
  using Tick = void (*)(void* with);  // called now and then; may throw to end the count

  // Plays every move it is handed and counts what is below. The last ply is counted, not played.
  template <int Us, bool Last>
  struct Descend {
    const Position& p;
    int depth;
    Tick tick;
    void* with;
    std::uint64_t total = 0;

    CHESS_TARGET [[gnu::always_inline]] inline void below(const Position& n) {
      if constexpr (Last) {
        total += count<1 - Us>(n);
      } else {
        total += leaves<1 - Us>(n, depth - 1, tick, with);
      }
    }
    CHESS_TARGET [[gnu::always_inline]] inline void go(int piece, int from, int to, int promoted) {
      Position n = p;
      n.ep = 0;
      n.castle &= ~(bit(from) | bit(to));
      if (piece == kKing) n.castle &= ~rank_of(Us);
      move<Us, false>(n, piece, from, to, p.side[1 - Us] & bit(to) ? 6 : -1, promoted);
      below(n);
    }
    template <int Piece>
    CHESS_TARGET [[gnu::always_inline]] inline void piece(int from, Board to) {
      for (; to; to &= to - 1) go(Piece, from, lowest(to), 0);
    }
    template <int Step>
    CHESS_TARGET [[gnu::always_inline]] inline void pawns(Board to) {
      for (; to; to &= to - 1) go(kPawn, lowest(to) - Step, lowest(to), 0);
    }
    template <int Step>
    CHESS_TARGET [[gnu::always_inline]] inline void doubles(Board to) {
      for (; to; to &= to - 1) {
        Position n = p;
        move<Us, false>(n, kPawn, lowest(to) - Step, lowest(to), -1, 0);
        n.ep = static_cast<std::uint8_t>(passed<Us>(n, lowest(to)));
        below(n);
      }
    }
    template <int Step>
    CHESS_TARGET [[gnu::always_inline]] inline void promotions(Board to) {
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
  CHESS_TARGET [[gnu::noinline]] static std::uint64_t leaves(const Position& p, int depth,
                                                             Tick tick, void* with) {
    if (depth <= 0) return 1;
    if (depth == 1) return count<Us>(p);
    if (depth == 2) {
      Descend<Us, true> sink{p, depth, tick, with};
      generate<Us, false>(p, sink);
      return sink.total;
    }
    tick(with);
    Descend<Us, false> sink{p, depth, tick, with};
    generate<Us, false>(p, sink);
    return sink.total;
  }

  // -- exchanges ---------------------------------------------------------------------------------
  // What the move wins in hundredths of a pawn if both sides go on taking on its square with their
  // least man, and stop when that pays no more. Pins are not looked at.
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
