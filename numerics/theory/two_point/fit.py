"""Effective time constants of the two-point theory from curves that a network left behind (van Rossem & Saxe, Eq. 49).

    found = fit(times, h, y, w, X, s)     # |dh|^2, |dy|^2 and w at each time; X = |x2 - x1|^2, s = |y2 - y1|^2
    found.tau_h, found.tau_y, found.errors, found.r_squared, found.theory
    layers = profile(times, h_of_layers, y, w, X, s)        # one fit for each layer's representation
    mean = fit_mean(times, loss, y, w, s)                   # the third constant, from the loss

What is made smallest is the squared distance between the curves and the solved theory, integrated over time, from the
first row of the data on. That row is data like all others, so the start of the theory is sought beside the constants;
with `exact_start` it is the start itself, as it is in curves that a computer recorded without noise. The constants are
sought as logarithms, by a trust-region method, from several places: one where the integrated equations of motion, which
are linear in the two rates, fit best, and the best ones of a wide grid. The standard errors are those of independent
residuals of equal size, for times at any distance; residuals that a theory leaves behind systematically are neither
independent nor of equal size, and then the errors say too little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics import NumericsError
from numerics.kernels import kernel
from numerics.labelled import Labelled
from numerics.machine.blas import one_thread
from numerics.machine.checks import doubles, is_real, listed, shown
from numerics.ode.trajectories import IntegrateError, increasing
from numerics.theory import two_point
from numerics.theory.two_point import beginnings
from numerics.theory.two_point.beginnings import STEP

Floats = NDArray[np.float64]

GRID = np.geomspace(1e-4, 1e2, 13)  # of time constants, in units of the time that the data span
PLACES = 3  # of the grid from which the search sets out
BOUNDS = (1e-8, 1e8)  # of what is sought, in the same units: beyond, a curve is a step or a constant
TIGHT = 1e-15
FLOW, LOSS = "van_rossem_saxe_2024:two_point_flow", "van_rossem_saxe_2024:training_loss"


class FitError(NumericsError):
    """Curves to which nothing can be fitted; the message says why in one sentence."""


@dataclass(frozen=True)
class Fit(
    Labelled,
    axes={
        "constants": ("constant",),
        "errors": ("constant",),
        "r_squared": (),
        "loss": (),
        "theory": ("time", "curve"),
    },
    clock={"times": "time"},
    units={"time": "that of the data"},
):
    """The constants, their standard errors, what is left over, and the theory's curves at the times of the data."""

    constants: tuple[float, ...]
    errors: tuple[float, ...]
    loss: float  # Eq. 49: the integral of the squared distances
    r_squared: float
    theory: Floats  # time, curve
    times: Floats

    @property
    def tau_h(self) -> float:
        return self.constants[0]

    @property
    def tau_y(self) -> float:
        return self.constants[1]


@one_thread()
def fit(  # noqa: PLR0917
    times: ArrayLike, h: ArrayLike, y: ArrayLike, w: ArrayLike, X: float, s: float, *, exact_start: bool = False
) -> Fit:
    """tau_h and tau_y of the system derived from the loss, from the curves of |dh|^2, |dy|^2 and w.

    `times` are at least three that increase, and `h`, `y` and `w` have one number for each. `X` is |x2 - x1|^2 > 0 and
    `s` is |y2 - y1|^2 >= 0. The constants come in the unit of the times. The start of the theory is fitted as well; or
    with `exact_start` it is the first row. Curves of other lengths, numbers that are not finite, curves without a
    positive h, and an exact start that no network has raise a `FitError`.

    >>> times = np.linspace(0, 20, 50)
    >>> h, y, w = two_point.closed_form([0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8], times)[0].T
    >>> found = fit(times, h, y, w, X=0.25, s=1.0)
    >>> round(found.tau_h, 6), round(found.tau_y, 6)
    (1.5, 0.8)
    """
    moments, data = _curves(times, h=h, y=y, w=w)
    if not (is_real(X) and is_real(s) and X > 0 and s >= 0):
        raise FitError(f"X must be positive and s not negative, got X = {X} and s = {s}")
    X, s = float(X), float(s)
    since, free = moments - moments[0], not exact_start
    if free and not (data[:, 0] > 0).any():
        raise FitError("h is not positive at any time, so that no start of the theory is near the data")
    guess = beginnings.near(data, s) if free else np.zeros(0)

    def start(place: Floats) -> Floats:
        return beginnings.row(place[2:], s) if free else data[0]

    def theory(place: Floats) -> Floats:
        return np.asarray(two_point.closed_form(start(place), [X, s, *np.exp(place[:2])], since)[0])

    def slopes(place: Floats) -> Floats:
        """The derivatives of h, y and w by the logarithms and the coordinates, from differences to both sides."""
        steps = np.array([STEP, STEP, *(beginnings.steps(place[2:], s) if free else [])])
        sides = np.concatenate([np.diag(steps), -np.diag(steps)]) + place
        params = [[X, s, *np.exp(side[:2])] for side in sides]
        above, below = np.split(two_point.closed_form([start(side) for side in sides], params, since), 2)
        return np.asarray(np.moveaxis(above - below, 0, 2) / (2 * steps))

    try:
        grid = np.array([(a, b) for a in GRID for b in GRID]) * since[-1]
        params = np.column_stack([np.full(len(grid), X), np.full(len(grid), s), grid])
        curves = two_point.closed_form(np.tile(start(np.array([0.0, 0.0, *guess])), (len(grid), 1)), params, since)
    except IntegrateError as trouble:
        raise FitError(f"the first row of the data is no start of the theory: {trouble}") from None
    weights = _weights(moments)
    distances = np.einsum("ktc,t->k", (curves - data) ** 2, weights)
    constants = [*np.log(grid[np.argsort(distances)[:PLACES]]), *_linear(moments, data, X, s)]
    return _best(theory, slopes, [np.array([*place, *guess]) for place in constants], data, moments, 2)


def profile(  # noqa: PLR0917
    times: ArrayLike,
    layers: Sequence[ArrayLike],
    y: ArrayLike,
    w: ArrayLike,
    X: float,
    s: float,
    *,
    exact_start: bool = False,
) -> list[Fit]:
    """One fit for each layer of a network, of whose representations only |dh|^2 differs.

    `layers` holds a curve of |dh|^2 for each layer; everything else is as `fit` takes it, and the fits come in the
    order of the layers.

    >>> times = np.linspace(0, 20, 50)
    >>> h, y, w = two_point.closed_form([0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8], times)[0].T
    >>> [round(found.tau_h, 2) for found in profile(times, [h, 2 * h], y, w, X=0.25, s=1.0)]
    [1.5, 0.75]
    """
    every = listed("layers", layers, FitError)
    return [fit(times, h, y, w, X, s, exact_start=exact_start) for h in every]


@one_thread()
def fit_mean(
    times: ArrayLike, loss: ArrayLike, y: ArrayLike, w: ArrayLike, s: float, *, exact_start: bool = False
) -> Fit:
    """tau_b, the constant of the mean output, from the loss and from the curves or the theory's values of y and w.

    `times`, `loss`, `y` and `w` have one number for each time, and `s` is |y2 - y1|^2. The only constant of the fit is
    tau_b, in the unit of the times. The mean error at the start is fitted beside it; with `exact_start` it is what the
    first loss says. A loss that starts where y and w alone put it leaves nothing to fit, and raises a `FitError`, as
    curves do that `fit` refuses.

    >>> times = np.linspace(0, 20, 50)
    >>> _, y, w = two_point.closed_form([0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8], times)[0].T
    >>> loss = 0.15 * np.exp(-2 * times / 7.0) + (w + (1.0 - y) / 2) / 4
    >>> [round(constant, 6) for constant in fit_mean(times, loss, y, w, s=1.0).constants]
    [7.0]
    """
    moments, data = _curves(times, loss=loss, y=y, w=w)
    if not (is_real(s) and s >= 0):
        raise FitError(f"s must be a number that is not negative, got {shown(s)}")
    s = float(s)
    since, free = moments - moments[0], not exact_start

    def along(name: str, mean_error: float, tau: float) -> Floats:
        formula = kernel(name)
        return np.array([formula(*row, s, mean_error, tau, t) for row, t in zip(data[:, 1:], since, strict=True)])

    without = along(LOSS, 0.0, 1.0)
    first = 2.0 * (data[0, 0] - without[0, 0])
    if not first > 0:
        raise FitError(
            "the loss starts where y and w alone put it, so that no mean error is left to decay: nothing to fit"
        )

    def at(place: Floats) -> tuple[float, float]:
        return float(np.exp(place[1])) if free else first, float(np.exp(place[0]))

    def theory(place: Floats) -> Floats:
        return along(LOSS, *at(place))

    def slopes(place: Floats) -> Floats:
        by_tau = along(f"{LOSS}_sensitivity", *at(place)) * np.exp(place[0])
        return np.stack([by_tau, theory(place) - without] if free else [by_tau], axis=2)

    weights = _weights(moments)
    guess = [np.log(first)] if free else []
    grid = [np.array([tau, *guess]) for tau in np.log(GRID * since[-1])]
    distances = [float(weights @ (theory(place)[:, 0] - data[:, 0]) ** 2) for place in grid]
    return _best(theory, slopes, [grid[k] for k in np.argsort(distances)[:PLACES]], data[:, :1], moments, 1)


def _best(  # noqa: PLR0917
    theory: Callable[[Floats], Floats],
    slopes: Callable[[Floats], Floats],
    places: Sequence[Floats],
    data: Floats,
    times: Floats,
    constants: int,
) -> Fit:
    """The lowest of the minima that are reached from some places, whose first entries are logarithms of constants."""
    from scipy.optimize import least_squares

    weights = _weights(times)
    roots, count = np.sqrt(weights)[:, None], len(places[0])
    limits = np.full((2, count), [[-np.inf], [np.inf]])
    limits[:, :constants] = np.log(np.array(BOUNDS) * (times[-1] - times[0]))[:, None]

    def residuals(place: Floats) -> Floats:
        return np.asarray((theory(place) - data) * roots).ravel()

    def jacobian(place: Floats) -> Floats:
        return np.asarray(slopes(place) * roots[:, :, None]).reshape(-1, count)

    try:
        runs: list[Any] = [
            least_squares(residuals, place, jac=jacobian, bounds=limits, xtol=TIGHT, ftol=TIGHT, gtol=TIGHT)
            for place in places
        ]
    except (ValueError, np.linalg.LinAlgError):  # what it says of residuals and bounds that are no numbers
        raise FitError("the theory has no numbers near these curves: choose other units, or check them") from None
    closest = min(runs, key=lambda run: float(run.cost))
    loss = 2.0 * float(closest.cost)
    spread = float(np.sum(weights[:, None] * (data - np.average(data, axis=0, weights=weights)) ** 2))
    best, curves = np.exp(closest.x[:constants]), theory(closest.x)
    noise = float(np.sum((curves - data) ** 2)) / max(data.size - count, 1)
    errors = np.sqrt(noise * _variances(closest.jac, np.repeat(weights, data.shape[1])))[:constants]
    return Fit(
        constants=tuple(best.tolist()),
        errors=tuple((best * errors).tolist()),
        loss=loss,
        r_squared=1.0 - loss / spread if spread > 0 else float("nan"),
        theory=curves,
        times=times,
    )


def _variances(slopes: Floats, weights: Floats) -> Floats:
    """Those of what is fitted, for residuals of variance 1: their weights are those of an integral, no variances."""
    inverse = np.linalg.pinv(slopes.T @ slopes)
    return np.asarray(np.diag(inverse @ (slopes.T * weights) @ slopes @ inverse))


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
    if not np.isfinite(twice).all() or not np.isfinite(both).all():
        return []
    gains = [np.cumsum((of[1:] + of[:-1]) / 2 * steps, axis=0).ravel() for of in (both - by_y, by_y)]
    solution = np.linalg.lstsq(np.column_stack(gains), (data[1:] - data[0]).ravel(), rcond=None)[0]
    span = times[-1] - times[0]
    return [np.log(np.clip(1 / solution, GRID[0] * span, GRID[-1] * span))] if (solution > 0).all() else []


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
        column = doubles(name, curve, FitError)
        if column.shape != moments.shape:
            raise FitError(
                f"{name} must have one number for each of the {moments.size} times, got shape {column.shape}"
            )
        if not np.isfinite(column).all():
            at = int(np.argmin(np.isfinite(column)))
            raise FitError(f"{name} is {column[at]} at time {moments[at]:g}: leave such times out")
        columns.append(column)
    return moments, np.column_stack(columns)
