"""``zermelo gtp``: the engine for programs that speak GTP, the Go Text Protocol.

engine.py      reads commands and replies         standard.py    set-up, time, score
message.py     one command, one reply             playing.py     genmove
input.py       lines, read in the background      analysis.py    lz-analyze, kata-analyze
commands.py    the table of commands              extensions.py  KGS, GoGui, Gomill, parameters
board.py       the position                       searching.py   choosing a move
clock.py       how long to think                  estimate.py    win rate, dead stones, score
options.py     what a user can set                handicap.py    handicap points
records.py     SGF files
"""
