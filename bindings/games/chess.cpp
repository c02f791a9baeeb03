// Chess for Python: the fitting kernel, states from the fields of a FEN, and queries for notation.
#include "games/chess/chess.hpp"

#include <cstring>

#include "chess_learning.hpp"
#include "games.hpp"
#include "inlined.hpp"

namespace zermelo::bindings {
namespace {

using Rules = Chess<chess::Magic>;

// `portable`: the kernel for processors without PEXT; `material`: the material evaluation;
// `weights`: of the trained evaluation, empty: the hand-set weights.
Handle make_chess(int start, bool automatic, bool portable, bool material,
                  const nb::bytes& weights) {
  if (start < 0 || start > 959) {
    raise("UsageError", "invalid start=" + std::to_string(start),
          "expected 0 to 959; 518 is the standard position");
  }
  const bool pext = !portable && chess::has_pext();
  const chess::Weights given = weights_of(weights);
  Handle h = pext ? own(std::make_shared<Chess<chess::Pext>>(start, automatic, material, given))
                  : own(std::make_shared<Rules>(start, automatic, material, given));
  h.table.engine = &kChessEngines[pext];
  return h;
}

const Rules& rules() {
  static const Rules instance(518, false);
  return instance;
}

chess::State checked(const nb::bytes& state) {
  chess::State s;
  if (state.size() != sizeof s) raise("BadPosition", "the data is not a valid state of this game");
  std::memcpy(&s, state.c_str(), sizeof s);
  if (!rules().valid(s)) raise("BadPosition", "the data is not a valid state of this game");
  return s;
}

// The state with these pieces (64 letters from a1 on, "." for an empty square), or why it is
// invalid.
nb::object state_of(const std::string& men, int mover, chess::Board castle, int ep, int clock,
                    int number) {
  static const std::string kLetters = "PNBRQKpnbrqk";
  rules();  // the tables are there
  chess::State s{};
  if (men.size() != 64 || mover < 0 || mover > 1 || ep < 0 || ep > 63 || clock < 0 || clock > 255 ||
      number < 0 || number > 65535) {
    return nb::str("the move counters are out of range");
  }
  for (int square = 0; square < 64; ++square) {
    if (men[square] == '.') continue;
    const std::size_t man = kLetters.find(men[square]);
    if (man == std::string::npos) return nb::str("unknown piece");
    s.by[man % 6] |= chess::bit(square);
    s.side[man / 6] |= chess::bit(square);
  }
  s.mover = static_cast<std::uint8_t>(mover);
  s.castle = castle;
  s.ep = static_cast<std::uint8_t>(ep);
  s.clock = static_cast<std::uint8_t>(clock);
  s.number = static_cast<std::uint16_t>(number);
  if (const char* why = Rules::fault(s)) return nb::str(why);
  Rules::drop_idle_ep(s);
  s.hash = chess::hash_of(s);
  return nb::bytes(reinterpret_cast<const char*>(&s), sizeof s);
}

// The arguments of `state_of` for a state, and the number of earlier occurrences of the position.
nb::tuple parts_of(const nb::bytes& state) {
  const chess::State s = checked(state);
  std::string men(64, '.');
  for (int square = 0; square < 64; ++square) {
    const int piece = chess::piece_at(s, chess::bit(square));
    if (piece >= 0) {
      men[square] = (s.side[0] & chess::bit(square) ? "PNBRQK" : "pnbrqk")[piece];
    }
  }
  return nb::make_tuple(men, static_cast<int>(s.mover), s.castle, static_cast<int>(s.ep),
                        static_cast<int>(s.clock), static_cast<int>(s.number),
                        static_cast<int>(s.repeats));
}

bool legal(const chess::State& s, Action action) {
  Action all[chess::kMostMoves];
  const int count = rules().actions(s, all, chess::kMostMoves);
  return std::find(all, all + count, action) != all + count;
}

Action checked(const chess::State& s, Action action) {
  if (!legal(s, action)) raise("IllegalAction", "this action is not legal here");
  return action;
}

// The suffix of a move in notation: "#" mate, "+" check, or empty.
std::string mark_of(const nb::bytes& state, Action action) {
  const chess::State s = checked(state);
  if (!Rules::gives_check(s, checked(s, action))) return "";
  return Rules::has_move(rules().play(s, action)) ? "+" : "#";
}

const char* end_of(const nb::bytes& state, bool automatic) {
  static const Rules kBoth[2] = {Rules(518, false), Rules(518, true)};
  static constexpr const char* kNames[] = {
      "", "checkmate", "stalemate", "insufficient material", "repetition", "moves"};
  return kNames[static_cast<int>(kBoth[automatic].end(checked(state)))];
}

}  // namespace

ZERMELO_GAME(chess, m) {
  m.def("chess", &make_chess, nb::arg("start"), nb::arg("automatic"), nb::arg("portable") = false,
        nb::arg("material") = false, nb::arg("weights") = nb::bytes("", 0));
  m.def("chess_state", &state_of, nb::arg("men"), nb::arg("mover"), nb::arg("castle"),
        nb::arg("ep"), nb::arg("clock"), nb::arg("number"));
  m.def("chess_parts", &parts_of, nb::arg("state"));
  m.def("chess_mark", &mark_of, nb::arg("state"), nb::arg("action"));
  m.def("chess_end", &end_of, nb::arg("state"), nb::arg("automatic"));
  m.def(
      "chess_in_check", [](const nb::bytes& s) { return Rules::in_check(checked(s)); },
      nb::arg("state"));
  m.def(
      "chess_see",
      [](const nb::bytes& state, Action a) {
        const chess::State s = checked(state);
        return Rules::see(s, checked(s, a));
      },
      nb::arg("state"), nb::arg("action"));
  m.def(
      "chess_noisy",
      [](const nb::bytes& state) {
        const chess::State s = checked(state);
        std::vector<Action> list(chess::kMostMoves);
        list.resize(rules().noisy(s, list.data(), chess::kMostMoves));
        return list;
      },
      nb::arg("state"));
  m.def(
      "chess_pass",
      [](const nb::bytes& state) -> nb::object {
        const chess::State s = checked(state);
        chess::State next{};
        if (!Rules::pass(s, next)) return nb::none();
        return nb::bytes(reinterpret_cast<const char*>(&next), sizeof next);
      },
      nb::arg("state"));
}

}  // namespace zermelo::bindings
