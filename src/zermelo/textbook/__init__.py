"""The worked examples of the lectures, with the answers they must give."""
