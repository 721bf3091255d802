"""The derivatives of the two-point solution for different targets by both time constants, to the last digit.

They are quotients of differences of the closed form in balls, with as many digits as it takes.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from numerics.kernels import ball

Floats = NDArray[np.float64]

PRECISIONS = (120, 720, 4320, 25920)  # decimal digits, until the result is settled
RELATIVE, ABSOLUTE = arb(2) ** -60, arb(2) ** -1080  # radii that no float shows


def exact(start: Floats, params: Floats, times: Floats, slopes: Floats) -> None:
    """Write the derivatives at every time, each rounded from a ball of radius zero to a float."""
    for j, time in enumerate(times.tolist()):
        for k, place in enumerate((5, 6)):  # of tau_h and tau_y among the arguments of the closed form
            slopes[j, k::2] = _settled([*start.tolist(), *params.tolist(), time], place) if time > 0 else 0.0


def _settled(at: list[float], place: int) -> list[float]:
    """The derivatives by one argument; NaN where no precision settles one, which no place has shown."""
    digits_so_far: list[Any] = []
    for digits in PRECISIONS:
        digits_so_far = _difference(list(map(Fraction, at)), place, digits)
        if all(map(_is_settled, digits_so_far)):
            return [float(value.mid()) for value in digits_so_far]
    return [float(value.mid()) if _is_settled(value) else float("nan") for value in digits_so_far]


def _difference(at: list[Fraction], place: int, digits: int) -> list[Any]:
    """The quotient of differences at a distance of half of the digits, which leaves an error of all of them."""
    step = at[place] / 10 ** (digits // 2)
    above, below = (
        ball("van_rossem_saxe_2024:closed_form")(*at[:place], at[place] + side, *at[place + 1 :], digits=digits)
        for side in (step, -step)
    )
    with ctx.workdps(digits):
        width = 2 * arb(step.numerator) / arb(step.denominator)
        return [(high - low) / width for high, low in zip(above, below, strict=True)]


def _is_settled(value: Any) -> bool:
    size = abs(value.mid())
    return bool(value.rad() <= size * RELATIVE or size + value.rad() < ABSOLUTE)
