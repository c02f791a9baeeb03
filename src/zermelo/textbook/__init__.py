"""Textbook examples with their expected answers."""
