"""Matches between players, counted honestly."""

from .match import Match, Player, match

__all__ = ["Match", "Player", "match"]
