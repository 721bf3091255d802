"""Every claim of every paper that the library finds, so that a new paper is tested without a new test."""

from __future__ import annotations

import json
from functools import cache

from derivations.audit import ledger
from derivations.audit.verify import Report, verify
from derivations.paper.library import library
from derivations.paper.model import Claim, Entry, Paper
from derivations.prove.certificate import Json

PAPERS: list[Paper] = list(library().values())
ENTRIES: list[Entry] = [entry for paper in PAPERS for entry in paper.entries.values()]
CLAIMS: list[Claim] = [claim for paper in PAPERS for claim in paper.claims]


def name(thing: Paper | Entry) -> str:
    return thing.key if isinstance(thing, Paper) else thing.id


@cache
def reports() -> tuple[Report, ...]:
    """Every paper, verified once."""
    return tuple(verify(paper) for paper in PAPERS)


def as_read(claim: Claim) -> Json:
    """A claim's certificate as somebody finds it in a ledger."""
    data: Json = json.loads(ledger.dumps(claim.certificate.as_json()))
    return data
