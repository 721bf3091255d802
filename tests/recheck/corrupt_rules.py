"""Corruptions of proofs by a rule, and of derivations of Gaussian averages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from recheck.edits import ONE, Json, Named, about_point, append, drop, put


def about_rule(certificate: Json) -> Iterator[Named]:
    """The parameters are others, a part is missing or another one, the point is none."""
    payload = certificate["payload"]
    for key in payload:
        yield f"no {key}", drop(["payload", key])
    yield "by a rule that is none", put(["method"], "by magic")
    yield "the rule's bare name", put(["method"], certificate["method"].removeprefix("by "))
    yield "by no rule", put(["method"], "positive combination")
    yield "what nobody reads", put(["payload", "parameters", "no such parameter"], ONE)
    for key, value in payload["parameters"].items():
        yield f"no parameter {key}", drop(["payload", "parameters", key])
        for other in (None, "no such name", -(10**6), *([["+", value, ONE]] if _is_term(value) else [])):
            yield f"parameter {key} is {other!r}", put(["payload", "parameters", key], other)
    for i in range(len(payload["parts"])):
        yield f"part {i} missing", drop(["payload", "parts", i])
        yield f"part {i} speaks of nothing", put(["payload", "parts", i], {"absurd": 0, "contrary": certificate})
    if payload["parts"]:
        yield "a part more", append(["payload", "parts"], payload["parts"][0])
    if "inhabited" in payload:
        yield from about_point(["payload", "inhabited"], payload["inhabited"], certificate["statement"]["symbols"])


def _is_term(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and value[0] in ("q", "s", "pi", "+", "*", "^", "exp", "log")


def about_average(certificate: Json) -> Iterator[Named]:
    """Another integrand, covariance or value; another rule at a node of the derivation."""
    statement, payload = certificate["statement"], certificate["payload"]
    for key in payload:
        if payload[key]:
            yield f"no {key}", drop(["payload", key])
    yield "right side plus one", put(["statement", "right"], ["+", statement["right"], ONE])
    yield "a field of no covariance", append(["statement", "fields"], "no such field")
    yield "one product more", append(["statement", "integrand"], [["q", "3"], []])
    for path, node in _nodes(payload.get("derivation"), ["payload", "derivation"]):
        yield (
            f"{path} by another rule",
            put([*path, "rule"], "odd product" if node["rule"] != "odd product" else "one step"),
        )
        yield f"{path} by no rule", put([*path, "rule"], "magic")
        for key in node:
            yield f"{path} without {key}", drop([*path, key])


def _nodes(data: Any, path: list[Any]) -> Iterator[tuple[list[Any], Json]]:
    """The nodes of a derivation."""
    if isinstance(data, dict) and "rule" in data:
        yield path, data
    if isinstance(data, dict) and "statement" not in data:
        for key, value in data.items():
            yield from _nodes(value, [*path, key])
    elif isinstance(data, list):
        for i, value in enumerate(data):
            yield from _nodes(value, [*path, i])
