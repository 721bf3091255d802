"""Kernels with sums against statements about sums: steps put back, averages for the kernels that compute them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, product
from typing import Any

from derivations import prove
from derivations.kernels.specification.sums import Call, Definition, Joined, LoopedSums, Reciprocal, fields, holds
from derivations.language.sums import Array, Index, Range, Sums, number, size, total
from derivations.language.sums import as_json as sums_json
from derivations.language.sums.algebra import DELTA, SIZE
from derivations.language.sums.formulas import in_normal_form
from derivations.paper.equals.stated import sides_of
from derivations.prove.certificate import Certificate
from derivations.text import DerivationError

Average = Callable[..., Sums]  # of the fields that indices name


@dataclass(frozen=True)
class EqualSums:
    """Arrays that a kernel returns, and the sums of a claim that they equal.

    claim: whose certificate states the sums. returns: of each array, one of the sums that stand there; its free indices
    are those of the kernel's step. averages: what the kernels of numbers that it calls compute, in the arrays of the
    claim. overlap: the covariance of two fields in the kernel's inputs. arrays: the claim's array for each input of
    another name. assuming, among: as `prove.sums` takes them.
    """

    claim: Any
    returns: Mapping[str, Sums]
    averages: Mapping[str, Average]
    overlap: Average
    arrays: Mapping[str, Array] = field(default_factory=dict)
    assuming: tuple[Any, ...] = ()
    among: tuple[Any, ...] = ()
    holds: Mapping[Any, bool] = field(default_factory=dict)

    @property
    def formulas(self) -> Mapping[str, Sums]:
        return self.returns

    def about(self, kernel: Any) -> dict[str, Any]:
        """Return what the checker needs to read the program back: names of the claim, and what calls stand for."""
        steps = _Steps(kernel.content, self)
        calls = [row for step in kernel.content.steps if isinstance(step, Call) for row in steps.calls(step)]
        quotients = [step for step in kernel.content.steps if isinstance(step, Reciprocal)]
        return {
            "arrays": [[name, array.name] for name, array in self.arrays.items()],
            "reciprocals": [[step.target.name, next(iter(step.of.arrays))] for step in quotients],
            "calls": calls,
        }

    def decided(self, kernel: Any) -> Iterator[Certificate]:
        """For each array: what the kernel stores is what the claim states."""
        steps = _Steps(kernel.content, self)
        for name, wanted in self.returns.items():
            stated = sides_of("sums", in_normal_form(self.claim().statement))
            if not any(side == sums_json(wanted) for side in stated):
                raise DerivationError(
                    f"{self.claim.id} does not state {wanted}, which {name} of {kernel.name} is to equal"
                )
            for places, _ in steps.definition(name).pieces:
                found = steps.value(name, *places)
                yield prove.sums(found, wanted, assuming=self.assuming, among=list(self.among))


class _Steps:
    """The steps of a kernel as formulas in the arrays of a claim."""

    def __init__(self, content: LoopedSums, case: EqualSums) -> None:
        self.content, self.case = content, case
        self.by_target = {array.name: step for step in content.steps for array in step.targets}
        self.fresh = count(1)

    def definition(self, name: str) -> Definition:
        step = self.by_target[name]
        if not isinstance(step, Definition):
            raise DerivationError(
                f"{name} of the kernel {self.content.name} is no sum: only defined arrays are compared"
            )
        return step

    def value(self, name: str, *places: Index) -> Sums:
        """An entry of an array, with everything put back down to averages and inputs."""
        step = self.by_target.get(name)
        if isinstance(step, Definition):
            for own, formula in step.pieces:
                if all(map(holds, (p.range for p in own), (p.range for p in places))):
                    return self.put_back(formula, {p.name: q for p, q in zip(own, places, strict=True)})
        if isinstance(step, Call):
            return self._average(step, places)
        array = self.case.arrays.get(name) or self.content.arrays[name]
        return array[places] if places else array.value

    def _average(self, step: Call, places: tuple[Index, ...]) -> Sums:
        """Return what a kernel of numbers computes at the covariances of its fields."""
        covariance = next(iter(step.arguments[0].arrays.values()))
        if list(step.arguments) != list(fields(step.kernel, covariance, *step.places)):
            raise DerivationError(f"{step.kernel.name} is not called at the covariances of the fields of its indices")
        for first, second in product(places, repeat=2):
            other = Index(f"{second.name}_other", second.range)
            if self.value(covariance.name, first, other) != self.case.overlap(first, other):
                raise DerivationError(f"{covariance.name} of the kernel {self.content.name} is not that of its fields")
        return self.case.averages[step.kernel.name](*places)

    def calls(self, step: Call) -> Iterator[list[Any]]:
        """For every part of the ranges: the kernel, the indices, its arguments, and what it stands for."""
        for ranges in product(*(self._parts(place.range.name) for place in step.places)):
            places = [Index(place.name, part) for place, part in zip(step.places, ranges, strict=True)]
            at = {place.name: place for place in places}
            arguments = [self.put_back(argument, at).formula for argument in step.arguments]
            stands_for = self._average(step, tuple(places)).formula
            yield [step.kernel.name, [[p.name, p.range.name] for p in places], arguments, stands_for]

    def put_back(self, formula: Sums, at: Mapping[str, Index]) -> Sums:
        """A formula with indices named anew, sums over joined ranges cut into their parts, and entries put back."""
        whole = number(0)
        for (bound, factors), coefficient in formula.terms.items():
            parts = [self._parts(name) for name in bound]
            for ranges in product(*parts):
                summed = [r.index(f"s{next(self.fresh)}") for r in ranges]
                term = number(coefficient)
                for head, *places in factors:
                    term = term * self._factor(str(head), places, summed, at)
                whole = whole + total(term, *summed)
        return whole

    def _parts(self, name: str) -> tuple[Range, ...]:
        whole = self.content.ranges[name]
        return whole.parts if isinstance(whole, Joined) else (whole,)

    def _factor(self, head: str, places: list[Any], summed: list[Index], at: Mapping[str, Index]) -> Sums:
        if head == SIZE:
            return size(self.content.ranges[places[0]])
        if head == DELTA:
            raise DerivationError(f"the kernel {self.content.name} holds a delta: compare it in parts without one")
        return self.value(head, *(summed[p] if isinstance(p, int) else at[p] for p in places))
