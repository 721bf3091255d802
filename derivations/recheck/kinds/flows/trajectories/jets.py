"""Values, Taylor coefficients and series of a program in balls.

The coefficients of a solution follow from its program one after the other: those of the states up to number k give
those of the rates up to number k, and x[k + 1] = f(x)[k] / (k + 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import mul
from typing import Any

from flint import arb, arb_series, ctx

from derivations.recheck.core.balls import Undefined
from derivations.recheck.kinds.flows.trajectories.program import FUNCTIONS, Program

Ball = Any  # flint.arb
Balls = Sequence[Ball]
Table = dict[int, list[Ball]]
Next = Callable[[int], Ball]  # the coefficient of this number, once all earlier ones are known
ZERO, ONE = arb(0), arb(1)
LEAVES = frozenset(("state", "time", "number", "pi"))


@contextmanager
def series_of_length(length: int) -> Iterator[None]:
    """Series of python-flint end after so many coefficients; its setting is left as it was found."""
    before = ctx.cap
    ctx.cap = length
    try:
        yield
    finally:
        ctx.cap = before


# --- values -----------------------------------------------------------------------------------------------------------


def carried_out(
    program: Program, nodes: Iterable[int], leaf: Callable[[int], Any], function: Callable[[str, Any], Any]
) -> dict[int, Any]:
    """What each of some nodes is, which are sorted and complete, in whatever kind of numbers its leaves are."""
    found: dict[int, Any] = {}
    every = program.nodes
    for node in nodes:
        made = every[node]
        head = made[0]
        if head == "*":
            found[node] = found[made[1]] * found[made[2]]
        elif head == "+":
            total = found[made[1]] + found[made[2]]
            for child in made[3:]:
                total = total + found[child]
            found[node] = total
        elif head in LEAVES:
            found[node] = leaf(node)
        else:
            found[node] = function(head, found[made[1]])
    return found


def values(program: Program, nodes: Iterable[int], states: Balls, time: Ball) -> dict[int, Ball]:
    """A finite ball for each of some nodes, which are sorted and complete; `Undefined` where one has none."""

    def leaf(node: int) -> Ball:
        head, *inner = program.nodes[node]
        return states[inner[0]] if head == "state" else time if head == "time" else program.constant(node)

    found = carried_out(program, nodes, leaf, _function)
    if not all(map(arb.is_finite, found.values())):
        raise Undefined
    return found


def _function(head: str, a: Ball) -> Ball:
    if head == "inverse":
        return ONE / a
    if head == "root":
        return a.sqrt()
    if head == "abs":
        return abs(a)
    if head == "side":
        return _side(a)
    return getattr(a, head)()


def _side(a: Ball) -> Ball:
    """1 or -1, where the sign is certain: there |a| has a derivative."""
    if a > 0:
        return ONE
    if a < 0:
        return -ONE
    raise Undefined


# --- coefficients of solutions ----------------------------------------------------------------------------------------


class Flow:
    """The rates of some states, their coefficients along solutions, and their Jacobian."""

    def __init__(self, program: Program, rates: Sequence[int], asked: Iterable[int], still: Iterable[int]) -> None:
        """asked: nodes that must have values; still: numbers of states that are constant."""
        self.program, self.rates = program, rates
        self.still = frozenset(still)
        self.slopes = {
            (i, j): slope
            for i, rate in enumerate(rates)
            for j in range(len(rates))
            if (slope := program.slope(rate, j)) != program.zero
        }
        wanted = {*asked, *program.inside(rates)}
        self.asked = sorted(wanted | self._weights(wanted))
        self.slope_nodes = sorted(program.inside(self.slopes.values()))
        self.rate_nodes = sorted(program.inside(rates))
        self.moving = self._moving()
        self.moving_states = [i for i in range(len(rates)) if i not in self.still]

    def _weights(self, nodes: Iterable[int]) -> set[int]:
        """The derivatives of functions, by which their coefficients are computed, and all that these are made of."""
        todo, found = [node for node in nodes if self.program.nodes[node][0] in FUNCTIONS], set[int]()
        while todo:
            weight = self.program.outer(todo.pop())
            if weight not in found:
                fresh = self.program.inside((weight,), found)
                found |= fresh
                todo += [node for node in fresh if self.program.nodes[node][0] in FUNCTIONS]
        return found

    def _moving(self) -> frozenset[int]:
        """The nodes of the rates that change along solutions."""
        found = set[int]()
        for node in self.asked:
            head, *inner = self.program.nodes[node]
            starts = head == "time" or (head == "state" and inner[0] not in self.still)
            if starts or not found.isdisjoint(self.program.made_of(node)):
                found.add(node)
        return frozenset(found)

    def coefficients(self, states: Balls, time: Ball, order: int) -> list[list[Ball]]:
        """Coefficients 0 to `order` of each state from some place and time on."""
        courses: list[list[Ball]] = [[state] for state in states]
        table: Table = {}
        first = values(self.program, self.asked, states, time)
        nexts: list[tuple[list[Ball], Next]] = []
        for node in self.asked:
            head, *inner = self.program.nodes[node]
            if head == "state":
                table[node] = courses[inner[0]]
                continue
            table[node] = [first[node]]
            if node in self.moving:
                nexts.append((table[node], self._next(node, table)))
        rates = [(courses[i], table[rate]) for i, rate in enumerate(self.rates) if i not in self.still]
        for k in range(order):
            if k:
                for row, next_one in nexts:
                    row.append(next_one(k))
            divisor = arb(k + 1)
            for course, rate in rates:
                course.append(rate[k] / divisor if k < len(rate) else ZERO)
        for i in self.still:
            courses[i] += [ZERO] * order
        if not all(each.is_finite() for course in courses for each in course):
            raise Undefined
        return courses

    def _next(self, node: int, table: Table) -> Next:
        head, *inner = self.program.nodes[node]
        if head == "time":
            return lambda k: ONE if k == 1 else ZERO
        if head == "+":
            return _next_of_sum([table[child] for child in inner if child in self.moving])
        if head == "*":
            return self._next_of_product(inner[0], inner[1], table)
        a, own = table[inner[0]], table[node]
        if head == "inverse":
            return _next_of_inverse(a, own)
        if head == "root":
            return _next_of_root(a, own)
        if head == "side":
            return lambda k: ZERO
        if head == "abs":
            side = _side(a[0])
            return lambda k: side * a[k]
        return _next_of_function(a, table, self.program.outer(node))

    def _next_of_product(self, left: int, right: int, table: Table) -> Next:
        a, b = table[left], table[right]
        if left not in self.moving:
            return lambda k: a[0] * b[k]
        if right not in self.moving:
            return lambda k: b[0] * a[k]
        if left == right:
            return lambda k: _of_square(a, 0, k)
        return lambda k: sum(map(mul, a, b[k::-1]), ZERO)

    # --- the variational equation -------------------------------------------------------------------------------------

    def jacobian(self, states: Balls, time: Ball) -> dict[tuple[int, int], Ball]:
        """Balls for the entries of the Jacobian that are not zero."""
        found = values(self.program, self.slope_nodes, states, time)
        return {place: found[node] for place, node in self.slopes.items()}

    def series(self, nodes: Iterable[int], courses: list[list[Ball]], time: Ball, length: int) -> dict[int, Any]:
        """Series of some nodes, which are sorted and complete, along some courses."""
        program = self.program

        def leaf(node: int) -> Any:
            head, *inner = program.nodes[node]
            if head == "state":
                return arb_series(courses[inner[0]])
            return arb_series([time, ONE] if head == "time" else [program.constant(node)])

        with series_of_length(length):
            return carried_out(program, nodes, leaf, _function_of_series)


def _function_of_series(head: str, a: Any) -> Any:
    if head in ("abs", "side"):
        side = arb_series([_side(a[0])])
        return side * a if head == "abs" else side
    if head == "root":
        return _root_of_series(a)
    return a.inv() if head == "inverse" else getattr(a, head)()


def _root_of_series(a: Any) -> Any:
    """One coefficient after the other: over wide balls python-flint's own is wider by many orders of magnitude."""
    inner, own = [a[k] for k in range(ctx.cap)], [a[0].sqrt()]
    next_one = _next_of_root(inner, own)
    for k in range(1, ctx.cap):
        own.append(next_one(k))
    return arb_series(own)


def _next_of_sum(parts: list[list[Ball]]) -> Next:
    if len(parts) == 2:
        a, b = parts
        return lambda k: a[k] + b[k]
    return lambda k: sum([part[k] for part in parts], ZERO)


def _next_of_inverse(a: list[Ball], own: list[Ball]) -> Next:
    """From a b = 1."""
    return lambda k: -own[0] * sum(map(mul, a[1:], own[::-1]), ZERO)


def _next_of_root(a: list[Ball], own: list[Ball]) -> Next:
    """From b b = a."""
    return lambda k: (a[k] - _of_square(own, 1, k - 1)) / (own[0] + own[0])


def _of_square(a: list[Ball], first: int, last: int) -> Ball:
    """The sum of a[i] a[j] over i + j = first + last, both from first to last."""
    half = (last - first + 1) // 2
    total = sum(map(mul, a[first : first + half], a[last : last - half : -1]), ZERO)
    total = total + total
    if (last - first) % 2 == 0:
        middle = a[first + half]
        total = total + middle * middle
    return total


def _next_of_function(a: list[Ball], table: Table, weight: int) -> Next:
    """From b' = w a', where w is the derivative of the function."""
    rising: list[Ball] = []
    w = table.get(weight)

    def step(k: int) -> Ball:
        slope = table[weight] if w is None else w
        rising.append(arb(k) * a[k])
        return sum(map(mul, rising, slope[k - 1 :: -1]), ZERO) / arb(k)

    return step
