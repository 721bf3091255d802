"""Certificates of every kind: those made by hand, and what provers answer to the questions of case files."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from averages_drawn import cases
from case_files import Cases
from loewner_statements import FALSE, TRUE
from recheck.handmade import ALL, Json, q, s
from recheck.trajectories_proposed import (
    SHRINK,
    TURN,
    converges,
    ends,
    flow,
    iteration,
    proposed,
    reaches,
    stays,
    turn_rate,
)

from derivations import prove
from derivations.audit.ledger import plain

START = {"x": (Fraction(1), Fraction(1)), "y": (Fraction(0), Fraction(0))}
# cos(3), sin(3) and pi / 2 to twelve digits
ENDS = ends(
    3,
    x=("-98999249661/100000000000", "-98999249659/100000000000"),
    y=("14112000805/100000000000", "14112000807/100000000000"),
)
REACHES = reaches("15707963/10000000", "15707964/10000000", s("x"), q(0))
TURNING = flow(
    TURN,
    START,
    [ENDS, REACHES, stays(1, 3, ">", s("y"), q("141/1000"))],
    proposed(turn_rate, list(START.values()), 3, "1/4"),
)
SETTLED = iteration(
    SHRINK,
    {"x": 1, "y": 1},
    [converges(5, "7/10", x=("-1/4", "1/4"), y=("-1/4", "1/4"))],
    5,
    settles=[{"centre": ["0", "0"], "frame": [["1", "0"], ["0", "1"]], "radius": "6/25"}],
)


def made(about: str) -> dict[str, Json]:
    """Return what provers answer to the questions of a case file beside this one."""
    answers = Cases(str(Path(__file__).with_name(about)))["made"]
    return {f"{about}, {name}": plain(answer) for name, answer in answers.items()}


def orders() -> dict[str, Json]:
    return {f"orders, {name}": plain(prove.loewner(*order)) for name, order in (TRUE | FALSE).items()}


def average() -> Json:
    left, right, given = cases()["erf(x/sqrt 2): I2"]
    return plain(prove.average(left, right, given=given))


def every() -> dict[str, Json]:
    """All of them by name, but those of statements that stay open."""
    found = ALL | made("corruptions") | made("limits_corruptions") | made("words_corruptions") | orders()
    found |= {"average": average(), "turning": TURNING, "settled": SETTLED}
    return {name: certificate for name, certificate in found.items() if certificate["verdict"] != "open"}
