"""Widgets for Jupyter notebooks: the public name of :mod:`zermelo.ui.notebook`."""

from .ui.notebook import score_estimate, steps

__all__ = ["score_estimate", "steps"]
