"""Matches between players, counted honestly."""

from .dilemma import Dilemma, dilemma
from .match import ManyMatch, Match, Player, match

__all__ = ["Dilemma", "ManyMatch", "Match", "Player", "dilemma", "match"]
