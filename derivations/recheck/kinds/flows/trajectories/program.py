"""Formulas as a straight-line program: equal parts are computed once, and derivatives are formulas of it as well."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flint import arb, ctx, fmpq

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Rational, Term, rational, shown
from derivations.recheck.core.terms import outer_derivative, subterms

MOST_NODES = 30_000
NODE_WORK, WALK_WORK = 3000, 300  # see `spend`
FUNCTIONS = ("exp", "log", "sin", "cos", "erf", "asin", "atan", "lambertw")
LEAVES = ("state", "time", "number", "pi")
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
        if key not in self._constants:
            head = self.nodes[node]
            self._constants[key] = arb.pi() if head[0] == "pi" else arb(rational(head[1]))
        return self._constants[key]

    def total(self, nodes: Iterable[int]) -> int:
        kept = [node for node in nodes if node != self.zero] or [self.zero]
        return kept[0] if len(kept) == 1 else self.node("+", *sorted(kept))

    def product(self, a: int, b: int) -> int:
        if self.zero in (a, b):
            return self.zero
        if self.one in (a, b):
            return b if a == self.one else a
        return self.node("*", min(a, b), max(a, b))

    def minus(self, a: int) -> int:
        return self.product(self.number(fmpq(-1)), a)

    def _power(self, base: int, exponent: int) -> int:
        """A whole power by repeated squares; the exponent is not zero."""
        result, remaining = self.one, abs(exponent)
        square = base if exponent > 0 else self.node("inverse", base)
        while remaining:
            if remaining % 2:
                result = self.product(result, square)
            remaining //= 2
            square = self.product(square, square) if remaining else square
        return result

    # --- reading formulas ---------------------------------------------------------------------------------------------

    def read(self, term: Term, asked: set[int]) -> int:
        """The node of a formula; whatever stands in it is asked for, even where a zero multiplies it."""
        root = self._node_of(term)
        asked |= self.inside(self._read[inner] for inner in subterms(term) if inner in self._read)
        return root

    def _node_of(self, term: Term) -> int:
        if term not in self._read:
            self._read[term] = self._made(term)
        return self._read[term]

    def _made(self, term: Term) -> int:
        head = term[0]
        if head == "node":
            return int(term[1])
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
            return self._raised(self._node_of(term[1]), term[2])
        if head not in ("+", "*", "abs", *FUNCTIONS):
            raise Rejected(f"a formula of a trajectory must be written without {shown(head)}")
        inner = [self._node_of(child) for child in term[1:]]
        if head == "+":
            return self.total(inner)
        if head != "*":
            return self.node(head, inner[0])
        result = self.one  # in one order, and numbers last, so that more products are alike
        for factor in sorted(inner, key=lambda node: (self.nodes[node][0] == "number", node)):
            result = self.product(result, factor)
        return result

    def _raised(self, base: int, exponent: Term) -> int:
        value = rational(exponent[1]) if exponent[0] == "q" else None
        if value == 0:
            raise Rejected("a formula of a trajectory has a power with the exponent zero: write 1")
        if value is not None and value.q <= 2:
            return self._power(base if value.q == 1 else self.node("root", base), int(value.p))
        return self.node("exp", self.product(self._node_of(exponent), self.node("log", base)))

    # --- derivatives --------------------------------------------------------------------------------------------------

    def slope(self, node: int, by: int) -> int:
        """The derivative by a state, given by its number, or by the time (-1)."""
        key = (node, by)
        if key not in self._slopes:
            spend(NODE_WORK)
            self._slopes[key] = self._slope(node, by)
        return self._slopes[key]

    def _slope(self, node: int, by: int) -> int:
        head, *inner = self.nodes[node]
        if head in LEAVES:
            return self.one if (head == "state" and inner[0] == by) or (head == "time" and by == -1) else self.zero
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
        if head == "side":
            return self.zero
        if head == "abs":
            return self.node("side", a)
        if head == "exp":
            return node
        if head == "inverse":
            return self.minus(self.product(node, node))
        if head == "root":
            return self.product(self.number(fmpq(1, 2)), self.node("inverse", node))
        return self._node_of(outer_derivative(head, ("node", a)))

    # --- what has to be computed --------------------------------------------------------------------------------------

    def inside(self, roots: Iterable[int]) -> set[int]:
        """All nodes of which some nodes are made, themselves included."""
        todo, seen = list(roots), set[int]()
        while todo:
            here = todo.pop()
            if here not in seen:
                seen.add(here)
                todo += self.nodes[here][1:] if self.nodes[here][0] not in LEAVES else ()
        spend(WALK_WORK * len(seen))
        return seen
