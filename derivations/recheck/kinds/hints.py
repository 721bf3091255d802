"""Hints that a statement carries for a prover: they prove nothing, and still have to be what they are said to be.

No page shows them, so that nothing else may stand there.
"""

from __future__ import annotations

from derivations.recheck.errors import Rejected
from derivations.recheck.load import Data, integer, name, part, rational, shown

MOST = 10_000  # rows or columns of an offered example


MATRICES, ARRAYS = ("dims", "matrices"), ("sizes", "arrays")


def check_offered(statement: Data, *forms: tuple[str, str]) -> None:
    """The instances in `among` are sizes by name and nested lists of exact numbers by name."""
    what = "what is offered in 'among'"
    for offered in part(statement, "among", tuple, "the statement") if "among" in statement else ():
        form = next((f for f in forms if isinstance(offered, dict) and set(offered) == set(f)), None)
        if form is None:
            raise Rejected(f"{what} must have {' or '.join(map(' and '.join, forms))}, got {shown(offered)}")
        sizes, values = (part(offered, key, dict, what) for key in form)
        for of, size in sizes.items():
            integer(size, 0, MOST, f"the size of {name(of)}")
        for of, given in values.items():
            _exact(given, name(of))


def _exact(given: Data, of: str) -> None:
    if isinstance(given, tuple):
        for inner in given:
            _exact(inner, of)
    else:
        rational(given, f"an entry of {of} in 'among'")
