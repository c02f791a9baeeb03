"""Go programs as players, with the Go Text Protocol (GTP), and the referee between two of them.

Both programs keep the board by `play` commands. Every move is checked by our own rules. A program
that dies, does not answer in time, refuses a command or plays an illegal move loses the game.
"""

from __future__ import annotations

import queue
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import zermelo

COLOURS = ("black", "white")
PLAYOUTS = re.compile(r"after (\d+) playouts")
GAMES = "/usr/games"  # where Debian has programs such as gnugo
START = 60.0  # seconds a program may take to start and to clear its board


class Fault(Exception):
    """The program died, does not answer, or refused a command. `end` is recorded for the game."""

    def __init__(self, end: str) -> None:
        super().__init__(end)
        self.end = end


class Program:
    """A process that speaks GTP. It is started when it is needed, and again after a fault."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.process: subprocess.Popen[str] | None = None
        self.lines: queue.Queue[str | None] = queue.Queue()

    def start(self) -> None:
        name, *options = shlex.split(self.command)
        try:
            self._spawn([shutil.which(name) or shutil.which(name, path=GAMES) or name, *options])
        except OSError as e:
            sys.exit(f"error: {name} cannot be started: {e.strerror}")

    def _spawn(self, words: list[str]) -> None:
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, args=(self.process, self.lines), daemon=True).start()

    @staticmethod
    def _read(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line.rstrip())
        lines.put(None)

    def ask(self, command: str, seconds: float = START) -> str:
        """The text of the reply.

        Raises:
            Fault: The program is gone, too slow, or refused the command.
        """
        if self.process is None:
            self.start()
        assert self.process is not None and self.process.stdin is not None
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except OSError:
            self.close()
            raise Fault(f"died before {command!r}") from None
        lines = self._reply(command, time.monotonic() + seconds)
        sign, text = lines[0][:1], [lines[0][1:].lstrip("0123456789").strip(), *lines[1:]]
        if sign != "=":
            raise Fault(f"refused {command!r}: {text[0]}")
        return "\n".join(text).strip()

    def _reply(self, command: str, until: float) -> list[str]:
        """The lines of a reply, which ends with an empty line."""
        found: list[str] = []
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                self.close()
                raise Fault(f"no reply to {command!r}") from None
            if line is None:
                self.close()
                raise Fault(f"died at {command!r}")
            if line:
                if found or line[0] in "=?":
                    found.append(line)
            elif found:
                return found

    def knows(self, command: str) -> bool:
        try:
            return self.ask(f"known_command {command}").lower() == "true"
        except Fault:
            return False

    def new_game(self, size: int, komi: float) -> None:
        for command in (f"boardsize {size}", "clear_board", f"komi {komi:g}"):
            self.ask(command)

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@dataclass
class Played:
    """A finished game."""

    winner: int | None = None  # a player; None: a draw
    end: str = ""  # score, resigned, length, or what went wrong
    margin: float | None = None  # Black's points less White's
    moves: list[str] = field(default_factory=list)
    seconds: tuple[float, float] = (0.0, 0.0)  # of both players
    longest: tuple[float, float] = (0.0, 0.0)  # of one move
    searched: int = 0  # playouts of the program that reports them
    search_seconds: float = 0.0
    disputed: bool = False  # with our own judgement of dead stones, the winner is another


def play(game: Any, sides: tuple[Program, Program], judge: int, patience: float) -> Played:
    """Play one game.

    Args:
        game: The rules.
        sides: Black and White.
        judge: The side that says which stones are dead after two passes.
        patience: Seconds that a program may take for a move.
    """
    played = Played()
    mover = 0  # the side that is asked, and loses if it fails
    try:
        for mover in (0, 1):
            sides[mover].new_game(game.size, game.komi)
        reporting = tuple(program.knows("zermelo-win_rate") for program in sides)
        s = game.initial()
        while not game.is_terminal(s):
            mover = game.player(s)
            move = think(sides[mover], mover, played, reporting[mover], patience)
            if move == "resign":
                played.winner, played.end = 1 - mover, "resigned"
                return played
            try:
                s = game.result(s, move)
            except zermelo.UsageError as e:
                raise Fault(f"illegal move {move!r}: {e.message}") from None
            played.moves.append(move)
            mover = 1 - mover
            sides[mover].ask(f"play {COLOURS[1 - mover]} {move}", patience)
    except Fault as fault:
        played.winner, played.end = 1 - mover, f"{COLOURS[mover]} {fault.end}"
        for program in sides:
            program.close()  # their boards may differ
        return played
    score(game, s, sides[judge], played)
    return played


def think(program: Program, player: int, played: Played, reporting: bool, patience: float) -> str:
    """Ask for a move and note its time and playouts."""
    begin = time.monotonic()
    move = program.ask(f"genmove {COLOURS[player]}", patience).strip().lower()
    taken = time.monotonic() - begin
    spent, longest = list(played.seconds), list(played.longest)
    spent[player] += taken
    longest[player] = max(longest[player], taken)
    played.seconds, played.longest = (spent[0], spent[1]), (longest[0], longest[1])
    if reporting:
        try:
            found = PLAYOUTS.search(program.ask("zermelo-win_rate"))
        except Fault:
            found = None  # the move was not searched
        if found:
            played.searched += int(found[1])
            played.search_seconds += taken
    return move


def score(game: Any, s: Any, judge: Program, played: Played) -> None:
    """Area score after two passes, without the stones that the judge calls dead."""
    own = [point for point, status in game.final_status(s).items() if status == "dead"]
    try:
        dead = judge.ask("final_status_list dead").upper().split()
    except Fault:
        dead = own
    played.margin = margin(game, s, dead)
    played.end = "score" if played.moves[-2:] == ["pass", "pass"] else "length"
    played.winner = winner(played.margin)
    played.disputed = winner(margin(game, s, own)) != played.winner


def winner(lead: float) -> int | None:
    return None if lead == 0 else 0 if lead > 0 else 1


def margin(game: Any, s: Any, dead: list[str]) -> float:
    """Black's lead on the board without the dead stones."""
    from zermelo.games.go.notation import parse_vertex

    gone = {parse_vertex(point, game.size) for point in dead}
    cells = "".join(game.rows(s))
    stones = ([i for i, c in enumerate(cells) if c == sign and i not in gone] for sign in "XO")
    return float(game.margin(game.set_up(*stones, game.mover(s))))
