"""Answers questions typed as text: a statement on one line, or the LaTeX of a formula. Nothing typed is ever run."""

from .answers import Answer, ask

__all__ = ["Answer", "ask"]
