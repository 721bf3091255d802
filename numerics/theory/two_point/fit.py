"""Effective time constants of the two-point theory from curves that a network left behind (van Rossem & Saxe, Eq. 49).

    found = fit(times, h, y, w, X, s)     # |dh|^2, |dy|^2 and w at each time; X = |x2 - x1|^2, s = |y2 - y1|^2
    found.tau_h, found.tau_y, found.errors, found.r_squared, found.theory
    layers = profile(times, h_of_layers, y, w, X, s)        # one fit for each layer's representation
    mean = fit_mean(times, loss, y, w, s)                   # the third constant, from the loss

What is made smallest is the squared distance between the curves and the solved theory, integrated over time, from the
first row of the data on. The two constants are sought as logarithms, by a trust-region method with the derivatives of
the closed form by both constants, from several places: one where the integrated equations of motion, which are linear
in the two rates, fit best, and the best ones of a wide grid. The standard errors are those of independent residuals of
equal size; residuals that a theory leaves behind systematically are neither, and then the errors say too little. The
first row is taken as the exact start of the theory: where it is noisy like the rest, the errors are several times too
small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics import NumericsError
from numerics.kernels import kernel
from numerics.ode.trajectories import IntegrateError, increasing
from numerics.theory import two_point

Floats = NDArray[np.float64]

GRID = np.geomspace(1e-4, 1e2, 13)  # of time constants, in units of the time that the data span
PLACES = 3  # of the grid from which the search sets out
BOUNDS = (1e-8, 1e8)  # of what is sought, in the same units: beyond, a curve is a step or a constant
TIGHT = 1e-15
FLOW, LOSS = "van_rossem_saxe_2024:two_point_flow", "van_rossem_saxe_2024:training_loss"


class FitError(NumericsError):
    """Curves to which nothing can be fitted; the message says why in one sentence."""


@dataclass(frozen=True)
class Fit:
    """The constants, their standard errors, what is left over, and the theory's curves at the times of the data."""

    constants: tuple[float, ...]
    errors: tuple[float, ...]
    loss: float  # Eq. 49: the integral of the squared distances
    r_squared: float
    theory: Floats  # time, curve

    @property
    def tau_h(self) -> float:
        return self.constants[0]

    @property
    def tau_y(self) -> float:
        return self.constants[1]


def fit(times: ArrayLike, h: ArrayLike, y: ArrayLike, w: ArrayLike, X: float, s: float) -> Fit:  # noqa: PLR0917
    """tau_h and tau_y of the system derived from the loss, from the curves of |dh|^2, |dy|^2 and w.

    `times` are at least three that increase, and `h`, `y` and `w` have one number for each; the first numbers are taken
    as the exact start. `X` is |x2 - x1|^2 > 0 and `s` is |y2 - y1|^2 >= 0. The constants come in the unit of the times.
    Curves of other lengths, numbers that are not finite, and a first row that no network has raise a `FitError`.

    >>> times = np.linspace(0, 20, 50)
    >>> h, y, w = two_point.closed_form([0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8], times)[0].T
    >>> found = fit(times, h, y, w, X=0.25, s=1.0)
    >>> round(found.tau_h, 6), round(found.tau_y, 6)
    (1.5, 0.8)
    """
    moments, data = _curves(times, h=h, y=y, w=w)
    if not (X > 0 and s >= 0):
        raise FitError(f"X must be positive and s not negative, got X = {X:g} and s = {s:g}")
    start, since = data[0], moments - moments[0]

    def theory(logs: Floats) -> Floats:
        return np.asarray(two_point.closed_form(start, [X, s, *np.exp(logs)], since)[0])

    def slopes(logs: Floats) -> Floats:
        taus = np.exp(logs)
        return np.asarray(two_point.sensitivities(start, [X, s, *taus], since, fast=True) * taus)

    try:
        grid = np.array([(a, b) for a in GRID for b in GRID]) * since[-1]
        params = np.column_stack([np.full(len(grid), X), np.full(len(grid), s), grid])
        curves = two_point.closed_form(np.tile(start, (len(grid), 1)), params, since)
    except IntegrateError as trouble:
        raise FitError(f"the first row of the data is no start of the theory: {trouble}") from None
    weights = _weights(moments)
    distances = np.einsum("ktc,t->k", (curves - data) ** 2, weights)
    places = [*np.log(grid[np.argsort(distances)[:PLACES]]), *_linear(moments, data, X, s)]
    return _best(theory, slopes, places, data, moments)


def profile(  # noqa: PLR0917
    times: ArrayLike, layers: Sequence[ArrayLike], y: ArrayLike, w: ArrayLike, X: float, s: float
) -> list[Fit]:
    """One fit for each layer of a network, of whose representations only |dh|^2 differs.

    `layers` holds a curve of |dh|^2 for each layer; everything else is as `fit` takes it, and the fits come in the
    order of the layers.

    >>> times = np.linspace(0, 20, 50)
    >>> h, y, w = two_point.closed_form([0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8], times)[0].T
    >>> [round(found.tau_h, 2) for found in profile(times, [h, 2 * h], y, w, X=0.25, s=1.0)]
    [1.5, 0.75]
    """
    return [fit(times, h, y, w, X, s) for h in layers]


def fit_mean(times: ArrayLike, loss: ArrayLike, y: ArrayLike, w: ArrayLike, s: float) -> Fit:
    """tau_b, the constant of the mean output, from the loss and from the curves or the theory's values of y and w.

    `times`, `loss`, `y` and `w` have one number for each time, and `s` is |y2 - y1|^2. The only constant of the fit is
    tau_b, in the unit of the times. A loss that starts where y and w alone put it leaves nothing to fit, and raises a
    `FitError`, as curves do that `fit` refuses.

    >>> times = np.linspace(0, 20, 50)
    >>> _, y, w = two_point.closed_form([0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8], times)[0].T
    >>> loss = 0.15 * np.exp(-2 * times / 7.0) + (w + (1.0 - y) / 2) / 4
    >>> [round(constant, 6) for constant in fit_mean(times, loss, y, w, s=1.0).constants]
    [7.0]
    """
    moments, data = _curves(times, loss=loss, y=y, w=w)
    since = moments - moments[0]

    def along(name: str, mean_error: float, logs: Floats) -> Floats:
        formula, tau = kernel(name), float(np.exp(logs[0]))
        return np.array([formula(*row, s, mean_error, tau, t) for row, t in zip(data[:, 1:], since, strict=True)])

    mean_error = 2.0 * (data[0, 0] - along(LOSS, 0.0, np.zeros(1))[0, 0])
    if not mean_error > 0:
        raise FitError(
            "the loss starts where y and w alone put it, so that no mean error is left to decay: nothing to fit"
        )

    def theory(logs: Floats) -> Floats:
        return along(LOSS, mean_error, logs)

    def slopes(logs: Floats) -> Floats:
        return along(f"{LOSS}_sensitivity", mean_error, logs)[:, :, None] * np.exp(logs)

    weights = _weights(moments)
    grid = np.log(GRID * since[-1])[:, None]
    distances = [float(weights @ (theory(logs)[:, 0] - data[:, 0]) ** 2) for logs in grid]
    return _best(theory, slopes, grid[np.argsort(distances)[:PLACES]], data[:, :1], moments)


def _best(
    theory: Callable[[Floats], Floats],
    slopes: Callable[[Floats], Floats],
    places: Sequence[Floats] | Floats,
    data: Floats,
    times: Floats,
) -> Fit:
    """The lowest of the minima that are reached from some places."""
    from scipy.optimize import least_squares

    weights = _weights(times)
    roots = np.sqrt(weights)[:, None]
    count = len(places[0])
    limits = np.log(np.array(BOUNDS) * (times[-1] - times[0]))

    def residuals(logs: Floats) -> Floats:
        return np.asarray((theory(logs) - data) * roots).ravel()

    def jacobian(logs: Floats) -> Floats:
        return np.asarray(slopes(logs) * roots[:, :, None]).reshape(-1, count)

    runs: list[Any] = [
        least_squares(residuals, place, jac=jacobian, bounds=limits, xtol=TIGHT, ftol=TIGHT, gtol=TIGHT)
        for place in places
    ]
    found = min(runs, key=lambda run: float(run.cost))
    loss = 2.0 * float(found.cost)
    spread = float(np.sum(weights[:, None] * (data - np.average(data, axis=0, weights=weights)) ** 2))
    constants = np.exp(found.x)
    variances = np.diag(np.linalg.pinv(found.jac.T @ found.jac)) * loss / max(data.size - count, 1)
    return Fit(
        constants=tuple(constants.tolist()),
        errors=tuple((constants * np.sqrt(variances)).tolist()),
        loss=loss,
        r_squared=1.0 - loss / spread if spread > 0 else float("nan"),
        theory=theory(found.x),
    )


def _linear(times: Floats, data: Floats, X: float, s: float) -> list[Floats]:
    """The constants that fit best what the equations of motion say between the times; none where they say nothing."""
    if not (data[:, 0] > 0).all():  # the equations divide by h
        return []
    flow = kernel(FLOW)

    def rates(per_h: float, per_y: float) -> Floats:
        return np.array([flow(*row, X, s, 1 / per_h, 1 / per_y) for row in data])

    both, twice = rates(1.0, 1.0), rates(1.0, 2.0)
    by_y = twice - both
    steps = np.diff(times)[:, None]
    gains = [np.cumsum((of[1:] + of[:-1]) / 2 * steps, axis=0).ravel() for of in (both - by_y, by_y)]
    found = np.linalg.lstsq(np.column_stack(gains), (data[1:] - data[0]).ravel(), rcond=None)[0]
    span = times[-1] - times[0]
    return [np.log(np.clip(1 / found, GRID[0] * span, GRID[-1] * span))] if (found > 0).all() else []


def _weights(times: Floats) -> Floats:
    """Those of the trapezoidal rule."""
    weights = np.zeros(times.size)
    weights[1:] += np.diff(times) / 2
    weights[:-1] += np.diff(times) / 2
    return weights


def _curves(times: ArrayLike, **curves: ArrayLike) -> tuple[Floats, Floats]:
    try:
        moments = increasing(times)
    except IntegrateError as trouble:
        raise FitError(str(trouble)) from None
    if moments.size < 3:
        raise FitError(f"a fit needs at least three times, got {moments.size}")
    columns = []
    for name, curve in curves.items():
        column = np.asarray(curve, dtype=np.float64)
        if column.shape != moments.shape:
            raise FitError(
                f"{name} must have one number for each of the {moments.size} times, got shape {column.shape}"
            )
        if not np.isfinite(column).all():
            at = int(np.argmin(np.isfinite(column)))
            raise FitError(f"{name} is {column[at]} at time {moments[at]:g}: leave such times out")
        columns.append(column)
    return moments, np.column_stack(columns)
