"""Matrices of any size, written as noncommuting words over the exact rationals.

    D_h = Letter("D_h", "n_h", "n_x")
    dx = Letter("dx", "n_x", 1)
    representational_distance = norm2(D_h @ dx)

A `Letter` is declared once, with its dimensions (names, or the integer 1) and what is known of it. `Words` are formulas
in letters. A formula stays as it was written, derivatives included; its normal form is a polynomial in which 1x1
factors commute and equal their transposes, and equal normal forms are equal matrices, for every choice of the
dimensions. What follows only from the declarations (an inverse, a definition, orthonormal columns) is left to
`derivations.prove.words`.
"""

from derivations.language.words.algebra import ShapeError
from derivations.language.words.calculus import along, gradient, substitute
from derivations.language.words.core import (
    Letter,
    Order,
    Words,
    as_json,
    as_written,
    declarations,
    identity,
    letters,
    mean,
    norm2,
    number,
    trace,
    zero,
)

__all__ = [
    "Letter",
    "Order",
    "ShapeError",
    "Words",
    "along",
    "as_json",
    "as_written",
    "declarations",
    "gradient",
    "identity",
    "letters",
    "mean",
    "norm2",
    "number",
    "substitute",
    "trace",
    "zero",
]
