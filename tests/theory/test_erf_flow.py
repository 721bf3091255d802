"""The flow for erf(x/sqrt 2) is the emitted kernel, between rows of numbers, and as exact as its arguments allow."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import drawn
from each import each
from theory.cone_of_covariances import cone, rates_of, twin_of
from theory.flat_flows import arguments, point

from numerics.accuracy.criterion import measure
from numerics.kernels import ball
from numerics.ode.integrate import compiled
from numerics.theory.teacher_student import FLOWS, PARTS, generalisation_error

SHAPES = [(1, 1), (1, 3), (3, 1), (2, 3), (3, 2)]


@each(("K", "M"), SHAPES)
def test_the_rates_of_rows_are_those_of_the_emitted_kernel(K: int, M: int) -> None:
    at = point(K, M, seed=K, second=True)
    Q, R, T, v, v_teacher, eta, eta_v, sigma, batch = arguments(at, K, M, second=True)
    size, prepare, right = (compiled(FLOWS["erf"], PARTS["erf"], name) for name in ("scratch_size", "prepare", "rates"))
    lower = np.tril_indices(K)
    params = np.concatenate([[K, M, 1.0, eta, eta_v, sigma**2, batch], np.array(T)[np.tril_indices(M)], v_teacher, v])
    state = np.concatenate([np.array(Q)[lower], np.ravel(R), v])
    scratch, out = np.full(size(params), np.nan), np.full(state.size, np.nan)
    prepare(params, scratch)
    right(0.0, state, params, out, scratch)
    expected = np.array(rates_of(K, M)(*at))
    assert np.array_equal(out, np.concatenate([expected[: K * K].reshape(K, K)[lower], expected[K * K :]]))


@pytest.mark.drawn
@each(("K", "M", "evaluations"), [(1, 1, 200), (2, 1, 40), (1, 2, 40), (2, 2, 25)])
def test_the_whole_cone_of_covariances_costs_no_digits(K: int, M: int, evaluations: int) -> None:
    """Variances from 1e-12 to 1e6, duplicated, dependent and vanishing fields; most of the points are hunted."""
    report = measure(rates_of(K, M), twin_of(K, M), cone(K, M), drawn(evaluations), 7, sizes=[K * K, K * M, K])
    assert report.undefined == 0
    assert report.passed


@each(("K", "M"), SHAPES)
def test_the_error_is_that_of_the_twin_without_noise(K: int, M: int) -> None:
    Q, R, T, *_ = arguments(point(K, M, seed=5), K, M)
    (exact,) = ball("carrasco_davis_grant_2025:generalisation_error")(Q, R, T, 0, digits=40)
    assert generalisation_error(Q, R, T) == pytest.approx(float(exact), rel=1e-13)
