"""The conclusions of theorems as sentences; each is computed from the data of the conclusion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Json = Any
Write = Callable[[Any], str]  # a formula as text


def sentence(conclusion: Json, plain: Write, words: Write) -> str:
    """What a conclusion says. plain writes formulas of numbers, and words those of matrices.

    >>> data = {"form": "vanishes", "variable": "x", "function": "x - 1", "low": "0", "high": "2"}
    >>> sentence(data, str, str)
    'x - 1 = 0 for some x with 0 < x < 2'
    """
    if conclusion["form"] not in FORMS:
        raise ValueError(f"no conclusion has the form {conclusion['form']!r}")
    return FORMS[conclusion["form"]](conclusion, words if "letters" in conclusion else plain)


def _table(table: Json, write: Write) -> str:
    return ", ".join(f"{name} = {write(value)}" for name, value in table.items())


def _rates(flow: Json, write: Write) -> str:
    return ", ".join(f"d{name}/dt = {write(rate)}" for name, rate in flow.items())


def _vanishes(c: Json, write: Write) -> str:
    x = c["variable"]
    return f"{write(c['function'])} = 0 for some {x} with {write(c['low'])} < {x} < {write(c['high'])}"


def _along(c: Json, write: Write) -> str:
    return (
        f"on the solution of {_rates(c['flow'], write)} from {_table(c['start'], write)}:"
        f" {write(c['left'])} = {write(c['right'])}"
    )


def _not_stable(c: Json, write: Write) -> str:
    return f"{_table(c['point'], write)} rests under {_rates(c['flow'], write)} and is not stable"


def _attracts(c: Json, write: Write) -> str:
    return f"{_table(c['point'], write)} rests under {_rates(c['flow'], write)} and attracts every start near it"


def _zeros(c: Json, write: Write) -> str:
    many = " or ".join(c["counts"])
    times = "time" if many == "1" else "times"
    return f"{write(c['function'])} vanishes exactly {many} {times} for {c['variable']} > 0, counted with multiplicity"


def _gaussian_sum(c: Json, write: Write) -> str:
    def listed(key: str) -> str:
        return ", ".join(map(write, c[key]))

    return (
        f"for independent Gaussian variables of means {listed('means')} and variances {listed('variances')} the sum"
        f" with the weights {listed('weights')} is Gaussian of mean {write(c['mean'])} and variance"
        f" {write(c['variance'])}"
    )


FORMS: dict[str, Callable[[Json, Write], str]] = {
    "vanishes": _vanishes,
    "along the solution": _along,
    "not stable": _not_stable,
    "attracts": _attracts,
    "zeros after the start": _zeros,
    "Gaussian sum": _gaussian_sum,
}
