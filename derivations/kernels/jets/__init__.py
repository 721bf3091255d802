"""Taylor coefficients along a flow, printed as recurrences for Numba.

    a_rate = c*b - c*a*n,  ...        the program of a kernel whose returns are the rates of its state
    a_n[k] = sum over j of a[j]*n[k - j]                                  one series for every product
    a[k + 1] = (fixed_0*(b[k] - a_n[k]))/(k + 1)

Flows are polynomials in their state. One is split into *series*: the state, and every product in which it occurs, so
that the rates are sums of series with coefficients that stay the same during a run. Each series costs one sum of
products per order. Its inner terms, 0 < j < k, need only earlier orders, so that one loop runs through those of all
series; the two outer ones follow in the order in which series depend on each other.

Products of more than two factors share their parts: a*a*b is a times the series a*b where that one is needed anyway.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from derivations.kernels.lowering.operations import negative, parts_of, with_parts
from derivations.kernels.program import Operation
from derivations.kernels.specification import Specification
from derivations.kernels.specification.names import KernelError
from derivations.kernels.specification.numbers import Numbers
from derivations.language.terms import NotExact

Factors = tuple[str, ...]
ONE: Operation = ("q", "1")
SUFFIXES = ("", "_0", "_i", "_j")  # of a series' name in programs
NAMES = "load store spread over series fixed given value first last k j at rest ahead rate LANES ROW"


@dataclass(frozen=True)
class Series:
    """A sequence of coefficients: what it is made of, by names of other series."""

    kind: str  # "state", "sum" or "product"
    parts: Factors = ()
    terms: tuple[tuple[Operation, str], ...] = ()  # of a sum: coefficients and series, "" for the number one


@dataclass
class Jets:
    """A flow as series, sums of series, and the numbers that stay the same."""

    kernel: Numbers
    series: dict[str, Series] = field(default_factory=dict)  # in the order in which they depend on each other
    rates: list[Series] = field(default_factory=list)  # sums
    fixed: list[Operation] = field(default_factory=list)  # the coefficients, without their signs

    def slot(self, coefficient: Operation) -> int:
        """Where a coefficient without its sign is kept."""
        if coefficient not in self.fixed:
            self.fixed.append(coefficient)
        return self.fixed.index(coefficient)


def jets_of(specification: Specification) -> Jets:
    """The series of a flow; refused where the state enters in a way that has no recurrence here."""
    kernel = specification.content
    if not isinstance(kernel, Numbers):
        raise KernelError(f"{kernel.name} is a kernel {kernel.kind}: jets are for kernels of numbers")
    if len(kernel.returns) != len(kernel.state):
        raise KernelError(
            f"the kernel {kernel.name} returns {len(kernel.returns)} numbers for a state of {len(kernel.state)}: "
            "jets are for the rates of the state, one for each component and in its order"
        )
    try:
        return _Splitter(kernel).jets()
    except NotExact as trouble:
        raise KernelError(f"the kernel {kernel.name} has no jets: {trouble}") from trouble


# --- from operations to series ----------------------------------------------------------------------------------------


class _Splitter:
    """Reads the operations of a kernel twice: once to see which products there are, once to lay them out."""

    def __init__(self, kernel: Numbers) -> None:
        self.kernel = kernel
        states = [f"{symbol.name}{suffix}" for symbol in kernel.state for suffix in SUFFIXES]
        self.taken = {*states, *NAMES.split()}
        if clash := [
            name
            for name in (*states, *(symbol.name for symbol in kernel.symbols))
            if name in NAMES.split() or states.count(name) > 1
        ]:
            raise NotExact(f"the name {clash[0]} is needed for something else there, so give the symbol another one")
        self.values: dict[str, Operation] = {}  # shared parts
        self.products: Counter[Factors] = Counter()
        self.found: Jets = Jets(kernel)
        self.names: dict[Series, str] = {}

    def jets(self) -> Jets:
        for line in self.kernel.lines:
            if len(line.cases) > 1:
                raise NotExact(f"{line.name} has branches")
            self.values[line.name] = line.cases[0][1]
        rates = [self.values[name] for name in self.kernel.returns]
        taken = self.taken
        for _ in range(2):  # the first time counts products
            self.found, self.names, self.taken = Jets(self.kernel), {}, set(taken)
            for symbol in self.kernel.state:
                self.found.series[symbol.name] = Series("state")
            self.found.rates = [Series("sum", terms=self.sum_of(rate)) for rate in rates]
        for total in (*self.found.series.values(), *self.found.rates):
            for coefficient, _ in total.terms:
                self.found.slot(positive(coefficient))
        return self.found

    def moves(self, operation: Operation) -> bool:
        """Return whether the state occurs in it."""
        if operation[0] == "s":
            if operation[1] in self.values:
                return self.moves(self.values[operation[1]])
            return any(operation[1] == symbol.name for symbol in self.kernel.state)
        return any(map(self.moves, parts_of(operation)))

    def sum_of(self, operation: Operation) -> tuple[tuple[Operation, str], ...]:
        """Coefficients and series whose sum it is; "" stands for the number one."""
        if not self.moves(operation):
            return ((self.constant(operation), ""),)
        head = operation[0]
        if head == "s" and operation[1] in self.values:
            return self.sum_of(self.values[operation[1]])
        if head == "+":
            return tuple(term for part in operation[1:] for term in self.sum_of(part))
        if head == "*":
            return self.fraction(operation)
        return ((ONE, self.one_series(operation)),)

    def fraction(self, operation: Operation) -> tuple[tuple[Operation, str], ...]:
        _, number, above, below = operation
        over = [self.constant(factor) for factor in above if not self.moves(factor)]
        under = [self.constant(factor) for factor in below if not self.moves(factor)]
        coefficient = _product(number, over, under)
        upper = [name for factor in above if self.moves(factor) for name in self.factors(factor)]
        if any(map(self.moves, below)):
            raise NotExact("a quotient by the state has no recurrence: rates are polynomials in it")
        return ((coefficient, self.product(upper)),)

    def factors(self, operation: Operation) -> list[str]:
        """The series whose product it is."""
        if operation[0] == "^":
            return self.factors(operation[1]) * int(operation[2])
        return [self.one_series(operation)]

    def one_series(self, operation: Operation) -> str:
        head = operation[0]
        if head == "s" and operation[1] not in self.values:
            return str(operation[1])
        if head == "^":
            return self.product(self.factors(operation))
        if head not in ("s", "+", "*"):
            raise NotExact(f"{head} of the state has no recurrence: rates are polynomials in it")
        terms = self.sum_of(operation)
        if len(terms) == 1 and terms[0][0] == ONE:
            return terms[0][1]
        return self.add(Series("sum", tuple(name for _, name in terms if name), terms))

    def product(self, factors: Sequence[str]) -> str:
        """The series of a product, two factors at a time; pairs that occur most often are taken first."""
        remaining = sorted(factors)
        self.products[tuple(remaining)] += 1
        while len(remaining) > 1:
            pair = max(sorted(set(combinations(remaining, 2))), key=self.worth)
            for name in pair:
                remaining.remove(name)
            remaining = sorted([*remaining, self.add(Series("product", pair))])
        return remaining[0]

    def worth(self, pair: Factors) -> tuple[bool, bool, int]:
        """How much a pair of factors is needed: there already, needed by itself, or part of so many products."""
        wanted = Counter(pair)
        uses = sum(count for factors, count in self.products.items() if wanted <= Counter(factors))
        return Series("product", pair) in self.names, pair in self.products, uses

    def add(self, series: Series) -> str:
        if series not in self.names:
            name = "_".join(series.parts) if len(series.parts) > 1 else f"{series.kind}_{''.join(series.parts)}"
            while any(f"{name}{suffix}" in self.taken for suffix in SUFFIXES):
                name += "x"
            self.taken |= {f"{name}{suffix}" for suffix in SUFFIXES}
            self.names[series] = name
            self.found.series[name] = series
        return self.names[series]

    def constant(self, operation: Operation) -> Operation:
        """An operation on parameters, with shared parts put in place."""
        if operation[0] == "s" and operation[1] in self.values:
            return self.constant(self.values[operation[1]])
        return with_parts(operation, self.constant)


def _product(number: str, above: Sequence[Operation], below: Sequence[Operation]) -> Operation:
    if not above and not below:
        return ("q", number)
    return above[0] if number == "1" and len(above) == 1 and not below else ("*", number, tuple(above), tuple(below))


def positive(coefficient: Operation) -> Operation:
    """Without its sign."""
    if not negative(coefficient):
        return coefficient
    head, number, *rest = coefficient
    return _product(number[1:], *rest) if rest else (head, number[1:])
