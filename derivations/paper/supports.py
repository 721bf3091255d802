"""Supports of a kernel before it is emitted: claims that are proved or certified, and a proof that it equals them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from derivations.kernels.committed import SUPPORT, not_equal, row_of, support_of
from derivations.kernels.specification import Specification
from derivations.kernels.specification.names import KernelError
from derivations.kernels.targets.facts import Facts
from derivations.paper.entries import Claim, Entry
from derivations.paper.equals.stated import proved
from derivations.paper.library import paper_called
from derivations.paper.model import Paper
from derivations.prove.certificate import Json, Verdict
from derivations.recheck import Rejected
from derivations.recheck.core.budget import budget
from derivations.recheck.ledgers.programs import check_program, edges_told
from derivations.text import did_you_mean

VerdictOf = Callable[[Entry], Verdict | None]


def facts(
    paper: Paper, kernel: Specification, papers: Mapping[str, Paper], verdict_of: VerdictOf, name: str = ""
) -> Facts:
    """Return what stands in the files of a kernel: its claims with their verdicts; refuse where one does not hold.

    `name` is what its files are called, and `verdict_of` gives the verdict of an entry.
    """
    called = f"{paper.key}:{kernel.name}"
    claims = support_of(kernel, paper.key)
    if not claims:
        raise KernelError(f"the kernel {called} rests on no claim: name in rests_on those that prove its formulas")
    entries = {claim: _claim(paper, kernel, claim, papers) for claim in claims}
    judged = {claim: verdict_of(entry) for claim, entry in entries.items()}
    found = [(claim, each.value if each else "unknown") for claim, each in judged.items()]
    for claim, verdict in found:
        if verdict not in SUPPORT:
            raise KernelError(
                f"the kernel {called} rests on {claim}, whose verdict is {verdict}: "
                "a kernel rests on proved or certified claims only, so name the claim that corrects it"
            )
    equality = paper.equalities.get(kernel.name, "").partition(":")[2]
    if not equality or verdict_of(paper.entries[equality]) is not Verdict.PROVED:
        raise not_equal(called)
    statement = proved(paper.entries[equality]).statement
    _require_checked(paper, kernel, statement, {claim: proved(entry).statement for claim, entry in entries.items()})
    edges = edges_told(statement["kernel"])
    return Facts(name or kernel.name, paper.key, paper.citation, tuple(found), tuple(edges))


def _require_checked(paper: Paper, kernel: Specification, statement: Json, stated: Mapping[str, Json]) -> None:
    """Ask the checker whether the program is what the certificate speaks of, as `recheck` does for a ledger."""
    row = json.loads(row_of(kernel, paper.key))
    try:
        with budget():
            check_program(row, *json.loads(json.dumps([statement, stated])))
    except Rejected as reason:
        raise KernelError(f"the kernel {paper.key}:{kernel.name} is not shown to equal its claims: {reason}") from None


def _claim(paper: Paper, kernel: Specification, claim: str, papers: Mapping[str, Paper]) -> Claim:
    key, _, name = claim.partition(":")
    home = paper if key == paper.key else papers.get(key) or paper_called(key)
    entry = home.entries.get(name) if home else None
    if not isinstance(entry, Claim):
        known = [c.id for c in paper.claims]
        raise KernelError(
            f"the kernel {paper.key}:{kernel.name} rests on {claim}, which is no claim{did_you_mean(claim, known)}"
        )
    return entry
