"""The trace that a proof leaves behind: a frozen certificate whose payload can be checked again without these
provers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256
from typing import Annotated, Any

from derivations.text import DerivationError
from derivations.text.doors import Kind, require_fields, shown

Json = dict[str, Any]
EXACT = re.compile(r"-?\d+(/[1-9]\d*)?")


class Verdict(Enum):
    """The verdict on a statement.

    PROVED: by an exact normal form or a theorem. CERTIFIED: by a rigorous enclosure of numbers. REFUTED: by an exact
    instance, or because it contradicts what is proved. ARGUED: its steps are proved, and a person adds the last one.
    OPEN: nothing decided it, and the certificate says why.
    """

    PROVED = "proved"
    CERTIFIED = "certified"
    REFUTED = "refuted"
    ARGUED = "argued"
    OPEN = "open"


@dataclass(frozen=True)
class Certificate:
    """A statement, the decision on it, and the evidence.

    `statement` and `payload` are JSON data in the language of `derivations.language.terms`; `derivations.recheck`
    verifies them with code of its own. `reason` says in one sentence what stands in the way of an OPEN statement.

    >>> import sympy as sp
    >>> from derivations import prove
    >>> x = sp.Symbol("x", real=True)
    >>> certificate = prove.identity(x / x, 1)
    >>> certificate.verdict, certificate.method, certificate.hypotheses
    (<Verdict.PROVED: 'proved'>, 'normal form', [])
    """

    statement: Json
    verdict: Verdict
    method: str
    payload: Json = field(default_factory=dict)
    reason: str = ""

    def __post_init__(self) -> None:
        require_fields(self, DerivationError)
        if "kind" not in self.statement:
            raise DerivationError(f"the statement of a certificate has a kind, and {shown(self.statement)} has none")

    @property
    def witness(self) -> Json | None:
        """The exact point or matrices of a refutation, with both sides' values there; None if there is none."""
        witness: Json | None = self.payload.get("witness")
        return witness

    @property
    def hypotheses(self) -> list[Any]:
        return list(self.statement.get("assuming", []))

    @property
    def sha256(self) -> str:
        """Return what names this certificate among all others: the sha256 of its JSON, with sorted keys and without
        spaces.
        """
        spelt = json.dumps(self.as_json(), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return sha256(spelt.encode()).hexdigest()

    def as_json(self) -> Json:
        data: Json = {
            "statement": self.statement,
            "verdict": self.verdict.value,
            "method": self.method,
            "payload": self.payload,
        }
        return data | ({"reason": self.reason} if self.reason else {})


def undecided(statement: Json, reason: str) -> Certificate:
    """An open certificate, which says why nothing was decided."""
    return Certificate(statement, Verdict.OPEN, "none", reason=reason)


def undecided_at(statement: Json, payload: Json, role: str, step: Certificate) -> Certificate:
    """An open certificate of what would follow if one of its steps were proved."""
    reason = f"its step '{role}' is {step.verdict.value}: {step.reason or step.method}"
    return Certificate(statement, Verdict.OPEN, "none", payload, reason)


def _is_candidate(value: Any) -> bool:
    """Check whether this has sizes by name, and matrices or arrays of exact numbers by name."""
    if not isinstance(value, dict):
        return False
    sizes, tables = (
        (value.get("dims"), value.get("matrices")) if "dims" in value else (value.get("sizes"), value.get("arrays"))
    )
    if not (isinstance(sizes, dict) and isinstance(tables, dict)):
        return False
    whole = all(isinstance(size, int) and not isinstance(size, bool) for size in sizes.values())
    return whole and all(isinstance(name, str) for name in (*sizes, *tables)) and all(map(_is_exact, tables.values()))


def _is_exact(value: Any) -> bool:
    """Check whether this is an exact number, as text or as a whole number, or nested rows of such."""
    if isinstance(value, list | tuple):
        return all(map(_is_exact, value))
    return isinstance(value, int) or (isinstance(value, str) and EXACT.fullmatch(value) is not None)


Candidates = Annotated[
    Sequence[Json],
    Kind(
        "a list of matrices or arrays as certificates have them, {'dims': {name: size}, 'matrices': {name: rows}}",
        lambda value: isinstance(value, list | tuple) and all(map(_is_candidate, value)),
    ),
]
