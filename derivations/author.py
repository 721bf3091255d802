"""The names that a paper is written with: `from derivations.author import *`.

The source           Paper; its equation, states, claim, definition, experiment, emits; Picture, Kernel, Equals
Statements           same, holds, positive, tends, solves, by; trajectory with stays, reaches, before; converges,
                     enclosed, argued, denied; instance, at which a statement about matrices can be tried; prove, for
                     all others
Numbers              reals, with their signs; Symbol, symbols, Integer, Rational, Fraction, pi, oo, sqrt, exp, log, erf,
                     asin, atan, sinh, cosh, tanh, LambertW, Abs, Piecewise, Eq, Ne, Derivative, Integral, Subs,
                     Matrix, diag, eye, expand, as_expression, put, above, at_least, moving, without_signs; sp, for all
                     others
Matrices of any size letters, Letter, Words, Blocks, block_diagonal, identity, zero, trace, norm2, along,
                     along_blocks, gradient, substitute, paired
Sums of any range    Range, Array, Index, Sums, total, delta
Any                  the type of what SymPy makes

>>> x = reals("x > 0")
>>> paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk")
>>> paper.states("root", "Section 1", "Below one, a root is larger.", lambda: holds(sqrt(x) > x), given=x < 1)().verdict
<Verdict.PROVED: 'proved'>
>>> @paper.claim("Section 1, near zero")
... def root_near_zero():
...     "Near zero, a root is larger by any factor."
...     share = sqrt(x) / x
...     yield tends(share, {x: 0}, oo)
>>> root_near_zero().verdict.value
'proved'
"""

from fractions import Fraction
from typing import Any

import sympy as sp
from sympy import (
    Abs,
    Derivative,
    Eq,
    Integer,
    Integral,
    LambertW,
    Matrix,
    Ne,
    Piecewise,
    Rational,
    Subs,
    Symbol,
    asin,
    atan,
    cosh,
    diag,
    erf,
    exp,
    expand,
    eye,
    log,
    oo,
    pi,
    sinh,
    sqrt,
    symbols,
    tanh,
)

from derivations import prove
from derivations.kernels.kernel import Kernel
from derivations.language.reals import reals
from derivations.language.signs import moving, without_signs
from derivations.language.sums import Array, Index, Range, Sums, delta, total
from derivations.language.terms import as_expression
from derivations.language.words import Letter, Words, along, gradient, identity, letters, norm2, substitute, trace, zero
from derivations.language.words.blocks import Blocks, along_blocks, block_diagonal, paired
from derivations.language.words.instances import instance
from derivations.paper.entries import Picture
from derivations.paper.equals import Equals
from derivations.paper.model import Paper
from derivations.paper.statements import above, at_least, by, holds, positive, put, same, solves, tends
from derivations.prove import argued, before, converges, denied, enclosed, reaches, stays, trajectory

__all__ = [
    "Abs", "Any", "Array", "Blocks", "Derivative", "Eq", "Equals", "Fraction", "Index", "Integer", "Integral", "Kernel",
    "LambertW", "Letter", "Matrix", "Ne", "Paper", "Picture", "Piecewise", "Range", "Rational", "Subs", "Sums",
    "Symbol", "Words", "above", "along", "along_blocks", "argued", "as_expression", "asin", "at_least", "atan",
    "before", "block_diagonal", "by", "converges", "cosh", "delta", "denied", "diag", "enclosed", "erf", "exp",
    "expand", "eye", "gradient", "holds", "identity", "instance", "letters", "log", "moving", "norm2", "oo", "paired",
    "pi", "positive", "prove", "put", "reaches", "reals", "same", "sinh", "solves", "sp", "sqrt", "stays", "substitute",
    "symbols", "tanh", "tends", "total", "trace", "trajectory", "without_signs", "zero",
]  # fmt: skip
