"""The formula and its program against the flow of the weights, integrated in many digits without knowing either."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from case_files import Cases
from each import each
from theory.deep_linear_cases import Case, composed, levels, start, task
from theory.exact_deep_linear import exact_qqt, integrated_qqt, relative_change, relative_error

from numerics.theory import deep_linear

FAMILIES = Cases(__file__, globals())

KINDS = FAMILIES["kinds"]


def made(start_kind: str, task_kind: str, sizes: tuple[int, int, int], balance: float) -> Case:
    rng = np.random.default_rng(11)
    inputs, hidden, outputs = sizes
    found = task(rng, task_kind, inputs, outputs)
    W1, W2 = start(rng, start_kind, found, hidden, balance)
    return Case(f"{start_kind}, {task_kind}", W1, W2, composed(*found), *levels(balance), np.array([2.0]))


@each("kind", KINDS, one_of=3)
def test_states_are_those_of_the_integrated_flow(kind: tuple[str, str, tuple[int, int, int], float]) -> None:
    case = made(*kind)
    flow = integrated_qqt(case, 2.0, digits=20)
    assert relative_error(deep_linear.qqt(case.W1, case.W2, case.sigma, case.times)[0], flow) < 2e-14
    assert relative_change(exact_qqt(case, case.times)[0], flow) < 2e-14


def test_the_flow_departs_from_the_formula_in_proportion_to_what_the_balance_is_off() -> None:
    case = made("ordinary", "ordinary", (2, 2, 2), 0.0)
    off = [
        relative_change(exact_qqt(moved, moved.times)[0], integrated_qqt(moved, 2.0, digits=20))
        for moved in (replace(case, W1=case.W1 * (1 + size)) for size in (1e-7, 1e-9, 1e-11))
    ]
    assert off[0] / off[1] == pytest.approx(100, rel=1e-3)
    assert off[1] / off[2] == pytest.approx(100, rel=1e-3)
    assert off[2] < 3e-11
