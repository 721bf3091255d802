"""The paper, its flow as printed, and the ingredients of its final distance.

Nothing here is a verdict.
"""

from __future__ import annotations

import sympy as sp

from derivations.models import two_point
from derivations.models.two_point import X, h, h0, s, tau_h, tau_y, w, y, y0
from derivations.paper.model import Paper
from derivations.papers.van_rossem_saxe_2024.source.vocabulary import VOCABULARY

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
    read="The preprint of 14 February 2024 was read, main text and appendices A to C, from its LaTeX; of the figures, their captions.",
    models=[two_point],
)
