"""Reads the LaTeX subset that papers print into syntax trees, without ever evaluating text.

A printed formula is written once, as verbatim LaTeX, and `Formula` reads its sides from it.

    notation = Notation({r"||dh||^{2}": "h", r"\\tau_{h}": "tau_h", r"||x_{2}-x_{1}||^{2}": "X"}, letters="w t")
    read(r"\\frac{\\mathrm{d}}{\\mathrm{d}t}||dh||^{2}=-\\frac{1}{\\tau_{h}}||x_{2}-x_{1}||^{2}w", notation).tree

Besides the terms of `derivations.language.terms`, a tree may hold

    relations          ("=" | "!=" | ">" | ">=" | ">>" | "~" | "propto" | "to" | "approx" | "in", a, b)
    statements         ("chain", a, "=", b, "=", c)  ("and", ...)  ("or", ...)  ("implies", a, b)
    chance             ("P", statement)  ("normal", mean, variance)  ("mean", a)
    calculus           ("dt", a, "t")  ("partial", a, by)  ("integral", a, "t", limits...)
    indices            ("sum" | "prod", a, ("index", name, lower, upper)...), with ("none",) for a limit not printed
    matrices           ("matrix", rows)  ("T", a)  ("pinv", a)  ("kron", a, b)  ("norm2", a)
    the rest           ("call", name, arguments...)  ("pm" | "mp", a, b)  ("oo",)  ("text", words)
"""

from .fold import NotThisKind, to_words
from .notation import Notation
from .reader import Reading, read
from .rules.indexed import (
    Indexed,
    OverPrintedIndices,
    indexed,
    moving,
    reciprocals,
    settled,
    square_roots,
    time_derivative,
    values_at,
)
from .rules.matrices import acts_on, along_flow, block_matrix, declared, exponentials, sums_of_columns
from .tokens import CannotRead
from .tree import branches, links

__all__ = [
    "CannotRead",
    "Indexed",
    "NotThisKind",
    "Notation",
    "OverPrintedIndices",
    "Reading",
    "acts_on",
    "along_flow",
    "block_matrix",
    "branches",
    "declared",
    "exponentials",
    "indexed",
    "links",
    "moving",
    "read",
    "reciprocals",
    "settled",
    "square_roots",
    "sums_of_columns",
    "time_derivative",
    "to_words",
    "values_at",
]
