"""Kernels: named sets of derived formulas with ordered arguments and a stated domain, checked before they are emitted.

Kernel(
    "logistic_growth",
    says="The rate of change of a population.",
    state=[p], params=[K, r],
    returns={"dp": r * p * (1 - p / K)},
    domain=[p >= 0, K > 0, r > 0],
    rests_on=["logistic_growth"], cites="Verhulst (1838), Eq. 4",
)

A kernel of one's own needs no claims: name, arguments and returns are enough. Then

    kernel.source("c")                                 # a documented file that stands alone, see kernels.targets
    fast = kernel.compile()                            # through Numba, compiled once per machine
    kernel.lambdify("numpy"), kernel.lambdify("mpmath")
    kernel.reference({"p": "0.1", "K": 2, "r": 1})     # {"dp": "0.095"}: exact values as decimal text
    kernel.balls("0.1", 2, 1, digits=50)               # the same as intervals, for numerics.accuracy
"""

from __future__ import annotations

import hashlib
import json
import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy as sp

from derivations.kernels.printing import Floats
from derivations.kernels.programs import (
    CALLS,
    COMPARISONS,
    Line,
    Operation,
    lowered,
    with_repeated_parts_named,
    with_shared_reciprocals,
)
from derivations.language.terms import (
    ZERO,
    NotExact,
    Term,
    as_expression,
    assumptions_of,
    carried_out,
    children,
    from_sympy,
    rebuild,
    symbol,
)
from derivations.text import DerivationError

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
C = """auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"""
PROGRAMS = """acos atan ceil cos cosh cut erfc exponential exponential_integral fabs floor fma hypot identity inf
inverse isnan joined log1p log2 log10 matrix max min minor nan pi pow relexp_of sizes spectral sum tan tanh Fraction
TURNS WHOLE arb arb_mat branch compiled_fma ctx digits exact exp_parts factorial flint
float64 fused intrinsic isfinite less_one math njit np numba numpy overload power power_of_two read shape symmetric
table tuple"""
KEYWORDS_OF_C = frozenset(C.split())
NAMES_IN_PROGRAMS = frozenset(CALLS) | frozenset(PROGRAMS.split())

RANGES: dict[str, Callable[[Term], Term]] = {
    "positive": lambda s: (">", s, ZERO),
    "negative": lambda s: (">", ZERO, s),
    "nonnegative": lambda s: (">=", s, ZERO),
    "nonpositive": lambda s: (">=", ZERO, s),
    "nonzero": lambda s: ("!=", s, ZERO),
}


class KernelError(DerivationError):
    """A kernel that cannot be emitted; the message names the kernel, the culprit and the remedy."""


@dataclass(frozen=True, init=False)
class Kernel:
    """Named expressions of ordered state and parameters; `shared` names parts that several of them use, in order.

    Expressions are exact SymPy; a tuple or Matrix among the returns is flattened (`J_12`, `v_1`). A shared or returned
    expression may be a Piecewise, which becomes a branch. `rests_on` lists the claims that prove the formulas. `jets`
    asks for a module of Taylor coefficients along the flow whose rates the kernel returns. `units` tells the units of
    arguments and returns; the unit of those that it does not name is "1". `lost_digits`
    says how many digits floats may lose because the formulas cancel, beyond what rounding costs any program.
    """

    name: str
    says: str
    state: tuple[Any, ...]
    params: tuple[Any, ...]
    returns: Mapping[str, Any] = field(hash=False)
    domain: tuple[Any, ...]
    rests_on: tuple[str, ...]
    cites: str
    shared: tuple[tuple[Any, Any], ...]
    jets: bool
    units: Mapping[str, str] = field(hash=False)
    lost_digits: int

    def __init__(
        self,
        name: str,
        *,
        returns: Mapping[str, Any],
        says: str | None = None,
        state: Sequence[Any] = (),
        params: Sequence[Any] = (),
        domain: Iterable[Any] = (),
        rests_on: Iterable[str] = (),
        cites: str = "",
        shared: Iterable[tuple[Any, Any]] = (),
        jets: bool = False,
        units: Mapping[str, str] | None = None,
        lost_digits: int = 0,
    ) -> None:
        values = {
            "name": name,
            "says": " ".join((f"The kernel {name}." if says is None else says).split()),
            "state": tuple(state),
            "params": tuple(params),
            "returns": dict(_flattened(returns)),
            "domain": tuple(r for r in domain if r != sp.true),  # SymPy's answer where an assumption says the same
            "rests_on": tuple(rests_on),
            "cites": " ".join(cites.split()),
            "shared": tuple((s, e) for s, e in shared),
            "jets": jets,
            "units": dict(units or {}),
            "lost_digits": lost_digits,
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)
        self._check()

    # --- what emission reads ------------------------------------------------------------------------------------------

    @property
    def arguments(self) -> tuple[str, ...]:
        """State, then parameters, by name."""
        return tuple(s.name for s in (*self.state, *self.params))

    @property
    def expressions(self) -> list[tuple[str, Any]]:
        """Shared and returned expressions, in the order in which they are computed."""
        return [(s.name, e) for s, e in self.shared] + list(self.returns.items())

    @cached_property
    def formulas(self) -> list[Line]:
        """The author's formulas, one line each."""
        return [Line(name, tuple(self._cases(name, expression))) for name, expression in self.expressions]

    @cached_property
    def program(self) -> list[Line]:
        """The formulas with repeated parts and divisions computed once."""
        taken = {*self.arguments, *(name for name, _ in self.expressions)}
        return with_shared_reciprocals(with_repeated_parts_named(self.formulas, taken), taken)

    @cached_property
    def conditions(self) -> list[Operation]:
        return [lowered(term, self._positions) for term in self.domain_terms]

    @cached_property
    def domain_terms(self) -> list[Term]:
        """What the arguments' assumptions say, then the stated domain."""
        assumed = [RANGES[told[0]](symbol(name)) for name, told in self.assumed if told]
        return [*assumed, *(t for t in map(self._domain_term, self.domain) if t not in assumed)]

    @property
    def assumed(self) -> list[tuple[str, list[str]]]:
        """What SymPy was told about each argument."""
        return [(s.name, assumptions_of(s)[s.name]) for s in (*self.state, *self.params)]

    @cached_property
    def normal_form(self) -> dict[str, Any]:
        """Terms as JSON data with sums and products sorted: the same for equal terms under any version of SymPy."""
        return {
            "name": self.name,
            "state": [s.name for s in self.state],
            "params": [s.name for s in self.params],
            "shared": [[s.name, _sorted_cases(e)] for s, e in self.shared],
            "returns": [[name, _sorted_cases(e)] for name, e in self.returns.items()],
            "domain": [_sorted(term) for term in self.domain_terms],
        }

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(json.dumps(self.normal_form, separators=(",", ":")).encode()).hexdigest()

    # --- programs and exact values ------------------------------------------------------------------------------------

    def source(self, target: str) -> str:
        """The kernel as one documented text for numba, c, cuda, jax, numpy, mpmath or latex."""
        from derivations.kernels.targets import text_of

        return text_of(self, target)

    def sources(self, target: str) -> dict[str, str]:
        """The same as files by name: for the target c, a header and a source."""
        from derivations.kernels.targets import files_of

        return files_of(self, target)

    def compile(self) -> Callable[..., tuple[float, ...]]:
        """A function of floats that Numba compiles on its first call and finds again in later processes.

        Its source lies in the user's cache folder, which LEARNING_DYNAMICS_CACHE or XDG_CACHE_HOME names.
        """
        from derivations.kernels.compiled import compiled

        return compiled(self)

    def lambdify(self, target: str = "numpy") -> Callable[..., tuple[Any, ...]]:
        """A function of arrays ("numpy"), or of mpmath's numbers at the precision set there ("mpmath")."""
        from derivations.kernels.compiled import lambdified

        return lambdified(self, target)

    def reference(self, point: Mapping[str, Any] | Sequence[Any], digits: int = 30) -> dict[str, str]:
        """The returns at a point as decimal text, whose last digit may be off by one.

        Numbers are taken exactly as written: a float's binary value, a fraction, or text such as 0.1, 1/3 or 0x1.8p+3.
        """
        from derivations.kernels.reference import decimals

        return decimals(self, point, digits)

    def balls(self, *point: Any, digits: int = 50) -> tuple[Any, ...]:
        """The returns as balls of python-flint that surely hold them, with a working precision of that many digits."""
        from derivations.kernels.reference import balls

        return balls(self, point, digits)

    # --- derivatives --------------------------------------------------------------------------------------------------

    def jacobian(
        self,
        name: str,
        wrt: Sequence[Any],
        says: str = "",
        lost_digits: int = 0,
        *,
        known: Mapping[tuple[Any, Any], Any] | None = None,
        rests_on: Iterable[str] = (),
    ) -> Kernel:
        """The kernel of all derivatives d(return)/d(argument), row by row, named `dp_dK`; shared parts stay shared.

        `known` gives derivatives of shared parts by arguments in better forms, on claims that `rests_on` adds.
        """
        for s in wrt:
            if s not in (*self.state, *self.params):
                raise KernelError(
                    f"the kernel {self.name} has no argument {s}: choose among {', '.join(self.arguments)}"
                )
        slopes: dict[tuple[Any, Any], Any] = {}  # of shared symbols, where they are not zero
        shared = list(self.shared)
        for s, expression in self.shared:
            for v in wrt:
                slope = known[s, v] if known and (s, v) in known else self._slope(expression, v, slopes)
                if slope != 0:
                    slopes[s, v] = sp.Symbol(f"d{s.name}_d{v.name}", real=True)
                    shared.append((slopes[s, v], slope))
        returns = {f"d{r}_d{v.name}": self._slope(e, v, slopes) for r, e in self.returns.items() for v in wrt}
        return Kernel(
            name,
            says=says
            or f"The derivatives of {', '.join(self.returns)} ({self.name}) by {', '.join(v.name for v in wrt)}.",
            state=self.state,
            params=self.params,
            returns=returns,
            domain=self.domain,
            rests_on=(*self.rests_on, *rests_on),
            cites=self.cites,
            shared=_needed(shared, returns.values()),
            units={argument: unit for argument, unit in self.units.items() if argument in self.arguments},
            lost_digits=lost_digits,
        )

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

    def _check(self) -> None:
        check_texts(self.name, self.says, self.cites, *self.rests_on, *self.units.values())
        if not self.returns:
            raise KernelError(f"the kernel {self.name} returns nothing: give returns={{'name': expression}}")
        if strangers := [s for s in (*self.state, *self.params) if not isinstance(s, sp.Symbol)]:
            raise KernelError(
                f"the kernel {self.name} takes {strangers[0]!r}, which is no symbol: "
                "write e.g. sympy.Symbol('x', real=True)"
            )
        if not self.arguments:
            raise KernelError(f"the kernel {self.name} has no arguments: list its symbols in state or params")
        check_names(
            self.name, [*self.arguments, *(name for name, _ in self.expressions)], "state, params, shared and returns"
        )
        if strange := [name for name in self.units if name not in (*self.arguments, *self.returns)]:
            raise KernelError(
                f"the kernel {self.name} has a unit for {strange[0]}, which it neither takes nor returns: "
                f"choose among {', '.join((*self.arguments, *self.returns))}"
            )
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
            self._check_symbols("the domain", relation, {*self.state, *self.params})
        _ = self.formulas, self.conditions  # every expression must have a printer

    def _visible(self, name: str) -> set[Any]:
        """The symbols that the formula of a shared or returned name may use."""
        shared = [s for s, _ in self.shared]
        earlier = next((shared[:i] for i, s in enumerate(shared) if s.name == name), shared)
        return {*self.state, *self.params, *earlier}

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
    def _positions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate((*self.arguments, *(s.name for s, _ in self.shared)))}

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
                condition = None if relation is None else lowered(self._term(where, relation), self._positions)
                if condition is not None and condition[0] not in COMPARISONS:
                    raise NotExact(f"{relation} is no relation between two expressions")
                operation = lowered(self._term(where, value), self._positions)
                Floats().text(operation)  # refuses what floats cannot say
                yield condition, operation
        except NotExact as trouble:
            raise KernelError(f"{where} in the kernel {self.name} cannot be printed: {trouble}") from trouble


def check_texts(kernel: str, says: str, *others: str) -> None:
    """What a kernel says becomes part of a program's text, so it must be there and stay inside its quotes."""
    if not says:
        raise KernelError(f"the kernel {kernel} says nothing: describe in one sentence what it computes")
    for text in (says, *others):
        if "\\" in text or '"""' in text or not text.isprintable():
            raise KernelError(
                f"a text of the kernel {kernel} holds backslashes, triple quotes or unprintable signs: {text!r}"
            )


def check_names(kernel: str, names: Sequence[str], of: str) -> None:
    """A kernel's own name and those of its parts must differ, and be free in every language of programs."""
    every = [kernel, *names]
    for name in every:
        if not NAME.fullmatch(name):
            raise KernelError(
                f"{name!r} in the kernel {kernel} cannot be a name in a program: use letters, digits and _"
            )
        if keyword.iskeyword(name) or name in KEYWORDS_OF_C:
            raise KernelError(
                f"{name} in the kernel {kernel} is a keyword of Python or C: give it another name, e.g. {name}_"
            )
        if name in NAMES_IN_PROGRAMS:
            raise KernelError(
                f"{name} in the kernel {kernel} means something else in emitted programs: give it another name"
            )
        if every.count(name) > 1:
            raise KernelError(
                f"the kernel {kernel} uses the name {name} twice: its own name and those of {of} must all differ"
            )


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
