"""Formulas as straight-line programs: what occurs twice is computed once, and derivatives are programs as well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from flint import acb, arb, arb_series, ctx, fmpq

from derivations.language.terms import NotExact, Term, carried_out, fraction_of
from derivations.text import DerivationError

Ball = Any  # flint.arb
Value = Any  # flint.arb, flint.acb or flint.arb_series, which have the same operations
Work = tuple[int, str, Any, Any]  # where the result goes, an operation, and on what it works
Node = tuple[Any, ...]  # an operation, with the places of what it works on
NAMED = ("exp", "log", "sin", "cos", "erf", "asin", "atan", "lambertw")  # what balls and series both have
WITHOUT_SERIES = ("relexp", "relexp1", "digamma")


class NoValue(DerivationError):
    """A formula that certainly or possibly has no value on a box."""


class Plan(NamedTuple):
    """The operations that lead to some places, and by bits of precision what no symbol changes."""

    fixed: list[Work]
    moving: list[Work]
    known: dict[int, list[Value]]


class Program:
    """Nodes in the order in which they are computed; a node is only made once.

    >>> program = Program()
    >>> square = program.of(("^", ("s", "x"), ("q", "2")))
    >>> (slope,) = program.slopes(square, ["x"])
    >>> values = program.run({"x": arb(3)}, [square])
    >>> print(values[square], program.run({"x": arb(3)}, [slope])[slope])
    9.00000000000000 6.00000000000000
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.moving: list[frozenset[str]] = []  # the symbols that a node depends on
        self._places: dict[Node, int] = {}
        self._terms: dict[Term, int] = {}
        self._plans: dict[tuple[int, ...], Plan] = {}

    # --- building -----------------------------------------------------------------------------------------------------

    def _place(self, *node: Any) -> int:
        place = self._places.get(node)
        if place is None:
            place = self._places[node] = len(self.nodes)
            self.nodes.append(node)
            parts = [self.moving[k] for k in node[1:]] if node[0] not in ("q", "pi", "s") else []
            self.moving.append(frozenset((node[1],)) if node[0] == "s" else frozenset().union(*parts))
        return place

    def number(self, value: Fraction | int) -> int:
        return self._place("q", Fraction(value))

    def symbol(self, name: str) -> int:
        return self._place("s", name)

    def is_number(self, place: int, value: int) -> bool:
        return bool(self.nodes[place] == ("q", Fraction(value)))

    def plus(self, places: Iterable[int]) -> int:
        parts = sorted(k for k in places if not self.is_number(k, 0))
        if not parts:
            return self.number(0)
        return parts[0] if len(parts) == 1 else self._place("+", *parts)

    def times(self, first: int, second: int) -> int:
        """The product; a factor 0 stays, as the other factor may have no value."""
        if self.is_number(first, 1):
            return second
        if self.is_number(second, 1):
            return first
        return self._place("*", *sorted((first, second), key=lambda k: (bool(self.moving[k]), k)))

    def power(self, base: int, exponent: Fraction) -> int:
        """A rational power, where 1/2 stands for a root and denominators beyond 2 for exponentials."""
        if exponent.denominator > 2:
            return self._place("exp", self.times(self.number(exponent), self._place("log", base)))
        root = base if exponent.denominator == 1 else self._place("sqrt", base)
        return self._whole(root if exponent > 0 else self._place("inv", root), abs(exponent.numerator))

    def _whole(self, base: int, exponent: int) -> int:
        if exponent == 1:
            return base
        half = self._whole(base, exponent // 2)
        square = self._place("*", half, half)
        return square if exponent % 2 == 0 else self.times(square, base)

    def of(self, term: Term) -> int:
        """The place of a term's value; refuses what has no power series here (`NotExact`)."""
        place = self._terms.get(term)
        if place is None:
            place = self._terms[term] = self._of(term)
        return place

    def _of(self, term: Term) -> int:
        head = term[0]
        match head:
            case "s":
                return self.symbol(term[1])
            case "q":
                return self.number(fraction_of(term))
            case "pi":
                return self._place("pi")
            case "+":
                return self.plus(map(self.of, term[1:]))
            case "*":
                return self._product([self.of(part) for part in term[1:]])
            case "^":
                return self._power(term)
            case "expm1":
                return self.plus([self._place("exp", self.of(term[1])), self.number(-1)])
            case "sinh" | "cosh":
                up, down = self._up_and_down(self.of(term[1]))
                other = down if head == "cosh" else self.times(self.number(-1), down)
                return self.times(self.number(Fraction(1, 2)), self.plus([up, other]))
            case "tanh":
                doubled = self._place("exp", self.times(self.number(2), self.of(term[1])))
                share = self._place("inv", self.plus([doubled, self.number(1)]))
                return self.plus([self.number(1), self.times(self.number(-2), share)])
            case "abs":
                return self._place("abs", self.of(term[1]))
            case "D":
                self.of(term[1])  # it must have a value as well
                return self.of(carried_out(term))
        if head in NAMED:
            return self._place(head, self.of(term[1]))
        if head in WITHOUT_SERIES:
            raise NotExact(
                f"{head} stands in a rate, and its power series is not computed here: write it in other functions"
            )
        raise NotExact(f"{head} cannot stand in the rate of a trajectory: carry it out before, such as with .doit()")

    def _up_and_down(self, place: int) -> tuple[int, int]:
        return self._place("exp", place), self._place("exp", self.times(self.number(-1), place))

    def _product(self, parts: Sequence[int]) -> int:
        """The factors from left to right, numbers first, so that equal beginnings are computed once."""
        ordered = sorted(parts, key=lambda k: (bool(self.moving[k]), k))
        product = ordered[0]
        for part in ordered[1:]:
            product = self.times(product, part)
        return product

    def _power(self, term: Term) -> int:
        base, exponent = self.of(term[1]), term[2]
        if exponent[0] != "q":
            return self._place("exp", self.times(self.of(exponent), self._place("log", base)))
        value = fraction_of(exponent)
        if value == 0:
            raise NotExact("a power with the exponent 0 stands in a rate, whose domain is unclear: write it as 1")
        return self.power(base, value)

    # --- derivatives --------------------------------------------------------------------------------------------------

    def slopes(self, of: int, names: Sequence[str]) -> list[int]:
        """The places of the derivatives by symbols, from the result backwards."""
        wanted = frozenset(names)
        shares: dict[int, list[int]] = {of: [self.number(1)]}
        leaves: dict[str, int] = {}
        for place in range(of, -1, -1):
            if place not in shares or not self.moving[place] & wanted:
                continue
            share = self.plus(shares.pop(place))
            if self.nodes[place][0] == "s":
                leaves[self.nodes[place][1]] = share
                continue
            for part, slope in self._inner(place):
                if self.moving[part] & wanted:
                    shares.setdefault(part, []).append(share if slope is None else self.times(share, slope))
        return [leaves.get(name, self.number(0)) for name in names]

    def _inner(self, place: int) -> list[tuple[int, int | None]]:
        """What a node works on, each with the derivative by it; None stands for 1."""
        head, *parts = self.nodes[place]
        if head == "+":
            return [(part, None) for part in parts]
        if head == "*":
            return [(parts[0], parts[1]), (parts[1], parts[0])]
        (inner,) = parts
        return [(inner, self._outer(head, inner, place))]

    def _outer(self, head: str, inner: int, place: int) -> int:
        minus = self.number(-1)
        match head:
            case "exp":
                return place
            case "log":
                return self._place("inv", inner)
            case "inv":
                return self.times(minus, self._place("*", place, place))
            case "sqrt":
                return self.times(self.number(Fraction(1, 2)), self._place("inv", place))
            case "sin":
                return self._place("cos", inner)
            case "cos":
                return self.times(minus, self._place("sin", inner))
            case "abs":
                return self._place("sign", inner)
        square = self._place("*", inner, inner)
        match head:
            case "erf":
                bell = self._place("exp", self.times(minus, square))
                return self.times(self.times(self.number(2), self.power(self._place("pi"), Fraction(-1, 2))), bell)
            case "asin":
                return self.power(self.plus([self.number(1), self.times(minus, square)]), Fraction(-1, 2))
            case "atan":
                return self._place("inv", self.plus([self.number(1), square]))
            case "lambertw":
                return self._place("inv", self.plus([inner, self._place("exp", place)]))
        return self.number(0)  # the sign of something that is not zero

    # --- running ------------------------------------------------------------------------------------------------------

    def _plan(self, wanted: tuple[int, ...]) -> Plan:
        """What must be computed for the places that are wanted, in order; what no symbol changes comes first."""
        plan = self._plans.get(wanted)
        if plan is None:
            marked, todo = set(), list(wanted)
            while todo:
                place = todo.pop()
                if place not in marked:
                    marked.add(place)
                    node = self.nodes[place]
                    todo += node[1:] if node[0] not in ("q", "pi", "s") else ()
            fixed = [work for k in sorted(marked) if not self.moving[k] for work in self._works(k)]
            moving = [work for k in sorted(marked) if self.moving[k] for work in self._works(k)]
            plan = self._plans[wanted] = Plan(fixed, moving, {})
        return plan

    def _works(self, place: int) -> list[Work]:
        """The operations of one node, with two places each."""
        head, *parts = self.nodes[place]
        if head == "+":
            return [(place, "+", parts[0], parts[1]), *((place, "+", place, part) for part in parts[2:])]
        return [(place, head, *parts, *[None] * (2 - len(parts)))]

    def run(self, symbols: Mapping[str, Value], wanted: Sequence[int], strict: bool = False) -> list[Value]:
        """The values of the wanted places and of all on the way, in balls or in series.

        strict: whether every single one must be a finite ball; else `NoValue` is raised.
        """
        plan = self._plan(tuple(wanted))
        start = plan.known.get(ctx.prec)
        if start is None:
            start = plan.known[ctx.prec] = [None] * len(self.nodes)
            _carry_out(plan.fixed, start, symbols)
        values = list(start)
        _carry_out(plan.moving, values, symbols)
        if strict and not all(value.is_finite() for value in values if value is not None):
            raise NoValue("a part of a formula has no finite value")
        return values


def _carry_out(works: list[Work], values: list[Value], symbols: Mapping[str, Value]) -> None:
    for place, head, first, second in works:
        if head == "*":
            values[place] = values[first] * values[second]
        elif head == "+":
            values[place] = values[first] + values[second]
        elif head == "s":
            values[place] = symbols[first]
        elif head == "q":
            values[place] = arb(fmpq(first.numerator, first.denominator))
        elif head == "pi":
            values[place] = arb.pi()
        elif head == "inv":
            inner = values[first]
            values[place] = 1 / inner if isinstance(inner, arb | acb) else inner.inv()
        elif head in ("abs", "sign"):
            values[place] = _with_sign(values[first], head == "sign")
        elif isinstance(values[first], acb):
            values[place] = _analytic(head, values[first])
        elif head == "sqrt" and isinstance(values[first], arb_series):
            values[place] = _root(values[first])
        else:
            values[place] = getattr(values[first], head)()


def _root(inner: Any) -> Any:
    """The root of a series, by its square: python-flint's own is far wider over wide balls."""
    found = [inner[0].sqrt()]
    twice = found[0] + found[0]
    for k in range(1, ctx.cap):
        found.append((inner[k] - sum((a * b for a, b in zip(found[1:], found[:0:-1], strict=True)), arb(0))) / twice)
    return arb_series(found)


def _analytic(head: str, inner: Any) -> Any:
    """A function on a complex ball on which it is analytic; not finite where it may not be."""
    if head in ("exp", "sin", "cos", "erf"):
        return getattr(inner, head)()
    if head in ("log", "sqrt"):
        return getattr(inner, head)(analytic=True)
    off_cuts = {"asin": lambda z: 1 - z * z, "atan": lambda z: 1 + z * z, "lambertw": lambda z: 1 + z * arb(1).exp()}
    away = off_cuts[head](inner).log(
        analytic=True
    )  # on the cuts, and there only, this is of a number that is at most 0
    return getattr(inner, head)() if away.is_finite() else away


def _with_sign(inner: Value, sign_only: bool) -> Value:
    """|u| or its sign, for a ball or a series that certainly is not zero."""
    first = inner.real if isinstance(inner, acb) else inner if isinstance(inner, arb) else inner[0]
    if not (first > 0 or first < 0):
        raise NoValue("abs")
    if sign_only:
        return arb(1) if first > 0 else arb(-1)
    return inner if first > 0 else -inner
