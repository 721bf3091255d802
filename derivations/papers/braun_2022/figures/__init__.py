"""Figures 1 to 6: what only a simulation repeats."""
