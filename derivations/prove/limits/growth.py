"""Limits in one variable by comparing growth: a series of the expression, in a scale that is found on the way.

The search begins with the small variable alone. Where an exponential or a logarithm that grows does not fit into the
scale, the germ for it is added; where the sign of a coefficient is needed and not plain, it is decided as a statement
of its own; and then everything is computed again. The certificate names the scale, how many summands are kept, and the
signs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from derivations.language.evaluate import evaluate, has_value, precision
from derivations.language.points import Values, points
from derivations.language.terms import ZERO, NotExact, Term, carried_out, children, rational, subtract, symbols_in
from derivations.prove import equality
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.limits.coefficients import Coefficient, Coefficients
from derivations.prove.limits.functions import Reader, going
from derivations.prove.limits.series import Calculus, NoGerm, NoSign, Powers, Series
from derivations.prove.limits.signs import Unknown

Decide = Callable[[Json], Certificate]
INFINITE = (("oo",), ("-oo",))
ORDERS = (2, 4, 8, 16)
MOST_LOGS, MOST_EXPONENTIALS, MOST_FACTS = 3, 6, 12
RESTARTS, TRIES, SECONDS = 30, 60, 3.0
POINTS, TRIES_OF_SIGN, BITS = 3, 6, 128
FITS = {"positive": (1,), "negative": (-1,), "nonnegative": (1,), "nonpositive": (-1,), "nonzero": (-1, 1)}


class _OtherLimit(ArithmeticError):
    """The expression certainly tends to something else, and more summands change nothing."""


class _MayVanish(ArithmeticError):
    """All that speaks against a limit is a coefficient of which it is not known whether it vanishes."""

    def __init__(self, coefficient: Coefficient) -> None:
        super().__init__()
        self.coefficient = coefficient


class Growth:
    """One search for the limit of a statement's expression."""

    def __init__(self, statement: Json, decide: Decide) -> None:
        self.statement, self.decide = statement, decide
        (self.variable,) = statement["variables"]
        self.towards: Any = tuple(statement.get("towards", ("above", ZERO)))
        relations = [tuple(r) for r in statement["assuming"]]
        self.moving = [r for r in relations if self.variable in symbols_in(("+", *r[1:]))]
        self.fixed = [r for r in relations if r not in self.moving]
        self.expression = carried_out(statement["expression"])
        self.logs, self.exponentials, self.facts = 0, list[tuple[Term, ...]](), list[Certificate]()
        self.order = ORDERS[0]
        self.reason = ""
        self.until = time.monotonic() + SECONDS

    # --- what is asked ------------------------------------------------------------------------------------------------

    def proof(self, value: Term) -> Json | None:
        """The payload of a proof that the expression tends to a value, finite or not."""
        near = self.approach()
        if near is None:
            self.reason = "no values of the parameters were found for which the expression has a value near the limit"
            return None
        return self.payload(near) if self._settled(lambda reader: self._tends(reader, value)) else None

    def found(self) -> Term | None:
        """The limit that the series shows, or None."""
        seen: list[Term] = []
        return seen[-1] if self._settled(lambda reader: self._limit(reader, seen)) else None

    def payload(self, near: Values) -> Json:
        return {
            "order": self.order,
            "logs": self.logs,
            "exponentials": [list(powers) for powers in self.exponentials],
            "facts": [fact.as_json() for fact in self.facts],
            "near": {name: str(value) for name, value in near.items()},
        }

    def approach(self) -> Values | None:
        """Values of the parameters under which all parts that speak of them alone have values."""
        return next(iter(self.places()), None)

    def places(self) -> Iterator[Values]:
        """Values of the parameters, among them those that the hypotheses on them allow."""
        parameters = {name: told for name, told in self.statement["symbols"].items() if name != self.variable}
        allowed = points({"symbols": parameters, "assuming": self.fixed})
        return (point for point in islice(allowed, TRIES) if self._has_values(point))

    def _has_values(self, point: Values) -> bool:
        value = self.statement["value"]
        hypotheses = (side for r in self.statement["assuming"] for side in tuple(r)[1:])
        spoken = [self.expression, *hypotheses, *self.towards[1:], *([] if value in INFINITE else [value])]
        return all(has_value(t, point) for s in spoken for t in _fixed_parts(carried_out(s), self.variable))

    # --- the search ---------------------------------------------------------------------------------------------------

    def _settled(self, answer: Any) -> bool:
        """Whether the answer is yes in some scale, with some number of summands."""
        for order in ORDERS:
            self.order = order
            for _ in range(RESTARTS):
                if time.monotonic() > self.until:
                    self.reason = self.reason or "the series takes too long to compute"
                    return False
                try:
                    if answer(self._reader()):
                        return True
                    break
                except NoGerm as needed:
                    if not self._add_germ(needed.powers):
                        return False
                except NoSign as needed_sign:
                    if not self._add_sign(needed_sign.coefficient):
                        return False
                except _OtherLimit:
                    return False
                except _MayVanish as remaining:
                    if not self._add_zero(remaining.coefficient):
                        return False
                except Unknown as reason:
                    self.reason = f"its series shows no limit: {reason}"
                    break
        return False

    def _reader(self) -> Reader:
        field = Coefficients(self.statement["symbols"], self.variable)
        for name, left, right in self.fixed:
            field.signs.assume(carried_out(subtract(left, right)), name)
        for fact in self.facts:
            field.signs.offer(fact.statement["left"], fact.statement.get("relation", "="))
        exponentials = [tuple(field.read(p, given=False) for p in powers) for powers in self.exponentials]
        self._calculus = Calculus(field, self.logs, exponentials, self.order, self.until)
        point = field.read(carried_out(self.towards[1])) if self.towards not in INFINITE else field.read(ZERO)
        reader = Reader(self._calculus, self.variable, going(self._calculus, self.towards, point))
        self._require_approach(reader)
        for inner in inside_derivatives(self.statement["expression"]):
            reader.series(carried_out(inner))
        return reader

    def _require_approach(self, reader: Reader) -> None:
        """Assumptions on the variable, and hypotheses that speak of it, hold near the limit."""
        told = self.statement["symbols"][self.variable]
        if told and not all(self._calculus.sign(reader.moving) in FITS[word] for word in told):
            raise Unknown(f"{self.variable} is declared {' and '.join(told)}, which it is not near the limit")
        for name, left, right in self.moving:
            if name == "=":
                raise Unknown("a hypothesis ties the variable of the limit")
            gap = reader.series(carried_out(subtract(left, right)))
            if gap.vanishes() and name == ">=":
                continue
            if self._calculus.sign(gap) not in ((-1, 1) if name == "!=" else (1,)):
                raise Unknown("a hypothesis does not hold near the limit")

    def _tends(self, reader: Reader, value: Term) -> bool:
        calculus, series = self._calculus, reader.series(self.expression)
        if value in INFINITE:
            if not series.summands:
                return False
            sign = calculus.sign(series)
            if calculus.compared(series.largest(), calculus.none) < 0 and sign == (1 if value == ("oo",) else -1):
                return True
            raise _OtherLimit
        claimed = reader.field.read(carried_out(value))
        gap = calculus.plus(series, calculus.number(claimed * -1))
        if gap.vanishes() or calculus.compared(gap.largest(), calculus.none) > 0:
            return True
        if gap.summands:  # more summands will not change the first one
            c = gap.summands[0][1]
            raise _OtherLimit if reader.field.signs.never_zero(c) else _MayVanish(c)
        return False

    def _limit(self, reader: Reader, seen: list[Term]) -> bool:
        calculus, series = self._calculus, reader.series(self.expression)
        if series.vanishes() or calculus.compared(series.largest(), calculus.none) > 0:
            seen.append(ZERO)
            return True
        grows, constant, small = _parts_of(calculus, series)
        if grows:
            seen.append(("oo",) if calculus.sign(series) > 0 else ("-oo",))
        elif small is not None:
            seen.append(reader.field.term(constant))
        return bool(seen)

    # --- what is added ------------------------------------------------------------------------------------------------

    def _add_germ(self, powers: Powers | None) -> bool:
        """One more logarithm, or an exponential at its place among the others."""
        if powers is None:
            self.logs += 1
            self.exponentials = [(*p, ZERO) for p in self.exponentials]
            return self.logs <= MOST_LOGS
        calculus = self._calculus
        try:
            faster = [g for g in calculus.growths[: calculus.t] if g and calculus.compared(g, powers) < 0]
            growth = calculus.growths[calculus.t]
            if growth is not None and calculus.compared(powers, growth) >= 0:
                self.reason = "an exponential in it grows more slowly than every power, which no scale here holds"
                return False
        except NoSign as needed:
            return self._add_sign(needed.coefficient)
        place = len(self.exponentials) - len(faster)
        own = powers[len(powers) - (place + 1 + self.logs) :]
        after = [(*p[:i], ZERO, *p[i:]) for i, p in enumerate(self.exponentials[place:])]
        new = tuple(calculus.field.term(c) for c in own)
        self.exponentials = [*self.exponentials[:place], new, *after]
        return len(self.exponentials) <= MOST_EXPONENTIALS

    def _add_sign(self, c: Coefficient) -> bool:
        """The sign of a coefficient, or of one of its factors, decided as a statement about the parameters."""
        field = self._calculus.field
        factors = field.signs.unknown(c)
        for poly in factors if len(factors) == 1 else [*factors, field.fraction(c)[0]]:
            for term in self._with_signs_seen(field.poly_term(poly), field.poly_term(-poly)):
                if self._learnt({"kind": "sign", "relation": ">"}, term):
                    return True
        return self._add_zero(c)

    def _add_zero(self, c: Coefficient) -> bool:
        """That a coefficient is zero after all, where an identity shows it."""
        field = self._calculus.field
        if self._learnt({"kind": "identity"}, field.poly_term(field.fraction(c)[0])):
            return True
        self.reason = self.reason or "the sign of a coefficient of its series is not known: a hypothesis would tell it"
        return False

    def _with_signs_seen(self, term: Term, negative: Term) -> list[Term]:
        """Of a term and its negative the one that is positive at some points; none where both signs occur."""
        seen = set()
        for point in islice(self.places(), TRIES_OF_SIGN):
            with precision(BITS), suppress(ZeroDivisionError, ValueError):
                ball = evaluate(term, point)
                seen.add(1 if ball > 0 else -1 if ball < 0 else 0)
        return [term] if seen == {1} else [negative] if seen == {-1} else []

    def _learnt(self, kind: Json, term: Term) -> bool:
        """Whether a new fact about the parameters is proved, which is then kept."""
        if len(self.facts) == MOST_FACTS or any(f.statement["left"] == term for f in self.facts):
            return False
        shared = {"symbols": self.statement["symbols"], "assuming": self.fixed, "left": term, "right": ZERO}
        try:
            fact = self.decide(kind | shared)
        except (NotExact, ZeroDivisionError):
            return False
        if fact.verdict is Verdict.PROVED:
            self.facts.append(fact)
        return fact.verdict is Verdict.PROVED


def _parts_of(calculus: Calculus, series: Series) -> tuple[bool, Coefficient, Series | None]:
    if series.summands and calculus.compared(series.largest(), calculus.none) < 0:
        return True, None, None
    _, constant, small = calculus.parted(series)
    return False, constant, small


def inside_derivatives(term: Term) -> Iterator[Term]:
    """What is differentiated or put in somewhere in a term, as far as it must have values there."""
    if term[0] == "D":
        yield term[1]
    if term[0] == "at":
        yield from (value for _, value in term[2])
        yield from (("at", inner, term[2]) for inner in inside_derivatives(term[1]))
        for _, value in term[2]:
            yield from inside_derivatives(value)
        return
    for child in children(term):
        yield from inside_derivatives(child)


def _fixed_parts(term: Term, variable: str) -> Iterator[Term]:
    """The largest parts that speak of parameters alone."""
    if variable in symbols_in(term):
        for child in children(term):
            yield from _fixed_parts(child, variable)
    else:
        yield term


# --- refutation -------------------------------------------------------------------------------------------------------


def refutation(statement: Json, growth: Growth) -> Json | None:
    """Parameters at which the expression tends to something else, with a proof of that."""
    for point in islice(growth.places(), POINTS):
        here = at_point(statement, point, growth)
        there = Growth(here, growth.decide)
        other = there.found()
        if other is None:
            continue
        differs, (left, right) = _apart(other, here["value"])
        payload = there.proof(other) if differs else None
        if payload is not None:
            proved = Certificate({**here, "value": other}, Verdict.PROVED, "expansion", payload)
            witness = {"point": {name: str(v) for name, v in point.items()}, "left": left, "right": right}
            return {"limit": proved.as_json(), "witness": witness}
    return None


def at_point(statement: Json, point: Values, growth: Growth) -> Json:
    """The same limit with exact numbers for its parameters, written so that an exponent stays no plain number.

    For a power whose exponent is no number has a value where its base is positive, and nowhere else.
    """
    pairs = tuple((name, ("+", ZERO, rational(value))) for name, value in sorted(point.items()))

    def put(term: Term) -> Term:
        return ("at", term, pairs) if pairs and term not in INFINITE else term

    towards = (
        {"towards": [statement["towards"][0], *map(put, statement["towards"][1:])]} if "towards" in statement else {}
    )
    return {
        "kind": "limit",
        "symbols": {growth.variable: statement["symbols"][growth.variable]},
        "assuming": [(name, put(left), put(right)) for name, left, right in growth.moving],
        "variables": statement["variables"],
        **towards,
        "expression": put(statement["expression"]),
        "value": put(statement["value"]),
    }


def _apart(left: Term, right: Term) -> tuple[bool, tuple[str, str]]:
    """Whether two values without parameters differ, finite or not, and both as text."""
    first, second = (v[0] if v in INFINITE else equality.shown(v, {}, BITS) for v in (left, right))
    texts = str(first), str(second)
    if left in INFINITE or right in INFINITE:
        return left != right, texts
    return bool(equality.separated(subtract(left, right), {})), texts
