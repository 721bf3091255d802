"""Statements about matrices and sums in the language of Rocq."""
