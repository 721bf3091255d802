"""Directions in which a flow leaves a point of rest: an eigenvector of its linear part, with a positive eigenvalue.

Let F = 0 be the equations of what is sought, and A a matrix of numbers near the inverse of their linear part. If the
map y - A F(y) contracts on a box, A has an inverse, and the box holds exactly one solution of F = 0. So the sentence
that its iterates converge there carries everything, first for the point of rest (F is the flow), and then, for every
point of its box, for the direction v and the rate of growth g: F = Df v - g v, where one entry of v is 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat

from derivations.language.terms import ONE, Expression, NotExact, Term, Variable, as_tuples, rational, subtract
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.dispatch import settled
from derivations.prove.flows import completed
from derivations.prove.flows.asking import DIGITS, Box, ends, free_name, statement_of
from derivations.prove.flows.rests import BITS, NoRest, Search, short
from derivations.prove.flows.statements import above, claim_of
from derivations.prove.flows.tubes.sets import exact, fraction, working
from derivations.prove.schemas.composite import join
from derivations.recheck.kinds.flows.trajectories.step import System
from derivations.text.doors import at_door

Matrix = Any  # flint.arb_mat
WORKING = 96  # bits with which a point of rest and its directions are sought
REAL = 2.0**-40  # of an eigenvalue's size, below which its imaginary part is taken for rounding
SOUGHT: Json = {"that": "converges", "by": "1"}  # of a map, with the box and the rate left out


@at_door(NotExact)
def unstable_direction(flow: Mapping[Variable, Expression], near: Box, *, parameters: Box | None = None) -> Certificate:
    """Enclose a point of rest of a flow, and a direction in which solutions near it move away.

    flow: the variables' symbols with their rates, which do not hold the time. near: for each a number, from which the
        point of rest is sought. parameters: further symbols with exact numbers.

    Returns a certificate: CERTIFIED, or OPEN where nothing is found. Its statement has three parts. The iterates of two
    maps converge: the box of the first holds one point of rest; for every point in it, the box of the second holds one
    eigenvector of the flow's linear part, with an entry of 1, and its eigenvalue `growth`; and this is positive. It is
    the largest eigenvalue that was found, but that no other is larger is not part of the statement; where a pair that
    turns seems to grow as fast, the question stays open.

    >>> import sympy as sp
    >>> x, y = sp.symbols("x y", real=True)
    >>> found = unstable_direction({x: y, y: x - x**3 - y}, near={x: 0, y: 0})
    >>> box = found.statement["parts"][1]["says"][0]["box"]
    >>> found.verdict.value, [round(float(Fraction(end)), 9) for end in box["growth"]]
    ('certified', [0.618033989, 0.618033989])
    >>> unstable_direction({x: y, y: x - x**3 - y}, near={x: 1, y: 0}).verdict.value
    'open'
    """
    asked = statement_of(form="flow", rates=flow, start=near, says=[ends(1)], parameters=parameters or {}, time=None)
    try:
        with working(WORKING):
            rest = _Rest(asked)
            pair = rest.fastest()
        return _joined(rest, pair)
    except NoRest as trouble:
        return Certificate(asked | {"says": [SOUGHT]}, Verdict.OPEN, "none", reason=str(trouble))


def _joined(rest: _Rest, pair: _Direction) -> Certificate:
    """The point of rest, its direction for all points of the box in which it is, and that it leads away."""
    at_rest = completed.decided(rest.statement(), DIGITS, None)
    if at_rest.verdict is not Verdict.CERTIFIED:
        return at_rest
    box = at_rest.statement["says"][0]["box"]
    leaves = completed.decided(pair.statement(box), DIGITS, None)
    if leaves.verdict is not Verdict.CERTIFIED:
        return leaves
    low, _ = leaves.statement["says"][0]["box"][pair.growth]
    return join([at_rest, leaves, settled(above(low, "0"))])


class _Rest:
    """A point of rest, found without any guarantee."""

    def __init__(self, asked: Json) -> None:
        self.rates = {name: as_tuples(term) for name, term in asked["states"].items()}
        self.names = sorted(self.rates)
        if still := [name for name in self.names if self.rates[name] == rational(0)]:
            raise NoRest(f"{still[0]} does not move, so that points of rest do not stand alone")
        claim = claim_of(completed.provisional(asked))
        search = Search(claim, System(claim))
        self.point = search.centre([exact(Fraction(asked["start"][n][0])) for n in self.names])
        self.slope = search.rates([exact(p) for p in self.point])[1].mid()

    def statement(self) -> Json:
        """That the iterates of p - A f(p) converge near the point, with A near the inverse of the slope."""
        steps = _steps(self.names, [self.rates[n] for n in self.names], self.slope)
        return _converging(dict(zip(self.names, steps, strict=True)), _at(self.names, self.point))

    def fastest(self) -> _Direction:
        """The direction whose eigenvalue has the largest real part, if it is real and positive."""
        values, vectors = self.slope.eig(right=True, algorithm="approx")
        real = [k for k, v in enumerate(values) if abs(v.imag.mid()) <= REAL * abs(v.real.mid()) and v.real.mid() > 0]
        if not real:
            raise NoRest("the linear part at the point of rest seems to have no positive eigenvalue")
        fastest = max(real, key=lambda k: float(values[k].real.mid()))
        least = values[fastest].real.mid() * (1 - REAL)
        if any(v.real.mid() >= least for k, v in enumerate(values) if k not in real):
            raise NoRest("solutions seem to turn as they move away the fastest, so that they keep to no direction")
        vector = [vectors[i, fastest].real.mid() for i in range(len(self.names))]
        return _Direction(self, values[fastest].real.mid(), vector)


class _Direction:
    """An eigenvector of the slope at a point of rest, scaled to an entry of 1, and its eigenvalue."""

    def __init__(self, rest: _Rest, growth: Any, vector: list[Any]) -> None:
        self.rest, names = rest, rest.names
        size = len(names)
        one = max(range(size), key=lambda i: float(abs(vector[i])))
        self.growth = free_name("growth", rest.rates)
        letters = [free_name(f"{name}_direction", rest.rates) for name in names]
        self.entries: list[Term] = [ONE if i == one else ("s", letters[i]) for i in range(size)]
        others = [i for i in range(size) if i != one]
        self.unknown = [*(letters[i] for i in others), self.growth]
        scaled = [(v / vector[one]).mid() for v in vector]
        self.point = [*(_rounded(scaled[i]) for i in others), _rounded(growth)]
        slopes = [[rest.slope[j, i] - (growth if i == j else 0) for i in others] + [-scaled[j]] for j in range(size)]
        self.slope = arb_mat(slopes)

    def statement(self, box: Json) -> Json:
        """That for every point in a box the iterates of y - A F(y) converge near the direction and its eigenvalue.

        The derivatives of the rates stand there as such, so that a checker carries them out itself.
        """
        names, equations = self.rest.names, []
        for name, own in zip(names, self.entries, strict=True):
            along = [("*", ("D", self.rest.rates[name], by), v) for by, v in zip(names, self.entries, strict=True)]
            equations.append(subtract(("+", *along), ("*", ("s", self.growth), own)))
        steps = dict(zip(self.unknown, _steps(self.unknown, equations, self.slope), strict=True))
        still = {name: ("s", name) for name in names}
        return _converging(still | steps, box | _at(self.unknown, self.point))


def _steps(names: list[str], equations: list[Term], slope: Matrix) -> list[Term]:
    """Each y - A F(y), with the entries of A as short numbers near those of the inverse of a slope."""
    try:
        inverse = slope.inv()
    except ZeroDivisionError:
        raise NoRest("the linear part at the point of rest, or beside its direction, has no inverse") from None
    found = []
    for i, name in enumerate(names):
        numbers = [rational(str(-_rounded(inverse[i, j], BITS))) for j in range(len(names))]
        found.append(("+", ("s", name), *(("*", a, f) for a, f in zip(numbers, equations, strict=True))))
    return found


def _converging(steps: Mapping[str, Term], start: Json) -> Json:
    head = {"kind": "trajectory", "form": "map", "time": free_name("step", steps)}
    return head | {"states": dict(sorted(steps.items())), "start": dict(sorted(start.items())), "says": [SOUGHT]}


def _at(names: list[str], point: list[Fraction]) -> Json:
    return {name: [str(value), str(value)] for name, value in zip(names, point, strict=True)}


def _rounded(value: Any, bits: int = 2 * BITS) -> Fraction:
    return short(fraction(arb(value).mid()), bits)
