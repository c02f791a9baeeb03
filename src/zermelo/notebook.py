"""Widgets for Jupyter notebooks: the public name of :mod:`zermelo.ui.notebook`."""

from .ui.notebook import steps

__all__ = ["steps"]
