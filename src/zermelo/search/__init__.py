"""Searches: the front door, the choice of an algorithm, adapters for games, decoded traces."""
