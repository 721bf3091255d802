"""Sums over indices of symbolic range: arrays are defined entry by entry, and computed in loops.

    K, M = Range("K"), Range("M")
    F = Joined("F", (K, M))                                   # all fields: the students, then the teachers
    C, overlap = Array("C", F, F, symmetric=True), Array("overlap", F, F)

    Kernel(
        "total_overlap",
        says="...",
        inputs=[Q, R, T],
        steps=[
            Definition(C, {(i, k): Q[i, k], (i, n): R[i, n], (m, k): R[k, m], (m, n): T[m, n]}),
            Call([overlap], (f, g), erf_I2, [C[f, f], C[g, g], C[f, g]]),
            Definition(result, {(): total(overlap[f, g], f, g)}),
        ],
        returns=[result],
        rests_on=["generalisation_error"],
    )

A step defines an array from the inputs and from the arrays defined before: by polynomials in entries (`Sums`), by a
kernel of numbers called at entries, or by reciprocals. An index of a part may stand where the joined range is asked
for, which `entry` writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from derivations.kernels.lowering.sums import Joined, Lowering, Places, equation, typed
from derivations.kernels.program import Line, Program, Value
from derivations.kernels.specification.names import KernelError, check_names
from derivations.language.sums import Array, Index, MisfitError, Range, Sums, as_json
from derivations.language.sums.algebra import DELTA, SIZE, normal, replaced
from derivations.text.doors import shown

RESERVED = frozenset({"entry", "len", "part", "range"})
"""Names that loops use, besides those that every kernel must leave alone."""


__all__ = ["Call", "Definition", "Joined", "LoopedSums", "Reciprocal", "Step", "entry", "fields"]


def holds(whole: Range, part: Range) -> bool:
    """Return whether an index of `part` may stand where one of `whole` is asked for."""
    return whole == part or (isinstance(whole, Joined) and part in whole.parts)


def entry(array: Array, *places: Index) -> Sums:
    """An entry of an array, where an index may run through a part of a joined range."""
    if len(places) != len(array.ranges) or not all(map(holds, array.ranges, (p.range for p in places))):
        wanted, given = (", ".join(r.name for r in rs) for rs in (array.ranges, [p.range for p in places]))
        raise MisfitError(f"{array.name} takes indices of the ranges ({wanted}) or of their parts, got ({given})")
    free = {p.name: p.range for p in places}
    for p in places:
        if free[p.name] != p.range:
            raise MisfitError(f"two indices of {array.name} are both called {p.name}")
    symmetric = frozenset({array.name} if array.symmetric else ())
    return Sums(
        {normal((), [(array.name, *(p.name for p in places))], symmetric): Fraction(1)}, free, {array.name: array}
    )


# --- steps ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, init=False)
class Definition:
    """The entries of an array, in one piece or in pieces over the parts of joined ranges."""

    target: Array
    pieces: tuple[tuple[Places, Sums], ...]

    def __init__(self, target: Array, pieces: Mapping[Places, Sums]) -> None:
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "pieces", tuple(pieces.items()))

    @property
    def targets(self) -> tuple[Array, ...]:
        return (self.target,)

    @property
    def formulas(self) -> list[tuple[Places, Sums]]:
        return list(self.pieces)


@dataclass(frozen=True, init=False)
class Call:
    """Arrays that hold the results of a kernel of numbers, called at the same place of each."""

    targets: tuple[Array, ...]
    places: Places
    kernel: Any  # of numbers
    arguments: tuple[Sums, ...]

    def __init__(self, targets: Sequence[Array], places: Places, kernel: Any, arguments: Sequence[Sums]) -> None:
        for key, value in (("targets", targets), ("places", places), ("arguments", arguments)):
            object.__setattr__(self, key, tuple(value))
        object.__setattr__(self, "kernel", kernel)

    @property
    def formulas(self) -> list[tuple[Places, Sums]]:
        return [(self.places, argument) for argument in self.arguments]


@dataclass(frozen=True)
class Reciprocal:
    """An array of reciprocals."""

    target: Array
    places: Places
    of: Sums

    @property
    def targets(self) -> tuple[Array, ...]:
        return (self.target,)

    @property
    def formulas(self) -> list[tuple[Places, Sums]]:
        return [(self.places, self.of)]


Step = Definition | Call | Reciprocal

# --- kernels ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LoopedSums:
    """Arrays computed step by step from ordered arrays and numbers."""

    name: str
    given: tuple[Array, ...]
    steps: tuple[Step, ...]
    returned: tuple[Array, ...]
    stated: str
    kind = "with sums of any length"
    relations: tuple[Any, ...] = ()
    domain_terms: tuple[Any, ...] = ()

    @classmethod
    def of(
        cls, name: str, given: Sequence[Array], steps: Iterable[Step], returned: Sequence[Array], stated: str
    ) -> LoopedSums:
        content = cls(name, tuple(given), tuple(steps), tuple(returned), stated)
        content.check()
        return content

    # --- what emission reads ------------------------------------------------------------------------------------------

    @property
    def inputs(self) -> tuple[Value, ...]:
        return tuple(map(typed, self.given))

    @property
    def results(self) -> tuple[Value, ...]:
        return tuple(map(typed, self.returned))

    @property
    def returns(self) -> dict[str, Array]:
        return {array.name: array for array in self.returned}

    @cached_property
    def arrays(self) -> dict[str, Array]:
        """Every array by name."""
        return {array.name: array for array in (*self.given, *(a for step in self.steps for a in step.targets))}

    @property
    def called(self) -> tuple[Any, ...]:
        """The kernels of numbers that the steps call, each once."""
        return tuple({step.kernel.name: step.kernel for step in self.steps if isinstance(step, Call)}.values())

    @cached_property
    def program(self) -> Program:
        lowering = Lowering(self.arrays, self.ranges, [index.name for index in self.indices])
        body = [statement for step in self.steps for statement in self._statements(step, lowering)]
        joined = {r.name: tuple(p.name for p in r.parts) for r in self.ranges.values() if isinstance(r, Joined)}
        return Program(self.inputs, tuple(body), self.results, joined)

    def _statements(self, step: Step, lowering: Lowering) -> Iterator[tuple[Any, ...]]:
        yield from lowering.made(step.targets)
        match step:
            case Definition():
                for places, sums in step.pieces:
                    yield from lowering.defined(step.target, places, sums)
            case Call():
                yield from lowering.called(step.kernel.name, step.targets, step.places, step.arguments)
            case Reciprocal():
                yield from lowering.inverted(step.target, step.places, step.of)

    @property
    def formulas(self) -> Program:
        return self.program

    @property
    def equations(self) -> list[Line]:
        lowering = Lowering(self.arrays, self.ranges, [index.name for index in self.indices])
        return [line for step in self.steps for line in self._equations(step, lowering)]

    def _equations(self, step: Step, lowering: Lowering) -> Iterator[Line]:
        match step:
            case Definition():
                for places, sums in step.pieces:
                    yield equation(lowering.head([step.target], places), lowering.readable(sums))
            case Call():
                values = tuple(map(lowering.readable, step.arguments))
                yield equation(lowering.head(step.targets, step.places), ("apply", step.kernel.name, values))
            case Reciprocal():
                value = ("*", "1", (), (lowering.readable(step.of),))
                yield equation(lowering.head([step.target], step.places), value)

    @property
    def indices(self) -> list[Index]:
        """The free indices of the steps, in order of appearance."""
        return list(dict.fromkeys(i for step in self.steps for places, _ in step.formulas for i in places))

    @cached_property
    def ranges(self) -> dict[str, Range]:
        """All ranges by name, those of the inputs first and joined ones after their parts."""
        given = [r for array in self.given for r in array.ranges]
        further = [r for array in self.arrays.values() for r in array.ranges]
        every = [p for r in (*given, *further) for p in (*(r.parts if isinstance(r, Joined) else ()), r)]
        for r in every:
            if next(other for other in every if other.name == r.name) != r:
                raise KernelError(f"two ranges of the kernel {self.name} are both called {r.name}")
        return {r.name: r for r in every}

    @property
    def declared(self) -> tuple[tuple[str, str], ...]:
        """The declarations of the inputs."""
        return tuple((array.name, "is symmetric") for array in self.given if array.symmetric)

    @property
    def normal_form(self) -> dict[str, Any]:
        """The steps as JSON data; sums are in the normal form of their algebra, calls name the program called."""
        return {
            "ranges": [
                [r.name, *([p.name for p in r.parts] if isinstance(r, Joined) else [])] for r in self.ranges.values()
            ],
            "inputs": [[array.name, array.declared()] for array in self.given],
            "steps": [_serial(step) for step in self.steps],
            "returns": list(self.returns),
            "domain": self.stated,
        }

    # --- checks -------------------------------------------------------------------------------------------------------

    def check(self) -> None:
        given: tuple[Any, ...] = self.steps
        if strange := [step for step in given if not isinstance(step, Step)]:
            raise KernelError(
                f"a step of the kernel {self.name} is a Definition or another step, not {shown(strange[0])}"
            )
        if not (self.given and self.returned):
            raise KernelError(f"the kernel {self.name} needs at least one input and one array that it returns")
        self._check_names()
        known = {array.name: array for array in self.given}
        for step in self.steps:
            for places, sums in step.formulas:
                self._check_formula(step, places, sums, known)
            self._check_targets(step)
            known |= {array.name: array for array in step.targets}
        for array in self.returned:
            if known.get(array.name) != array or array in self.given:
                raise KernelError(f"the kernel {self.name} returns {array.name}, which no step defines")
        self._check_sizes()

    def _check_names(self) -> None:
        arrays = [array.name for part in (self.given, *(step.targets for step in self.steps)) for array in part]
        called = [kernel.name for kernel in self.called]
        names = [*arrays, *self.ranges, *called, *dict.fromkeys(i.name for i in self.indices)]
        check_names(self.name, names, "inputs, steps, ranges, indices and called kernels")
        if taken := sorted(RESERVED.intersection([self.name, *names])):
            raise KernelError(f"{taken[0]} in the kernel {self.name} means something else in emitted programs")
        versions = {step.kernel.name: step.kernel.sha256 for step in self.steps if isinstance(step, Call)}
        for step in self.steps:
            if isinstance(step, Call) and versions[step.kernel.name] != step.kernel.sha256:
                raise KernelError(f"the kernel {self.name} calls two kernels named {step.kernel.name}")

    def _check_formula(self, step: Step, places: Places, sums: Sums, known: Mapping[str, Array]) -> None:
        where = f"the formula of {step.targets[0].name} in the kernel {self.name}"
        for name, array in sums.arrays.items():
            if known.get(name) != array:
                raise KernelError(
                    f"{where} uses {name}, which is no input and not yet defined (known: {', '.join(known)})"
                )
        free = {index.name: index.range for index in places}
        for name, of in sums.free.items():
            if free.get(name) != of:
                raise KernelError(f"{where} uses the index {name} of {of.name}, which is none of its own")
        plain = all(not bound and all(f[0] not in (DELTA, SIZE) for f in factors) for bound, factors in sums.terms)
        if not isinstance(step, Definition) and not plain:
            raise KernelError(f"{where} calls or divides by a sum: define an array of its values first")

    def _check_targets(self, step: Step) -> None:
        if isinstance(step, Call):
            self._check_call(step)
        for target in step.targets:
            pieces = step.pieces if isinstance(step, Definition) else ((step.places, None),)
            _check_cover(self.name, target, [places for places, _ in pieces])
            if target.symmetric and not (isinstance(step, Definition) and _seen_symmetric(step)):
                raise KernelError(
                    f"{target.name} in the kernel {self.name} is declared symmetric, which its step does not show"
                )

    def _check_call(self, step: Call) -> None:
        wanted = (len(step.kernel.inputs), len(step.kernel.returns))
        given = (len(step.arguments), len(step.targets))
        if wanted != given:
            raise KernelError(
                f"{step.kernel.name} has {wanted[0]} arguments and {wanted[1]} results: "
                f"the kernel {self.name} gives {given[0]} and stores {given[1]}"
            )

    def _check_sizes(self) -> None:
        """The number of values of a range is read off the inputs."""
        given = {r.name for array in self.given for r in array.ranges}
        for r in self.ranges.values():
            if isinstance(r, Joined) and any(isinstance(p, Joined) for p in r.parts):
                raise KernelError(f"{r.name} in the kernel {self.name} joins a range that is joined itself")
            if r.name not in given and not isinstance(r, Joined):
                raise KernelError(f"no input of the kernel {self.name} has the range {r.name}")
            if r.name in given and isinstance(r, Joined):
                raise KernelError(f"an input of the kernel {self.name} has the joined range {r.name}: give its parts")


def _check_cover(kernel: str, target: Array, pieces: Sequence[Places]) -> None:
    """Every entry is defined exactly once."""
    given = [tuple(p.range for p in places) for places in pieces]
    cut = [
        whole.parts if isinstance(whole, Joined) and any(whole not in ranges for ranges in given) else (whole,)
        for whole in target.ranges
    ]
    distinct = all(len({p.name for p in places}) == len(places) for places in pieces)
    if sorted(map(_names, given)) != sorted(map(_names, product(*cut))) or not distinct:
        raise KernelError(f"the step of {target.name} in the kernel {kernel} does not define every entry exactly once")


def _names(ranges: Iterable[Range]) -> list[str]:
    return [r.name for r in ranges]


def _seen_symmetric(step: Definition) -> bool:
    """Return whether the entry (q, p) is the same polynomial as the entry (p, q)."""
    values = {tuple(p.range for p in places): (places, sums) for places, sums in step.pieces}
    for (p, q), sums in step.pieces:
        (row, column), mirrored = values[q.range, p.range]
        symmetric = frozenset(name for name, array in mirrored.arrays.items() if array.symmetric)
        turned = {
            normal(bound, [replaced(f, {row.name: q.name, column.name: p.name}) for f in factors], symmetric): c
            for (bound, factors), c in mirrored.terms.items()
        }
        if turned != sums.terms:
            return False
    return True


def _serial(step: Step) -> Any:
    names = [array.name for array in step.targets]
    formulas = [[[[p.name, p.range.name] for p in places], as_json(sums)] for places, sums in step.formulas]
    kind = ["call", step.kernel.sha256] if isinstance(step, Call) else [type(step).__name__.lower()]
    return [*kind, names, formulas]


def fields(kernel: Any, covariance: Array, *places: Index) -> Iterator[Sums]:
    """The entries of a covariance that an average over fields a, b, ... takes: `C_ab` is the one of the first two."""
    at = dict(zip("abcdefgh", places, strict=False))
    for value in kernel.inputs:
        yield entry(covariance, at[value.name[-2]], at[value.name[-1]])
