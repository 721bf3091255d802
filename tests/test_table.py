"""The table of theorems as text: every line is there, and a ledger's certificates are counted, nested ones too."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from derivations.audit import table
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import FUNCTIONS
from derivations.recheck.core.table.averages import lines
from derivations.recheck.core.table.by import needs_and_conclusion
from derivations.recheck.core.table.named import NAMED
from derivations.recheck.core.theorems import Theorem, averages, kinds, limits, rules, theorems
from derivations.text import DerivationError


def step(method: str, statement: dict[str, object], *inner: object) -> dict[str, object]:
    return {"statement": statement, "method": method, "payload": {"parts": list(inner)}}


def test_uses_are_counted_in_nested_certificates(tmp_path: Path) -> None:
    theorem = {"kind": "by", "schema": "rank of a product"}
    derivation = {"rule": "one step", "letters": {"x": 0}, "parts": []}
    inner = step("by balls", {"kind": "sign"}, step("by rank of a product", theorem), derivation)
    ledger = tmp_path / "ledger.json"
    ledger.write_text(
        json.dumps({"papers": [step("by balls", {"kind": "identity"}, inner, [inner])]}), encoding="utf-8"
    )
    found = table.text(ledger).splitlines()
    assert "rank of a product  [2 in the ledger]" in found
    assert "balls  [3 in the ledger]" in found
    assert "one step  [2 in the ledger]" in found
    assert "half turns  [0 in the ledger]" in found


def test_every_line_is_told_with_its_hypotheses() -> None:
    found = table.text()
    for name, line in {**theorems(), **rules(), **averages(), **limits()}.items():
        assert f"\n{name}\n    {line.text('says')}" in found
        assert all(" ".join(need.split()) in found for need in line.written.get("needs", {}).values())
        assert name in rules() or " ".join(line.written["concludes"].split()) in found


def test_a_file_that_is_no_ledger_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DerivationError, match="cannot be read"):
        table.text(tmp_path / "nothing.json")


def names_called(line: Theorem) -> set[str]:
    """The functions that a line calls."""
    said = [*line.needs.values(), *line.follows.values(), *([line.concludes] if line.concludes else [])]
    nodes = [*line.where, *line.short.values(), *(n for one in said for n in (one.says, *one.given))]
    nodes += [one.loop.iter for one in said if one.loop]
    return {
        n.func.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    }


# each table with the named functions of its lines, and what else they may call
TABLES: tuple[tuple[dict[str, Theorem], dict[str, Callable[..., Any]], set[str]], ...] = (
    (theorems() | rules() | kinds(), NAMED, {*FUNCTIONS, "said"}),
    (limits(), {}, {*FUNCTIONS}),
    (averages(), lines.NAMED, {*FUNCTIONS, "rate"}),  # a rate on the left is matched with what is at hand
)


def test_every_named_function_is_called_by_a_line_and_every_call_has_one() -> None:
    """Functions of one name in two tables are two, and each has its call."""
    called: set[tuple[str, Callable[..., Any]]] = set()
    for written, functions, others in TABLES:
        names = set().union(*map(names_called, written.values()))
        assert names <= {*functions, *others}
        called |= {(name, functions[name]) for name in names & {*functions}}
    assert {pair for _, functions, _ in TABLES for pair in functions.items()} <= called


def test_two_hypotheses_never_have_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one certificate would show both, of which only one was asked for."""
    line = theorems()["linear stability on a line"]
    slots = {"symbols": {"y": ()}, "assuming": (), "flow": {"y": ("s", "y")}, "point": {"y": ("q", "0")}}
    needs_and_conclusion("linear stability on a line", slots)
    twice = line.needs | {"rate of y at rest": line.needs["slope"]}
    monkeypatch.setitem(theorems(), "linear stability on a line", line._replace(needs=twice))
    with pytest.raises(Rejected, match="two hypotheses would be called"):
        needs_and_conclusion("linear stability on a line", slots)
