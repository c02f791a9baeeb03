// Turning discs, finding moves, and the last empty squares searched to the end.
//
// This file is compiled once for each instruction set (see kernels.hpp): OTHELLO_KERNEL names the
// class, OTHELLO_TARGET the functions' instruction set, OTHELLO_AVX2 is there where it has AVX2.
// Scores are the mover's. A search asks "more than alpha?": a value above alpha is a lower bound,
// any other an upper bound.

class OTHELLO_KERNEL {
 public:
  // -- the rules' two questions ------------------------------------------------------------------
#ifdef OTHELLO_AVX2
  // The discs that a stone on `square` turns: four lines at once, first upward, then downward.
  OTHELLO_TARGET static Board flips(Board own, Board opp, int square) {
    const __m256i p = _mm256_set1_epi64x(static_cast<long long>(own));
    const __m256i o = _mm256_set1_epi64x(static_cast<long long>(opp));
    const __m256i zero = _mm256_setzero_si256();
    const __m256i step = _mm256_set_epi64x(7, 9, 8, 1);
    const auto* rays = reinterpret_cast<const __m256i*>(&kRays[square]);
    const __m256i up = _mm256_load_si256(rays), down = _mm256_load_si256(rays + 1);
    // Upward the first square that is not the opponent's is the lowest bit.
    __m256i stop = _mm256_andnot_si256(o, up);
    __m256i end = _mm256_and_si256(_mm256_and_si256(stop, _mm256_sub_epi64(zero, stop)), p);
    const __m256i none = _mm256_cmpeq_epi64(end, zero);
    __m256i turned = _mm256_andnot_si256(
        none, _mm256_and_si256(up, _mm256_add_epi64(end, _mm256_set1_epi64x(-1))));
    // Downward it is the highest: fill below it, and the fill's top is it.
    stop = _mm256_andnot_si256(o, down);
    __m256i fill = _mm256_or_si256(stop, _mm256_srlv_epi64(stop, step));
    fill = _mm256_or_si256(fill, _mm256_srlv_epi64(fill, _mm256_add_epi64(step, step)));
    fill = _mm256_or_si256(fill, _mm256_srlv_epi64(fill, _mm256_slli_epi64(step, 2)));
    end = _mm256_and_si256(_mm256_andnot_si256(_mm256_srlv_epi64(fill, step), stop), p);
    turned = _mm256_or_si256(
        turned, _mm256_and_si256(down, _mm256_sub_epi64(zero, _mm256_add_epi64(end, end))));
    return any_of(turned);
  }

  // Where `own` can play.
  OTHELLO_TARGET static Board moves(Board own, Board opp, Board empty) {
    const __m256i step = _mm256_set_epi64x(7, 9, 8, 1);
    const __m256i twice = _mm256_add_epi64(step, step);
    const __m256i p = _mm256_set1_epi64x(static_cast<long long>(own));
    const __m256i inner =
        _mm256_set_epi64x(0x7e7e7e7e7e7e7e7e, 0x7e7e7e7e7e7e7e7e, -1, 0x7e7e7e7e7e7e7e7e);
    const __m256i o = _mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(opp)), inner);
    __m256i left = _mm256_and_si256(o, _mm256_sllv_epi64(p, step));
    __m256i right = _mm256_and_si256(o, _mm256_srlv_epi64(p, step));
    left = _mm256_or_si256(left, _mm256_and_si256(o, _mm256_sllv_epi64(left, step)));
    right = _mm256_or_si256(right, _mm256_and_si256(o, _mm256_srlv_epi64(right, step)));
    const __m256i pairs_left = _mm256_and_si256(o, _mm256_sllv_epi64(o, step));
    const __m256i pairs_right = _mm256_srlv_epi64(pairs_left, step);
    for (int i = 0; i < 2; ++i) {
      left = _mm256_or_si256(left, _mm256_and_si256(pairs_left, _mm256_sllv_epi64(left, twice)));
      right =
          _mm256_or_si256(right, _mm256_and_si256(pairs_right, _mm256_srlv_epi64(right, twice)));
    }
    return any_of(_mm256_or_si256(_mm256_sllv_epi64(left, step), _mm256_srlv_epi64(right, step))) &
           empty;
  }
#else
  OTHELLO_TARGET static Board flips(Board own, Board opp, int square) {
    const Rays& rays = kRays[square];
    Board turned = 0;
    for (int d = 0; d < 4; ++d) {
      const Board up = rays.up[d], down = rays.down[d];
      Board stop = up & ~opp;
      Board end = stop & -stop & own;
      turned |= up & (end - (end != 0));
      stop = down & ~opp;
      end = stop ? Board{1} << (63 - std::countl_zero(stop)) & own : 0;
      turned |= down & -(end << 1);
    }
    return turned;
  }

  OTHELLO_TARGET static Board moves(Board own, Board opp, Board empty) {
    Board found = 0;
    for (int d = 0; d < 4; ++d) {
      const int step = kSteps[d];
      const Board o = d == 1 ? opp : opp & 0x7e7e7e7e7e7e7e7e;
      Board left = o & own << step, right = o & own >> step;
      left |= o & left << step;
      right |= o & right >> step;
      const Board pairs_left = o & o << step, pairs_right = pairs_left >> step;
      for (int i = 0; i < 2; ++i) {
        left |= pairs_left & left << 2 * step;
        right |= pairs_right & right >> 2 * step;
      }
      found |= left << step | right >> step;
    }
    return found & empty;
  }
#endif

  // -- the end of the game -----------------------------------------------------------------------
  // Positions this far from the end are worth remembering; nearer they are sooner searched again.
  static constexpr int kRemembered = 8;
  static constexpr int kMost = 20;  // empty squares that `beats` supports

  // Is the position worth more than alpha? (A bound of the value, see above.)
  OTHELLO_TARGET static int beats(Memory& memory, Board own, Board opp, Board empty, int alpha) {
    const int n = std::popcount(empty);
    if (n >= kRemembered) return ordered(memory, own, opp, empty, n, alpha);
    return few(own, opp, empty, n, odd_quarters(empty), alpha);
  }

 private:
#ifdef OTHELLO_AVX2
  OTHELLO_TARGET static Board any_of(__m256i lines) {
    const __m128i two =
        _mm_or_si128(_mm256_castsi256_si128(lines), _mm256_extracti128_si256(lines, 1));
    return static_cast<Board>(_mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))));
  }
#endif

  // How many discs the last stone turns.
  OTHELLO_TARGET static int last_turned(Board own, int square) {
    const int x = square & 7, y = square >> 3;
    const Rays& rays = kRays[square];
    const Board falling = (rays.up[2] | rays.down[2]) & own;
    const Board rising = (rays.up[3] | rays.down[3]) & own;
    return kTurned[x][own >> 8 * y & 0xff] +
           kTurned[y][((own >> x & kColumnA) * 0x0102040810204080) >> 56] +
           kTurned[x][falling * kColumnA >> 56] + kTurned[x][rising * kColumnA >> 56];
  }

  // One empty square.
  OTHELLO_TARGET static int last(Board own, Board opp, int square) {
    const int lead = std::popcount(own) - std::popcount(opp);
    if (const int n = last_turned(own, square)) return lead + 2 * n + 1;
    if (const int n = last_turned(opp, square)) return lead - 2 * n - 1;
    return lead > 0 ? lead + 1 : lead - 1;
  }

  OTHELLO_TARGET static Board turns(Board own, Board opp, int square) {
    return kNeighbours[square] & opp ? flips(own, opp, square) : 0;
  }

  // Two empty squares.
  OTHELLO_TARGET static int two(Board own, Board opp, int a, int b, int alpha) {
    int best = kNothing;
    if (const Board f = turns(own, opp, a)) {
      best = -last(opp ^ f, own ^ f ^ bit(a), b);
      if (best > alpha) return best;
    }
    if (const Board f = turns(own, opp, b)) {
      return std::max(best, -last(opp ^ f, own ^ f ^ bit(b), a));
    }
    if (best != kNothing) return best;
    if (const Board f = turns(opp, own, a)) {
      best = last(own ^ f, opp ^ f ^ bit(a), b);
      if (best <= alpha) return best;
    }
    if (const Board f = turns(opp, own, b)) {
      const int v = last(own ^ f, opp ^ f ^ bit(b), a);
      return best == kNothing ? v : std::min(best, v);
    }
    return best != kNothing ? best : final_score(own, opp, bit(a) | bit(b));
  }

  // Three empty squares, in the order to try.
  OTHELLO_TARGET static int three(Board own, Board opp, int a, int b, int c, int alpha,
                                  bool passed = false) {
    int best = kNothing;
    if (const Board f = turns(own, opp, a)) {
      best = -two(opp ^ f, own ^ f ^ bit(a), b, c, -alpha - 1);
      if (best > alpha) return best;
    }
    if (const Board f = turns(own, opp, b)) {
      best = std::max(best, -two(opp ^ f, own ^ f ^ bit(b), a, c, -alpha - 1));
      if (best > alpha) return best;
    }
    if (const Board f = turns(own, opp, c)) {
      return std::max(best, -two(opp ^ f, own ^ f ^ bit(c), a, b, -alpha - 1));
    }
    if (best != kNothing) return best;
    if (passed) return -final_score(opp, own, bit(a) | bit(b) | bit(c));
    return -three(opp, own, a, b, c, -alpha - 1, true);
  }

  // Four empty squares, in the order to try.
  OTHELLO_TARGET static int four(Board own, Board opp, int a, int b, int c, int d, int alpha,
                                 bool passed = false) {
    int best = kNothing;
    if (const Board f = turns(own, opp, a)) {
      best = -three(opp ^ f, own ^ f ^ bit(a), b, c, d, -alpha - 1);
      if (best > alpha) return best;
    }
    if (const Board f = turns(own, opp, b)) {
      best = std::max(best, -three(opp ^ f, own ^ f ^ bit(b), a, c, d, -alpha - 1));
      if (best > alpha) return best;
    }
    if (const Board f = turns(own, opp, c)) {
      best = std::max(best, -three(opp ^ f, own ^ f ^ bit(c), a, b, d, -alpha - 1));
      if (best > alpha) return best;
    }
    if (const Board f = turns(own, opp, d)) {
      return std::max(best, -three(opp ^ f, own ^ f ^ bit(d), a, b, c, -alpha - 1));
    }
    if (best != kNothing) return best;
    if (passed) return -final_score(opp, own, bit(a) | bit(b) | bit(c) | bit(d));
    return -four(opp, own, a, b, c, d, -alpha - 1, true);
  }

  // Up to four empty squares: those in odd quarters first.
  OTHELLO_TARGET static int last_four(Board own, Board opp, Board empty, int n, int odd,
                                      int alpha) {
    int squares[4] = {};
    int at = 0;
    const Board first = empty & kQuarters[odd];
    for (Board rest = first; rest; rest &= rest - 1) squares[at++] = std::countr_zero(rest);
    for (Board rest = empty ^ first; rest; rest &= rest - 1) squares[at++] = std::countr_zero(rest);
    const auto [a, b, c, d] = squares;
    if (n == 4) return four(own, opp, a, b, c, d, alpha);
    if (n == 3) return three(own, opp, a, b, c, alpha);
    if (n == 2) return two(own, opp, a, b, alpha);
    return n == 1 ? last(own, opp, a) : final_score(own, opp, 0);
  }

  // Few empty squares: odd quarters first is order enough.
  OTHELLO_TARGET static int few(Board own, Board opp, Board empty, int n, int odd, int alpha) {
    if (n <= 4) return last_four(own, opp, empty, n, odd, alpha);
    if (const int most = at_most(own, opp, empty, n, alpha); most <= alpha) return most;
    const Board all = moves(own, opp, empty);
    if (!all) {
      if (!moves(opp, own, empty)) return final_score(own, opp, empty);
      return -few(opp, own, empty, n, odd, -alpha - 1);
    }
    int best = kNothing;
    for (const Board part : {all & kQuarters[odd], all & ~kQuarters[odd]}) {
      for (Board rest = part; rest; rest &= rest - 1) {
        const int s = std::countr_zero(rest);
        const Board f = flips(own, opp, s);
        const int v =
            -few(opp ^ f, own ^ f ^ bit(s), empty ^ bit(s), n - 1, odd ^ quarter_of(s), -alpha - 1);
        if (v > best) best = v;
        if (v > alpha) return v;
      }
    }
    return best;
  }

  // What the opponent's safe discs leave to be won; the whole board where it is not worth asking.
  OTHELLO_TARGET static int at_most(Board own, Board opp, Board empty, int n, int alpha) {
    const int all = std::popcount(own | opp | empty);
    if (alpha < kSafeFrom[n]) return all;
    return all - 2 * std::popcount(safe_discs(opp, own, empty));
  }

  struct Child {
    Board own, opp;
    int square, worth;
  };

  // The moves that leave the other side little to do come first.
  OTHELLO_TARGET static int ordered(Memory& memory, Board own, Board opp, Board empty, int n,
                                    int alpha) {
    if (const int most = at_most(own, opp, empty, n, alpha); most <= alpha) return most;
    Memory::Entry& known = memory.at(own, opp);
    const bool met = known.own == own && known.opp == opp;
    if (met && known.low > alpha) return known.low;
    if (met && known.high <= alpha) return known.high;
    const Board all = moves(own, opp, empty);
    if (!all) {
      if (!moves(opp, own, empty)) return final_score(own, opp, empty);
      return -ordered(memory, opp, own, empty, n, -alpha - 1);
    }
    const int odd = odd_quarters(empty);
    Child children[kMost];
    int count = 0;
    for (Board rest = all; rest; rest &= rest - 1) {
      const int s = std::countr_zero(rest);
      const Board f = flips(own, opp, s);
      Child& c = children[count++];
      c = {opp ^ f, own ^ f ^ bit(s), s, 0};
      if (met && known.square == s) {
        c.worth = 1 << 20;
        continue;
      }
      c.worth = worth_of(c.own, c.opp, empty ^ bit(s), s, odd);
    }
    int best = kNothing, square = kPass;
    for (int i = 0; i < count && best <= alpha; ++i) {
      int top = i;
      for (int j = i + 1; j < count; ++j) {
        if (children[j].worth > children[top].worth) top = j;
      }
      std::swap(children[i], children[top]);
      const Child& c = children[i];
      const Board left = empty ^ bit(c.square);
      const int v = n > kRemembered
                        ? -ordered(memory, c.own, c.opp, left, n - 1, -alpha - 1)
                        : -few(c.own, c.opp, left, n - 1, odd ^ quarter_of(c.square), -alpha - 1);
      if (v > best) best = v, square = c.square;
    }
    remember(memory.at(own, opp), own, opp, best, alpha, square);
    return best;
  }

 public:
  // How good a move to `square` looks by what it leaves the mover of the new position.
  OTHELLO_TARGET static int worth_of(Board own, Board opp, Board empty, int square, int odd) {
    const Board replies = moves(own, opp, empty);
    // Corners count twice: a reply there hurts.
    int worth = -kMobility * (std::popcount(replies) + std::popcount(replies & kCorners));
    worth -= kFrontier * std::popcount(around(opp) & empty);
    if (bit(square) & kCorners) worth += kCorner;
    if (quarter_of(square) & odd) worth += kOdd;
    return worth;
  }

 private:
  OTHELLO_TARGET static Board around(Board b) {
    const Board h = (b << 1 & ~kColumnA) | (b >> 1 & ~kColumnH) | b;
    return h << 8 | h >> 8 | h;
  }

  OTHELLO_TARGET static void remember(Memory::Entry& e, Board own, Board opp, int best, int alpha,
                                      int square) {
    if (e.own != own || e.opp != opp) e = {own, opp, -64, 64, kPass};
    if (best > alpha) {
      e.low = static_cast<std::int8_t>(best);
    } else {
      e.high = static_cast<std::int8_t>(best);
    }
    e.square = static_cast<std::uint8_t>(square);
  }
};
