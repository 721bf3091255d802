"""Averages of products of activations with their closed forms, as `prove.average` takes them."""

from __future__ import annotations

from typing import Any

import sympy as sp
from case_files import Cases

from derivations.language.averages import Line, Mean, Ramp, covariance, field, mean
from derivations.language.averages.integrands import Integrand

FAMILIES = Cases(__file__)

C = covariance("a", "b", "c", "d")
a, b, c, d = range(4)
ALL_POSITIVE = sp.Symbol("all_positive", real=True)
BELLS = FAMILIES["bells"]
Case = tuple[Mean, Any, dict[Any, Integrand]]


def cases() -> dict[str, Case]:
    """The average, its closed form, and the averages that the closed form has names for."""
    found: dict[str, Case] = {}
    activations: dict[str, Any] = {**BELLS, "ramp": Ramp(), "line": Line()}
    for name, g in activations.items():
        definite = range(4) if name == "ramp" else ()
        three = [a, c] if name == "ramp" else ()
        found[f"{name}: J2"] = mean(g.slope(a) * g.slope(b), C, definite), g.slopes(C, a, b), {}
        found[f"{name}: I2"] = mean(g.value(a) * g.value(b), C, definite), g.values(C, a, b), {}
        linear = g.slope(a) * field(b) * g.value(c)
        found[f"{name}: I3"] = mean(linear, C, three), g.slope_linear_value(C, a, b, c), {}
        names = {ALL_POSITIVE: all_steps()} if name == "ramp" else {}
        four = g.slope(a) * g.slope(b) * g.value(c) * g.value(d)
        form = g.slopes_values(C, a, b, c, d, **({"all_positive": ALL_POSITIVE} if names else {}))
        found[f"{name}: I4"] = mean(four, C, definite), form, names
        if name != "line":
            curved = g.curvature(a) * g.value(c)
            found[f"{name}: curvature"] = mean(curved, C, three), g.curvature_value(C, a, c), {}
    return found


def all_steps() -> Integrand:
    g = Ramp()
    return g.slope(a) * g.slope(b) * g.slope(c) * g.slope(d)
