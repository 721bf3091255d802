"""Trees of scalar formulas as terms, and terms by their values at a few exact points, in balls.

Symbols have values of several sizes there, and of both signs where the statement declares none. A root of what may
vanish has a letter of its own, so that |x| and x differ however rarely they do; and both sides have values at the same
points.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, ctx, fmpq

from derivations.recheck.core.balls import Undefined, exact, value_at
from derivations.recheck.core.conditions import sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import FUNCTIONS, Term, rational, require, term
from derivations.recheck.core.terms import free, with_parts
from derivations.recheck.reader.parse import NoMeaning, Tree, joined, meant, named

BITS, FEWEST, POINTS = 1024, 3, 32
NEAR = arb(2) ** -40  # beside a value of size one
SCALES = (fmpq(1, 1000), fmpq(1, 10), fmpq(1), fmpq(10), fmpq(1000))
ROOT = "root "  # before the number of a root, in the name of its letter
HEADS = frozenset(("+", "*", "^", "D", "at", "s", "q", "pi", *FUNCTIONS))


class Scalars:
    """The meaning of trees about numbers, and of sides of statements."""

    def __init__(self, record: Mapping[str, Any], positive: Iterable[str]) -> None:
        self.record, self.upper, self.positive = record, True, frozenset(positive)

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
                return self.call(self.record["functions"][spelling], [self.value(part) for part in arguments])
            case "^", base, exponent:
                power = self.value(exponent)
                value = None if free(power) else exact(power, {})
                return ("^", self.value(base), power if value is None else ("q", str(value)))
            case (("dt" | "partial"), of, by):
                return self.derivative(of, by)
        return term((tree[0], *map(self.value, tree[1:])))

    def call(self, function: Any, arguments: list[Term]) -> Term:
        names, body = ((), ()) if isinstance(function, str) else function
        if not body or len(names) != len(arguments):
            raise NoMeaning(f"the record of the entry does not say what {function} of {len(arguments)} arguments is")
        is_other = body[0] == "s" and body[1] not in names
        return term(body) if is_other else term(("at", body, tuple(zip(names, arguments, strict=True))))

    def derivative(self, of: Tree, by: Tree) -> Term:
        """Return the rate of one letter; else along the flow; else by the letter itself."""
        name, flow = named(self.record, by), self.record["flow"]
        rates = self.record["rates"].get(of[1], {}) if of[0] == "letter" else {}
        if name in rates:
            return term(rates[name])
        inside = self.value(of)
        if flow and name == "t":
            return term(("+", ("q", "0"), *(("*", ("D", inside, s), flow[s]) for s in sorted(free(inside) & {*flow}))))
        variable = self.value(by)
        require(variable[0] == "s", f"{name} is no symbol, and nothing is differentiated by it")
        return ("D", inside, variable[1])

    # --- comparison, and sides of statements --------------------------------------------------------------------------

    def same(self, one: Term, other: Term) -> bool:
        """Check whether two formulas have the same values at all points, or none at the same ones."""
        return one == other or self.meet(*self.smooth(one, other))

    def meet(self, one: Term, other: Term) -> bool:
        """Check the same of formulas as they are."""
        pairs = self.at_points(one, other)
        return bool(pairs) and all(_near(a, b) for a, b in pairs)

    def smooth(self, *formulas: Term) -> list[Term]:
        """Formulas with a letter for each root of what may vanish, |x| as well: points tell nothing of formulas that
        have a corner between them. Roots of the same get the same letter.
        """
        bases: list[tuple[Term, Any]] = []

        def letter(base: Term, degree: int) -> Term:
            for place, (other, of) in enumerate(bases):
                if of == degree and (other == base or self.meet(other, base)):
                    return ("s", f"{ROOT}{place}")
            bases.append((base, degree))
            return ("s", f"{ROOT}{len(bases) - 1}")

        def without(formula: Term) -> Term:
            if formula[0] in ("D", "at"):
                return formula
            formula = with_parts(without, formula)
            head, *inner = formula
            if head not in ("abs", "^") or self.is_above(inner[0]):
                return inner[0] if head == "abs" else formula
            if head == "abs":
                return letter(("^", inner[0], ("q", "2")), 2)
            power = rational(inner[1][1]) if inner[1][0] == "q" else fmpq(1)
            return formula if power.q == 1 else ("^", letter(inner[0], int(power.q)), ("q", str(power.p)))

        return [without(formula) for formula in formulas]

    def is_above(self, formula: Term) -> bool:
        """Check whether a formula is seen to be positive, with roots taken for positive letters."""
        signs = {name: ("positive",) for name in free(formula) if name in self.positive or name.startswith(ROOT)}
        return sign_by_form(formula, signs) == ">"

    def proportional(self, one: Term, other: Term) -> bool:
        """Check whether one formula is a positive number times another one, at all points at which they have values."""
        pairs = self.at_points(one, other)
        above, below = pairs[0] if pairs else (0, 1)
        return above * below > 0 and all(_near(a * below, b * above) for a, b in pairs)

    def at_points(self, one: Term, other: Term) -> list[Any]:
        """The values of two formulas; nothing where these are too few, or where one formula alone has a value."""
        both = [(_at(one, k, self.positive), _at(other, k, self.positive)) for k in range(POINTS)]
        pairs = [pair for pair in both if None not in pair]
        alone = any((a is None) != (b is None) for a, b in both)
        return pairs if len(pairs) >= FEWEST and not alone else []

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


def _near(one: Any, other: Any) -> bool:
    if not isinstance(one, arb) and not isinstance(other, arb):
        return bool(one == other)
    with ctx.workprec(BITS):
        difference = arb(one) - arb(other)
    return bool(difference.contains(0) and difference.rad() < NEAR * (1 + abs(arb(one))))


@lru_cache(8192)
def _at(formula: Term, point: int, positive: frozenset[str]) -> Any:
    """The value of a formula at a point: first where all is above zero, then where what has no sign has either one."""
    values = {}
    for name in free(formula):
        draw = random.Random(f"{name} {point}")
        size = fmpq(draw.randint(1, 400), draw.randint(101, 199)) * draw.choice(SCALES)
        has_sign = name in positive or name.startswith(ROOT)
        values[name] = -size if draw.random() < 0.5 and point >= FEWEST and not has_sign else size
    try:
        return value_at(formula, values, BITS)
    except (Undefined, Rejected, ZeroDivisionError):
        return None
