"""Names that proposals about integrals share: of theorems, and of letters for integrals."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import count as numbers
from typing import Any

import sympy as sp

INFINITE = (("oo",), ("-oo",))
CLOSED, LINE = "integral by an antiderivative", "integral by an antiderivative on the line"
IMPROPER, PIECES = "improper integral by an antiderivative", "integral in pieces"
KNOWN, PARTS, BALLS = "integrals by what is known of them", "integral of an inequality", "integrals in balls"
VALUES = "integrals by their values"
RATES = "differentiation under the integral"
BETWEEN, CUT = "integral between two others", "integral cut in two"


def bound_letter(variable: Any, free: Collection[str], taken: Collection[str]) -> Any:
    """A real letter for the variable of an integral: of its own name, if nothing outside of the integral has it.

    >>> bound_letter(sp.Symbol("x"), {"x"}, {"x", "x_1"})
    x_2
    """
    name = str(variable)
    other = (f"{name}_{k}" for k in numbers(1))
    return sp.Symbol(next(n for n in other if n not in taken) if name in free else name, real=True)


def letters(taken: Iterable[str], count: int) -> list[str]:
    """So many names for integrals that nothing else has."""
    used = {*taken}
    found = (f"I_{k}" for k in range(1, count + len(used) + 1) if f"I_{k}" not in used)
    return [name for name, _ in zip(found, range(count), strict=False)]
