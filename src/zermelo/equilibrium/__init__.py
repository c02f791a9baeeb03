"""Equilibria: matrix games, Nash equilibria, counterfactual regret minimisation, policies."""
