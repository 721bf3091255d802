"""Hostile, damaged and oversized data give a sentence, quickly; a ledger is believed as far as its certificates go."""

from __future__ import annotations

import contextlib
import copy
import json
import time
from pathlib import Path
from typing import Any

import pytest
from case_files import Cases
from drawn import drawn
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from recheck.handmade import ALL, Json, add, exp, gens, identity, mul, power, proved, q, refuted, symbols, x
from recheck.ledgers import entry, ledger

from derivations.recheck import Rejected, check, recheck_ledger
from derivations.recheck.core.load import shown

FAMILIES = Cases(__file__, globals())

SQUARE = ALL["square"]
PATIENCE = 10.0


def refused_quickly(certificate: Any) -> str:
    began = time.process_time()
    with pytest.raises(Rejected) as caught:
        check(certificate)
    assert time.process_time() - began < PATIENCE
    return str(caught.value)


def nested(depth: int) -> Any:
    term: Any = x
    for _ in range(depth):
        term = ["exp", term]
    return term


def tower(depth: int, exponent: int) -> Any:
    term = add(x, q(1))
    for _ in range(depth):
        term = power(term, exponent)
    return term


def derivatives(count: int) -> Any:
    term: Any = exp(mul(x, exp(mul(x, exp(x)))))
    for _ in range(count):
        term = ["D", term, "x"]
    return term


def doubled(count: int) -> Any:
    """Substitutions that double the formula each time."""
    term: Any = add(x, x)
    for _ in range(count):
        term = ["at", term, [["x", add(x, x)]]]
    return term


BOMBS = {**FAMILIES["bombs"], "many symbols at once": power(add(*(["s", f"x{i}"] for i in range(60))), 500)}


@each("name", sorted(BOMBS))
def test_a_formula_that_would_take_forever_is_refused(name: str) -> None:
    table: Json = {"x": []} | {f"x{i}": [] for i in range(60)}
    names = list(table)
    refused_quickly(proved(identity(BOMBS[name], q(0), table), gens(*names)))
    refused_quickly(refuted(identity(BOMBS[name], BOMBS[name], table), dict.fromkeys(names, "123456789/7"), "0", "1"))


BY_ZERO = power(q(0), "-1/2")
SLOPE = {"symbol": "x", "end": ["s", "elsewhere"], "side": "below", "letter": "h", "start": ">=", "rate": ">="}


@each(
    ("method", "parameters", "left"),
    FAMILIES["a rule about what has no value gives a sentence"],
)
def test_a_rule_about_what_has_no_value_gives_a_sentence(method: str, parameters: Json, left: Any) -> None:
    statement = {"kind": "sign", "symbols": {"x": []}, "assuming": [], "relation": ">=", "left": left, "right": q(0)}
    payload = {"parameters": parameters, "parts": [], "inhabited": {"x": "0"}}
    assert refused_quickly({"statement": statement, "verdict": "proved", "method": method, "payload": payload})


def test_a_sum_of_many_different_fractions_is_refused() -> None:
    names = [f"x{i}" for i in range(12)]
    pairs = [(s, t) for s in names for t in names if s < t]
    total = add(*(power(add(["s", s], ["s", t]), -1) for s, t in pairs))
    statement = identity(total, add(*total[:0:-1]), symbols={name: [] for name in names})
    said = refused_quickly(proved(statement, [["s", name] for name in names], inhabited=dict.fromkeys(names, "1")))
    assert "too large" in said


def test_a_tree_of_exponentials_at_a_point_is_refused() -> None:
    refused_quickly(refuted(identity(nested(300), q(0), symbols("x")), {"x": "5"}, "1", "0", 4096))


def test_a_box_with_too_many_pieces_is_refused() -> None:
    broken = copy.deepcopy(ALL["enclosed"])
    broken["payload"]["pieces"] = 10**6
    refused_quickly(broken)


@each("value", [None, 1, "x", [], {}, 1.5, {"statement": {}}, {"statement": {"kind": "identity"}}])
def test_what_is_no_certificate_is_refused(value: Any) -> None:
    refused_quickly(value)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=4) | st.just(["s", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def paths(data: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [here]
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        found += paths(value, (*here, key))
    return found


@settings(max_examples=drawn(400))
@given(st.sampled_from(sorted(ALL)), st.integers(0, 10**6), JUNK)
def test_junk_anywhere_gives_a_sentence_or_a_certificate_that_still_holds(name: str, place: int, junk: Any) -> None:
    """No other exception than Rejected ever leaves the checker."""
    broken = json.loads(json.dumps(ALL[name]))
    places = paths(broken)[1:]
    *path, last = places[place % len(places)]
    target = broken
    for key in path:
        target = target[key]
    target[last] = junk
    with contextlib.suppress(Rejected):
        check(broken)


# --- ledgers ----------------------------------------------------------------------------------------------------------


def written(path: Path, data: Any) -> Path:
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def test_a_ledger_is_counted_by_verdict(tmp_path: Path) -> None:
    entries = [entry(f"p:{name}", certificate) for name, certificate in ALL.items()]
    seen: list[str] = []
    summary = recheck_ledger(written(tmp_path / "l.json", ledger(*entries, entry("p:definition", None))), seen.append)
    assert summary.rejected == []
    assert summary.clean
    assert summary.without == 1
    assert sum(summary.accepted.values()) == len(ALL) - 2
    assert summary.undecided == {"open": 1, "argued": 1}
    assert seen == [e["id"] for e in [*entries, entry("p:definition", None)]]


@pytest.mark.parametrize(
    "change",
    FAMILIES["an entry says what its certificate shows"],
)
def test_an_entry_says_what_its_certificate_shows(tmp_path: Path, change: Json) -> None:
    broken = entry("p:broken", SQUARE) | change
    summary = recheck_ledger(written(tmp_path / "l.json", ledger(entry("p:good", SQUARE), broken)))
    assert "p:broken" in dict(summary.rejected)
    assert "p:good" not in dict(summary.rejected)
    assert summary.accepted["proved"] == 1


def test_an_id_stands_for_one_entry(tmp_path: Path) -> None:
    summary = recheck_ledger(written(tmp_path / "l.json", ledger(entry("p:a", SQUARE), entry("p:a", SQUARE))))
    assert [identifier for identifier, _ in summary.rejected] == ["p:a"]


@pytest.mark.parametrize(
    "text",
    [*FAMILIES["a damaged ledger gives a sentence"], json.dumps(ledger(entry("p:a", SQUARE)))[:-40]],
)
def test_a_damaged_ledger_gives_a_sentence(tmp_path: Path, text: str) -> None:
    with pytest.raises(Rejected):
        recheck_ledger(written(tmp_path / "l.json", text))


def test_a_missing_ledger_gives_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Rejected, match="cannot be read"):
        recheck_ledger(tmp_path / "none.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(Rejected, match="UTF-8"):
        recheck_ledger(tmp_path / "binary.json")


@each("data", FAMILIES["data in a sentence are the beginning of their text"])
def test_data_in_a_sentence_are_the_beginning_of_their_text(data: Any) -> None:
    for each_of_them in (data, [data] * 50):
        whole = repr(each_of_them)
        assert shown(each_of_them) == (whole if len(whole) <= 80 else f"{whole[:80]}...")
