"""No program of a kernel of numbers fails in doubles at the arguments of all sizes on which kernels are tried."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kernels.of_papers import made

from derivations.kernels.hunting import hunt, points
from derivations.kernels.specification.numbers import Numbers

INDEX = Path(__file__).parents[2] / "numerics" / "kernels" / "index.json"
ROWS = json.loads(INDEX.read_text(encoding="utf-8"))["kernels"]


@pytest.mark.parametrize("name", [f"{row['paper']}:{row['name']}" for row in ROWS])
def test_a_kernel_survives_the_hunt(name: str) -> None:
    kernel = made()[name]
    if not isinstance(kernel.content, Numbers):
        pytest.skip("only kernels of numbers are hunted")
    assert len(list(points(kernel))) > 20
    assert hunt(kernel) is None
