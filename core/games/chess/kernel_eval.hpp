// The evaluation: a weighted sum of terms (terms.hpp), interpolated between middlegame and endgame
// by the remaining material. See kernel_moves.hpp, whose class is the base of this one.

class CHESS_JUDGE : public CHESS_MOVES {
 public:
  // White's advantage in units (kUnit to a pawn).
  CHESS_TARGET static int evaluate(const Position& p, const Weights& weights) {
    Score score(weights);
    return judge(p, score);
  }

  // The same; `Sink` receives every term that counts.
  template <class Sink>
  CHESS_TARGET static int judge(const Position& p, Sink& sink) {
    View v;
    v.taken = p.side[0] | p.side[1];
    begin<0>(p, v);
    begin<1>(p, v);
    pawns<0>(p, v, sink);
    pawns<1>(p, v, sink);
    men<0>(p, v, sink);
    men<1>(p, v, sink);
    whole<0>(p, v, sink);
    whole<1>(p, v, sink);
    if (p.mover == kWhite) {
      sink.template add<kWhite>(term::tempo);
    } else {
      sink.template add<kBlack>(term::tempo);
    }
    int phase = 0;
    for (int piece = kKnight; piece <= kQueen; ++piece) {
      phase += kPhase[piece] * std::popcount(p.by[piece]);
    }
    phase = std::min(phase, kPhases);
    const int end = sink.end(), scale = scale_of(p, end);
    if constexpr (requires { sink.close(phase, scale); }) sink.close(phase, scale);
    const int sum = sink.middle() * phase * kScales + end * (kPhases - phase) * scale;
    return sum / (kPhases * kScales);  // towards 0: the same for both sides
  }

 private:
  // Intermediate results by side.
  struct View {
    Board taken;
    Board pawn_reach[2];  // squares that pawns attack
    Board reach[2][6];    // that men of a kind attack
    Board all[2];         // that any man attacks
    Board twice[2];       // that two men attack
    Board area[2];        // squares that count as mobility
    Board pinned[2];
    Board passed[2];
    Board driven[2];  // where the other's pawns may come to attack
    int king[2];
    int danger[2];  // units of attack that a side has on the other's king
  };

  template <int Us>
  CHESS_INLINE int rank(int square) {
    return Us == kWhite ? square >> 3 : 7 - (square >> 3);
  }
  CHESS_INLINE int edge(int square) { return std::min(square & 7, 7 - (square & 7)); }

  template <int Us>
  CHESS_INLINE void begin(const Position& p, View& v) {
    const Board own = p.side[Us], mine = p.by[kPawn] & own, opp = p.by[kPawn] & p.side[1 - Us];
    v.king[Us] = lowest(p.by[kKing] & own);
    v.pinned[Us] = pins<Us>(p, v.king[Us], v.taken).pinned;
    const Board left = up<Us, -1>(mine), right = up<Us, 1>(mine);
    v.pawn_reach[Us] = v.reach[Us][kPawn] = left | right;
    v.reach[Us][kKing] = kLeaps.king[v.king[Us]];
    v.all[Us] = v.pawn_reach[Us] | v.reach[Us][kKing];
    v.twice[Us] = (left & right) | (v.pawn_reach[Us] & v.reach[Us][kKing]);
    v.danger[Us] = 0;
    // Not where pawns guard, nor where the king or a pawn that cannot move or is at home stands.
    constexpr Board kHome = Us == kWhite ? kRank1 << 8 | kRank1 << 16 : kRank1 << 48 | kRank1 << 40;
    const Board stuck = mine & (up<1 - Us, 0>(v.taken) | kHome);
    const Board guarded = up<1 - Us, -1>(opp) | up<1 - Us, 1>(opp);
    v.area[Us] = ~(guarded | stuck | (p.by[kKing] & own));
  }

  // -- pawns -------------------------------------------------------------------------------------
  // The squares of a set, and all before them, for `Us`.
  template <int Us>
  CHESS_INLINE Board onward(Board b) {
    if constexpr (Us == kWhite) {
      b |= b << 8, b |= b << 16, b |= b << 32;
    } else {
      b |= b >> 8, b |= b >> 16, b |= b >> 32;
    }
    return b;
  }
  CHESS_INLINE Board beside(Board b) { return (b & ~kFileH) << 1 | (b & ~kFileA) >> 1; }

  template <int Us, class Sink>
  CHESS_INLINE void by_rank(int term, Board set, Sink& sink) {
    for (; set; set &= set - 1) sink.template add<Us>(term + rank<Us>(lowest(set)));
  }

  template <int Us, class Sink>
  CHESS_INLINE void pawns(const Position& p, View& v, Sink& sink) {
    constexpr int kThem = 1 - Us;
    const Board mine = p.by[kPawn] & p.side[Us], opp = p.by[kPawn] & p.side[kThem];
    sink.template add<Us>(term::man + kPawn, std::popcount(mine));
    for (Board b = mine; b; b &= b - 1) {
      const int at = lowest(b);
      sink.template add<Us>(square_term(kPawn, rank<Us>(at), at & 7));
    }
    const Board behind = onward<kThem>(up<kThem, 0>(mine));  // an own pawn is further on
    const Board met = onward<kThem>(up<kThem, 0>(opp));      // one of theirs is
    const Board guarded = up<kThem, -1>(opp) | up<kThem, 1>(opp);
    const Board watched = onward<kThem>(guarded);  // one of theirs beside is further on
    const Board open = mine & ~met;
    v.passed[Us] = open & ~watched & ~behind;
    v.driven[Us] = watched;
    sink.template add<Us>(term::doubled, std::popcount(mine & behind));
    const Board sides = beside(mine), supported = mine & v.pawn_reach[Us];
    by_rank<Us>(term::supported, supported, sink);
    by_rank<Us>(term::phalanx, mine & sides, sink);
    const Board alone = mine & ~onward<Us>(onward<kThem>(sides));
    sink.template add<Us>(term::isolated, std::popcount(alone & met));
    sink.template add<Us>(term::isolated + 1, std::popcount(alone & ~met));
    // No friend beside or behind, and the step ahead is guarded.
    const Board late = mine & ~alone & ~onward<Us>(sides) & up<kThem, 0>(guarded);
    sink.template add<Us>(term::backward, std::popcount(late & met));
    sink.template add<Us>(term::backward + 1, std::popcount(late & ~met));
    for (Board b = open & watched; b; b &= b - 1) {
      const int at = lowest(b);
      const Board friends = mine & kMasks.beside[at], front = kMasks.front[Us][at];
      if (std::popcount(friends & ~front) >= std::popcount(opp & front)) {
        sink.template add<Us>(term::candidate + rank<Us>(at));
      }
    }
  }

  // -- pieces ------------------------------------------------------------------------------------
  template <int Us, class Sink>
  CHESS_INLINE void men(const Position& p, View& v, Sink& sink) {
    constexpr int kThem = 1 - Us;
    const Board own = p.side[Us], queens = p.by[kQueen] & own, rooks = p.by[kRook] & own;
    const Board mine = p.by[kPawn] & own, opp = p.by[kPawn] & p.side[kThem];
    const int count = std::popcount(mine);
    man<Us, kKnight>(p, v, sink, v.taken, count);
    man<Us, kBishop>(p, v, sink, v.taken ^ queens, count);  // men in line help each other
    man<Us, kRook>(p, v, sink, v.taken ^ (queens | rooks), count);
    man<Us, kQueen>(p, v, sink, v.taken, count);
    sink.template add<Us>(square_term(kKing, rank<Us>(v.king[Us]), v.king[Us] & 7));

    constexpr Board kFar = Us == kWhite ? Board{0xFFFFFF} << 24 : Board{0xFFFFFF} << 16;
    const Board post = kFar & v.pawn_reach[Us] & ~v.driven[Us];
    const Board under = up<kThem, 0>(p.by[kPawn]);
    for (const int piece : {kKnight, kBishop}) {
      const Board minor = p.by[piece] & own;
      sink.template add<Us>(term::outpost + piece - kKnight, std::popcount(minor & post));
      sink.template add<Us>(term::shielded + piece - kKnight, std::popcount(minor & under));
    }
    const Board bishops = p.by[kBishop] & own;
    if (bishops) {
      const Board dark = bishops & kDarkSquares, light = bishops & ~kDarkSquares;
      const Board stuck = mine & up<kThem, 0>(v.taken);
      const int of_dark = std::popcount(dark), of_light = std::popcount(light);
      const auto together = [&](Board set) {
        return of_dark * std::popcount(set & kDarkSquares) +
               of_light * std::popcount(set & ~kDarkSquares);
      };
      sink.template add<Us>(term::bishop_pawns, together(mine));
      sink.template add<Us>(term::bishop_pawns + 1, together(stuck));
      if (dark && light) sink.template add<Us>(term::bishop_pair);
    }
    if (rooks) {
      const Board half = rooks & ~onward<Us>(onward<kThem>(mine));
      const Board full = half & ~onward<Us>(onward<kThem>(opp));
      sink.template add<Us>(term::rook_file, std::popcount(half ^ full));
      sink.template add<Us>(term::rook_file + 1, std::popcount(full));
      constexpr Board kSeventh = Us == kWhite ? kRank1 << 48 : kRank1 << 8;
      if (rooks & kSeventh && (opp & kSeventh || rank<Us>(v.king[kThem]) == 7)) {
        sink.template add<Us>(term::rook_seventh, std::popcount(rooks & kSeventh));
      }
    }
  }

  template <int Us, int Piece, class Sink>
  CHESS_INLINE void man(const Position& p, View& v, Sink& sink, Board taken, int count) {
    constexpr int kMoves[6] = {
        0, term::knight_moves, term::bishop_moves, term::rook_moves, term::queen_moves, 0};
    constexpr int kAttack[6] = {0, 2, 2, 3, 4, 0};  // units of danger
    const Board men = p.by[Piece] & p.side[Us], ring = kMasks.ring[v.king[1 - Us]];
    Board reach = 0;
    const int number = std::popcount(men);
    sink.template add<Us>(term::man + Piece, number);
    sink.template add<Us>(term::more_pawns + Piece - 1, number * (count - 5));
    for (Board b = men; b; b &= b - 1) {
      const int at = lowest(b);
      Board seen;
      if constexpr (Piece == kKnight) {
        seen = kLeaps.knight[at];
      } else if constexpr (Piece == kBishop) {
        seen = bishop(at, taken);
      } else if constexpr (Piece == kRook) {
        seen = rook(at, taken);
      } else {
        seen = bishop(at, taken) | rook(at, taken);
      }
      if (v.pinned[Us] & bit(at)) seen &= kLines.line[v.king[Us]][at];
      sink.template add<Us>(square_term(Piece, rank<Us>(at), at & 7));
      sink.template add<Us>(kMoves[Piece] + std::popcount(seen & v.area[Us]));
      v.twice[Us] |= v.all[Us] & seen;
      v.all[Us] |= seen;
      reach |= seen;
      const int near = std::popcount(seen & ring);
      v.danger[Us] += near ? kAttack[Piece] + near : 0;
    }
    v.reach[Us][Piece] = reach;
  }

  // -- what needs the attacks of both sides
  // --------------------------------------------------------
  template <int Us, class Sink>
  CHESS_INLINE void whole(const Position& p, const View& v, Sink& sink) {
    threats<Us>(p, v, sink);
    danger<Us>(p, v, sink);
    shelter<Us>(p, v, sink);
    passers<Us>(p, v, sink);
    constexpr int kThem = 1 - Us;
    const Board mine = p.by[kPawn] & p.side[Us];
    constexpr Board kMiddle = 0x3C3C3C3C3C3C3C3C;
    constexpr Board kBehind = Us == kWhite ? 0xFFFFFF00 : 0x00FFFFFF00000000;
    sink.template add<Us>(term::space,
                          std::popcount(kMiddle & kBehind & ~mine & ~v.pawn_reach[kThem]));
    sink.template add<Us>(term::castle, std::popcount(p.castle & p.side[Us]));
    if (p.side[kThem] == (p.by[kKing] & p.side[kThem])) lonely<Us>(p, v, sink);
  }

  template <int Us, class Sink>
  CHESS_INLINE void by_piece(const Position& p, int term, Board set, Sink& sink) {
    if (!set) return;
    for (int piece = kPawn; piece <= kQueen; ++piece) {
      sink.template add<Us>(term + piece, std::popcount(set & p.by[piece]));
    }
  }

  template <int Us, class Sink>
  CHESS_INLINE void threats(const Position& p, const View& v, Sink& sink) {
    constexpr int kThem = 1 - Us;
    const Board theirs = p.side[kThem], pieces = theirs & ~p.by[kPawn] & ~p.by[kKing];
    const Board held = v.pawn_reach[kThem] | (v.twice[kThem] & ~v.twice[Us]);
    const Board weak = theirs & v.all[Us] & ~held & ~p.by[kKing];
    const Board by_pawn = pieces & v.pawn_reach[Us];
    by_piece<Us>(p, term::threat_pawn, by_pawn, sink);
    const Board minor = v.reach[Us][kKnight] | v.reach[Us][kBishop];
    const Board great = theirs & (p.by[kRook] | p.by[kQueen]);
    by_piece<Us>(p, term::threat_minor, (weak | great) & minor & ~by_pawn, sink);
    const Board greater = theirs & p.by[kQueen];
    by_piece<Us>(p, term::threat_rook, (weak | greater) & v.reach[Us][kRook] & ~by_pawn, sink);
    if (weak & v.reach[Us][kKing]) sink.template add<Us>(term::threat_king);
    const Board loose = weak & (~v.all[kThem] | (pieces & v.twice[Us]));
    const int hanging = std::popcount(loose);
    if (hanging) {
      sink.template add<Us>(term::hanging, hanging);
      if (p.mover == Us) sink.template add<Us>(term::hanging + 1);
    }
    // A pawn's step that is safe.
    constexpr Board kThird = Us == kWhite ? kRank1 << 16 : kRank1 << 40;
    Board step = up<Us, 0>(p.by[kPawn] & p.side[Us]) & ~v.taken;
    step |= up<Us, 0>(step & kThird) & ~v.taken;
    step &= ~v.pawn_reach[kThem] & (v.all[Us] | ~v.all[kThem]);
    sink.template add<Us>(term::threat_push,
                          std::popcount((up<Us, -1>(step) | up<Us, 1>(step)) & pieces & ~by_pawn));
    sink.template add<Us>(term::contested,
                          std::popcount(v.all[Us] & v.all[kThem] & ~v.pawn_reach[kThem]));
  }

  // What `Us` has against the other king.
  template <int Us, class Sink>
  CHESS_INLINE void danger(const Position& p, const View& v, Sink& sink) {
    constexpr int kThem = 1 - Us;
    const int king = v.king[kThem];
    const Board queens = p.by[kQueen] & p.side[kThem], seen = v.taken ^ queens;
    const Board straight = rook(king, seen), slanting = bishop(king, seen);
    // Held by nobody but the king or a queen.
    const Board thin = v.all[Us] & ~v.twice[kThem] &
                       (~v.all[kThem] | v.reach[kThem][kKing] | v.reach[kThem][kQueen]);
    const Board safe = ~p.side[Us] & (~v.all[kThem] | (thin & v.twice[Us]));
    int units = v.danger[Us] + std::popcount(thin & kMasks.ring[king]);
    const Board checks[5] = {0, kLeaps.knight[king] & v.reach[Us][kKnight],
                             slanting & v.reach[Us][kBishop], straight & v.reach[Us][kRook],
                             (straight | slanting) & v.reach[Us][kQueen] & ~v.reach[kThem][kQueen]};
    for (int piece = kKnight; piece <= kQueen; ++piece) {
      const bool can = checks[piece] & safe;
      units += 3 * can;
      sink.template add<Us>(term::safe_check + piece, can);
    }
    const bool queen = p.by[kQueen] & p.side[Us];
    sink.template add<Us>(term::danger + kDangers * queen + std::min(units, kDangers - 1));
  }

  // Pawns before the own king, and those that come to it.
  template <int Us, class Sink>
  CHESS_INLINE void shelter(const Position& p, const View& v, Sink& sink) {
    const int king = v.king[Us], middle = std::clamp(king & 7, 1, 6);
    const Board row = kRank1 << (king & 56);
    const Board before = Us == kWhite ? ~(bit(king & 56) - 1) : row | (row - 1);
    const Board mine = p.by[kPawn] & p.side[Us] & before;
    const Board opp = p.by[kPawn] & p.side[1 - Us] & before;
    for (int file = middle - 1; file <= middle + 1; ++file) {
      const Board column = kFileA << file;
      const int own = nearest<Us>(mine & column), other = nearest<Us>(opp & column);
      const int place = 8 * edge(file);
      sink.template add<Us>(term::shelter + place + own);
      sink.template add<Us>(term::storm + 32 * (own && other == own + 1) + place + other);
    }
  }
  // The rank of the man that is furthest back; 0: none.
  template <int Us>
  CHESS_INLINE int nearest(Board b) {
    if (!b) return 0;
    return Us == kWhite ? lowest(b) >> 3 : std::countl_zero(b) >> 3;
  }

  template <int Us, class Sink>
  CHESS_INLINE void passers(const Position&, const View& v, Sink& sink) {
    constexpr int kThem = 1 - Us, kAhead = Us == kWhite ? 8 : -8;
    for (Board b = v.passed[Us]; b; b &= b - 1) {
      const int at = lowest(b), row = rank<Us>(at), next = at + kAhead;
      sink.template add<Us>(term::passed + row);
      if (!(v.taken & bit(next))) sink.template add<Us>(term::passed_free + row);
      if (v.all[Us] & bit(next)) sink.template add<Us>(term::passed_held + row);
      if (!((v.all[kThem] | v.taken) & kMasks.ahead[Us][at])) {
        sink.template add<Us>(term::passed_safe + row);
      }
      if (row < 3) continue;
      sink.template add<Us>(term::passed_near + 8 * (row - 3) + distance(next, v.king[Us]));
      sink.template add<Us>(term::passed_far + 8 * (row - 3) + distance(next, v.king[kThem]));
    }
  }

  // The other side has nothing but its king. A bishop and a knight mate in the bishop's corner.
  template <int Us, class Sink>
  CHESS_APART void lonely(const Position& p, const View& v, Sink& sink) {
    const Board bishops = p.by[kBishop], dark = bishops & kDarkSquares, light = bishops & ~dark;
    const bool corner = !(p.by[kPawn] | p.by[kRook] | p.by[kQueen]);
    if (corner && !(dark && light) && !(bishops && p.by[kKnight])) return;
    const int king = v.king[1 - Us], file = king & 7, row = king >> 3;
    int way = 6 - edge(king) - std::min(row, 7 - row);
    if (corner && !(dark && light)) {
      // Of a1 and h8, the dark ones, or of a8 and h1: how near.
      const int x = light ? 7 - file : file;
      way +=
          2 * std::abs(7 - x - row);  // along the diagonal from the wrong corners to the right ones
    }
    sink.template add<Us>(term::bare);
    sink.template add<Us>(term::bare + 1, way);
    sink.template add<Us>(term::bare + 2, 7 - distance(king, v.king[Us]));
  }

  // The scale factor of the endgame score.
  CHESS_INLINE int scale_of(const Position& p, int end) {
    const int strong = end > 0 ? kWhite : kBlack;
    const Board own = p.side[strong], opp = p.side[1 - strong],
                pieces = ~p.by[kPawn] & ~p.by[kKing];
    const int count = std::popcount(p.by[kPawn] & own);
    const auto worth = [&](Board side) {
      return 3 * std::popcount((p.by[kKnight] | p.by[kBishop]) & side) +
             5 * std::popcount(p.by[kRook] & side) + 9 * std::popcount(p.by[kQueen] & side);
    };
    if (count == 0) {
      const int more = worth(own) - worth(opp);
      const bool knights = !(own & pieces & ~p.by[kKnight]) && worth(own) <= 6;
      if (more <= 3 || knights) return knights || worth(own) <= 3 ? 2 : more <= 0 ? 32 : 8;
    }
    const Board bishops = p.by[kBishop];
    if (std::popcount(bishops) == 2 && bishops & own && bishops & opp && bishops & kDarkSquares &&
        bishops & ~kDarkSquares) {
      if (!(p.side[0] & pieces & ~bishops) && !(p.side[1] & pieces & ~bishops)) {
        return std::min(20 + 4 * count, 40);
      }
      return 44 + 2 * count;
    }
    return std::min(kScales, 48 + 4 * count);
  }
};
