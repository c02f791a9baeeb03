// Monopoly for 2 to 6 players: dice and cards are chance nodes.
//
// Simplifications: cards are drawn from a full deck each time. A lot that is declined is offered to
// the other players in turn at its price. The only trade asks for the lot that completes a colour
// group, at twice its price. A player who cannot pay sells houses and mortgages automatically, the
// tallest and the cheapest first. Houses never run out. The game ends after `rounds` rounds.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "../../game.hpp"
#include "../../parts/hash.hpp"
#include "board.hpp"
#include "estate.hpp"

namespace zermelo {

class Monopoly {
 public:
  using State = monopoly::State;
  static constexpr int kPlayers = monopoly::kPlayers;
  static constexpr int kMostRounds = 10000;
  static constexpr int kMostMoney = 100'000'000;
  static constexpr int kFundCards = 32;
  static constexpr int kStart = 200, kBail = 50, kTries = 3, kKept = monopoly::kKept;

  enum Phase : std::uint8_t { turn, roll, buy, offer, trade, luck, fund, over };
  // An action is its kind << 8 | its object: a lot, the dice (sum << 1 | doubles), a card (of the
  // fund: + kFundCards).
  enum Kind : std::uint8_t {
    do_roll,
    do_bail,
    do_card,
    do_build,
    do_redeem,
    do_ask,
    do_yes,
    do_no,
    dice,
    card
  };

  Monopoly(int players, int rounds, int money, bool wealth)
      : players_(players), rounds_(rounds), money_(money), wealth_(wealth) {}

  Facts facts() const {
    return {.players = players_,
            .chance = true,
            .utility_min = -1.0 / (players_ - 1),
            .utility_max = 1,
            .max_actions = 96};
  }

  State initial() const {
    State s{};
    for (int p = 0; p < kPlayers; ++p) s.cash[p] = p < players_ ? money_ : -1;
    s.phase = roll;
    return s;
  }

  int to_move(const State& s) const {
    switch (s.phase) {
      case turn:
      case buy:
        return s.mover;
      case offer:
      case trade:
        return s.asked;
      case over:
        return kTerminal;
      default:
        return kChance;
    }
  }

  int actions(const State& s, Action* out, int capacity) const {
    List list{out, capacity};
    if (s.phase == turn) {
      turn_actions(s, list);
    } else {
      list.add(do_yes);
      list.add(do_no);
    }
    return list.count;
  }

  int outcomes(const State& s, Action* out, double* odds, int capacity) const {
    int n = 0;
    const auto add = [&](Action a, double p) {
      if (n < capacity) out[n] = a, odds[n] = p;
      ++n;
    };
    if (s.phase == roll) {
      for (int sum = 2; sum <= 12; ++sum) {
        const int ways = 6 - std::abs(sum - 7), pair = sum % 2 == 0;
        if (ways - pair > 0) add(code(dice, sum << 1), (ways - pair) / 36.0);
        if (pair) add(code(dice, sum << 1 | 1), 1 / 36.0);
      }
      return n;
    }
    const auto deck = [&](const auto& cards, int first) {
      for (int i = 0; i < std::ssize(cards); ++i) {
        add(code(card, first + i), cards[i].weight / double{monopoly::kCards});
      }
    };
    if (s.phase == luck) {
      deck(monopoly::kLuck, 0);
    } else {
      deck(monopoly::kFund, kFundCards);
    }
    return n;
  }

  State play(const State& s, Action a) const {
    State n = s;
    const int object = a & 0xff;
    switch (static_cast<Kind>(a >> 8)) {
      case do_roll:
        n.phase = roll;
        break;
      case do_bail:
        n.cash[n.mover] -= kBail;
        leave_jail(n);
        begin(n);
        break;
      case do_card:
        --n.kept[n.mover];
        leave_jail(n);
        begin(n);
        break;
      case do_build:
        n.cash[n.mover] -= monopoly::kLot[object].house;
        n.lot[object] += 16;
        begin(n);
        break;
      case do_redeem:
        n.cash[n.mover] -= monopoly::redemption(object);
        n.lot[object] &= ~8;
        begin(n);
        break;
      case do_ask:
        n.phase = trade, n.subject = object, n.asked = owner(n, object), n.traded = 1;
        break;
      case do_yes:
        agree(n);
        break;
      case do_no:
        decline(n);
        break;
      case dice:
        throw_dice(n, object >> 1, object & 1);
        break;
      case card:
        draw(n,
             object < kFundCards ? monopoly::kLuck[object] : monopoly::kFund[object - kFundCards]);
        break;
    }
    return n;
  }

  // The share of the win, or of all wealth, as a number that adds up to 0: all of it is 1.
  double utility(const State& s, int player) const {
    double worth[kPlayers] = {}, total = 0;
    for (int p = 0; p < players_; ++p) worth[p] = wealth(s, p);
    if (!wealth_) {
      const double most = *std::max_element(worth, worth + players_);
      for (double& w : worth) w = w == most;
      for (int p = 0; p < players_; ++p) worth[p] *= in_game(s, p);
    }
    for (int p = 0; p < players_; ++p) total += worth[p];
    return share(worth[player], total);
  }

  // The share of all wealth, with what the lots bring in a dozen rounds.
  double evaluate(const State& s, int player) const {
    double total = 0, own = 0;
    for (int p = 0; p < players_; ++p) {
      if (!in_game(s, p)) continue;
      const double w = wealth(s, p) + kRentWeight * rents(s, p);
      total += w;
      if (p == player) own = w;
    }
    return share(own, total);
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }
  bool valid(const State& s) const;

 private:
  static constexpr double kRentWeight = 0.35;  // landings by the others in about a dozen rounds

  struct List {
    Action* out;
    int capacity;
    int count = 0;
    void add(Kind kind, int object = 0) {
      if (count < capacity) out[count] = code(kind, object);
      ++count;
    }
  };

  static Action code(Kind kind, int object) { return Action(kind) << 8 | Action(object); }
  double share(double own, double total) const {
    const double part = total > 0 ? own / total : 1.0 / players_;
    return (players_ * part - 1) / (players_ - 1);
  }
  int left(const State& s) const {
    int n = 0;
    for (int p = 0; p < players_; ++p) n += in_game(s, p);
    return n;
  }
  int next(const State& s, int player) const {
    do player = (player + 1) % players_;
    while (!in_game(s, player));
    return player;
  }

  void turn_actions(const State& s, List& list) const {
    const int p = s.mover, cash = s.cash[p];
    list.add(do_roll);
    if (s.place[p] == monopoly::kJail) {
      if (cash >= kBail) list.add(do_bail);
      if (s.kept[p]) list.add(do_card);
    }
    for (int l = 0; l < monopoly::kLots; ++l) {
      const monopoly::Lot& lot = monopoly::kLot[l];
      const int who = owner(s, l);
      if (who < 0) continue;
      if (who == p && mortgaged(s, l)) {
        if (cash >= monopoly::redemption(l)) list.add(do_redeem, l);
      } else if (who == p && lot.house && cash >= lot.house && houses(s, l) < monopoly::kHotel) {
        const monopoly::Colour c = colour(s, lot.group, p);
        if (c.whole && houses(s, l) == c.least) list.add(do_build, l);
      } else if (who != p && !s.traded && askable(s, l)) {
        list.add(do_ask, l);
      }
    }
  }
  bool askable(const State& s, int l) const {
    const monopoly::Lot& lot = monopoly::kLot[l];
    return lot.house && s.cash[s.mover] >= 2 * lot.price && owner(s, l) >= 0 &&
           owner(s, l) != s.mover &&
           owned(s, lot.group, s.mover) + 1 == monopoly::kGroupSize[lot.group] &&
           !colour(s, lot.group, s.mover).built;
  }

  // The mover may act before the dice; where there is nothing to decide they are thrown at once.
  void begin(State& s) const {
    List list{nullptr, 0};
    s.phase = turn, s.subject = s.asked = s.rolled = 0;
    turn_actions(s, list);
    if (list.count == 1) s.phase = roll;
  }

  // The events of the turn are over: doubles roll again, else the next player moves.
  void finish(State& s) const {
    s.subject = s.asked = s.rolled = 0;
    if (left(s) <= 1) return end(s);
    if (s.doubles && in_game(s, s.mover)) return begin(s);
    const int before = s.mover;
    s.mover = next(s, s.mover);
    s.doubles = s.traded = 0;
    if (s.mover <= before && ++s.round >= rounds_) return end(s);
    begin(s);
  }
  void end(State& s) const {
    s.phase = over;
    s.subject = s.asked = s.rolled = s.doubles = s.traded = 0;
  }

  static void leave_jail(State& s) {
    s.place[s.mover] = monopoly::kVisit;
    s.tries[s.mover] = 0;
  }
  void arrest(State& s) const {
    s.place[s.mover] = monopoly::kJail;
    s.tries[s.mover] = s.doubles = 0;
    finish(s);
  }

  void throw_dice(State& s, int sum, bool pair) const {
    const int p = s.mover;
    s.rolled = sum;
    if (s.place[p] == monopoly::kJail) {
      s.doubles = 0;  // those that open the jail give no second roll
      if (!pair && ++s.tries[p] < kTries) return finish(s);
      leave_jail(s);
      if (!pair && !pay(s, p, kBail, -1)) return finish(s);
    } else {
      s.doubles = pair ? s.doubles + 1 : 0;
      if (s.doubles == 3) return arrest(s);
    }
    go_to(s, (s.place[p] + sum) % monopoly::kSquares, true);
  }

  void go_to(State& s, int square, bool forwards, int factor = 1) const {
    if (forwards && square < s.place[s.mover]) s.cash[s.mover] += kStart;
    s.place[s.mover] = square;
    const monopoly::Square& here = monopoly::kSquare[square];
    switch (here.kind) {
      case monopoly::Kind::lot:
        return visit(s, here.what, factor);
      case monopoly::Kind::tax:
        pay(s, s.mover, here.what, -1);
        return finish(s);
      case monopoly::Kind::luck:
        s.phase = luck;
        return;
      case monopoly::Kind::fund:
        s.phase = fund;
        return;
      case monopoly::Kind::arrest:
        return arrest(s);
      case monopoly::Kind::nothing:
        return finish(s);
    }
  }

  // factor: what a card makes of the rent; of works it makes ten times the dice.
  void visit(State& s, int l, int factor) const {
    const int who = owner(s, l);
    if (who < 0) {
      s.subject = l, s.phase = buy;
      if (s.cash[s.mover] < monopoly::kLot[l].price) decline(s);
      return;
    }
    if (who != s.mover && !mortgaged(s, l)) {
      const bool tenfold = monopoly::kLot[l].group == monopoly::kWorks && factor > 1;
      pay(s, s.mover, tenfold ? 10 * s.rolled : factor * rent(s, l, s.rolled), who);
    }
    finish(s);
  }

  static int rent(const State& s, int l, int rolled) {
    const monopoly::Lot& lot = monopoly::kLot[l];
    const int who = owner(s, l), have = owned(s, lot.group, who);
    if (lot.group == monopoly::kStations) return lot.rent[have - 1];
    if (lot.group == monopoly::kWorks) return lot.rent[have - 1] * rolled;
    const bool all = houses(s, l) == 0 && have == monopoly::kGroupSize[lot.group];
    return lot.rent[houses(s, l)] * (all ? 2 : 1);
  }
  static double rents(const State& s, int player) {
    int sum = 0;
    for (int l = 0; l < monopoly::kLots; ++l) {
      if (owner(s, l) == player && !mortgaged(s, l)) sum += rent(s, l, 7);
    }
    return sum;
  }

  void agree(State& s) const {
    const int l = s.subject, price = monopoly::kLot[l].price;
    if (s.phase == trade) {
      s.cash[s.mover] -= 2 * price;
      s.cash[s.asked] += 2 * price;
      s.lot[l] = (s.lot[l] & ~7) | (s.mover + 1);
      return begin(s);
    }
    const int who = s.phase == buy ? s.mover : s.asked;
    s.cash[who] -= price;
    s.lot[l] = who + 1;
    finish(s);
  }
  void decline(State& s) const {
    if (s.phase == trade) return begin(s);
    int who = s.phase == buy ? s.mover : s.asked;
    s.phase = offer;
    do who = next(s, who);
    while (who != s.mover && s.cash[who] < monopoly::kLot[s.subject].price);
    s.asked = who;
    if (who == s.mover) finish(s);
  }

  void draw(State& s, const monopoly::Card& c) const;

  bool valid_players(const State& s) const;
  bool valid_lots(const State& s) const;

  int players_, rounds_, money_;
  bool wealth_;
};

}  // namespace zermelo

#include "cards.hpp"
#include "valid.hpp"
