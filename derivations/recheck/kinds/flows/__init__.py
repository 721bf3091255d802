"""Statements about flows: formulas that solve one, and where its solutions are at a time."""
