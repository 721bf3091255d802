"""The sine is not negative from 0 to pi, and changes its sign with every half turn; cos(u) is sin(u + pi/2)."""

from __future__ import annotations

from derivations.recheck.core.conditions import conditions, said_of
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, integer, shown, term
from derivations.recheck.core.terms import HALF, minus
from derivations.recheck.kinds.rules.analysis.slope import product
from derivations.recheck.kinds.rules.forms import only

MOST_TURNS = 10_000


def half_turns(statement: Data, parameters: Data) -> list[Data]:
    """left - right = factor * (-1)^turn * wave, where the angle lies in the half turn of that number."""
    only(parameters, "factor", "wave", "turn")
    if statement["kind"] != "sign":
        raise Rejected("half turns show an inequality, and the statement is none")
    factor, wave = term(parameters["factor"]), term(parameters["wave"])
    turn = integer(parameters["turn"], -MOST_TURNS, MOST_TURNS, "the number of a half turn")
    if wave[0] not in ("sin", "cos"):
        raise Rejected(f"a half turn is of a sine or a cosine, got {shown(wave)}")
    angle: Term = wave[1] if wave[0] == "sin" else ("+", wave[1], ("*", HALF, ("pi",)))
    start, end = ("*", ("q", str(turn)), ("pi",)), ("*", ("q", str(turn + 1)), ("pi",))
    order = statement["relation"]  # strictly inside of the half turn the sine does not vanish
    return [
        *product(statement, factor, wave if turn % 2 == 0 else minus(wave)),
        *[said_of(statement, *c) for c in conditions(angle, statement["symbols"], smooth=False)],
        said_of(statement, order, angle, start),
        said_of(statement, order, end, angle),
    ]
