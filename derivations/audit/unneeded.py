"""Hypotheses that a proof does without: its evidence is accepted for the statement that does not have them, too.

Nothing is proved anew. A hypothesis is taken out of the statement, of every statement inside the evidence and of what
its rules suppose, what is numbered after it moves up, and the checker decides. Where it refuses, another proof may
still do without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from derivations.recheck.check import check
from derivations.recheck.core.errors import Rejected
from derivations.recheck.ledgers.reading import hypotheses

Json = dict[str, Any]
SUPPOSED = ("assuming", "rules")  # where statements have their hypotheses
TAKEN_OUT = (*SUPPOSED, "supposed")  # and where rules that change hypotheses have them
LINES = re.compile(r" \[in \d+(, \d+)*\]$")
BY_NUMBER = ("hypothesis", "given", "rule")  # how evidence names one


class _Used(ValueError):
    """The evidence names the hypothesis."""


def unneeded(certificate: Json) -> list[str]:
    """The hypotheses of a proved statement, as they are printed, that can all be dropped at once.

    What a kernel supposes is its domain, and needed for what it computes, so that nothing is said of it.

    >>> x, above_one = ["s", "x"], [">", ["s", "x"], ["q", "1"]]
    >>> statement = {"kind": "identity", "symbols": {"x": []}, "assuming": [above_one], "left": x, "right": x}
    >>> payload = {"generators": [x], "steps": [["generator", 0]], "times": [], "sum": [], "inhabited": {"x": "2"}}
    >>> unneeded({"statement": statement, "verdict": "proved", "method": "normal form", "payload": payload})
    ['x > 1']
    """
    statement = certificate["statement"]
    if certificate["verdict"] not in ("proved", "certified") or "kernel" in statement:
        return []
    kept = certificate
    for hypothesis in _supposed(statement):
        kept = _accepted_without(kept, hypothesis) or kept
    left = _said(kept["statement"])
    return [said for said in _said(statement) if said not in left]


def _said(statement: Json) -> list[str]:
    """The hypotheses as they are printed, whichever lines suppose them."""
    return list(dict.fromkeys(LINES.sub("", said) for said in hypotheses(statement)))


def _supposed(statement: Any) -> list[Any]:
    """Every hypothesis of a statement and of those inside it, once."""
    found: list[Any] = []
    for table in _tables(statement):
        for key in SUPPOSED:
            found += [each for each in table.get(key, ()) if each not in found]
    return found


def _tables(data: Any) -> Iterator[Json]:
    if isinstance(data, dict):
        yield data
    for inner in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _tables(inner)


def _accepted_without(certificate: Json, hypothesis: Any) -> Json | None:
    """The certificate of the statement that lacks a hypothesis, if the evidence shows that, too."""
    try:
        fewer: Json = without(certificate, hypothesis)
        check(fewer)
    except (_Used, Rejected):
        return None
    return fewer


def without(data: Any, hypothesis: Any) -> Any:
    """The data with a hypothesis taken out of every statement and of what rules suppose, and of the evidence for it."""
    if isinstance(data, list):
        return [without(each, hypothesis) for each in data]
    if not isinstance(data, dict):
        return data
    if "by" in data and hypothesis in data.get("assuming", ()):  # each reason stands beside what it is for
        kept = [by for each, by in zip(data["assuming"], data["by"], strict=True) if each != hypothesis]
        data = data | {"by": kept}
    if "absurd" in data:  # the number of a hypothesis that cannot hold, among the others of its part
        before = data["contrary"]["statement"]["assuming"][: data["absurd"]]
        data = data | {"absurd": data["absurd"] - (hypothesis in before)}
    if {"statement", "verdict", "payload"} <= set(data):
        data = data | {"payload": _evidence(data["statement"], data["payload"], hypothesis)}
    return {
        key: [without(each, hypothesis) for each in value if key not in TAKEN_OUT or each != hypothesis]
        if isinstance(value, list)
        else without(value, hypothesis)
        for key, value in data.items()
    }


def _evidence(statement: Json, payload: Json, hypothesis: Any) -> Json:
    """The evidence with the numbers that the hypotheses of its statement then have."""
    supposed: list[Any] = next((statement[key] for key in SUPPOSED if key in statement), [])
    if hypothesis not in supposed:
        return payload
    k = supposed.index(hypothesis)
    renumbered: Json = _renumbered(payload, k)
    return renumbered


def _renumbered(data: Any, gone: int) -> Any:
    """Return what evidence says of hypotheses by their numbers, without one of them; certificates inside have their
    own.
    """
    if isinstance(data, dict):
        if "statement" in data:
            return data
        return {
            key: _moved(value, gone) if key in BY_NUMBER and isinstance(value, int) else _renumbered(value, gone)
            for key, value in data.items()
        }
    if not isinstance(data, list):
        return data
    if len(data) == 2 and data[0] in BY_NUMBER and isinstance(data[1], int):
        return [data[0], _moved(data[1], gone)]
    return [_renumbered(each, gone) for each in data]


def _moved(number: int, gone: int) -> int:
    if number == gone:
        raise _Used
    return number - (number > gone)
