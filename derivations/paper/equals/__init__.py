"""The tie of a kernel to what was proved: its program, read back line by line, equals what claims state.

A kernel's equality is an ordinary statement that the provers decide and the checker checks: for every return, in every
branch, an identity between what the program computes and a formula that stands in a claim's certificate. Branches that
need no case of their own are shown to be equal to each other. The statement says which case is shown by which of its
parts, so that the checker reads the program once more and finds the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any

from derivations import prove
from derivations.kernels.specification.numbers import Numbers
from derivations.paper.equals.programs import Case
from derivations.paper.equals.stated import RIGHT, Unequal, proved
from derivations.prove.certificate import Certificate, Json, Verdict

__all__ = ["RIGHT", "Equals", "Known", "Unequal", "equality", "require_whole"]


@dataclass(frozen=True)
class Known:
    """An equality that a theorem gives for the terms in its slots, both sides with one factor."""

    theorem: str
    slots: Mapping[str, Any]
    factor: Any = 1


@dataclass(frozen=True)
class Equals:
    """Some of a kernel's returns, in some of its branches, and the formulas of a claim that they equal.

    claim: whose certificate states the formulas; a claim of the same paper may be given by its name.
    returns: the formula of each return: the name of a variable in a solution that the claim states (with a number if it
        states several), or a formula that stands there as it is; a function that makes them keeps an import quick.
    where: arguments of the kernel in the claim's symbols; an argument is the symbol of its own name otherwise.
    reached: the way back, which shows that every argument is reached.
    at: symbols of the claim in arguments of the kernel. by: of returns that are derivatives, by what.
    holds: the conditions that distinguish this case, and whether they hold. fix: what then follows for symbols.
    parts: shorter forms of shared parts, which are proved and used.
    by_theorem: of shared parts, the theorem by which the shorter form follows.
    never: which of its conditions, or of those of the domain, fails where the others hold: no such case exists.
    assuming: what follows of symbols from the domain and the conditions, as far as it is needed; it is proved in order.
    off: relations that fail on edges, which the case leaves out and the emitted files tell.
    sums: of formulas that are divided by, sums of positive parts, which are proved and used.
    """

    claim: Any
    returns: Mapping[str, Any] | Callable[[], Mapping[str, Any]]
    where: Mapping[Any, Any] = field(default_factory=dict)
    reached: Mapping[Any, Any] = field(default_factory=dict)
    at: Mapping[Any, Any] = field(default_factory=dict)
    by: Mapping[str, Any] = field(default_factory=dict)
    holds: Mapping[Any, bool] = field(default_factory=dict)
    fix: Mapping[Any, Any] = field(default_factory=dict)
    parts: Mapping[Any, Any] = field(default_factory=dict)
    by_theorem: Mapping[Any, Known] = field(default_factory=dict)
    never: Any = None
    assuming: tuple[Any, ...] = ()
    off: tuple[Any, ...] = ()
    sums: tuple[Any, ...] = ()

    @cached_property
    def formulas(self) -> dict[str, Any]:
        return dict(self.returns() if callable(self.returns) else self.returns)


def equality(kernel: Any, cases: Iterable[Any]) -> Certificate:
    """The certificate that the program of a kernel returns what the claims state, in every branch."""
    parts, told = _decided(kernel, list(cases))
    found = prove.every(*parts)
    about = {"program": kernel.program.sha256, **_domain(kernel), "cases": told}
    return replace(found, statement={**found.statement, "kernel": about})


def _domain(kernel: Any) -> Json:
    """The hypotheses of a kernel of numbers about its arguments."""
    return {"domain": kernel.of_numbers.relations} if isinstance(kernel.content, Numbers) else {}


def _decided(kernel: Any, cases: list[Any]) -> tuple[list[Certificate], list[Json]]:
    """The certificates of all cases, and each case as data with the places of its certificates."""
    require_whole(kernel, cases)
    parts: list[Certificate] = []
    told = []
    for case in cases:
        proved(case.claim)
        about, found = _shown(kernel, case) if isinstance(case, Equals) else _shown_whole(kernel, case)
        told.append({**about, "parts": [len(parts), len(parts) + len(found)]})
        parts += found
    return parts, told


def _shown_whole(kernel: Any, case: Any) -> tuple[Json, list[Certificate]]:
    """A case of sums or of matrices as data, and its certificates."""
    return {"claim": case.claim.id, "returns": list(case.formulas), **case.about(kernel)}, list(case.decided(kernel))


def _shown(kernel: Any, case: Equals) -> tuple[Json, list[Certificate]]:
    """A case with its certificates: of the program as it stands, or, where that is not decided, in neater lines."""
    found: list[Certificate] = []
    one = Case(kernel, case)
    with suppress(prove.Unsatisfiable):  # a fraction that vanishes below, which neater lines are without
        for part in one.decided():
            found.append(part)
            if part.verdict is not Verdict.PROVED:
                break
        else:
            return one.told, found
    neater = Case(kernel, case, neat=True, compared=one.compared)
    found = list(neater.decided())
    return neater.told, found


def require_whole(kernel: Any, cases: list[Any]) -> None:
    """Every return has a formula that is proved, and the cases of a return leave no branch out."""
    for case in cases:
        _require_reason(kernel, case)
    for name in kernel.returns:
        own = [case for case in cases if name in case.formulas]
        if not any(_is_compared(case) for case in own):
            raise Unequal(f"{name} of the kernel {kernel.name} equals nothing: give the claim that states its formula")
        conditions = list(dict.fromkeys(condition for case in own for condition in case.holds))
        places = {condition: place for place, condition in enumerate(conditions)}
        told = [[(places[condition], value) for condition, value in case.holds.items()] for case in own]
        for values in product((True, False), repeat=len(conditions)):
            if not any(all(values[place] == value for place, value in case) for case in told):
                where = ", ".join(f"{c} is {value}" for c, value in zip(conditions, values, strict=True))
                raise Unequal(f"{name} of the kernel {kernel.name} has no formula where {where}: add that case")
    strange = {name for case in cases for name in case.formulas} - set(kernel.returns)
    if strange:
        raise Unequal(f"the kernel {kernel.name} returns no {', '.join(sorted(strange))}")


def _is_compared(case: Any) -> bool:
    """Return whether a case is possible."""
    return not isinstance(case, Equals) or case.never is None


def _require_reason(kernel: Any, case: Any) -> None:
    """Check that a case leaves out or puts in on a condition alone."""
    if not isinstance(case, Equals):
        return
    if not case.holds and (not _is_compared(case) or (case.fix and not case.reached)):
        raise Unequal(f"a case of the kernel {kernel.name} is special and has no condition: name it in `holds`")
    if case.never is not None and case.never not in {*case.holds, *kernel.of_numbers.domain}:
        raise Unequal(
            f"a case of the kernel {kernel.name} is excluded by what is no condition of it: name one in `never`"
        )
