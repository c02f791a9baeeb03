"""Matches between players, with error bars."""

from .dilemma import Dilemma, dilemma
from .match import match
from .players import Player
from .results import ManyMatch, Match

__all__ = ["Dilemma", "ManyMatch", "Match", "Player", "dilemma", "match"]
