"""A ledger shows what its certificates say: nothing in an entry is changed, swapped or left out unnoticed."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each
from recheck.corrupt import at, leaves, placed
from recheck.handmade import ALL, Json
from recheck.ledgers import entry, ledger

from derivations import prove
from derivations.audit.ledger import plain
from derivations.language.words import Letter, identity
from derivations.prove.certificate import Certificate
from derivations.recheck import Rejected, check_entry, recheck_ledger
from derivations.recheck.ledgers.entries import ABOUT, COMPUTED, KEYS, READ, entry_of
from derivations.recheck.ledgers.reading import formula, hypotheses, sentence

FAMILIES = Cases(__file__, globals())

CLAIMS = {name: certificate for name, certificate in ALL.items() if certificate["verdict"] != "open"}
HINTS = {"among", "squares", "oriented"}


x, w = sp.symbols("x w", real=True)
h, tau = sp.symbols("h tau", positive=True)
t = sp.Symbol("t", nonnegative=True)

V, S = Letter("V", "n", "k", orthonormal_columns=True), Letter("S", "k", "n")
U = Letter("U", "n", "k")
SENTENCES = [
    (
        prove.limit(h * w - x / tau, [h], -x / tau),
        "For all tau > 0 and real w, x: w*h - x/tau tends to -x/tau as h goes to 0 from above",
    ),
    (
        prove.words(V.T @ V @ S, S),
        "For all sizes k and n, and all matrices S (k x n) and V (n x k, with orthonormal columns): V' V S = S",
    ),
    (
        prove.words(U.T @ U @ S, S, [(U.T @ U, identity("k"))]),
        "For all sizes k and n, and all matrices S (k x n) and U (n x k) with orthonormal columns of U: U' U S = S",
    ),
    (
        prove.every(prove.identity(x * w, w, [sp.Eq(x, 1)]), prove.positive(tau)),
        "For all tau > 0 and real w, x: w*x = w, if x = 1; tau > 0",
    ),
    (
        prove.every(prove.identity(x, x), prove.positive(sp.Symbol("x", positive=True))),
        ": x = x, for all real x; x > 0, for all x > 0",
    ),
    (
        prove.solves({x: -x / tau}, {x: w * sp.exp(-t / tau)}, {x: w}, t),
        "For all tau > 0 and real w: x = w*exp(-t/tau) solves dx/dt = -x/tau with x(0) = w, for all t >= 0",
    ),
]


def entries() -> list[Json]:
    """One entry for each certificate made by hand, all of whose texts differ."""
    return [entry(f"p:{name}", certificate) for name, certificate in CLAIMS.items()]


@each("key", sorted(KEYS))
def test_no_field_can_be_swapped_between_two_entries(key: str) -> None:
    swapped = 0
    for first, second in zip(entries(), entries()[1:], strict=False):
        if first[key] != second[key]:
            for forged in (first | {key: second[key]}, second | {key: first[key]}):
                with pytest.raises(Rejected):
                    check_entry(forged)
                swapped += 1
    assert swapped or key in {"paper", "kind", "printed", "asserted", "latex", "corrected", *READ}


@each("key", sorted(KEYS))
def test_no_field_can_be_left_out_or_be_of_another_kind(key: str) -> None:
    good = entries()[0]
    for forged in (
        {k: v for k, v in good.items() if k != key},
        *(good | {key: junk} for junk in (1, True, "forged", ["forged"], {"a": 1}) if junk != good[key]),
    ):
        with pytest.raises(Rejected):
            check_entry(forged)


def test_all_texts_of_two_entries_cannot_be_swapped_together(tmp_path: Path) -> None:
    first, second = entries()[:2]
    for key in ("says", "quote", "where", "hypotheses", "method", "notes"):
        first[key], second[key] = second[key], first[key]
    first |= {"says": "1 = 2 (forged)", "latex": "1=2", "expected": "refuted", "hypotheses": []}
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(ledger(first, second)), encoding="utf-8")
    assert {name for name, _ in recheck_ledger(path).rejected} == {first["id"], second["id"]}


def test_an_entry_with_its_record_exchanged_is_refused_by_its_seal() -> None:
    first, second = entries()[:2]
    forged = first | {key: second[key] for key in ABOUT}
    forged["certificate"] = first["certificate"] | {"about": second["certificate"]["about"]}
    with pytest.raises(Rejected, match="sha256"):
        check_entry(forged)


def test_what_claims_nothing_is_sealed_too_and_shows_no_evidence() -> None:
    good = entry("p:definition", None)
    assert check_entry(good) is None
    for forged in (
        *(good | {key: "forged"} for key in sorted(KEYS) if good[key] != "forged"),
        entry_of({key: good[key] for key in ABOUT} | {"kind": "claim"}, None),
        good | {"verdict": "proved"},
    ):
        with pytest.raises(Rejected):
            check_entry(forged)


@each("record", [None, {"kind": "unread", "why": "it is long"}, {"letters": {}}])
@each(("text", "key"), [("latex", "reading"), ("corrected", "reading_of_corrected")])
def test_what_is_printed_of_a_claim_is_read_again(text: str, key: str, record: Json | None) -> None:
    certificate, good = next(iter(CLAIMS.values())), entries()[0]
    about = {name: good[name] for name in ABOUT}
    with pytest.raises(Rejected, match="not read again"):
        check_entry(entry_of(about | {text: "a=b", "printed": text == "latex", key: record}, certificate))
    if record:
        with pytest.raises(Rejected, match="nothing that is printed"):
            check_entry(entry_of(about | {key: record}, certificate))


@each("change", [{"printed": True}, {"latex": "a=b", "printed": False}])
def test_an_entry_is_printed_where_it_has_latex(change: Json) -> None:
    certificate, good = next(iter(CLAIMS.values())), entries()[0]
    with pytest.raises(Rejected, match="is printed where"):
        check_entry(entry_of({name: good[name] for name in ABOUT} | change, certificate))


@pytest.mark.parametrize("change", ["drop", "swap", "title", "number", "move"])
def test_entries_are_not_added_left_out_or_put_elsewhere(tmp_path: Path, change: str) -> None:
    data = ledger(*entries())
    paper = data["papers"][0]
    match change:
        case "drop":
            del paper["entries"][0]
        case "swap":
            paper["entries"][:2] = reversed(paper["entries"][:2])
        case "title":
            paper["title"] = "Another"
        case "number":
            paper["numbered"] += 1
        case "move":
            paper["key"] = "q"
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert not recheck_ledger(path).clean


def test_open_statements_are_counted_apart(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(ledger(entry("p:open", ALL["open"]))), encoding="utf-8")
    summary = recheck_ledger(path)
    assert (summary.accepted, dict(summary.undecided), summary.rejected) == ({}, {"open": 1}, [])


@each("name", sorted(ALL))
def test_unknown_methods_are_refused(name: str) -> None:
    certificate = copy.deepcopy(ALL[name])
    if certificate["verdict"] == "open":
        return
    certificate["method"] = "inspiration"
    with pytest.raises(Rejected):
        check_entry(entry("p:a", certificate))


# --- the checker's printer --------------------------------------------------------------------------------------------


def changed(statement: Json, path: tuple[Any, ...]) -> Json:
    value = at(statement, path)
    other = f"{value}9" if isinstance(value, str) else not value if isinstance(value, bool) else value + 1
    return dict(placed(statement, path, other))


@each("name", sorted(ALL))
def test_the_text_of_a_statement_shows_every_part_of_it(name: str) -> None:
    statement = json.loads(json.dumps(ALL[name]["statement"]))
    silent = {
        "symbols",
        "slots",
        *HINTS,
    }  # hints for provers have no text; the conclusion, which is shown, is computed from the slots
    places = [path for path in leaves(statement) if path[-1] != "kind" and not silent & set(path)]
    shown = (formula(statement), hypotheses(statement))
    for path in random.Random(0).sample(places, min(len(places), 60)):
        other = changed(statement, path)
        assert (formula(other), hypotheses(other)) != shown, path
        is_implied = {"rows", "cols", "schema", "symmetric"} & set(path)  # of what is defined; how a theorem is called
        assert is_implied or sentence(other) != sentence(statement), path


def test_hypotheses_say_what_letters_are_declared_to_be_and_which_lines_suppose_what() -> None:
    letters = {
        "A": {"rows": "n", "cols": "n", "symmetric": True},
        "B": {"rows": "n", "cols": "n", "inverse_of": {"shape": ["n", "n"], "formula": ["L", "A"]}},
    }
    one = {"shape": ["n", "n"], "formula": ["I", "n"]}
    words = {
        "kind": "words",
        "letters": letters,
        "rules": [],
        "left": {"shape": ["n", "n"], "formula": ["@", ["L", "A"], ["L", "B"]]},
        "right": one,
    }
    sign = {"kind": "sign", "relation": ">", "symbols": {"x": ["positive"], "y": []}, "assuming": []}
    sign |= {"left": ["s", "x"], "right": ["q", "0"]}
    more = sign | {"symbols": {"x": [], "y": []}, "assuming": [[">", ["s", "x"], ["s", "y"]]]}
    statement = {"kind": "all", "parts": [words, sign, more]}
    assert formula(statement) == ["A B = I_n", "x > 0", "x > 0"]
    assert hypotheses(statement) == [
        "A is n x n, symmetric",
        "B is n x n, inverse of A",
        "x is positive [in 2]",
        "x > y [in 3]",
    ]


@each(("certificate", "expected"), SENTENCES)
def test_a_sentence_says_for_what_and_then_what(certificate: Certificate, expected: str) -> None:
    supposed, lines = sentence(plain(certificate)["statement"])
    assert f"{supposed}: {'; '.join(lines)}" == expected


def test_a_line_that_is_too_long_is_cut_and_still_tells_statements_apart() -> None:
    def long(last: str) -> Json:
        terms = [["s", "x"]] * 2000 + [["s", last]]
        return {"kind": "identity", "symbols": {"x": []}, "assuming": [], "left": ["+", *terms], "right": ["q", "0"]}

    (one,), (other,) = formula(long("y")), formula(long("z"))
    assert len(one) < 2200
    assert one != other


def test_a_part_of_an_unknown_kind_is_shown_as_it_is() -> None:
    statement = {
        "kind": "guess",
        "theorem": "new",
        "slots": {"V": ["s", "x"]},
        "conclusion": ALL["square"]["statement"],
    }
    assert any("slots: {V: [s, x]}" in line for line in formula(statement))
    assert set(COMPUTED) <= KEYS


def test_a_kernel_names_its_program_and_nothing_else_does() -> None:
    parts = [c for c in CLAIMS.values() if c["statement"]["kind"] == "identity" and c["verdict"] == "proved"][:1]
    statement = {"kind": "all", "parts": [c["statement"] for c in parts]}
    whole = {"verdict": "proved", "method": parts[0]["method"], "statement": statement, "payload": {"parts": parts}}
    named = whole | {"statement": statement | {"kernel": {"program": "0" * 64, "cases": []}}}
    about = {key: value for key, value in entry("p:k", whole).items() if key in ABOUT}
    check_entry(entry_of(about, whole))
    check_entry(entry_of(about | {"kind": "kernel"}, named))
    for kind, certificate in (("kernel", whole), ("claim", named)):
        with pytest.raises(Rejected, match="names the program"):
            check_entry(entry_of(about | {"kind": kind}, certificate))


test_statements_have_their_verdicts = FAMILIES.verdicts()
