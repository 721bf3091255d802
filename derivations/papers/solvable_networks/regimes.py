"""Section 5, lazy and rich: what learning changes in one mode; and figures 1 and 2, which only a simulation repeats."""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.papers.solvable_networks.modes import a0, faded, g, lower, s, t, u0, upper, v0
from derivations.papers.solvable_networks.setup import paper
from derivations.prove import Certificate

mu = sp.Symbol("mu", positive=True)
"""The size of lambda/2."""


@paper.claim("5.12 From lazy to rich", rests_on=["mode_from_lazy_to_rich"])
def kernel_of_a_mode_grows() -> Certificate:
    """With u0 v0 = g (2 s + g), u tends to 2 s + g and v to g: the tangent kernel of the mode, u + v = 2 r, grows by
    ((s^2 + lambda^2/4)/(a0^2 + lambda^2/4))^(1/2), for u0 v0 = lambda^2/4. It stays where the balance is large, of either sign, and
    grows by s/a0 without balance. W1'W1, which is r - lambda/2, stays where lambda is large and negative, and grows by s^2/a0^2
    where it is large and positive: a network that looks lazy at its outputs can be rich inside."""
    start = {v0: g * (2 * s + g) / u0}
    ups, downs = u0 * upper(faded) / lower(faded), v0 * lower(faded) / upper(faded)
    first, last = sp.sqrt(a0**2 + mu**2), sp.sqrt(s**2 + mu**2)
    return prove.every(
        prove.limit(ups.subs(start), {t: sp.oo}, 2 * s + g),
        prove.limit(downs.subs(start), {t: sp.oo}, g),
        prove.identity((s + g) ** 2, s**2 + u0 * v0, assuming=[sp.Eq(g * (2 * s + g), u0 * v0)]),
        prove.identity(((u0 + v0) / 2) ** 2, ((u0 - v0) / 2) ** 2 + u0 * v0),
        prove.limit(last / first, {mu: sp.oo}, 1),
        prove.limit((last + mu) / (first + mu), {mu: sp.oo}, 1),
        prove.limit((last - mu) / (first - mu), {mu: sp.oo}, s**2 / a0**2),
    )


FIGURES = [
    ("1", ("What learning changes in one mode over balance and scale, measured in gradient descent: the growth of the tangent kernel, "
     "that of W1'W1, and the time to half the task beside that of a fixed kernel."), "kernel_of_a_mode_grows time_of_a_mode"),
    ("2", ("Gradient descent from random starts of width 10 to 10,000 beside the solution of two levels, whose error falls as one over "
     "the root of the width, and beside that of a balanced start, whose error does not."),
     "wide_starts_have_two_levels solution_without_differences riccati_flow_with_a_remainder"),
]  # fmt: skip

for number, says, rests_on in FIGURES:
    paper.experiment(f"Figure {number}", f"fig_{number}", says, rests_on=rests_on.split())
