"""The sharing grid as mathematics: parameters, likelihood, simulation."""
