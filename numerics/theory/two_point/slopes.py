"""The derivatives of the two-point solution for different targets by both time constants: to the last digit, or fast.

To the last digit they are quotients of differences of the closed form in balls, with as many digits as it takes. Fast
ones come from dual numbers through the emitted program, in floats.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from numerics.kernels import ball
from numerics.machine.specialise import specialise, text_of
from numerics.theory.two_point.duals import slopes_of

Floats = NDArray[np.float64]

KERNELS, WRITTEN = "numerics.kernels.van_rossem_saxe_2024", "slopes_of_closed_form"
LOOP = """

closed_form_slopes = njit(error_model="numpy")(closed_form_slopes)


@njit(cache=True, nogil=True, error_model="numpy")
def differentiate(start, params, times, slopes):
    h, y, w = start
    X, s, tau_h, tau_y = params
    for j in range(times.size):
        if times[j] > 0.0:
            slopes[j] = closed_form_slopes(h, y, w, X, s, tau_h, tau_y, times[j])
        else:
            slopes[j] = 0.0
"""
"""Stands behind the written function, for Numba compiles a file with all that it calls."""
PRECISIONS = (120, 720, 4320, 25920)  # decimal digits, until the result is settled
RELATIVE, ABSOLUTE = arb(2) ** -60, arb(2) ** -1080  # radii that no float shows


@cache
def fast() -> Callable[..., None]:
    """The compiled loop that writes the derivatives at every time in floats, as `exact` does in balls."""
    written = slopes_of(text_of(KERNELS), "closed_form", ["tau_h", "tau_y"]) + LOOP
    return specialise("differentiate", (KERNELS, WRITTEN), written={WRITTEN: written})


def exact(start: Floats, params: Floats, times: Floats, slopes: Floats) -> None:
    """Write the derivatives at every time, each rounded from a ball of radius zero to a float."""
    for j, time in enumerate(times.tolist()):
        for k, place in enumerate((5, 6)):  # of tau_h and tau_y among the arguments of the closed form
            slopes[j, k::2] = _settled([*start.tolist(), *params.tolist(), time], place) if time > 0 else 0.0


def _settled(at: list[float], place: int) -> list[float]:
    """The derivatives by one argument; NaN where no precision settles one, which no place has shown."""
    found: list[Any] = []
    for digits in PRECISIONS:
        found = _difference(list(map(Fraction, at)), place, digits)
        if all(map(_is_settled, found)):
            return [float(value.mid()) for value in found]
    return [float(value.mid()) if _is_settled(value) else float("nan") for value in found]


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
