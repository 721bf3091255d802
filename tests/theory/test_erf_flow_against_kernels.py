"""The hand-written rates for erf(x/sqrt 2) meet the criterion of accuracy against the ball twin of the emitted flow."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from drawn import drawn
from each import each
from theory.flat_flows import arguments, point
from theory.hand_written_rates import cone, rates_of, twin_of

from numerics.accuracy.criterion import measure
from numerics.kernels import ball
from numerics.theory.teacher_student import generalisation_error

SHAPES = [(1, 1), (1, 3), (3, 1), (2, 3), (3, 2)]
SOME = [pytest.param(*shape, marks=pytest.mark.laws if shape in {(3, 1), (2, 3)} else ()) for shape in SHAPES]


def sizes(K: int, M: int) -> Sequence[int]:
    """How many numbers dQ, dR and dv have, each of which is compared as a whole."""
    return [K * K, K * M, K]


@pytest.mark.parametrize(("K", "M"), SOME)
def test_the_hand_written_rates_are_as_exact_as_their_arguments_allow(K: int, M: int) -> None:
    points = iter(
        [point(K, M, seed, scale=scale, second=True) for seed, scale in enumerate((0.3, 1.0, 2.0, 20.0, 100.0))]
    )
    report = measure(rates_of(K, M), twin_of(K, M), lambda _: next(points), 5, sizes=sizes(K, M))
    assert report.passed


@pytest.mark.drawn
@each(("K", "M", "evaluations"), [(1, 1, 200), (2, 1, 40), (1, 2, 40), (2, 2, 25)])
def test_the_whole_cone_of_covariances_costs_no_digits(K: int, M: int, evaluations: int) -> None:
    """Variances from 1e-12 to 1e6, duplicated, dependent and vanishing fields; most of the points are hunted."""
    report = measure(rates_of(K, M), twin_of(K, M), cone(K, M), drawn(evaluations), 7, sizes=sizes(K, M))
    assert report.undefined == 0
    assert report.passed


@each(("K", "M"), SHAPES)
def test_the_hand_written_error_is_that_of_the_twin_without_noise(K: int, M: int) -> None:
    Q, R, T, *_ = arguments(point(K, M, seed=5), K, M)
    (exact,) = ball("carrasco_davis_grant_2025:generalisation_error")(Q, R, T, 0, digits=40)
    assert generalisation_error(Q, R, T) == pytest.approx(float(exact), rel=1e-13)
