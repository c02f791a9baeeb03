"""Evaluations learned from play: one game = one file, each reached by ``zermelo train GAME``."""
