"""Formulas as a straight-line program: equal parts are computed once, and derivatives are formulas of it as well."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any

from flint import arb, ctx, fmpq

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Rational, Term, rational, shown
from derivations.recheck.core.terms import subterms

MOST_NODES = 30_000
NODE_WORK, WALK_WORK = 3000, 300  # see `spend`
FUNCTIONS = ("exp", "log", "sin", "cos", "erf", "asin", "atan", "lambertw")
Node = tuple[Any, ...]


class Program:
    """Nodes in an order in which each stands after those that it is made of.

    A node is ("state", number), ("time",), ("number", q), ("pi",), ("+", ...), ("*", a, b), ("inverse", a),
    ("root", a), ("abs", a), ("side", a) for the sign of a, or a function of one node.
    """

    def __init__(self, states: Iterable[str], time: str) -> None:
        self.numbers = {state: number for number, state in enumerate(states)}
        self.time = time
        self.nodes: list[Node] = []
        self._found: dict[Node, int] = {}
        self._read: dict[Term, int] = {}
        self._constants: dict[tuple[int, int], Any] = {}
        self._slopes: dict[tuple[int, int], int] = {}
        self.zero, self.one = self.number(fmpq(0)), self.number(fmpq(1))

    # --- making nodes -------------------------------------------------------------------------------------------------

    def node(self, *made: Any) -> int:
        found = self._found.get(made)
        if found is None:
            spend(NODE_WORK)
            if len(self.nodes) >= MOST_NODES:
                raise Rejected("the formulas of a trajectory and their derivatives are too large to be checked")
            found = self._found[made] = len(self.nodes)
            self.nodes.append(made)
        return found

    def number(self, value: Rational) -> int:
        return self.node("number", str(value))

    def constant(self, node: int) -> Any:
        """The ball of a number, at the precision in force."""
        key = (node, ctx.prec)
        found = self._constants.get(key)
        if found is None:
            head = self.nodes[node]
            found = self._constants[key] = arb.pi() if head[0] == "pi" else arb(rational(head[1]))
        return found

    def _value(self, node: int) -> Rational | None:
        head = self.nodes[node]
        return rational(head[1]) if head[0] == "number" else None

    def total(self, nodes: Iterable[int]) -> int:
        constant, rest = fmpq(0), []
        for node in nodes:
            value = self._value(node)
            if value is None:
                rest.append(node)
            else:
                constant += value
        if constant != 0 or not rest:
            rest.append(self.number(_short(constant)))
        return rest[0] if len(rest) == 1 else self.node("+", *sorted(rest))

    def product(self, a: int, b: int) -> int:
        x, y = self._value(a), self._value(b)
        if x is not None and y is not None:
            return self.number(_short(x * y))
        if self.zero in (a, b):
            return self.zero
        if self.one in (a, b):
            return b if a == self.one else a
        return self.node("*", min(a, b), max(a, b))

    def inverse(self, a: int) -> int:
        value = self._value(a)
        return self.node("inverse", a) if value is None or value == 0 else self.number(1 / value)

    def power(self, a: int, exponent: int) -> int:
        """A whole power by repeated squares; the exponent is not zero."""
        result, square, left = self.one, a, abs(exponent)
        while left:
            if left % 2:
                result = self.product(result, square)
            left //= 2
            square = self.product(square, square) if left else square
        return result if exponent > 0 else self.inverse(result)

    # --- reading formulas ---------------------------------------------------------------------------------------------

    def read(self, term: Term, asked: set[int]) -> int:
        """The node of a formula; whatever stands in it is asked for, even where a zero multiplies it."""
        root = self._node_of(term)
        asked |= self.inside(self._read[inner] for inner in subterms(term) if inner in self._read)
        return root

    def _node_of(self, term: Term) -> int:
        found = self._read.get(term)
        if found is None:
            found = self._read[term] = self._made(term)
        return found

    def _made(self, term: Term) -> int:
        head = term[0]
        if head == "s":
            if term[1] == self.time:
                return self.node("time")
            if term[1] not in self.numbers:
                raise Rejected(f"{shown(term[1])} in a formula of a trajectory is neither a state nor the time")
            return self.node("state", self.numbers[term[1]])
        if head == "q":
            return self.number(rational(term[1]))
        if head == "pi":
            return self.node("pi")
        if head == "^":
            return self._power(self._node_of(term[1]), term[2])
        if head not in ("+", "*", "abs", "sinh", "cosh", "tanh", *FUNCTIONS):
            raise Rejected(f"a formula of a trajectory must be written without {shown(head)}")
        inner = [self._node_of(child) for child in term[1:]]
        if head == "+":
            return self.total(inner)
        if head == "*":
            result = self.one  # in one order, and numbers last, so that more products are alike
            for factor in sorted(inner, key=lambda node: (self._value(node) is not None, node)):
                result = self.product(result, factor)
            return result
        if head in ("sinh", "cosh", "tanh"):
            return self._hyperbolic(head, inner[0])
        return self.node(head, inner[0])

    def _power(self, base: int, exponent: Term) -> int:
        if exponent[0] != "q":
            return self.node("exp", self.product(self._node_of(exponent), self.node("log", base)))
        value = rational(exponent[1])
        if value == 0:
            raise Rejected("a formula of a trajectory has a power with the exponent zero: write 1")
        if value.q == 1:
            return self.power(base, int(value.p))
        if value.q == 2:
            return self.power(self.node("root", base), int(value.p))
        return self.node("exp", self.product(self.number(value), self.node("log", base)))

    def _hyperbolic(self, head: str, a: int) -> int:
        half, minus = self.number(fmpq(1, 2)), self.number(fmpq(-1))
        if head == "tanh":
            twice = self.node("exp", self.product(self.number(fmpq(2)), a))
            small = self.inverse(self.total((twice, self.one)))
            return self.total((self.one, self.product(self.number(fmpq(-2)), small)))
        up, down = self.node("exp", a), self.node("exp", self.product(minus, a))
        return self.product(half, self.total((up, down if head == "cosh" else self.product(minus, down))))

    # --- derivatives --------------------------------------------------------------------------------------------------

    def slope(self, node: int, by: int) -> int:
        """The derivative by a state, given by its number, or by the time (-1)."""
        key = (node, by)
        found = self._slopes.get(key)
        if found is None:
            spend(NODE_WORK)
            found = self._slopes[key] = self._slope(node, by)
        return found

    def _slope(self, node: int, by: int) -> int:
        head, *inner = self.nodes[node]
        if head == "state":
            return self.one if inner[0] == by else self.zero
        if head == "time":
            return self.one if by == -1 else self.zero
        if head in ("number", "pi", "side"):
            return self.zero
        if head == "+":
            return self.total(self.slope(child, by) for child in inner)
        if head == "*":
            a, b = inner
            return self.total((self.product(self.slope(a, by), b), self.product(a, self.slope(b, by))))
        change = self.slope(inner[0], by)
        return self.zero if change == self.zero else self.product(self.outer(node), change)

    def outer(self, node: int) -> int:
        """The derivative of a function of one node by what stands in it."""
        head, a = self.nodes[node]
        minus = self.number(fmpq(-1))
        match head:
            case "exp":
                return node
            case "log":
                return self.inverse(a)
            case "sin":
                return self.node("cos", a)
            case "cos":
                return self.product(minus, self.node("sin", a))
            case "inverse":
                return self.product(minus, self.product(node, node))
            case "root":
                return self.product(self.number(fmpq(1, 2)), self.inverse(node))
            case "abs":
                return self.node("side", a)
            case "atan":
                return self.inverse(self.total((self.product(a, a), self.one)))
            case "asin":
                left = self.total((self.product(minus, self.product(a, a)), self.one))
                return self.inverse(self.node("root", left))
            case "erf":
                bell = self.node("exp", self.product(minus, self.product(a, a)))
                scale = self.product(self.number(fmpq(2)), self.inverse(self.node("root", self.node("pi"))))
                return self.product(scale, bell)
            case "lambertw":
                return self.inverse(self.total((a, self.node("exp", node))))
        raise Rejected(f"the derivative of {head} is not checked here")

    # --- what has to be computed --------------------------------------------------------------------------------------

    def inside(self, roots: Iterable[int], known: Set[int] = frozenset()) -> set[int]:
        """All nodes of which some nodes are made, themselves included; but for what is known, with all inside it."""
        todo, seen = list(roots), set[int]()
        while todo:
            here = todo.pop()
            if here not in seen and here not in known:
                seen.add(here)
                todo += self.made_of(here)
        spend(WALK_WORK * len(seen))
        return seen

    def made_of(self, node: int) -> tuple[int, ...]:
        head, *inner = self.nodes[node]
        return () if head in ("state", "time", "number", "pi") else tuple(inner)


def _short(value: Rational) -> Rational:
    """A number that is folded, kept to a size with which balls are made quickly."""
    if max(int(value.p).bit_length(), int(value.q).bit_length()) > 20_000:
        raise Rejected("a number in a formula of a trajectory is too long: write a shorter one")
    return value
