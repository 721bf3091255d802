"""Theorems about what moves, each in use, with hypotheses broken and slots that do not fit."""

from __future__ import annotations

import sympy as sp
from case_files import Cases

FAMILIES = Cases(__file__, globals())

s = sp.symbols("s", real=True)
a = sp.symbols("a", positive=True)
some, size = sp.Symbol("some", nonnegative=True), sp.Symbol("size", positive=True)
half, grown = sp.Rational(1, 2), sp.exp(a * s)

USES = FAMILIES["uses"]

CONCLUSIONS = {
    "linear instability": "the point x = 0, y = 0 is at rest under dx/dt = -x^3 + x*a, dy/dt = -y, and is not stable",
    "comparison on an interval": "s >= tanh(s)",
    "bound from a differential inequality": "every continuous y with y <= x at s = 0 and dy/ds <= b + y*a has"
    " y <= x*exp(s*a) + b*(-1 + exp(s*a))/a, for as long as what is supposed holds",
    "linear stability on a line": "the point x = 1 is at rest under dx/dt = x - x^3, and attracts every start near it",
}

ROOT = {"rate": 2 * sp.sqrt(some), "state": some}
"""The square of the time has this rate, and so has zero."""

HOLDING = FAMILIES["holding"]

BROKEN = [
    *FAMILIES["broken"],
    ("comparison on an interval", {**ROOT, "lower": s**2, "upper": 0 * s}),
    ("bound from a differential inequality", {**ROOT, "start": 0, "bound": 0 * s}),
]

POINTLESS = FAMILIES["pointless"]
"""Slots with which a step speaks of no point at all."""

REFUSED = FAMILIES["refused"]
