"""The grounds of a verdict are recorded while it is checked: an entry that shows less, or more, is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.audit.mistakes import Mistakes
from derivations.language.words import Letter
from derivations.recheck import Rejected, check, check_entry
from derivations.recheck.ledgers import entries
from derivations.recheck.ledgers.entries import ABOUT, LISTS, entry_of
from derivations.recheck.ways import ANY, HOMES, WAYS, in_core, primitives
from derivations.report.written.claims import Listing

FAMILIES = Cases(__file__, globals())

x = sp.symbols("x", real=True)
A, B = Letter("A", "n", "n"), Letter("B", "n", "n")
KINDS = FAMILIES["kinds"]


def plain(certificate: prove.Certificate) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(certificate.as_json()))
    return found


@each("kind", [*KINDS])
def test_the_checker_tells_what_it_used(kind: str) -> None:
    make, wanted = KINDS[kind]
    certificate = plain(make())
    used = set(check(certificate))
    assert used <= {*primitives(certificate)}
    assert wanted <= used
    assert used <= {*wanted, "ring", "sign", "point"}


@each("kind", [*KINDS])
def test_a_certificate_is_taken_by_no_other_way_of_the_table(kind: str) -> None:
    certificate = plain(KINDS[kind][0]())
    for way in WAYS:
        verdict, method = way.verdicts.partition("|")[0], way.method.replace(".+", "exponentials")
        if method != ANY and (verdict, method) != (certificate["verdict"], certificate["method"]):
            with pytest.raises(Rejected):
                check({**certificate, "verdict": verdict, "method": method})


@each("verdict", ["proved", "certified", "argued", "refuted"])
def test_what_excludes_a_statement_shows_no_conjunction_of_it(verdict: str) -> None:
    certificate = plain(prove.inequality(sp.Gt(sp.exp(x) + 1, sp.exp(x), evaluate=False)))
    shared = {key: certificate["statement"][key] for key in ("symbols", "assuming", "left", "right")}
    statement = {"kind": "all", "parts": [{"kind": "identity"} | shared]}
    for method in ("contrary", "normal form", "positive combination", ""):
        for more in ({}, {"parts": []}, {"parts": [certificate]}):
            payload = {"contrary": certificate} | more
            with pytest.raises(Rejected):
                check({"statement": statement, "verdict": verdict, "method": method, "payload": payload})


def test_every_primitive_has_a_home() -> None:
    assert {"ring", "sign", "point", "balls", "words and sums", "step", "theorem", "rule", "argument"} <= {*HOMES}
    for name in (*HOMES, "theorem 'zero stays zero'", 'rule "Lambert\'s W"'):
        assert in_core(name) in (True, False)
    with pytest.raises(KeyError):
        in_core("magic")


def entry(name: str, certificate: prove.Certificate, **told: Any) -> dict[str, Any]:
    about = dict.fromkeys(ABOUT, "") | dict.fromkeys(LISTS, ()) | {"corrected_by": None}
    about |= {
        "mended_by": None,
        "reading": None,
        "reading_of_corrected": None,
        "latex": None,
        "corrected": None,
        "printed": False,
    }
    about |= {"asserted": False, "kind": "claim", "id": f"mine:{name}", "paper": "mine", "says": "It holds."}
    about |= {key: [] for key in LISTS} | {"expected": certificate.verdict.value} | told
    return entry_of(about, plain(certificate))


@each("kind", ["an equation", "a theorem", "several", "an argument"])
def test_an_entry_that_shows_less_or_more_is_refused(kind: str) -> None:
    made = entry("claim", KINDS[kind][0]())
    assert check_entry(made) == made["verdict"]
    for lie in (made["trusts"][1:], [*made["trusts"], "balls"], [], ["point"]):
        with pytest.raises(Rejected, match="trusts"):
            check_entry({**made, "trusts": lie})


def test_what_is_used_and_not_shown_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made = entry("claim", KINDS["an equation"][0]())
    monkeypatch.setattr(entries, "check", lambda certificate: (*check(certificate), "step"))
    with pytest.raises(Rejected, match="trusts"):
        check_entry(made)


@each("length", range(1, 5))
def test_an_argument_is_inherited_along_every_chain(length: int) -> None:
    """The last of a chain of proofs tells of the argument at its start, and what does not rest on it does not."""
    proved = KINDS["an equation"][0]()
    chain = [entry("start", KINDS["an argument"][0]())]
    for k in range(length):
        chain.append(entry(f"link{k}", proved, rests_on=[chain[-1]["id"]]))
    free = entry("free", proved)
    errata = Mistakes([*chain, free])
    assert [[argued["id"] for argued in errata.arguments(e)] for e in chain] == [[], *[["mine:start"]] * length]
    assert errata.arguments(free) == []
    listing = Listing("mine", errata, {})
    lines = [listing.entry(e)[0] for e in (*chain, free)]
    assert ["resting on the argument [`start`](#start)" in line for line in lines] == [False, *[True] * length, False]


def test_an_average_trusts_the_lines_that_its_derivation_names() -> None:
    shown = primitives(plain(KINDS["an average"][0]()))
    assert shown == ["averages", "ring", 'theorem "Stein\'s lemma"', "theorem 'average of one'"]
