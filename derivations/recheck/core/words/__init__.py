"""Matrices of any size and sums over any range: one normal form, what formulas come to, and what is shown."""
