// The table of native games: one line a game. The Python face of each is
// src/zermelo/games/<stem>.py.
#pragma once

#include "backgammon/backgammon.hpp"
#include "battleships/battleships.hpp"
#include "bridge/bridge.hpp"
#include "checkers/checkers.hpp"
#include "chess/chess.hpp"
#include "connect_four.hpp"
#include "dodgem.hpp"
#include "game_2048.hpp"
#include "holdem/holdem.hpp"
#include "kriegspiel.hpp"
#include "kuhn.hpp"
#include "leduc.hpp"
#include "monopoly/monopoly.hpp"
#include "nim.hpp"
#include "othello/othello.hpp"
#include "pacman/pacman.hpp"
#include "pig.hpp"
#include "split_nim.hpp"
#include "tic_tac_toe.hpp"
#include "tree.hpp"
