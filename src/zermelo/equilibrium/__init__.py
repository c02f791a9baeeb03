"""Equilibria: matrix games, Nash equilibria, counterfactual regret minimization, policies."""
