"""Trees of scalar formulas as terms, and terms by their values at a few exact points, in balls.

Symbols have values of several sizes there, and of both signs where the statement declares none. A function that is not
algebraic has a letter of its own, and so has a root of what may vanish: points decide about what is algebraic alone,
and |x| and x differ however rarely they do. Both sides have values at the same points.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Any

from flint import arb, ctx, fmpq

from derivations.recheck.core.balls import Undefined, exact, value_at
from derivations.recheck.core.conditions import sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import FUNCTIONS, Term, rational, require, term
from derivations.recheck.core.terms import ONE, free, minus, parts, prepared, with_parts
from derivations.recheck.reader.letters import shortly, text
from derivations.recheck.reader.parse import NoMeaning, Tree, joined, meant, named

BITS, MOST_BITS, FEWEST, POINTS = 1024, 16_384, 3, 32
NEAR = arb(2) ** -40  # beside a value of size one
SCALES = (fmpq(1, 1000), fmpq(1, 10), fmpq(1), fmpq(10), fmpq(1000))
MADE = "\0"  # before the name of a letter for a formula, which no symbol begins with
POSITIVE = (f"{MADE}root", f"{MADE}exp")
ODD = frozenset(("sin", "erf", "asin", "atan"))
HEADS = frozenset(("+", "*", "^", "D", "at", "s", "q", "pi", *FUNCTIONS))


class Scalars:
    """The meaning of trees about numbers, and of sides of statements."""

    def __init__(self, record: Mapping[str, Any], positive: Iterable[str]) -> None:
        self.record, self.upper, self.positive = record, True, frozenset(positive)
        self.said: dict[str, str] = {}  # by their names: what functions and rates are that nothing judges
        self.motions: set[Any] = set()

    def sides(self, tree: Tree) -> list[Term]:
        """One term, a mean and a variance, or what is positive where events happen."""
        if tree[0] == "P":
            return [self.value(joined("-", event.left, event.right)) for event in tree[1:]]
        return [self.value(part) for part in (tree[1:] if tree[0] == "normal" else [tree])]

    def value(self, tree: Tree) -> Term:
        match tree:
            case "number", text:
                return ("q", str(Fraction(text)))
            case ("pm" | "mp") as head, *_:
                return ("q", "1" if self.upper == (head == "pm") else "-1")
            case "letter", spelling:
                return term(meant(self.record, spelling))
            case "call", spelling, arguments:
                return self.call(spelling, [self.value(part) for part in arguments])
            case "^", base, exponent:
                power = self.value(exponent)
                value = None if free(power) else exact(power, {})
                return ("^", self.value(base), power if value is None else ("q", str(value)))
            case (("dt" | "partial"), of, by):
                return self.derivative(of, by)
        return term((tree[0], *map(self.value, tree[1:])))

    def call(self, spelling: str, arguments: list[Term]) -> Term:
        function = self.record["functions"][spelling]
        names, body = ((), ()) if isinstance(function, str) else function
        if not body or len(names) != len(arguments):
            raise NoMeaning(f"the record of the entry does not say what {function} of {len(arguments)} arguments is")
        self.said[spelling] = f"{shortly(spelling)}({', '.join(names)}) is {text(body)}"
        is_other = body[0] == "s" and body[1] not in names
        return term(body) if is_other else term(("at", body, tuple(zip(names, arguments, strict=True))))

    def derivative(self, of: Tree, by: Tree) -> Term:
        """Return the rate of one letter; else along the flow; else by the letter itself."""
        name, flow = named(self.record, by), self.record["flow"]
        rates = self.record["rates"].get(of[1], {}) if of[0] == "letter" else {}
        if name in rates:
            letter = named(self.record, of)
            self.said[f"d{letter}_d{name}"] = f"d{letter}/d{name} is {text(rates[name])}"
            return term(rates[name])
        inside = self.value(of)
        if flow and name == "t":
            self.said |= {f"d{s}_dt": f"d{s}/dt is {text(flow[s])}" for s in sorted(free(inside) & {*flow})}
            return term(("+", ("q", "0"), *(("*", ("D", inside, s), flow[s]) for s in sorted(free(inside) & {*flow}))))
        variable = self.value(by)
        require(variable[0] == "s", f"{name} is no symbol, and nothing is differentiated by it")
        return ("D", inside, variable[1])

    # --- comparison, and sides of statements --------------------------------------------------------------------------

    def same(self, one: Term, other: Term) -> bool:
        """Check whether two formulas have the same values at all points, or none at the same ones."""
        return one == other or (self.meet_at(one, other) and self.meet(*self.algebraic(one, other)))

    def meet(self, one: Term, other: Term) -> bool:
        """Check the same of algebraic formulas, also at points which nobody can know who wrote them."""
        drawn = sha256(repr((one, other)).encode()).hexdigest()
        return one == other or (self.meet_at(one, other) and self.meet_at(one, other, drawn))

    def meet_at(self, one: Term, other: Term, drawn: str = "") -> bool:
        values = 0
        for a, b in self.at_points(one, other, drawn):
            if (a is None) != (b is None) or (a is not None and not _near(a, b)):
                return False
            values += a is not None
        return values >= FEWEST

    def algebraic(self, *formulas: Term) -> list[Term]:
        """Formulas with letters for what no number of points tells apart: for each root of what may vanish, |x| as
        well, which has a corner between them, and for each other function, which may be as small as exp(-10^12).
        What is equal gets the same letter.
        """
        made: list[tuple[str, Term]] = []

        def letter(kind: str, of: Term) -> Term:
            for place, (other_kind, other) in enumerate(made):
                if kind == other_kind and self.meet(other, of):
                    return _letter(place, kind)
            made.append((kind, of))
            return _letter(len(made) - 1, kind)

        def exponential(of: Term) -> Term:
            """A power of a letter, for each part of a sum: exp(3 a) is exp(a)^3."""
            for place, (kind, other) in enumerate(made):
                if kind == "exp" and (times := self.ratio(of, other)) is not None:
                    return ("^", _letter(place, kind), ("q", str(times)))
            return letter("exp", of)

        def without(formula: Term) -> Term:
            formula = with_parts(without, formula)
            head, *inner = formula
            if head == "exp":
                return ("*", ONE, *map(exponential, inner[0][1:] if inner[0][0] == "+" else inner))
            if head in ODD and any(kind == head and self.meet(other, minus(inner[0])) for kind, other in made):
                return minus(letter(head, minus(inner[0])))
            if head in FUNCTIONS and head != "abs":
                return letter(head, inner[0])
            if head not in ("abs", "^") or self.is_above(inner[0]):
                return inner[0] if head == "abs" else formula
            if head == "abs":
                return letter("root 2", ("^", inner[0], ("q", "2")))
            power = rational(inner[1][1]) if inner[1][0] == "q" else fmpq(1)
            return formula if power.q == 1 else ("^", letter(f"root {power.q}", inner[0]), ("q", str(power.p)))

        return [without(prepared(formula)) for formula in formulas]

    def ratio(self, one: Term, other: Term) -> Any:
        """The rational number that one formula is times another, or None."""
        pairs = self.values(one, other)
        ratios = {a / b for a, b in pairs if b != 0 and not isinstance(a, arb) and not isinstance(b, arb)}
        return ratios.pop() if len(ratios) == 1 and self.meet(one, ("*", ("q", str(*ratios)), other)) else None

    def is_above(self, formula: Term) -> bool:
        """Check whether a formula is seen to be positive, with letters for roots and exponentials."""
        signs = {name: ("positive",) for name in free(formula) if self.is_positive(name)}
        return sign_by_form(formula, signs) == ">"

    def is_positive(self, name: str) -> bool:
        return name in self.positive or name.startswith(POSITIVE)

    def proportional(self, one: Term, other: Term) -> bool:
        """Check whether one formula is a positive number times another one, at all points at which they have values."""
        one, other = self.algebraic(one, other)
        pairs = self.values(one, other)
        above, below = pairs[0] if pairs else (0, 1)
        return above * below > 0 and all(_near(a * below, b * above) for a, b in pairs)

    def values(self, one: Term, other: Term) -> list[Any]:
        """The values of two formulas; nothing where these are too few, or where one formula alone has a value."""
        both = [*self.at_points(one, other)]
        pairs = [pair for pair in both if None not in pair]
        alone = any((a is None) != (b is None) for a, b in both)
        return pairs if len(pairs) >= FEWEST and not alone else []

    def at_points(self, one: Term, other: Term, drawn: str = "") -> Iterator[tuple[Any, Any]]:
        bits = BITS
        while bits < BITS // 2 + _length(one) + _length(other):
            bits *= 2
        for point in range(POINTS if bits <= MOST_BITS else 0):
            yield self.at(one, point, drawn, bits), self.at(other, point, drawn, bits)

    def at(self, formula: Term, point: int, drawn: str, bits: int) -> Any:
        return _at(formula, point, drawn, bits, frozenset(filter(self.is_positive, free(formula))))

    def names(self, value: Term) -> set[str]:
        return {*free(value)}

    def own(self, name: str) -> Term:
        return ("s", name)

    def side(self, data: Any, _: Mapping[str, str]) -> Term | None:
        """A side of a statement, where it is a formula about numbers."""
        try:
            return term(data) if isinstance(data, tuple) and data[0] in HEADS else None
        except (Rejected, TypeError, IndexError):
            return None


def _letter(place: int, kind: str) -> Term:
    return ("s", f"{MADE}{kind} {place}")


def _length(formula: Term) -> int:
    """How many bits the values of a formula may need to be told from zero: small numbers can be written as powers."""
    if formula[0] == "q":
        return 4 * len(formula[1])
    power = abs(rational(formula[2][1])) if formula[0] == "^" and formula[2][0] == "q" else fmpq(1)
    return sum(map(_length, parts(formula))) * int(power.ceil() or 1)


def _near(one: Any, other: Any) -> bool:
    if not isinstance(one, arb) and not isinstance(other, arb):
        return bool(one == other)
    with ctx.workprec(MOST_BITS):
        difference = arb(one) - arb(other)
    return bool(difference.contains(0) and difference.rad() < NEAR * (1 + abs(arb(one))))


@lru_cache(8192)
def _at(formula: Term, point: int, drawn: str, bits: int, positive: frozenset[str]) -> Any:
    """The value of a formula at a point: first where all is above zero, then where what has no sign has either one."""
    values = {}
    for name in free(formula):
        draw = random.Random(f"{name} {point}{drawn}")
        size = fmpq(draw.randint(1, 400), draw.randint(101, 199)) * draw.choice(SCALES)
        values[name] = -size if draw.random() < 0.5 and point >= FEWEST and name not in positive else size
    try:
        return value_at(formula, values, bits)
    except (Undefined, Rejected, ZeroDivisionError):
        return None
