"""The benchmarks `kernels` and `cold_start`: missing peers, and that all candidates compute the same."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import cold_start, kernels, peers
from benchmarks.__main__ import main
from derivations.paper.library import library
from numerics.kernels import index

KERNEL = "van_rossem_saxe_2024:equal_targets"
"""It branches, cancels nothing, and calls relexp."""
DIVIDES = "van_rossem_saxe_2024:equal_targets_sensitivities"
"""At t = 0 its formulas, with relexp written out, divide by the square of zero."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"POINTS": 16, "ROUNDS": 1, "KERNELS": (KERNEL,)}.items():
        monkeypatch.setattr(kernels, name, value)


@pytest.mark.usefixtures("small")
def test_missing_peers_are_said_and_the_own_time_stands_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert main(["kernels"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "heyoka.py is not installed" in out
    assert "no C compiler" in out
    assert "nobody to compare with" in out
    assert "16 points" in out


@pytest.mark.usefixtures("small")
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_every_candidate_computes_the_same(tmp_path: Path) -> None:
    paper, name = KERNEL.split(":")
    found = next(kernel for kernel in library()[paper].kernels if kernel.name == name)
    files = peers.files_of([(paper, found)])
    for file, text in files.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    (peer,) = kernels.read_peers(tmp_path).values()
    ways = kernels.candidates(index()[KERNEL], peer, tmp_path)
    assert {kernels.OURS, kernels.C, kernels.PLAIN, kernels.LAMBDIFIED} <= set(ways)
    ours, *others = (np.array(way()) for way in ways.values())
    for other in others:
        np.testing.assert_allclose(other, ours, rtol=1e-6)


def test_what_lambdify_writes_has_no_power_that_numba_refuses_at_zero() -> None:
    paper, name = DIVIDES.split(":")
    found = next(kernel for kernel in library()[paper].kernels if kernel.name == name)
    assert "**(-" not in peers.lambdified(found)


def test_first_calls_are_made_and_their_shares_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Any] = []
    monkeypatch.setattr(cold_start, "_can_emit", lambda: False)
    monkeypatch.setattr(cold_start, "_ran", calls.append)
    monkeypatch.setattr(cold_start, "ROUNDS", 1)
    assert main(["cold_start"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "so C is left out" in out
    assert all(name in out for name in ("trivial function", "kernel(...)", "over_points(...)"))
    assert len(calls) == 3 * 3
