// The board of Monopoly: 40 squares and two decks of cards, as numbers.
#pragma once

#include <array>
#include <cstdint>

namespace zermelo::monopoly {

inline constexpr int kSquares = 40;
inline constexpr int kJail = 40;  // as a place: behind bars; square 10 is a visit
inline constexpr int kVisit = 10;
inline constexpr int kLots = 28;    // squares that can be owned
inline constexpr int kGroups = 10;  // eight colours, stations, works
inline constexpr int kStations = 8, kWorks = 9;
inline constexpr int kHotel = 5;  // as a number of houses

enum class Kind : std::uint8_t { nothing, lot, tax, luck, fund, arrest };

struct Square {
  Kind kind;
  std::int16_t what;  // the lot, or the tax
};

struct Lot {
  std::int16_t square, group, price, house;  // house: what one costs; 0 where none is built
  std::array<std::int16_t, 6> rent;          // with 0 to 4 houses, with a hotel
};

// clang-format off
inline constexpr std::array<Lot, kLots> kLot = {{
    {1, 0, 60, 50, {2, 10, 30, 90, 160, 250}},
    {3, 0, 60, 50, {4, 20, 60, 180, 320, 450}},
    {5, kStations, 200, 0, {25, 50, 100, 200, 0, 0}},
    {6, 1, 100, 50, {6, 30, 90, 270, 400, 550}},
    {8, 1, 100, 50, {6, 30, 90, 270, 400, 550}},
    {9, 1, 120, 50, {8, 40, 100, 300, 450, 600}},
    {11, 2, 140, 100, {10, 50, 150, 450, 625, 750}},
    {12, kWorks, 150, 0, {4, 10, 0, 0, 0, 0}},
    {13, 2, 140, 100, {10, 50, 150, 450, 625, 750}},
    {14, 2, 160, 100, {12, 60, 180, 500, 700, 900}},
    {15, kStations, 200, 0, {25, 50, 100, 200, 0, 0}},
    {16, 3, 180, 100, {14, 70, 200, 550, 750, 950}},
    {18, 3, 180, 100, {14, 70, 200, 550, 750, 950}},
    {19, 3, 200, 100, {16, 80, 220, 600, 800, 1000}},
    {21, 4, 220, 150, {18, 90, 250, 700, 875, 1050}},
    {23, 4, 220, 150, {18, 90, 250, 700, 875, 1050}},
    {24, 4, 240, 150, {20, 100, 300, 750, 925, 1100}},
    {25, kStations, 200, 0, {25, 50, 100, 200, 0, 0}},
    {26, 5, 260, 150, {22, 110, 330, 800, 975, 1150}},
    {27, 5, 260, 150, {22, 110, 330, 800, 975, 1150}},
    {28, kWorks, 150, 0, {4, 10, 0, 0, 0, 0}},
    {29, 5, 280, 150, {24, 120, 360, 850, 1025, 1200}},
    {31, 6, 300, 200, {26, 130, 390, 900, 1100, 1275}},
    {32, 6, 300, 200, {26, 130, 390, 900, 1100, 1275}},
    {34, 6, 320, 200, {28, 150, 450, 1000, 1200, 1400}},
    {35, kStations, 200, 0, {25, 50, 100, 200, 0, 0}},
    {37, 7, 350, 200, {35, 175, 500, 1100, 1300, 1500}},
    {39, 7, 400, 200, {50, 200, 600, 1400, 1700, 2000}},
}};
// clang-format on

inline constexpr std::array<Square, kSquares> kSquare = [] {
  std::array<Square, kSquares> all{};
  for (Square& s : all) s = {Kind::nothing, 0};
  for (int i = 0; i < kLots; ++i) all[kLot[i].square] = {Kind::lot, static_cast<std::int16_t>(i)};
  all[4] = {Kind::tax, 200};
  all[38] = {Kind::tax, 100};
  for (const int s : {7, 22, 36}) all[s] = {Kind::luck, 0};
  for (const int s : {2, 17, 33}) all[s] = {Kind::fund, 0};
  all[30] = {Kind::arrest, 0};
  return all;
}();

inline constexpr std::array<int, kGroups> kGroupSize = [] {
  std::array<int, kGroups> size{};
  for (const Lot& l : kLot) ++size[l.group];
  return size;
}();

// What a card does. Cards of equal effect are one, with the number of them as weight.
enum class Effect : std::uint8_t {
  advance,    // to square `what`, collecting at the start
  station,    // to the nearest, paying double
  works,      // to the nearest, paying ten times the dice
  money,      // from the bank, or to it
  everybody,  // `what` from each other player, or to each
  keep,       // leaves jail once
  back,       // three squares
  arrest,
  repairs,  // `what` a house and `hotel` a hotel
};

struct Card {
  Effect effect;
  std::int16_t what, hotel, weight;
};

inline constexpr int kCards = 16;  // the weights of a deck
inline constexpr std::array<Card, 15> kLuck = {{
    {Effect::advance, 0, 0, 1},
    {Effect::advance, 24, 0, 1},
    {Effect::advance, 11, 0, 1},
    {Effect::advance, 5, 0, 1},
    {Effect::advance, 39, 0, 1},
    {Effect::works, 0, 0, 1},
    {Effect::station, 0, 0, 2},
    {Effect::money, 50, 0, 1},
    {Effect::money, 150, 0, 1},
    {Effect::money, -15, 0, 1},
    {Effect::everybody, -50, 0, 1},
    {Effect::keep, 0, 0, 1},
    {Effect::back, 3, 0, 1},
    {Effect::arrest, 0, 0, 1},
    {Effect::repairs, 25, 100, 1},
}};
inline constexpr std::array<Card, 13> kFund = {{
    {Effect::advance, 0, 0, 1},
    {Effect::money, 200, 0, 1},
    {Effect::money, 100, 0, 3},
    {Effect::money, 50, 0, 1},
    {Effect::money, 25, 0, 1},
    {Effect::money, 20, 0, 1},
    {Effect::money, 10, 0, 1},
    {Effect::money, -50, 0, 2},
    {Effect::money, -100, 0, 1},
    {Effect::everybody, 10, 0, 1},
    {Effect::keep, 0, 0, 1},
    {Effect::arrest, 0, 0, 1},
    {Effect::repairs, 40, 115, 1},
}};

}  // namespace zermelo::monopoly
