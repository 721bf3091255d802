"""Names that proposals about integrals share: of theorems, and of letters for integrals."""

from __future__ import annotations

from collections.abc import Iterable

INFINITE = (("oo",), ("-oo",))
CLOSED, LINE = "integral by an antiderivative", "integral by an antiderivative on the line"
IMPROPER, PIECES = "improper integral by an antiderivative", "integral in pieces"
KNOWN, PARTS, BALLS = "integrals by what is known of them", "integral of an inequality", "integrals in balls"
RATES = "differentiation under the integral"
BETWEEN, CUT = "integral between two others", "integral cut in two"


def letters(taken: Iterable[str], count: int) -> list[str]:
    """So many names for integrals that nothing else has."""
    used = {*taken}
    found = (f"I_{k}" for k in range(1, count + len(used) + 1) if f"I_{k}" not in used)
    return [name for name, _ in zip(found, range(count), strict=False)]
