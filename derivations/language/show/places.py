"""Where the variables of a limit go, and its value, as text and as LaTeX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from derivations.language import names

Json = Any
Write = Callable[[Any], str]
ZERO = ("above", ("q", "0"))  # of positive variables, which have no other side
INFINITE = {"oo": "", "-oo": "-"}
SIDES = {"above": "+", "below": "-"}


def text(limit: Json, plain: Write) -> str:
    """Where the variables go: "x -> oo", "x -> 2 from below", or "a, b -> 0"."""
    towards = limit.get("towards", ZERO)
    if towards[0] in INFINITE:
        return f"{limit['variables'][0]} -> {towards[0]}"
    side = f" from {towards[0]}" if "towards" in limit else ""
    return f"{', '.join(limit['variables'])} -> {plain(towards[1])}{side}"


def formula(limit: Json, latex: Write) -> str:
    """Where the variables go, as LaTeX below a sign of a limit."""
    towards = limit.get("towards", ZERO)
    if towards[0] in INFINITE:
        goal = rf"{INFINITE[towards[0]]}\infty"
    else:
        goal = latex(towards[1]) + (f"^{SIDES[towards[0]]}" if "towards" in limit else "")
    return ", ".join(rf"{names.latex(v)}\to {goal}" for v in limit["variables"])


def value(limit: Json, write: Write, infinity: str = "oo") -> str:
    """The value, which may be infinite."""
    said = limit["value"]
    return INFINITE[said[0]] + infinity if said[0] in INFINITE else write(said)
