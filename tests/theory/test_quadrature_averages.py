"""Sums over nodes, for activations without formulas, against the formulas and against many nodes."""

from __future__ import annotations

import numpy as np
import pytest
from case_files import Cases

from numerics.theory.teacher_student import averages
from numerics.theory.teacher_student.averages.quadrature import smooth

FAMILIES = Cases(__file__, globals())

RNG = np.random.default_rng(4)
ROWS = RNG.normal(size=(2, 3, 4))
STACK = ROWS @ np.swapaxes(ROWS, 1, 2) / 4


def test_an_activation_of_ones_own_has_the_averages_of_its_formula() -> None:
    found, exact = averages.I2_table(STACK, "theory.jitted_erf"), averages.I2_table(STACK, "erf")
    assert np.abs(found - exact).max() < 1e-8
    for at, pair in ((at, np.ix_([a, b], [a, b])) for at in range(2) for a in range(3) for b in range(3)):
        assert exact[at][pair][0, 1] == pytest.approx(averages.I2(STACK[at][pair]), abs=1e-13)


def test_a_larger_rule_changes_a_table_little_and_a_coarse_one_more() -> None:
    coarse, usual, fine = (averages.I2_table(STACK, "tanh", size) for size in (12, 80, 200))
    assert np.abs(usual - fine).max() < 1e-9 < np.abs(coarse - fine).max()


def test_names_modules_and_pairs_of_functions_are_the_same_activation() -> None:
    x = np.linspace(-3.0, 3.0, 7)
    named = [smooth("tanh"), smooth("numerics.theory.teacher_student.flows.tanh"), smooth((np.tanh, np.cos))]
    for functions in named:
        assert functions.g(x) == pytest.approx(np.tanh(x), rel=1e-15)


test_statements_have_their_verdicts = FAMILIES.verdicts()
