"""One entry of a ledger: whatever it shows is computed again from its certificate, or covered by its seal.

Of what a person wrote (the sentence, the LaTeX, the place), a certificate carries a record, `about`. The seal of an
entry is the sha256 of its certificate with that record; where nothing is claimed, of the record alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from derivations.recheck.check import check
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import VERDICTS, shown
from derivations.recheck.ledgers.reading import formula, hypotheses
from derivations.recheck.reader.agree import kind_of, require_agreement
from derivations.recheck.ways import primitives

TEXTS = ("paper", "id", "kind", "says", "quote", "because", "changes")
TEXTS_OR_NOTHING = ("latex", "expected", "corrected_by", "corrected", "mended_by")
LISTS = ("where", "notes", "notes_of_corrected", "slips", "rests_on", "inherits", "faults")
READ = ("reading", "reading_of_corrected")
ABOUT = (*TEXTS, *TEXTS_OR_NOTHING, *LISTS, *READ, "printed", "asserted")
"""The record `about`: texts that a person wrote for an entry, and those that the framework adds."""
COMPUTED = ("verdict", "method", "statement", "formula", "hypotheses", "witness", "trusts")
"""Fields that follow from the certificate."""
KEYS = {*ABOUT, *COMPUTED, "certificate", "sha256"}
CLAIMING = ("claim", "kernel")  # kinds of entries that need a certificate


def seal(data: Any) -> str:
    """The sha256 of JSON data in one spelling.

    >>> seal({"b": [1], "a": "x"}) == seal({"a": "x", "b": [1]})
    True
    """
    spelt = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(spelt.encode()).hexdigest()


def computed(certificate: dict[str, Any], trusts: Sequence[str]) -> dict[str, Any]:
    """Return what an entry shows of its certificate, and of the primitives on which it rests."""
    statement = certificate["statement"]
    try:
        lines, supposed = formula(statement), hypotheses(statement)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise Rejected(f"the statement cannot be printed ({type(error).__name__}: {error})") from None
    return {
        "verdict": certificate["verdict"],
        "method": certificate["method"],
        "statement": statement,
        "formula": lines,
        "hypotheses": supposed,
        "witness": certificate["payload"].get("witness"),
        "trusts": list(trusts),
    }


def entry_of(about: dict[str, Any], certificate: dict[str, Any] | None) -> dict[str, Any]:
    """An entry as a ledger has it: the record, what its certificate shows, the certificate, the seal."""
    if certificate is None:
        nothing = dict.fromkeys(COMPUTED) | {"formula": [], "hypotheses": [], "trusts": []}
        return {**about, **nothing, "certificate": None, "sha256": seal(about)}
    whole = {**certificate, "about": about}
    return {**about, **computed(certificate, primitives(certificate)), "certificate": whole, "sha256": seal(whole)}


def check_entry(entry: dict[str, Any]) -> str | None:
    """The verdict of an entry that its certificate shows; None for an entry that makes no claim."""
    if missing := sorted(KEYS - set(entry)):
        raise Rejected(f"the entry has no '{missing[0]}': write the ledger again")
    if strange := sorted(set(entry) - KEYS):
        raise Rejected(f"the entry shows '{strange[0]}', which no certificate backs: write the ledger again")
    verdict, certificate = entry["verdict"], entry["certificate"]
    about = {key: entry[key] for key in ABOUT}
    if wrong := [key for key, value in about.items() if not _is_as_written(key, value)]:
        raise Rejected(f"the entry has {shown(about[wrong[0]])} as '{wrong[0]}': write the ledger again")
    _require_prints(entry)
    if certificate is None:
        _without(entry, about)
        return None
    if verdict not in VERDICTS:
        raise Rejected(f"the verdict must be one of {', '.join(VERDICTS)}, got {shown(verdict)}")
    if not isinstance(certificate, dict):
        raise Rejected(f"the entry is {verdict} and has no certificate that shows it")
    used = check(certificate)
    if ("kernel" in certificate["statement"]) != (entry["kind"] == "kernel"):
        raise Rejected("the statement of a kernel, and of nothing else, names the program of which it speaks")
    _compare(about, certificate.get("about"), "record of its certificate")
    _compare({key: entry[key] for key in COMPUTED}, computed(certificate, used), "certificate")
    with budget():
        require_agreement(entry["reading"], entry["latex"], certificate, entry["notes"])
    _sealed(entry, certificate)
    found: str = verdict
    return found


def _is_as_written(key: str, value: Any) -> bool:
    """Check whether a part of a record is text, a list of texts, or true or false, as it has to be."""
    if key in LISTS:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if key in READ:
        return value is None or isinstance(value, dict)
    if key in ("printed", "asserted"):
        return isinstance(value, bool)
    return isinstance(value, str) or (value is None and key in TEXTS_OR_NOTHING)


def _require_prints(entry: dict[str, Any]) -> None:
    """A print has its LaTeX, and a record of its letters where something is claimed of it; so has a correction."""
    is_printed, is_mended = entry["latex"] is not None, entry["corrected"] is not None
    if entry["printed"] is not is_printed:
        raise Rejected("a formula is printed where there is LaTeX of it, and nowhere else: write the ledger again")
    for key, is_due in (("reading", is_printed and entry["certificate"] is not None), (READ[1], is_mended)):
        if is_due:
            kind_of(entry[key])
        elif entry[key] is not None:
            raise Rejected(f"the entry has a '{key}' of nothing that is printed: write the ledger again")


def _without(entry: dict[str, Any], about: dict[str, Any]) -> None:
    """An entry without a certificate claims nothing and shows nothing computed."""
    if entry["verdict"] is not None or entry["kind"] in CLAIMING:
        raise Rejected(f"the entry is a {entry['kind']} ({entry['verdict']}) and has no certificate that shows it")
    if any(entry[key] for key in COMPUTED):
        raise Rejected("the entry shows what only a certificate can, and has none")
    _sealed(entry, about)


def _compare(said: dict[str, Any], backed: Any, what: str) -> None:
    if not isinstance(backed, dict) or set(backed) != set(said):
        raise Rejected(f"the {what} does not speak of {', '.join(said)}: write the ledger again")
    for key, value in said.items():
        if value != backed[key] or type(value) is not type(backed[key]):
            raise Rejected(f"the entry shows '{key}' as {shown(value)}, and the {what} has {shown(backed[key])}")


def _sealed(entry: dict[str, Any], data: Any) -> None:
    if entry["sha256"] != seal(data):
        raise Rejected("the sha256 is not that of what the entry holds: something in it was changed")
