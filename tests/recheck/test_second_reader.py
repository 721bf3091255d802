"""The checker reads every print of scalars again: lies in a print, or in what was judged, are noticed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from derivations.audit.ledger import plain
from derivations.latex.rules.recorded import record
from derivations.paper.library import library
from derivations.paper.model import Claim
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.reader.agree import kind_of, require_agreement, same
from derivations.recheck.reader.parse import relations
from derivations.recheck.reader.scalars import Meaning
from derivations.recheck.reader.tokens import tokens

Case = tuple[str, dict[str, Any], str, dict[str, Any]]
UNREAD = {"braun_2022": 14, "carrasco_davis_grant_2025": 22, "van_rossem_saxe_2024": 42}
READ = 56


def printed() -> dict[str, Claim]:
    return {c.id: c for paper in library().values() for c in paper.claims if c.printed is not None}


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """The prints of claims that are scalars, each with its record and its certificate."""
    found = []
    for name, claim in printed().items():
        about = json.loads(json.dumps(record(claim.printed)))  # type: ignore[arg-type]
        if kind_of(about) == "scalar":
            found.append((name, about, claim.printed.latex, plain(claim.certificate)))  # type: ignore[union-attr]
    return found


def agrees(about: dict[str, Any], latex: str, certificate: dict[str, Any]) -> bool:
    try:
        with budget():
            require_agreement(about, latex, certificate)
    except Rejected:
        return False
    return True


def test_it_reads_every_print_of_scalars_as_the_first_reader_does(cases: list[Case]) -> None:
    assert [name for name, *case in cases if not agrees(*case)] == []
    assert len(cases) == READ


def test_what_it_cannot_read_is_counted() -> None:
    unread = Counter(name.partition(":")[0] for name, c in printed().items() if record(c.printed)["kind"] == "unread")  # type: ignore[arg-type]
    assert dict(unread) == UNREAD


# --- lies in the print ------------------------------------------------------------------------------------------------

SIGNS = {"+": "-", "-": "+", "=": ">", "<": ">"}


def spelled(signs: list[str], k: int, letters: dict[str, list[str]]) -> str:
    """The longest letter that stands at a place."""
    here = [name for name, parts in letters.items() if signs[k : k + len(parts)] == parts]
    return max(here, key=lambda name: len(letters[name]), default="")


def lies(about: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Prints in which one sign, number, letter or exponent is another one, with what was changed."""
    signs = tokens(about["reads"])
    letters = {name: tokens(name) for name in about["letters"]}
    names, k, turn = sorted(name for name, value in about["letters"].items() if value), 0, 0
    while k < len(signs):
        name = spelled(signs, k, letters)
        parts = letters[name] if name else [signs[k]]
        before, after = signs[:k], signs[k + len(parts) :]
        if signs[k] in SIGNS and not name:
            yield f"{signs[k]} at {k}", " ".join([*before, SIGNS[signs[k]], *after])
        elif signs[k].isdigit() and not name:
            yield f"{signs[k]} at {k}", " ".join([*before, str(int(signs[k]) + 1), *after])
        elif name in names and (
            others := [other for other in names if about["letters"][other] != about["letters"][name]]
        ):
            turn += 1
            yield f"{name} at {k}", " ".join([*before, *letters[others[turn % len(others)]], *after])
        if after[:1] == ["^"] and name:
            yield f"a square of {name} at {k}", " ".join([*before, "{", *parts, "}", "^", "{", "3", "}", *after])
        elif name:
            yield f"a cube of {name} at {k}", " ".join([*before, *parts, "^", "{", "3", "}", *after])
        k += len(parts)


def sides(about: dict[str, Any]) -> list[tuple[str, list[Any]]]:
    """What a print says: its relations, with the terms of their sides."""
    data = normal(about)
    meaning = Meaning(data)
    found = []
    for relation in relations(data["reads"], data["letters"], data["functions"]):
        for meaning.upper in (True, False):
            terms = []
            for side in (relation.left, relation.right):
                try:
                    terms.append(meaning.sides(side))
                except Rejected:
                    terms.append([])
            found.append((relation.sign, terms))
    return found


def mean_the_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    for (sign, terms), (other_sign, others) in zip(sides(one), sides(other), strict=True):
        if sign != other_sign or any(len(a) != len(b) for a, b in zip(terms, others, strict=True)):
            return False
        pairs = [pair for a, b in zip(terms, others, strict=True) for pair in zip(a, b, strict=True)]
        turned = [pair for a, b in zip(terms, others[::-1], strict=True) for pair in zip(a, b, strict=False)]
        if not all(same(a, b) for a, b in pairs) and not (sign == "=" and all(same(a, b) for a, b in turned)):
            return False
    return True


NAMES_ONLY = {  # what their statements put in the place of the left side is told on the page, and so is a name in words
    "van_rossem_saxe_2024:prediction_from_printed_logistic",
    "van_rossem_saxe_2024:high_without_constants",
}


def test_a_lie_in_a_print_is_noticed_or_means_the_same(cases: list[Case]) -> None:
    told: Counter[str] = Counter()
    missed = []
    for name, about, _, certificate in cases:
        middle = tokens(about["reads"]).index("=") if "=" in tokens(about["reads"]) else 10**6
        for what, latex in lies(about):
            lie = {**about, "reads": latex}
            told["all"] += 1
            if not agrees(lie, latex, certificate):
                told["noticed"] += 1
            elif mean_the_same(about, lie):
                told["the same"] += 1
            elif (about["left_is"] or name in NAMES_ONLY) and int(what.rpartition(" at ")[2]) < middle:
                told["in words alone"] += 1
            else:
                missed.append((name, what))
    assert missed == [], told
    assert told["all"] >= 1000, told
    assert told["in words alone"] <= 13, told
    assert told["noticed"] >= 0.95 * told["all"], told


# --- lies in what was judged ------------------------------------------------------------------------------------------


def put_in(data: Any, change: Any) -> Any:
    """A formula in which something else is put in for the letters of its substitutions."""
    if not isinstance(data, list):
        return data
    if data[:1] == ["at"]:
        return ["at", put_in(data[1], change), [[name, change(put_in(value, change))] for name, value in data[2]]]
    return [put_in(part, change) for part in data]


def changed(data: Any, change: Any) -> Any:
    """A statement in which every formula is another one: sides of relations, what solves a flow, what fills a slot."""
    if isinstance(data, list):
        is_formula = bool(data) and data[0] in ("+", "*", "^", "exp", "at", "D", "s", "erf")
        return change(put_in(data, change)) if is_formula else [changed(part, change) for part in data]
    if not isinstance(data, dict):
        return data
    return {key: value if key in ("symbols", "flow") else changed(value, change) for key, value in data.items()}


CHANGES = {
    "a factor": lambda side: ["*", ["q", "3"], side],
    "a sign": lambda side: ["*", ["q", "-1"], side],
    "a term": lambda side: ["+", ["q", "1"], side],
    "a square": lambda side: ["^", side, ["q", "2"]],
    "an exponential": lambda side: ["exp", side],
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_lie_in_what_was_judged_is_noticed(cases: list[Case], change: str) -> None:
    missed = []
    for name, about, latex, certificate in cases:
        if about["supposed"] or about["left_is"]:
            continue
        other = {**certificate, "statement": changed(certificate["statement"], CHANGES[change])}
        if agrees(about, latex, other) and any(
            not same(side, ("q", "0")) for _, pair in sides(about) for side in pair[1]
        ):
            missed.append(name)
    assert missed == [] or (change, missed) == ("a sign", ["van_rossem_saxe_2024:primed_line1"])  # two signs make none
