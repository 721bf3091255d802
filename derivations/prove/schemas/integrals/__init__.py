"""Integrals: which theorems of the table may show what is said of them."""
