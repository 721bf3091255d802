"""Limits: small variables go to zero from above together, or one variable goes anywhere.

The expression is written as a formula that is continuous in quantities that go to zero: the variables themselves,
exponentials and logarithms of them, and remainders of series. First without series, then with more and more terms,
until nothing that decides the limit cancels. The certificate tells the steps, and the checker only follows them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from derivations.language.evaluate import evaluate, has_value, precision
from derivations.language.normal import Undefined
from derivations.language.normal.conditions import by_form, demands, times
from derivations.language.points import Values, holds
from derivations.language.terms import (
    MINUS_ONE,
    ONE,
    ZERO,
    NotExact,
    Term,
    carried_out,
    children,
    rational,
    subtract,
    symbols_in,
)
from derivations.prove import equality
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.limits.quantities import INFINITE, Decide, Quantities, opposite
from derivations.prove.limits.sizes import Unknown, scaled
from derivations.prove.limits.steps import Steps

ORDERS = (0, 1, 2, 3, 4, 6)
POINTS, BITS = 3, 256
SIGNS = {"!=": (-1, 1), ">": (1,), ">=": (1,)}
ENOUGH = {">": (">",), ">=": (">", ">="), "!=": (">",)}
TOLD = {"positive": ">", "nonnegative": ">=", "nonzero": "!="}


def decide(statement: Json, other: Decide) -> Certificate:
    """PROVED, REFUTED by another limit at an exact point, else OPEN; `other` decides what a proof rests on."""
    value, variables = statement["value"], set(statement["variables"])
    if not variables or (value not in INFINITE and symbols_in(value) & variables):
        raise NotExact("a limit needs a variable that moves, and a value that does not speak of it")
    if "towards" not in statement and not all("positive" in statement["symbols"].get(v, ()) for v in variables):
        raise NotExact("each variable of a limit goes to zero from above: declare it positive")
    search = _Search(statement, other)
    payload = search.proof(value)
    if payload is not None:
        return Certificate(statement, Verdict.PROVED, "small quantities", payload)
    refuted = _refutation(statement, search)
    if refuted is not None:
        return Certificate(statement, Verdict.REFUTED, "another limit", refuted)
    return Certificate(statement, Verdict.OPEN, "none", reason=f"no limit was found: {search.reason}")


class _Search:
    """Tries with more and more terms of series, for one expression."""

    def __init__(self, statement: Json, other: Decide) -> None:
        self.statement, self.other = statement, other
        self.known: dict[Any, Any] = {}
        self.reason = "what it tends to is another value, as far as it shows"

    def _tries(self) -> Iterator[_Try]:
        for order in ORDERS:
            try:
                yield _Try(self.statement, self.other, self.known, order)
            except (Unknown, Undefined, NotExact) as reason:
                self.reason = str(reason)

    def proof(self, value: Term) -> Json | None:
        for found in self._tries():
            try:
                return found.payload(value)
            except _Other:
                return None
            except (Unknown, Undefined) as reason:
                self.reason = str(reason)
        return None

    def limit(self) -> tuple[Term, Json] | None:
        """The limit that shows, and the payload that proves it."""
        for found in self._tries():
            try:
                value = found.value()
                return value, found.payload(value)
            except (Unknown, Undefined, _Other) as reason:
                self.reason = str(reason)
        return None


class _Other(ArithmeticError):
    """The expression tends to something else."""


class _Try:
    """The expression in small quantities, with series of one order."""

    def __init__(self, statement: Json, other: Decide, known: dict[Any, Any], order: int) -> None:
        self.q = Quantities(statement, other, known)
        self.steps = Steps(self.q, order)
        for term in list(self.q.spoken):
            self.steps.take(self.steps.without_logarithms(term))
        self.form = self.steps.forms.of(self.q.expression)

    def value(self) -> Term:
        if self.form.is_finite():
            return self.q.at_zero(self.form.term())
        sign = self.q.sign(self.form.leading())
        if not sign:
            raise Unknown("the sign of what grows without bound is not known")
        return INFINITE[0] if sign > 0 else INFINITE[1]

    def payload(self, value: Term) -> Json:
        q, finite = self.q, self.form.is_finite()
        if value in INFINITE:
            if finite or self.value() != value:
                raise _Other
            return self._complete(*self._infinite(value))
        if not finite:
            raise _Other
        form = self.form.term()
        equal = q._identity(q.at_zero(form), value, q.parameters)
        if equal is None:
            raise _Other
        identity = q.equal(q.expression, q.in_variables(form))
        return self._complete(form, identity) | {"value": equal.as_json()}

    def _infinite(self, value: Term) -> tuple[Any, Json]:
        q, up = self.q, value == INFINITE[0]
        form = self.form if up else self.form.negated()
        rest, size = form.normalised(), form.size()
        if not q.positive(q.at_zero(rest)):
            raise Unknown("the sign of what grows without bound is not known")
        powers, more = q.small_powers(scaled(size, -1))
        below = [powers, times(more, ("^", rest, MINUS_ONE))]
        right = times(ONE if up else MINUS_ONE, ("^", q.in_variables(q.form_term(below)), MINUS_ONE))
        return below, q.equal(q.expression, right)

    def _complete(self, form: Any, identity: Json) -> Json:
        near = self._near()
        facts = [fact.as_json() for fact in self.q.needed.values()]
        return {"steps": self.q.steps, "form": form, "identity": identity, "near": near, "facts": facts}

    # --- values near the limit ----------------------------------------------------------------------------------------

    def _near(self) -> Json:
        """A choice of the parameters for which everything has values near the limit, with reasons."""
        wanted = [w for w in self._wanted() if not self._by_form(*w)]
        trouble = "no values of the parameters were found for which the expression has a value near the limit"
        for point in filter(self._has_values, self.q.points()):
            try:
                signs = [self._sign(relation, term, point) for relation, term in wanted]
            except Unknown as reason:
                trouble = str(reason)
                continue
            kept = list({repr(sign[0]): sign for sign in signs if sign}.values())
            return {"point": {n: str(v) for n, v in point.items()}, "signs": kept}
        raise Unknown(trouble)

    def _by_form(self, relation: str, term: Term) -> bool:
        return by_form(term, self.q.symbols) in ENOUGH[relation]

    def _wanted(self) -> Iterator[tuple[str, Term]]:
        q = self.q
        for whole in q.spoken:
            yield from demands(whole)
        for relation, left, right in q.moving:
            if relation == "=":
                raise Unknown("a hypothesis ties the variables of the limit")
            yield from demands(left)
            yield from demands(right)
            yield relation, subtract(left, right)
        place = q.place()
        if place is None:
            return
        for told in q.statement["symbols"][q.variables[0]]:
            yield (TOLD[told], place) if told in TOLD else (">" if told == "negative" else ">=", opposite(place))

    def _has_values(self, point: Values) -> bool:
        q, value = self.q, self.q.statement["value"]
        spoken = [*q.spoken, *([] if value in INFINITE else [carried_out(value)])]
        fixed = set(q.parameters)
        return all(has_value(t, point) for s in spoken for t in _fixed_parts(s, fixed))

    def _sign(self, relation: str, term: Term, point: Values) -> list[Any] | None:
        if self._by_form(relation, term):
            return None
        if symbols_in(term) <= set(self.q.parameters):
            if not holds((relation, term, ZERO), point):
                raise Unknown("a part of the expression has no value for the parameters that were tried")
            return None
        form, q = self.steps.forms.of(term), self.q
        form.size()  # whose first terms do not cancel
        with precision(BITS):
            ball = evaluate(form.leading(), point) * evaluate(q.at_zero(form._sum(form.below, form.below[0][0])), point)
        sign = 1 if ball > 0 else -1 if ball < 0 else 0
        if sign not in SIGNS[relation]:
            raise Unknown("the expression has no values near the limit, or a hypothesis does not hold there")
        form = form if sign == 1 else form.negated()
        told = [q.powers(form.size()), form.normalised()]
        written = q.in_variables(q.form_term(told))
        written = written if sign == 1 else opposite(written)
        return [term, sign, told, None if written == term else q.equal(term, written)]


def _fixed_parts(term: Term, parameters: set[str]) -> Iterator[Term]:
    """The largest parts that speak of parameters alone."""
    if symbols_in(term) <= parameters:
        yield term
    else:
        for child in children(term):
            yield from _fixed_parts(child, parameters)


# --- refutation -------------------------------------------------------------------------------------------------------


def _refutation(statement: Json, search: _Search) -> Json | None:
    """Parameters at which the expression tends to something else, with a proof of that."""
    for point in islice(Quantities(statement, search.other, search.known).points(), POINTS):
        here = at_point(statement, point)
        try:
            found = _Search(here, search.other).limit()
        except ZeroDivisionError:
            continue
        if found is None:
            continue
        other, payload = found
        differs, (left, right) = _apart(other, here["value"])
        if differs:
            proved = Certificate({**here, "value": other}, Verdict.PROVED, "small quantities", payload)
            witness = {"point": {name: str(v) for name, v in point.items()}, "left": left, "right": right}
            return {"limit": proved.as_json(), "witness": witness}
    return None


def at_point(statement: Json, point: Values) -> Json:
    """The same limit with exact numbers for its parameters, written so that an exponent stays no plain number.

    For a power whose exponent is no number has a value where its base is positive, and nowhere else.
    """
    pairs = tuple((name, ("+", ZERO, rational(value))) for name, value in sorted(point.items()))
    variables = set(statement["variables"])

    def put(term: Term) -> Term:
        return ("at", term, pairs) if pairs and term not in INFINITE else term

    towards = statement.get("towards")
    return {
        "kind": "limit",
        "symbols": {name: statement["symbols"][name] for name in statement["variables"]},
        "assuming": [(n, put(a), put(b)) for n, a, b in statement["assuming"] if symbols_in(("+", a, b)) & variables],
        "variables": statement["variables"],
        **({} if towards is None else {"towards": [towards[0], *map(put, towards[1:])]}),
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
