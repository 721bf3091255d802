"""The model in scalars: symbols, and the flows that follow from the loss.

Nothing here is a verdict. Gradients and flows are computed from the loss; only the symbols are chosen.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations.language.words import Words, norm2
from derivations.paper.model import Paper
from derivations.papers.van_rossem_saxe_2024.model_letters import (
    D_y,
    aim,
    c_ddh,
    c_dh,
    c_dy,
    delta,
    inv_h,
    rate_h,
    rate_y,
    signed,
    signed_ddy,
    signed_rate,
    straight_ddy,
    unit,
)
from derivations.papers.van_rossem_saxe_2024.vocabulary import VOCABULARY

# --- scalars ----------------------------------------------------------------------------------------------------------

h, X = sp.symbols("h X", positive=True)
y, s = sp.symbols("y s", nonnegative=True)
w = sp.Symbol("w", real=True)
t = sp.Symbol("t", nonnegative=True)
tau_h, tau_y, tau_b = sp.symbols("tau_h tau_y tau_b", positive=True)
h0 = sp.Symbol("h0", positive=True)
y0 = sp.Symbol("y0", nonnegative=True)
w0 = sp.Symbol("w0", real=True)
a, b = sp.symbols("a b", real=True)
n = sp.Symbol("n", nonnegative=True)

TABLE: list[tuple[Words, Any]] = [
    (norm2(c_dh), h),
    (norm2(c_dy), y),
    (c_dy.T @ aim, y - w),
    (norm2(delta), X),
    (norm2(aim), s),
    (rate_h, 1 / tau_h),
    (rate_y, 1 / tau_y),
    (inv_h, 1 / h),
    (signed, a),
    ((D_y @ unit).T @ (D_y @ unit), n),
    ((D_y @ unit).T @ aim, b),
]


def scalar(words: Words) -> Any:
    """A 1x1 polynomial in words as a SymPy expression in the paper's scalars."""
    meaning = {next(iter(word.terms))[0][0]: expression for word, expression in TABLE}
    return sp.expand(
        sum(
            sp.Rational(c.numerator, c.denominator) * sp.prod([meaning[f] for f in factors])
            for (factors, _), c in words.terms.items()
        )
    )


derived_flow = {
    h: scalar(2 * (c_dh.T @ c_ddh)),
    y: scalar(2 * (c_dy.T @ straight_ddy)),
    w: scalar((2 * c_dy - aim).T @ straight_ddy),
}
"""The scalar flow that follows from the loss and from equation 19."""

signed_flow = {
    a: scalar(signed_rate),
    b: scalar(signed_ddy.T @ aim),
    n: scalar(2 * ((D_y @ unit).T @ signed_ddy)),
}
"""The flow of the signed distance a, of b = u.(y2 - y1) and of n = |u|^2: polynomial, and free of |dh| in a denominator."""

with sp.evaluate(False):
    printed_flow = {
        h: -(1 / tau_h) * X * w,
        y: -w * (1 / tau_y * h + 1 / tau_h * X * (y / h)),
        w: -(1 / tau_y) * sp.Rational(1, 2) * (3 * w - y + s) * h
        - 1 / tau_h * sp.Rational(1, 2) * X * ((y + w) * w / h),
    }
"""Equations 7 and 21 as printed."""

DOUBLED = {tau_h: 2 * tau_h, tau_y: 2 * tau_y}

with sp.evaluate(False):
    A_high = (h0 / X - tau_y / tau_h * (y0 / h0)) * X
    A_low = sp.sqrt(tau_y / tau_h) * sp.sqrt(X) * sp.sqrt(s)
"""Equations 11 and 28 as printed."""

A = sp.Symbol("A_high", real=True)
B = sp.Symbol("A_low", positive=True)
final = A / 2 + sp.sqrt(A**2 / 4 + B**2)
"""Equation 10 in its two ingredients."""

paper = Paper(
    "van_rossem_saxe_2024",
    title="When Representations Align: Universality in Representation Learning Dynamics",
    authors="Loek van Rossem, Andrew M. Saxe",
    year=2024,
    source="arXiv:2402.09142v1",
    numbered=50,
    vocabulary=VOCABULARY,
)
