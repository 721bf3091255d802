"""The table of theorems as text: every line is there, and a ledger's certificates are counted, nested ones too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from derivations.audit import table
from derivations.recheck.core.theorems import rules, theorems
from derivations.text import DerivationError


def step(method: str, statement: dict[str, object], *inner: object) -> dict[str, object]:
    return {"statement": statement, "method": method, "payload": {"parts": list(inner)}}


def test_uses_are_counted_in_nested_certificates(tmp_path: Path) -> None:
    theorem = {"kind": "by", "schema": "rank of a product"}
    inner = step("by balls", {"kind": "sign"}, step("by rank of a product", theorem))
    ledger = tmp_path / "ledger.json"
    ledger.write_text(
        json.dumps({"papers": [step("by balls", {"kind": "identity"}, inner, [inner])]}), encoding="utf-8"
    )
    found = table.text(ledger).splitlines()
    assert "rank of a product  [2 in the ledger]" in found
    assert "balls  [3 in the ledger]" in found
    assert "half turns  [0 in the ledger]" in found


def test_every_line_is_told_with_its_hypotheses() -> None:
    found = table.text()
    for name, line in {**theorems(), **rules()}.items():
        assert f"\n{name}\n    {line.text('says')}" in found
        assert all(" ".join(need.split()) in found for need in line.written["needs"].values())


def test_a_file_that_is_no_ledger_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DerivationError, match="cannot be read"):
        table.text(tmp_path / "nothing.json")
