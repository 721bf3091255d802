"""The tube of a trajectory's certificate as numbers: in which box each state is, and when. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

Json = Any  # a certificate's data
FEW = 6  # lines of one tube, or of several together
Band = list[tuple[float, float, float, float]]  # from a time, to a time, from a value, to a value


def bands(statement: Json, payload: Json, most: int = 240) -> dict[str, Band]:
    """For every state that moves, boxes side by side along the time, at most so many; nothing where there is no tube.

    >>> statement = {"form": "flow", "states": {"x": ["s", "x"]}}
    >>> bands(statement, {"steps": [["1/2", [["1", "2"]]], ["1/2", [["1", "3"]]]]})
    {'x': [(0.0, 0.5, 1.0, 2.0), (0.5, 1.0, 1.0, 3.0)]}
    >>> bands(statement, {"steps": [["1/2", [["1", "2"]]], ["1/2", [["0", "3"]]]]}, most=1)
    {'x': [(0.0, 1.0, 0.0, 3.0)]}
    """
    names = sorted(statement["states"])
    steps = payload.get("steps") or ()
    times = [Fraction(0)]
    for step in steps:
        times.append(times[-1] + Fraction(step[0]))
    together = -(-len(steps) // most) if steps else 1
    found: dict[str, Band] = {name: [] for name in names if not is_constant(statement, name)}
    for first in range(0, len(steps), together):
        group = steps[first : first + together]
        begin, end = float(times[first]), float(times[first + len(group)])
        for place, name in enumerate(names):
            if name in found:
                low, high = (float(pick(Fraction(step[1][place][side]) for step in group)) for side, pick in ENDS)
                found[name].append((begin, end, low, high))
    return {name: band for name, band in found.items() if band}


ENDS = ((0, min), (1, max))


def is_constant(statement: Json, x: str) -> bool:
    """Return whether a state is a parameter, which never changes."""
    standing = ("q", "0") if statement["form"] == "flow" else ("s", x)
    return tuple(statement["states"][x]) == standing


def inside(statement: Json, payload: Json) -> Iterator[tuple[Json, Json]]:
    """Every trajectory that a certificate speaks of: itself, or those among its parts, each with its evidence.

    >>> tube = {"statement": {"kind": "trajectory"}, "payload": {"steps": []}}
    >>> list(inside({"kind": "all"}, {"parts": [tube, {"statement": {"kind": "sign"}, "payload": {}}]}))
    [({'kind': 'trajectory'}, {'steps': []})]
    """
    if statement["kind"] == "trajectory":
        yield statement, payload
    for part in payload.get("parts") or ():
        if isinstance(part, dict) and "statement" in part:
            yield from inside(part["statement"], part["payload"])


def told(statement: Json, payload: Json) -> list[tuple[str, str]]:
    """The tubes in a few lines, each with a name: they are numbered where there are several."""
    found = [(number, tube) for number, tube in enumerate(inside(statement, payload), 1) if bands(*tube)]
    many = max(2, FEW // max(len(found), 1))
    names = (f"tube {number}" if len(found) > 1 else "tube" for number, _ in found)
    return [(name, line) for name, (_, tube) in zip(names, found, strict=True) for line in lines(*tube, many)]


def lines(statement: Json, payload: Json, many: int = FEW) -> list[str]:
    """The tube in a few lines.

    >>> lines({"form": "flow", "time": "t", "states": {"x": ["s", "x"]}}, {"steps": [["1/2", [["1", "2"]]]]})
    ['t from 0 to 0.5: x in [1, 2]']
    """
    found = bands(statement, payload, many)
    if not found:
        return []
    rows = []
    for place, (begin, end, _, _) in enumerate(next(iter(found.values()))):
        boxes = ", ".join(f"{name} in [{band[place][2]:.6g}, {band[place][3]:.6g}]" for name, band in found.items())
        rows.append(f"{statement['time']} from {begin:.6g} to {end:.6g}: {boxes}")
    return rows
