"""Statements about numbers in the language of Rocq."""
