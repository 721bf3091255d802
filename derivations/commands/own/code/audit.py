"""The command: finds the kernel of a claim, makes sure that it is proved, and says where a function departs from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from derivations.audit.verify import judging
from derivations.commands import emit
from derivations.commands.own.code.compared import Compared, compared
from derivations.commands.own.code.process import CodeError, Function
from derivations.commands.selection import chosen, is_path
from derivations.kernels.committed import support_of
from derivations.paper.library import library
from derivations.paper.naming import PaperError
from derivations.paper.supports import facts
from derivations.text import counted


def audit(
    word: str,
    against: str,
    *,
    tolerance: float | None,
    count: int,
    seed: int,
    seconds: float,
    step: Callable[[int], object],
) -> tuple[str, bool]:
    """Return what to tell about a function beside a claim's kernel, and whether it departs."""
    one = kernel_of(against)
    papers = {} if one.paper.file else library()
    claims = facts(one.paper, one.kernel, papers, judging()).supports
    with Function(word, one.kernel.arguments, seconds) as function:
        comparison = compared(function, one.kernel, tolerance=tolerance, count=count, seed=seed, step=step)
    rests = ", ".join(f"{claim} {verdict}" for claim, verdict in claims)
    head = f"{word} beside the kernel {one.id} ({rests})"
    return "\n".join([head, *told(comparison, tolerance, seed)]), bool(comparison.departures)


def told(comparison: Compared, tolerance: float | None, seed: int) -> Sequence[str]:
    """The outcome in lines."""
    most = "what rounding allows" if tolerance is None else f"{tolerance:g} of the value, or what rounding allows"
    points = counted(comparison.points, "point", "points")
    if comparison.smallest is None or comparison.farthest is None:
        return [f"no departure in {points} (seed {seed}; allowed is {most}); this is no proof"]
    lines = [f"departs {comparison.smallest}"]
    if comparison.farthest.reference != comparison.smallest.reference:
        lines.append(f"farthest off {comparison.farthest}")
    return [*lines, f"it departs at {len(comparison.departures)} of {points} (seed {seed}; allowed is {most})"]


def kernel_of(against: str) -> emit.Chosen:
    """The kernel that is named, or the only one that rests on the claim that is."""
    papers = {} if is_path(against) or is_path(against.rpartition(":")[0]) else library()
    with suppress(PaperError):
        named = emit.chosen([against], papers)
        if len(named) == 1:
            return named[0]
    paper, entries = chosen([against])[0]
    kernels = [emit.Chosen(paper, kernel, True) for kernel in paper.kernels]
    have = ", ".join(one.kernel.name for one in kernels) or "none"
    what = f"the paper {paper.key}"
    if entries is not None:
        ids, what = {entry.id for entry in entries}, f"the claim {entries[0].id}"
        kernels = [one for one in kernels if ids & {*support_of(one.kernel, paper.key), _equality(one)}]
    if len(kernels) > 1:
        names = ", ".join(f"{paper.file or paper.key}:{one.kernel.name}" for one in kernels)
        raise CodeError(f"{what} has {len(kernels)} kernels: give --against one of {names}")
    if not kernels:
        raise CodeError(f"no kernel rests on {what}: add one with paper.emits(...); kernels of its paper: {have}")
    return kernels[0]


def _equality(one: emit.Chosen) -> str:
    """The entry that shows what a kernel equals."""
    return one.paper.equalities.get(one.kernel.name, "")
