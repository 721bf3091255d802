"""A power whose exponent is no number has a value where its base is positive: a statement has to say that it is."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from derivations.recheck.core.conditions import sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, shown
from derivations.recheck.core.terms import ZERO, carried_out, free

IN_BALLS = ("trajectory", "enclosure")


def require_positive_bases(data: Data, symbols: Any = None, assuming: Any = (), moving: Collection[str] = ()) -> None:
    """Check that each base of such a power is positive by its form, by its symbols or by a hypothesis, or refuse it.

    Bases are left out that have to be positive for other reasons: what is evaluated in balls has no value elsewhere,
    the variable of an integral ranges over an interval on which its theorems require values, and a solution is spoken
    of for as long as what depends on the time in it, or on a state, has values: on one of `moving`.
    """
    if isinstance(data, dict) and data.get("kind") in IN_BALLS:
        return
    if not isinstance(data, dict):
        supposed = [left for relation, left, right in assuming if (relation, right) == (">", ZERO)]
        for base in _bases(data):
            if sign_by_form(base, symbols or {}, supposed) != ">" and free(base).isdisjoint(moving):
                raise Rejected(f"the base {shown(base)} of a power without a number as its exponent is not positive")
        return
    symbols, assuming = data.get("symbols", symbols), data.get("assuming", assuming)
    if "variable" in data:
        symbols = {**(symbols or {}), str(data["variable"]): ("positive",)}
    if data.get("kind") == "solves":
        moving = {str(data["time"]), *data["flow"]}
    for value in data.values():
        inside = value if isinstance(value, tuple) and any(isinstance(each, dict) for each in value) else (value,)
        for each in inside:
            require_positive_bases(each, symbols, assuming, moving)


def _bases(data: Any) -> Iterator[Term]:
    """The bases of powers in a formula, with what is put in for their symbols."""
    if not isinstance(data, tuple):
        return
    if len(data) == 3 and data[0] == "at":
        yield from (carried_out(("at", base, data[2])) for base in _bases(data[1]))
        yield from (base for _, value in data[2] for base in _bases(value))
        return
    if len(data) == 3 and data[0] == "^" and isinstance(data[2], tuple) and data[2][:1] != ("q",):
        yield data[1]
    for part in data:
        yield from _bases(part)
