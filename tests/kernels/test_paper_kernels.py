"""The emitted kernels in floats: against their ball twins and in the limits; what they equal has certificates."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from case_files import Cases
from drawn import drawn
from each import each
from kernels.elsewhere import output

from numerics.accuracy.criterion import measure
from numerics.accuracy.domains import sampler
from numerics.kernels import ball, index, kernel, numbers

FAMILIES = Cases(__file__, globals())

PAPER = "van_rossem_saxe_2024"


# --- floats against balls ---------------------------------------------------------------------------------------------

EVALUATIONS = 250


@pytest.mark.drawn
def test_the_closed_form_stays_within_the_criterion_at_drawn_points() -> None:
    """It is known to exceed it where dh passes through zero, so that the search of other tests leaves it out."""
    entry = index()[f"{PAPER}:closed_form"]
    draw = sampler(entry.arguments, entry.domain)
    report = measure(kernel(entry.id), ball(entry.id), draw, drawn(EVALUATIONS), seed=2024)
    assert report.passed, report
    assert report.undefined == 0
    assert report.extreme < drawn(EVALUATIONS) / 20


# --- limits -----------------------------------------------------------------------------------------------------------


@each("time", [0.0, 1e-9, 1.0, 300.0, 1e6])
def test_equal_targets_pass_through_a_high_of_zero(time: float) -> None:
    """On both sides of A_high = 0, and there, where the distance decays as h0/(1 + h0 t/(2 tau_y))."""
    h0, tau_h, tau_y, X = 0.75, 3.0, 1.5, 2.0
    decayed = h0 / (1 + h0 * time / (2 * tau_y))
    for offset in (0.0, 1e-16, -1e-16, 1e-13, -1e-13):
        h, y = kernel(f"{PAPER}:equal_targets")(h0, h0**2 + offset, X, tau_h, tau_y, time)
        assert h == pytest.approx(decayed, rel=1e-6 if time > 1e3 else 1e-10)
        assert y == pytest.approx(decayed**2, rel=1e-6 if time > 1e3 else 1e-10)
    assert kernel(f"{PAPER}:equal_targets")(h0, h0**2, X, tau_h, tau_y, time) == pytest.approx(
        (decayed, decayed**2), rel=1e-15
    )


def test_the_final_distance_has_no_cancellation_far_below_a_high_of_zero() -> None:
    """It is the positive root of f^2 - A_high f - A_low^2, solved here in exact arithmetic around the float."""
    for exponent in range(0, 100, 7):
        h0, y0, X, s, tau_h, tau_y = 2.0**-exponent, 1.0, 3.0, 5.0, 0.7, 0.3
        final, slow, fast = kernel(f"{PAPER}:final_distance")(h0, y0, X, s, tau_h, tau_y)
        ratio = Fraction(tau_y) * Fraction(X) / Fraction(tau_h)
        high, low2 = Fraction(h0) - ratio * Fraction(y0) / Fraction(h0), ratio * Fraction(s)
        f = Fraction(final)
        assert high < 0 < f
        assert abs(f * f - high * f - low2) / (2 * f - high) < 8 * Fraction(math.ulp(final))
        assert fast <= slow < 0


# --- other processes --------------------------------------------------------------------------------------------------

ALONE = """
import importlib, pkgutil, sys

class Wall:
    def find_spec(self, name, *_):
        assert name.split(".")[0] not in ("sympy", "derivations"), name

sys.meta_path.insert(0, Wall())
import numerics
for module in pkgutil.walk_packages(numerics.__path__, "numerics."):
    importlib.import_module(module.name)
words = ["accuracy", "--kernel", "training_loss", "--budget", "3", "--workers", "1"]
sys.exit(sys.modules["numerics.__main__"].main(words))
"""
CACHED = """
import numpy as np
from numerics.accuracy.domains import sampler
from numerics.kernels import kernel, numbers

for entry in numbers().values():
    function = kernel(entry.id)
    function(*sampler(entry.arguments, entry.domain)(np.random.default_rng(1)))
    print(sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values()))
"""


def test_a_second_process_compiles_no_kernel() -> None:
    """The first one leaves what it compiles where every process looks for it, so that other tests need not wait."""
    found = [output("-c", CACHED).splitlines() for _ in range(2)]
    assert len(found[0]) == len(numbers())
    assert set(found[0]) <= {"0 1", "1 0"}
    assert found[1] == ["1 0"] * len(numbers())


test_statements_have_their_verdicts = FAMILIES.verdicts()
