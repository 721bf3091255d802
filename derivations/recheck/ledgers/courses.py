"""Statements about trajectories as text: the system, its start, and everything that is said, with all exact numbers."""

from __future__ import annotations

from collections.abc import Callable

from derivations.recheck.core.load import Data

Write = Callable[[Data], str]


def course(part: Data, term: Write, plain: Write) -> str:
    """One line: the system; the start; what is said. `term` writes formulas, `plain` names."""
    time, is_flow = plain(part["time"]), part["form"] == "flow"
    head = f"d{{}}/d{time} = {{}}" if is_flow else f"{{}}({time} + 1) = {{}}"
    said = [head.format(plain(x), term(rate)) for x, rate in sorted(part["states"].items())]
    said += [f"{plain(x)}(0) in {_interval(ends)}" for x, ends in sorted(part["start"].items())]
    form = "" if is_flow else f" ({plain(part['form'])})"
    told = "; ".join(_said(each, time, is_flow, (term, plain)) for each in part["says"])
    return f"every solution of {'; '.join(said)}{form} exists, and {told}"


def _said(said: Data, time: str, is_flow: bool, write: tuple[Write, Write]) -> str:
    """One thing that is said; a part of it that has no place in its sentence is left to the error of a missing key."""
    term, plain = write
    match said["that"]:
        case "ends":
            return f"at {time} = {said['at']}: {_box(said['box'], plain)}"
        case "stays":
            return f"from {time} = {said['from']} to {said['to']}: {_related(said['relation'], term)}"
        case "reaches" if not is_flow:
            _, left, right = said["relation"]
            kept = f"{term(left)} - ({term(right)}) keeps its sign until {time} = {said['from']}"
            return f"{kept}, and no longer has it by {said['to']}"
        case "reaches":
            between = f"between {time} = {said['from']} and {said['to']}, and once until {said['to']}"
            return f"for the first time {between}: {_related(said['relation'], term)}"
        case "converges":
            rest = f"one point of rest, approached at the rate {said['rate']}"
            return f"from {time} = {said['by']} on: {_box(said['box'], plain)} with {rest}"
    raise ValueError(f"nothing is known of what says {said['that']!r}")


def _box(box: Data, plain: Write) -> str:
    return ", ".join(f"{plain(x)} in {_interval(ends)}" for x, ends in sorted(box.items()))


def _interval(ends: Data) -> str:
    low, high = ends
    return f"[{low}, {high}]"


def _related(relation: Data, term: Write) -> str:
    sign, left, right = relation
    return f"{term(left)} {sign} {term(right)}"
