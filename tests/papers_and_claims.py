"""The papers that the library finds, so that a new one is tested without a new test; none is imported until asked for.

Tests are named by the papers' modules. To import a paper takes seconds, and every worker collects every test file.
"""

from __future__ import annotations

import json
import pkgutil
from functools import cache
from pathlib import Path

import derivations
from derivations.audit import ledger
from derivations.audit.verify import Report, verify
from derivations.paper.entries import Claim, Entry
from derivations.paper.library import library
from derivations.paper.model import Paper
from derivations.prove.certificate import Json

FOLDER = Path(derivations.__file__ or ".").parent / "papers"
MODULES = sorted(module.name for module in pkgutil.iter_modules([str(FOLDER)]) if not module.name.startswith("_"))


def papers() -> list[Paper]:
    return list(library().values())


def paper_in(module: str) -> Paper:
    """The paper that a module of the library holds."""
    return dict(zip(MODULES, papers(), strict=True))[module]


def entries() -> list[Entry]:
    return [entry for paper in papers() for entry in paper.entries.values()]


def claims() -> list[Claim]:
    return [claim for paper in papers() for claim in paper.claims]


def name(thing: Paper | Entry) -> str:
    return thing.key if isinstance(thing, Paper) else thing.id


@cache
def reports() -> tuple[Report, ...]:
    """Every paper, verified once."""
    return tuple(verify(paper) for paper in papers())


def as_read(claim: Claim) -> Json:
    """A claim's certificate as somebody finds it in a ledger."""
    data: Json = json.loads(ledger.dumps(claim.certificate.as_json()))
    return data
