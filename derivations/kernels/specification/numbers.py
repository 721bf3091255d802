"""Formulas of numbers: named expressions of ordered arguments, some of them shared, with branches."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any

import sympy as sp

from derivations.kernels.lowering.operations import lowered, refuse_huge
from derivations.kernels.lowering.repeated import with_repeated_parts_named, with_shared_reciprocals
from derivations.kernels.program import COMPARISONS, Line, Operation, Program, Value
from derivations.kernels.specification.names import KernelError, check_names
from derivations.language.signs import assumptions_of
from derivations.language.terms import (
    ZERO,
    NotExact,
    Term,
    as_expression,
    carried_out,
    children,
    from_sympy,
    rebuild,
    symbol,
)

RANGES: dict[str, Callable[[Term], Term]] = {
    "positive": lambda s: (">", s, ZERO),
    "negative": lambda s: (">", ZERO, s),
    "nonnegative": lambda s: (">=", s, ZERO),
    "nonpositive": lambda s: (">=", ZERO, s),
    "nonzero": lambda s: ("!=", s, ZERO),
}


@dataclass(frozen=True)
class Numbers:
    """Exact expressions of state and parameters; `shared` names parts that several of them use, in order."""

    name: str
    state: tuple[Any, ...]
    params: tuple[Any, ...]
    shared: tuple[tuple[Any, Any], ...]
    returns: Mapping[str, Any] = field(hash=False)
    domain: tuple[Any, ...]
    kind = "of numbers"
    called: tuple[Any, ...] = ()
    declared: tuple[tuple[str, str], ...] = ()
    stated: str = ""

    @classmethod
    def of(  # noqa: PLR0917
        cls,
        name: str,
        state: Sequence[Any],
        params: Sequence[Any],
        shared: Iterable[tuple[Any, Any]],
        returns: Mapping[str, Any],
        domain: Iterable[Any],
    ) -> Numbers:
        """Flattened and checked; a relation that SymPy's assumptions say already is left out."""
        stated = tuple(relation for relation in domain if relation != sp.true)
        content = cls(
            name, tuple(state), tuple(params), tuple((s, e) for s, e in shared), dict(_flattened(returns)), stated
        )
        content.check()
        return content

    # --- what emission reads ------------------------------------------------------------------------------------------

    @property
    def symbols(self) -> tuple[Any, ...]:
        """State, then parameters."""
        return (*self.state, *self.params)

    @property
    def inputs(self) -> tuple[Value, ...]:
        return tuple(Value(name, assumptions=tuple(assumptions)) for name, assumptions in self.assumed)

    @property
    def results(self) -> tuple[Value, ...]:
        return tuple(map(Value, self.returns))

    @property
    def expressions(self) -> list[tuple[str, Any]]:
        """Shared and returned expressions, in the order in which they are computed."""
        return [(s.name, e) for s, e in self.shared] + list(self.returns.items())

    @cached_property
    def lines(self) -> list[Line]:
        """The author's formulas, one line each."""
        return [Line(name, tuple(self._cases(name, expression))) for name, expression in self.expressions]

    @cached_property
    def quick_lines(self) -> list[Line]:
        """The formulas with repeated parts and divisions computed once."""
        taken = {*(s.name for s in self.symbols), *(name for name, _ in self.expressions)}
        return with_shared_reciprocals(with_repeated_parts_named(self.lines, taken), taken)

    @cached_property
    def formulas(self) -> Program:
        return self._program(self.lines)

    @cached_property
    def program(self) -> Program:
        return self._program(self.quick_lines)

    def _program(self, lines: Iterable[Line]) -> Program:
        return Program(self.inputs, tuple(line.statement for line in lines), self.results, {})

    @property
    def equations(self) -> list[Line]:
        return self.lines

    @cached_property
    def relations(self) -> list[Operation]:
        """The domain as relations between operations."""
        return [lowered(term, self.positions) for term in self.domain_terms]

    @cached_property
    def domain_terms(self) -> list[Term]:
        """The conditions of the arguments' assumptions, then the stated domain."""
        assumed = [RANGES[assumptions[0]](symbol(name)) for name, assumptions in self.assumed if assumptions]
        return [*assumed, *(t for t in map(self._domain_term, self.domain) if t not in assumed)]

    @property
    def assumed(self) -> list[tuple[str, list[str]]]:
        """The assumptions of SymPy about each argument."""
        return [(s.name, assumptions_of(s)[s.name]) for s in self.symbols]

    @property
    def normal_form(self) -> dict[str, Any]:
        """Terms as JSON data with sums and products sorted: the same for equal terms under any version of SymPy."""
        return {
            "state": [s.name for s in self.state],
            "params": [s.name for s in self.params],
            "shared": [[s.name, _sorted_cases(e)] for s, e in self.shared],
            "returns": [[name, _sorted_cases(e)] for name, e in self.returns.items()],
            "domain": [_sorted(term) for term in self.domain_terms],
        }

    def without_sizes(self) -> Numbers:
        """Return the formulas with each absolute value as a shared part of two branches, which have derivatives."""
        sizes: dict[Any, Any] = {}
        taken = {*(s.name for s in self.symbols), *(name for name, _ in self.expressions)}
        shared: list[tuple[Any, Any]] = []

        def replaced(expression: Any) -> Any:
            if isinstance(expression, sp.Piecewise):
                return sp.Piecewise(*((replaced(value), condition) for value, condition in expression.args))
            whole = as_expression(expression)
            for size in sorted(whole.atoms(sp.Abs), key=str):
                if size not in sizes:
                    name = next(n for k in count(1) if (n := f"size{k}") not in taken)
                    taken.add(name)
                    sizes[size] = sp.Symbol(name, nonnegative=True)
                    (inner,) = size.args
                    shared.append((sizes[size], sp.Piecewise((inner, inner >= 0), (-inner, True))))
            return whole.xreplace(sizes)

        for part, expression in self.shared:
            changed = replaced(expression)
            shared.append((part, changed))
        returns = {name: replaced(expression) for name, expression in self.returns.items()}
        return replace(self, shared=tuple(shared), returns=returns) if sizes else self

    # --- derivatives --------------------------------------------------------------------------------------------------

    def derivatives(
        self, wrt: Sequence[Any], known: Mapping[tuple[Any, Any], Any]
    ) -> tuple[list[tuple[Any, Any]], dict[str, Any]]:
        """The shared parts and the returns of all derivatives d(return)/d(argument), row by row."""
        for s in wrt:
            if s not in self.symbols:
                names = ", ".join(value.name for value in self.inputs)
                raise KernelError(f"the kernel {self.name} has no argument {s}: choose among {names}")
        slopes: dict[tuple[Any, Any], Any] = {}  # of shared symbols, where they are not zero
        shared = list(self.shared)
        for s, expression in self.shared:
            for v in wrt:
                slope = known[s, v] if (s, v) in known else self._slope(expression, v, slopes)
                if slope != 0:
                    slopes[s, v] = sp.Symbol(f"d{s.name}_d{v.name}", real=True)
                    shared.append((slopes[s, v], slope))
        returns = {f"d{r}_d{v.name}": self._slope(e, v, slopes) for r, e in self.returns.items() for v in wrt}
        return _needed(shared, returns.values()), returns

    def _slope(self, expression: Any, by: Any, slopes: Mapping[tuple[Any, Any], Any]) -> Any:
        """The total derivative, branch by branch."""
        if isinstance(expression, sp.Piecewise):
            return sp.Piecewise(*((self._slope(e, by, slopes), c) for e, c in expression.args))
        e = as_expression(expression)
        try:
            through = [e.diff(s) * slope for (s, v), slope in slopes.items() if v == by and e.has(s)]
            return sp.Add(e.diff(by), *through)
        except ValueError as trouble:
            raise KernelError(f"the kernel {self.name} cannot be differentiated by {by}: {trouble}") from trouble

    # --- checks -------------------------------------------------------------------------------------------------------

    def check(self) -> None:
        if not self.returns:
            raise KernelError(f"the kernel {self.name} returns nothing: give returns={{'name': expression}}")
        if strangers := [s for s in self.symbols if not isinstance(s, sp.Symbol)]:
            raise KernelError(
                f"the kernel {self.name} takes {strangers[0]!r}, which is no symbol: "
                "write e.g. sympy.Symbol('x', real=True)"
            )
        if not self.symbols:
            raise KernelError(f"the kernel {self.name} has no arguments: list its symbols in state or params")
        names = [*(s.name for s in self.symbols), *(name for name, _ in self.expressions)]
        check_names(self.name, names, "state, params, shared and returns")
        for name, expression in self.expressions:
            self._check_symbols(f"the formula of {name}", expression, self._visible(name))
        for relation in self.domain:
            if relation == sp.false:
                raise KernelError(
                    f"the domain of the kernel {self.name} is empty: a relation contradicts its symbols' assumptions"
                )
            if not isinstance(relation, sp.core.relational.Relational):
                raise KernelError(
                    f"the domain of the kernel {self.name} holds {relation}, which is no relation: write e.g. x > 0"
                )
            self._check_symbols("the domain", relation, set(self.symbols))
        _ = self.lines, self.relations  # every expression must have a printer

    def _visible(self, name: str) -> set[Any]:
        """The symbols that the formula of a shared or returned name may use."""
        shared = [s for s, _ in self.shared]
        earlier = next((shared[:i] for i, s in enumerate(shared) if s.name == name), shared)
        return {*self.symbols, *earlier}

    def _check_symbols(self, where: str, expression: Any, visible: set[Any]) -> None:
        used: set[Any] = getattr(expression, "free_symbols", set())
        strangers = sorted((s for s in used if s not in visible), key=lambda s: str(s.name))
        known = sorted(s.name for s in visible)
        for s in strangers:
            if s.name in known:
                raise KernelError(
                    f"{where} in the kernel {self.name} uses another symbol {s.name} than the one declared: "
                    "create the symbol once, with its assumptions"
                )
        if strangers:
            raise KernelError(
                f"{where} in the kernel {self.name} uses {', '.join(s.name for s in strangers)}, which is not "
                f"declared there (declared: {', '.join(known)}): add it to state, params or, earlier, to shared"
            )

    # --- conversion ---------------------------------------------------------------------------------------------------

    @cached_property
    def positions(self) -> dict[str, int]:
        return {s.name: i for i, s in enumerate((*self.symbols, *(s for s, _ in self.shared)))}

    def _term(self, where: str, expression: Any) -> Term:
        try:
            return from_sympy(expression)
        except NotExact as trouble:
            raise KernelError(f"{where} in the kernel {self.name} cannot be printed: {trouble}") from trouble

    def _domain_term(self, relation: Any) -> Term:
        return carried_out(self._term("the domain", relation))

    def _cases(self, name: str, expression: Any) -> Iterator[tuple[Operation | None, Operation]]:
        where = f"the formula of {name}"
        try:
            for relation, value in _branches(expression):
                condition = None if relation is None else lowered(self._term(where, relation), self.positions)
                if condition is not None and condition[0] not in COMPARISONS:
                    raise NotExact(f"{relation} is no relation between two expressions")
                operation = lowered(self._term(where, value), self.positions)
                refuse_huge(operation)
                yield condition, operation
        except NotExact as trouble:
            raise KernelError(f"{where} in the kernel {self.name} cannot be printed: {trouble}") from trouble


def _flattened(returns: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Entries of tuples and matrices under names of their own, counted from 1 as papers do."""
    for name, value in returns.items():
        if isinstance(value, sp.MatrixBase) and 1 not in value.shape:
            gap = "_" if max(value.shape) > 9 else ""
            rows, columns = value.shape
            for i in range(rows):
                for j in range(columns):
                    yield f"{name}_{i + 1}{gap}{j + 1}", value[i, j]
        elif isinstance(value, tuple | list | sp.Tuple | sp.MatrixBase):
            yield from ((f"{name}_{i + 1}", entry) for i, entry in enumerate(value))
        else:
            yield name, value


def _branches(expression: Any) -> list[tuple[Any, Any]]:
    """Conditions and values; the last condition is None."""
    if not isinstance(expression, sp.Piecewise):
        if getattr(expression, "has", lambda _: False)(sp.Piecewise):
            raise NotExact("a Piecewise stands inside a formula: name it among shared, where it becomes a branch")
        return [(None, expression)]
    cases = [(condition, value) for value, condition in expression.args]
    if cases[-1][0] != sp.true:
        raise NotExact("its Piecewise has no last case: end it with (value, True)")
    if any(value.has(sp.Piecewise) for _, value in cases):
        raise NotExact("a Piecewise stands inside another: name the inner one among shared")
    return [*cases[:-1], (None, cases[-1][1])]


def _needed(shared: Sequence[tuple[Any, Any]], results: Iterable[Any]) -> list[tuple[Any, Any]]:
    """The shared parts that the results use, directly or through others."""
    used: set[Any] = set().union(*(as_expression(r).free_symbols for r in results))
    kept = []
    for s, expression in reversed(shared):
        if s in used:
            used |= as_expression(expression).free_symbols
            kept.append((s, expression))
    return kept[::-1]


def _sorted_cases(expression: Any) -> list[Any]:
    return [
        [None if c is None else _sorted(from_sympy(c)), _sorted(from_sympy(value))]
        for c, value in _branches(expression)
    ]


def _sorted(term: Term) -> Term:
    return _sorted_parts(carried_out(term))


def _sorted_parts(term: Term) -> Term:
    parts = tuple(map(_sorted_parts, children(term)))
    return rebuild(term, tuple(sorted(parts, key=json.dumps)) if term[0] in ("+", "*") else parts)
