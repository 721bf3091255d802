"""The benchmark `kernels`: all candidates compute the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from benchmarks import kernels, peers
from derivations.paper.library import library
from numerics.kernels import index

pytestmark = pytest.mark.laws  # nothing that is shipped depends on them
KERNEL = "van_rossem_saxe_2024:equal_targets"
"""It branches, cancels nothing, and calls relexp."""
DIVIDES = "van_rossem_saxe_2024:equal_targets_sensitivities"
"""At t = 0 its formulas, with relexp written out, divide by the square of zero."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"POINTS": 16, "ROUNDS": 1, "KERNELS": (KERNEL,)}.items():
        monkeypatch.setattr(kernels, name, value)


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
