// Scrabble for Python: the word list, the rules, names of actions, and players.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "games.hpp"
#include "games/scrabble/player.hpp"
#include "watched.hpp"

namespace zermelo::bindings {
namespace {

using namespace scrabble;

struct Words {
  std::shared_ptr<const Lexicon> lexicon;
  std::shared_ptr<const Codes> codes;
};

// The words of a text with one word per line: those of 2 to 15 letters from a to z.
std::shared_ptr<Words> words_of(nb::bytes text) {
  const char* at = text.c_str();
  const char* end = at + text.size();
  std::vector<std::string> found;
  auto made = std::make_shared<Words>();
  {
    nb::gil_scoped_release free;
    while (at < end) {
      const char* next = std::find(at, end, '\n');
      const char* last = next > at && next[-1] == '\r' ? next - 1 : next;
      const auto length = last - at;
      const bool plain = std::all_of(at, last, [](char c) { return c >= 'a' && c <= 'z'; });
      if (plain && length >= 2 && length <= kLongest) found.emplace_back(at, last);
      at = next + (next < end);
    }
    made->lexicon = std::make_shared<Lexicon>(std::move(found));
    made->codes = std::make_shared<Codes>(*made->lexicon);
  }
  if (!made->codes->fits()) {
    raise("UsageError", "the word list has too many words", "expected at most about 400,000 words");
  }
  return made;
}

const Scrabble& rules_of(const Handle& h) {
  if (h.table.play != Inlined<Scrabble>::play) raise("UsageError", "the game is not Scrabble");
  return *static_cast<const Scrabble*>(h.table.self);
}

const Scrabble::State& turn(const Handle& h, const nb::bytes& state) {
  rules_of(h);
  const void* s = h.check_open(state);
  if (h.table.to_move(h.table.self, s) < 0)
    raise("UsageError", "no player is to move in this state: chance draws tiles");
  return *static_cast<const Scrabble::State*>(s);
}

// The parts of an action: (cell, down, letters with blanks in lower case) of a play, or the
// exchanged or drawn tiles by kind.
nb::object named(const Handle& h, Action a) {
  const Scrabble& rules = rules_of(h);
  if (a >= kPlay) {
    if (!rules.codes().is_play(a)) raise("IllegalAction", "invalid Scrabble action");
    const Play p = rules.codes().play(a);
    std::string word = rules.words().word(p.word);
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (!(p.blanks >> i & 1)) word[i] = static_cast<char>(word[i] - 'a' + 'A');
    }
    return nb::make_tuple(p.cell, p.down != 0, word);
  }
  std::uint8_t tiles[kKinds] = {};
  if (a < kKinds) {
    tiles[a] = 1;
  } else if (a >= kExchange) {
    Codes::given(a, tiles);
  }
  std::string row;
  for (int i = 0; i < kKinds; ++i) row.append(tiles[i], i ? static_cast<char>('A' + i - 1) : '?');
  return nb::make_tuple(a < kExchange, row);
}

// The number of a play, or None: the word is not in the list or does not fit the board.
nb::object code_of(const Handle& h, int cell, bool down, const std::string& letters) {
  const Scrabble& rules = rules_of(h);
  std::string word = letters;
  Play p{};
  const int length = static_cast<int>(letters.size());
  const int at = down ? cell / kSize : cell % kSize;
  if (cell < 0 || cell >= kCells || length > kLongest || at + length > kSize) return nb::none();
  for (int i = 0; i < length; ++i) {
    if (word[i] >= 'A' && word[i] <= 'Z') {
      word[i] = static_cast<char>(word[i] - 'A' + 'a');
    } else {
      p.blanks |= static_cast<std::uint16_t>(1u << i);
    }
  }
  p.word = rules.words().number(word);
  if (p.word == Lexicon::kNone || std::popcount(p.blanks) > 2) return nb::none();
  p.cell = static_cast<std::uint8_t>(cell), p.down = down;
  return nb::int_(rules.codes().code(p));
}

Action exchange_of(const std::string& tiles) {
  std::uint8_t given[kKinds] = {};
  if (tiles.size() > kRack) raise("IllegalAction", "a rack has at most seven tiles");
  for (const char c : tiles) {
    if (c != '?' && (c < 'A' || c > 'Z'))
      raise("IllegalAction", "invalid tile: expected A to Z or ?");
    ++given[c == '?' ? 0 : c - 'A' + 1];
  }
  return Codes::exchange(given);
}

nb::list rows(const std::vector<Choice>& found) {
  nb::list list;
  for (const Choice& c : found) list.append(nb::make_tuple(c.action, c.score, c.equity));
  return list;
}

nb::list weighed(const Handle& h, const nb::bytes& state) {
  const auto& s = turn(h, state);
  return rows(Player(rules_of(h)).all(s));
}

nb::list simulated(const Handle& h, const nb::bytes& state, int candidates, int deals, int plies,
                   std::uint64_t seed) {
  const auto s = turn(h, state);
  if (candidates < 1 || deals < 1 || plies < 0 || candidates > 10000 || plies > 1000) {
    raise("UsageError", "a simulation needs at least one candidate and one deal");
  }
  std::vector<Choice> found;
  const Limits limits;
  Budget budget(limits);
  run(limits, budget, [&] {
    try {
      found = Player(rules_of(h)).simulate(s, candidates, deals, plies, seed, budget);
    } catch (const Stopped&) {
    }
  });
  if (budget.stopped() == Stop::interrupted) {  // a part of the deals has no meaning
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  return rows(found);
}

// The greedy player's action.
Action greedy(const Handle& h, const nb::bytes& state) {
  const auto& s = turn(h, state);
  return Player(rules_of(h)).greedy(s);
}

// The number of plays in all of these positions, to time the generator.
std::size_t count_plays(const Handle& h, const std::vector<nb::bytes>& states) {
  std::size_t count = 0;
  for (const nb::bytes& state : states) {
    const auto& s = turn(h, state);
    each_play(rules_of(h).words(), s.board, s.rack[s.mover], [&](const Play&) { ++count; });
  }
  return count;
}

}  // namespace

ZERMELO_GAME(scrabble, m) {
  nb::class_<Words>(m, "ScrabbleWords", "A word list as a graph of letters.")
      .def_prop_ro("count", [](const Words& w) { return w.lexicon->count(); })
      .def_prop_ro("nodes", [](const Words& w) { return w.lexicon->nodes(); })
      .def_prop_ro("arcs", [](const Words& w) { return w.lexicon->arcs(); })
      .def(
          "has",
          [](const Words& w, const std::string& word) {
            return w.lexicon->number(word) != Lexicon::kNone;
          },
          nb::arg("word"));
  m.def("scrabble_words", &words_of, nb::arg("text"));
  m.def(
      "scrabble",
      [](std::shared_ptr<Words> words, bool points) {
        return own(std::make_shared<Scrabble>(words->lexicon, words->codes, points));
      },
      nb::arg("words"), nb::arg("points"));
  m.def("scrabble_named", &named, nb::arg("handle"), nb::arg("action"));
  m.def("scrabble_code", &code_of, nb::arg("handle"), nb::arg("cell"), nb::arg("down"),
        nb::arg("letters"));
  m.def("scrabble_exchange", &exchange_of, nb::arg("tiles"));
  m.def("scrabble_weighed", &weighed, nb::arg("handle"), nb::arg("state"));
  m.def("scrabble_greedy", &greedy, nb::arg("handle"), nb::arg("state"));
  m.def("scrabble_simulated", &simulated, nb::arg("handle"), nb::arg("state"),
        nb::arg("candidates"), nb::arg("deals"), nb::arg("plies"), nb::arg("seed"));
  m.def("scrabble_count", &count_plays, nb::arg("handle"), nb::arg("states"));
}

}  // namespace zermelo::bindings
