"""Limits: small variables go to zero from above together, or one variable goes anywhere.

The expression is written as a formula that is continuous in quantities that go to zero: the variables themselves,
exponentials and logarithms of them, and remainders of series. First without series, then with more and more terms,
until nothing that decides the limit cancels. The certificate tells the steps, and the checker only follows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from derivations.language.evaluate import evaluate, has_value, precision
from derivations.language.normal import Undefined
from derivations.language.points import Values, holds, written
from derivations.language.terms import MINUS_ONE, ONE, ZERO, NotExact, Term, carried_out, subtract, symbols_in
from derivations.prove import equality
from derivations.prove.certificate import Certificate, Json, Verdict, undecided
from derivations.prove.limits.quantities import Decide, Quantities, opposite
from derivations.prove.limits.sizes import Unknown, scaled
from derivations.prove.limits.steps import Steps
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.limits import SIGNS_NEAR, with_numbers
from derivations.recheck.core.limits.forms import product_of_terms as times
from derivations.recheck.core.load import normal
from derivations.recheck.core.slots import INFINITE

ORDERS = (0, 1, 2, 3, 4, 6)
POINTS, BITS = 3, 256


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
    return undecided(statement, f"no limit was found: {search.reason}")


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
            except (Unknown, Undefined, NotExact, Rejected) as reason:
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

    def apart(self, claimed: Term) -> Callable[[Values], bool]:
        """Check whether the limit that shows, if one does, is not the claimed one at a point of the parameters."""
        for found in self._tries():
            try:
                value = found.value()
            except (Unknown, Undefined) as reason:
                self.reason = str(reason)
                continue
            if value not in INFINITE and claimed not in INFINITE:
                return lambda point: _differ(value, claimed, point)
        return lambda _: True

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
        equal = q.identity(q.at_zero(form), value)
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
        try:
            wanted = list(self.q.wanted())
        except Rejected as reason:
            raise Unknown(str(reason)) from None
        trouble = "no values of the parameters were found for which the expression has a value near the limit"
        for point in filter(self._has_values, self.q.points()):
            try:
                signs = [self._sign(relation, term, point) for relation, term in wanted]
            except Unknown as reason:
                trouble = str(reason)
                continue
            kept = list({repr(sign[0]): sign for sign in signs if sign}.values())
            return {"point": written(point), "signs": kept}
        raise Unknown(trouble)

    def _has_values(self, point: Values) -> bool:
        value = self.q.value
        spoken = [*self.q.spoken, *([] if value in INFINITE else [carried_out(value)])]
        return all(has_value(constant, point) for constant in self.q.constants(spoken))

    def _sign(self, relation: str, term: Term, point: Values) -> list[Any] | None:
        if symbols_in(term) <= set(self.q.parameters):
            if not holds((relation, term, ZERO), point):
                raise Unknown("a part of the expression has no value for the parameters that were tried")
            return None
        form, q = self.steps.forms.of(term), self.q
        form.size()  # whose first terms do not cancel
        with precision(BITS):
            ball = evaluate(form.leading(), point) * evaluate(q.at_zero(form._sum(form.below, form.below[0][0])), point)
        sign = 1 if ball > 0 else -1 if ball < 0 else 0
        if sign not in SIGNS_NEAR[relation]:
            raise Unknown("the expression has no values near the limit, or a hypothesis does not hold there")
        form = form if sign == 1 else form.negated()
        told = [q.powers(form.size()), form.normalised()]
        written = q.in_variables(q.form_term(told))
        written = written if sign == 1 else opposite(written)
        return [term, sign, told, None if written == term else q.equal(term, written)]


# --- refutation -------------------------------------------------------------------------------------------------------


def _refutation(statement: Json, search: _Search) -> Json | None:
    """Parameters for which the expression tends to something else, with a proof."""
    points = Quantities(statement, search.other, search.known).points()
    apart = search.apart(statement["value"])
    texts = dict.fromkeys(tuple((n, str(v)) for n, v in point.items()) for point in points if apart(point))
    for exact in map(dict, islice(texts, POINTS)):
        here = with_numbers(normal(statement), exact)
        try:
            other, payload = _Search(here, search.other).limit() or (here["value"], {})
        except ZeroDivisionError:
            continue
        differs, (left, right) = _apart(other, here["value"])
        if differs:
            proved = Certificate({**here, "value": other}, Verdict.PROVED, "small quantities", payload)
            witness = {"point": exact, "left": left, "right": right}
            return {"limit": proved.as_json(), "witness": witness}
    return None


def _differ(left: Term, right: Term, point: Values) -> bool:
    """Check whether two values certainly differ at a point, or one of them has none there that would show it."""
    try:
        return bool(equality.separated(subtract(left, right), point))
    except (Undefined, ZeroDivisionError):
        return True


def _apart(left: Term, right: Term) -> tuple[bool, tuple[str, str]]:
    """Check whether two values without parameters differ, finite or not, and both as text."""
    first, second = (v[0] if v in INFINITE else equality.shown(v, {}, BITS) for v in (left, right))
    texts = str(first), str(second)
    if left in INFINITE or right in INFINITE:
        return left != right, texts
    return bool(equality.separated(subtract(left, right), {})), texts
