"""The emitted kernels as laws: against each other, against their ball twins, and in the limits."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn import drawn
from each import each
from flint import arb, ctx, fmpq

from numerics.accuracy.criterion import measure
from numerics.accuracy.domains import sampler
from numerics.kernels import ball, index, kernel, numbers
from numerics.theory import two_point

ROOT = Path(__file__).parents[2]
PAPER = "van_rossem_saxe_2024"
ONE = Fraction(1)

Vector = tuple[Fraction, ...]


def dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    return sum((p * q for p, q in zip(left, right, strict=True)), Fraction(0))


def to_ball(value: Fraction) -> Any:
    return arb(fmpq(value.numerator, value.denominator))


# --- starts -----------------------------------------------------------------------------------------------------------


class Start:
    """A signed distance a, the direction u of the answers, the difference Y of the targets, and both time constants."""

    def __init__(self, a: Fraction, u: Vector, Y: Vector, tau_h: Fraction, tau_y: Fraction) -> None:
        self.a, self.u, self.Y, self.tau_h, self.tau_y = a, u, Y, tau_h, tau_y

    @property
    def arguments(self) -> tuple[Fraction, ...]:
        """h0, y0, w0, X, s, tau_h, tau_y"""
        h0, n = self.a**2, dot(self.u, self.u)
        y0 = h0 * n
        w0 = y0 - self.a * dot(self.u, self.Y)
        return h0, y0, w0, X, dot(self.Y, self.Y), self.tau_h, self.tau_y


def F(text: str) -> Vector:
    return tuple(map(Fraction, text.split()))


X = Fraction(29, 36)
STARTS = {
    "one output, K > 0": Start(ONE * 3 / 2, F("1/2"), F("1"), ONE, ONE),
    "one output, K < 0": Start(ONE / 2, F("2"), F("1"), ONE, ONE / 2),
    "one output, K < 0, crosses": Start(ONE / 2, F("2"), F("-1"), ONE, ONE / 2),
    "one output, K > 0, against the target": Start(ONE / 2, F("-1/2"), F("1"), ONE, ONE),
    "two outputs, K > 0": Start(ONE * 2, F("1/3 -1/4"), F("1 1/2"), ONE * 3 / 4, ONE),
    "two outputs, K < 0, crosses": Start(ONE / 3, F("1 3/2"), F("1/2 -1"), ONE / 2, ONE * 2 / 3),
    "two outputs, crosses soon": Start(ONE / 100, F("-1 1/2"), F("3/2 1/3"), ONE / 2, ONE),
    "three outputs, K > 0": Start(ONE * -3 / 2, F("-1/2 1/4 1/3"), F("1 0 1/2"), ONE, ONE / 2),
    "three outputs, K = 0": Start(ONE, F("6/7 -3/7 2/7"), F("2/3 1 0"), X, ONE),
    "two outputs, K > 0, but small": Start(ONE + ONE / 10**25, F("3/5 4/5"), F("2/3 1"), X, ONE),
    "two outputs, K < 0, but small": Start(ONE - ONE / 10**9, F("3/5 -4/5"), F("2/3 1"), X, ONE),
    "three outputs, decoder at zero": Start(ONE * 2 / 3, F("0 0 0"), F("1 -1/2 1/3"), ONE, ONE * 2 / 3),
}
TIMES = (ONE / 64, ONE * 3 / 4, ONE * 5 / 2, ONE * 7)


def test_the_flow_kernels_are_the_slopes_of_the_closed_form() -> None:
    step = Fraction(1, 10**30)
    for start in STARTS.values():
        for time in TIMES[:3]:
            with ctx.workdps(120):
                below, now, above = (
                    ball(f"{PAPER}:closed_form")(*start.arguments, time + side, digits=120) for side in (-step, 0, step)
                )
                rates = ball(f"{PAPER}:two_point_flow")(*now, *start.arguments[3:], digits=120)
                for low, high, rate in zip(below, above, rates, strict=True):
                    assert abs((high - low) / (2 * to_ball(step)) - rate) < 1e-50


# --- floats against balls ---------------------------------------------------------------------------------------------

EVALUATIONS = 250


def points(name: str, evaluations: int, seed: int) -> Iterator[tuple[float, ...]]:
    entry, rng = index()[f"{PAPER}:{name}"], np.random.default_rng(seed)
    draw = sampler(entry.arguments, entry.domain)
    yield from (tuple(draw(rng)) for _ in range(evaluations))


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


@each("name", STARTS)
def test_after_a_long_time_every_start_with_different_targets_is_at_the_final_distance(name: str) -> None:
    h0, y0, _, X, s, tau_h, tau_y = STARTS[name].arguments
    floats = tuple(map(float, STARTS[name].arguments))
    for time in (1e6, 1e12):
        with ctx.workdps(60):
            h, y, w = ball(f"{PAPER}:closed_form")(*STARTS[name].arguments, Fraction(time), digits=60)
            final, slow, fast = ball(f"{PAPER}:final_distance")(h0, y0, X, s, tau_h, tau_y, digits=60)
            assert abs(h - final) + abs(y - to_ball(s)) + abs(w) < 1e-40
            assert fast < slow + to_ball(ONE / 10**40) < 0
        h, y, w = kernel(f"{PAPER}:closed_form")(*floats, time)
        final, *_ = kernel(f"{PAPER}:final_distance")(*floats[:2], *floats[3:])
        assert h == pytest.approx(final, rel=1e-13)
        assert y == pytest.approx(float(s), rel=1e-13)
        assert abs(w) < 1e-13
        assert np.isfinite(two_point.sensitivities(floats[:3], floats[3:], [time], fast=True)).all()


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


def test_equal_targets_follow_the_flow_of_two_points() -> None:
    step = Fraction(1, 10**40)
    for point in points("equal_targets", 50, seed=3):
        h0, y0, X, tau_h, tau_y, time = map(Fraction, point)
        below, now, above = (
            ball(f"{PAPER}:equal_targets")(h0, y0, X, tau_h, tau_y, time + side, digits=400)
            for side in (-step, 0, step)
        )
        with ctx.workdps(400):
            rates = ball(f"{PAPER}:two_point_flow")(*now, now[1], X, 0, tau_h, tau_y, digits=400)
            for low, high, rate in zip(below, above, rates[:2], strict=True):
                assert abs((high - low) / (2 * to_ball(step)) - rate) < 1e-30 * (1 + abs(rate))


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


def python(code: str) -> str:
    """Return the output of a second process."""
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_numerics_works_where_the_exact_side_cannot_be_imported() -> None:
    assert "training_loss" in python(ALONE)


def test_a_second_process_compiles_no_kernel() -> None:
    """The first one leaves what it compiles where every process looks for it, so that other tests need not wait."""
    found = [python(CACHED).splitlines() for _ in range(2)]
    assert len(found[0]) == len(numbers())
    assert set(found[0]) <= {"0 1", "1 0"}
    assert found[1] == ["1 0"] * len(numbers())
