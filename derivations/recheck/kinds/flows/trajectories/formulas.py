"""Formulas as steps of arithmetic with their derivatives, carried out in balls or in power series of the time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial, reduce
from operator import add, mul
from typing import Any, NamedTuple

from flint import arb, arb_series, ctx

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import Term, rational
from derivations.recheck.core.terms import HALF, MINUS_ONE, TWO, outer_derivative

Ball = Any  # flint.arb
Polynomial = Any  # flint.arb_poly
Row = list[Ball]  # the coefficients of a series
Value = Any  # a ball or a series
Step = tuple[Any, ...]  # an operation, with the numbers of the steps that it takes
Operation = tuple[Callable[..., Value], int, int]  # with the steps that it takes
Slopes = Mapping[int, int]  # the steps of derivatives by letters; those that are missing are zero
FUNCTIONS = ("exp", "log", "sin", "cos", "erf", "asin", "atan", "lambertw")
HEADS = {"s", "q", "pi", "+", "*", "^", "abs", *FUNCTIONS}
ZERO, ONE = arb(0), arb(1)
SLIM = arb(2) ** -20  # of its size: the radius of a ball over which python-flint's own roots are good
OPERATION_WORK, TERM_WORK, PAIR_WORK, FUNCTION_WORK = 600, 25, 2, 8  # see `spend`; the last is a factor


class Plan(NamedTuple):
    """Steps to be carried out, each by its number, and how much work they are."""

    work: int
    operations: Mapping[int, Operation]


class Formulas:
    """Some formulas of letters; equal steps of their arithmetic are one, and stand after those that they need."""

    def __init__(self, letters: Sequence[str], formulas: Sequence[Term], asked: Sequence[Term] = ()) -> None:
        """asked: formulas that only have to have values."""
        self.numbers: dict[Step, int] = {}
        for letter in letters:
            self._step("s", letter)
        self.one = self._step("q", "1")
        self.outputs, by_step = list(map(self._of, formulas)), list[Slopes]()
        for step in list(self.numbers):
            by_step.append(self._slopes(step, by_step))
        self.slopes = [by_step[number] for number in self.outputs]
        self.asked = [*self.outputs, *map(self._of, asked)]
        self.steps = list(self.numbers)
        self.plain = self._needed(self.asked, ())
        self.sloped = self._needed([number for row in self.slopes for number in row.values()], self.plain.operations)

    # formulas as steps

    def _step(self, *step: Any) -> int:
        """The number of a step: its operation, and the numbers of what it takes."""
        return self.numbers.setdefault(step, len(self.numbers))

    def _joined(self, head: str, a: int, b: int) -> int:
        if head == "*" and self.one in (a, b):
            return a + b - self.one
        return self._step(head, *sorted((a, b)))

    def _of(self, formula: Term, letters: Mapping[str, int] | None = None) -> int:
        """The step that yields a formula; letters: the steps that stand for them."""
        known: dict[int, int] = {}  # by identity, as equal parts may be one object

        def of(term: Term) -> int:
            if id(term) not in known:
                known[id(term)] = read(*term)
            return known[id(term)]

        def read(head: str, *inner: Any) -> int:
            if head == "s":
                return letters[inner[0]] if letters else self.numbers["s", inner[0]]
            if head in ("q", "pi"):
                return self._step(head, *inner)
            if head == "^":
                return power(*inner)
            parts = list(map(of, inner))
            return reduce(partial(self._joined, head), parts) if head in ("+", "*") else self._step(head, *parts)

        def power(base: Term, exponent: Term) -> int:
            if exponent == HALF and base[0] == "^" and base[2] == TWO:
                return self._step("abs", of(base[1]))
            e = rational(exponent[1]) if exponent[0] == "q" else None
            if e is None or e.q > 2:
                return self._step("exp", self._joined("*", self._step("log", of(base)), of(exponent)))
            value = of(base) if e.q == 1 else self._step("root", of(base))
            return self._raised(value if e > 0 else self._step("inverse", value), abs(int(e.p)))

        return of(formula)

    def _raised(self, base: int, exponent: int) -> int:
        if exponent == 0:
            return self._step("exp", self._joined("*", self._step("q", "0"), base))  # one, where the base has a value
        if exponent == 1:
            return base
        half = self._raised(base, exponent // 2)
        square = self._joined("*", half, half)
        return self._joined("*", square, base) if exponent % 2 else square

    def _slopes(self, step: Step, known: Sequence[Slopes]) -> Slopes:
        """The derivatives of a step by letters, from those of what it takes."""
        head, *inner = step
        if head == "s":
            return {self.numbers[step]: self.one}
        if head in ("q", "pi", "sign"):
            return {}
        if head == "+":
            return self._sum(*(known[i] for i in inner))
        if head == "*":
            a, b = inner
            return self._sum(self._times(known[a], b), self._times(known[b], a))
        (a,) = inner
        if not known[a]:
            return {}
        outer = self._step("sign", a) if head == "abs" else self._of(_outer(head), {"a": a})
        return self._times(known[a], outer)

    def _sum(self, a: Slopes, b: Slopes) -> Slopes:
        return {**a, **b, **{by: self._joined("+", a[by], b[by]) for by in a.keys() & b.keys()}}

    def _times(self, slopes: Slopes, factor: int) -> Slopes:
        return {by: self._joined("*", slope, factor) for by, slope in slopes.items()}

    # values

    def values(self, letters: Sequence[Ball]) -> list[Ball]:
        """The values of the formulas, or `Undefined` where a part has none."""
        return self._values([*letters], 1)

    def with_slopes(self, letters: Sequence[Ball]) -> tuple[list[Ball], list[Mapping[int, Ball]]]:
        """The values, and their derivatives by letters; those that are missing are zero."""
        made = [*letters]
        return self._values(made, 1), self._derivatives(made, 1)

    def along(
        self, letters: Sequence[Polynomial], length: int, of_slopes: int = 0
    ) -> tuple[list[Row], list[dict[int, Row]]]:
        """So many coefficients of the values along polynomials, and of the derivatives, where some are asked for."""
        before, ctx.cap = ctx.cap, length
        try:
            made = [arb_series(letter.coeffs()) for letter in letters]
            rates = [_coefficients(value, length) for value in self._values(made, length)]
            ctx.cap = of_slopes
            slopes = self._derivatives(made, of_slopes) if of_slopes else []
        finally:
            ctx.cap = before
        return rates, [{by: _coefficients(slope, of_slopes) for by, slope in row.items()} for row in slopes]

    def _values(self, made: list[Value], length: int) -> list[Value]:
        """Carry out the steps of the values; made: the values of letters, where those of all steps are added."""
        made += [None] * (len(self.steps) - len(made))
        self._carry_out(self.plain, made, length)
        return [_finite(made[number]) for number in self.asked][: len(self.outputs)]

    def _derivatives(self, made: list[Value], length: int) -> list[Mapping[int, Value]]:
        self._carry_out(self.sloped, made, length)
        return [{by: _finite(made[number]) for by, number in row.items()} for row in self.slopes]

    def _needed(self, outputs: Sequence[int], before: Collection[int]) -> Plan:
        """The steps that yield some others, without those that were carried out before."""
        todo, needed = list(outputs), set[int]()
        while todo:
            number = todo.pop()
            head, *inner = self.steps[number]
            if head != "s" and number not in before and number not in needed:
                needed.add(number)
                todo += inner if head not in CONSTANTS else ()
        work = sum(FUNCTION_WORK if self.steps[number][0] in FUNCTIONS else 1 for number in needed)
        return Plan(work, {number: self._operation(*self.steps[number]) for number in sorted(needed)})

    def _operation(self, head: str, *inner: Any) -> Operation:
        """Return what is done, and with which steps: two or one; constants are made of nothing."""
        first, second, *_ = *(() if head in CONSTANTS else inner), -1, -1
        return partial(_constant, "".join(inner)) if head in CONSTANTS else OPERATIONS[head], first, second

    def _carry_out(self, plan: Plan, made: list[Value], length: int) -> None:
        spend(plan.work * (OPERATION_WORK + TERM_WORK * length + PAIR_WORK * length * length) * ctx.prec // 128)
        for number, (operation, a, b) in plan.operations.items():
            made[number] = operation(made[a], made[b]) if b >= 0 else operation(made[a])


def _coefficients(series: Value, length: int) -> Row:
    """The first coefficients of a series that has so many; a ball is a constant series."""
    known = series.coeffs() if isinstance(series, arb_series) else [series]
    if isinstance(series, arb_series) and series.prec < length:
        raise Undefined
    return [*known, *[ZERO] * (length - len(known))][:length]


def _finite(value: Value) -> Value:
    if not all(each.is_finite() for each in (value.coeffs() if isinstance(value, arb_series) else (value,))):
        raise Undefined
    return value


def _first(a: Value) -> Ball:
    """The value at the beginning of a series; what is not finite would stay hidden in a function that is bounded."""
    first = a[0] if isinstance(a, arb_series) else a
    if not first.is_finite():
        raise Undefined
    return first


def _sign(a: Value) -> Ball:
    """1 or -1, where the sign of a is certain."""
    first = _first(a)
    if not (first > 0 or first < 0):
        raise Undefined
    return ONE if first > 0 else -ONE


def _size(a: Value) -> Value:
    return _sign(a) * a if isinstance(a, arb_series) else abs(a)


def _function(head: str, a: Value) -> Value:
    _first(a)
    return getattr(a, head)()


def _inverse(a: Value) -> Value:
    _first(a)
    return a.inv() if isinstance(a, arb_series) else ONE / a


def _root(a: Value) -> Value:
    """From b b = a, one coefficient after the other: over wide balls python-flint's own is wider by far."""
    first = _first(a)
    if not isinstance(a, arb_series) or first.rad() < SLIM * abs(first):
        return a.sqrt()
    own = [first.sqrt()]
    for k in range(1, ctx.cap):
        square = sum((own[i] * own[k - i] for i in range(1, k)), ZERO)
        own.append((a[k] - square) / (own[0] + own[0]))
    return arb_series(own)


def _constant(text: str, _: Value) -> Ball:
    return arb(_number(text)) if text else arb.pi()


CONSTANTS = ("q", "pi")
OPERATIONS: dict[str, Callable[..., Value]] = {
    "+": add, "*": mul, "abs": _size, "sign": _sign, "inverse": _inverse, "root": _root,
    **{head: partial(_function, head) for head in FUNCTIONS},
}  # fmt: skip
_number = cache(rational)


@cache
def _outer(head: str) -> Term:
    """The derivative of a function of a."""
    a: Term = ("s", "a")
    if head == "inverse":
        return ("*", MINUS_ONE, ("^", a, ("q", "-2")))
    return ("*", HALF, ("^", a, ("q", "-1/2"))) if head == "root" else outer_derivative(head, a)
