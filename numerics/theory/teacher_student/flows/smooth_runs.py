"""Trajectories of the order parameters for an activation without formulas, with rules as large as they have to be.

Rules grow until the estimated error of the rates is small enough at the start and at CHECKS times of the
run. Where even the largest rule leaves more than that, the run counts as failed from there on, and its message says so.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from numerics.ode.integrate import compiled, integrate
from numerics.ode.trajectories import Trajectory
from numerics.theory.teacher_student.averages.quadrature import SAFETY, module_of, rule

Floats = NDArray[np.float64]
KERNEL = "numerics.theory.teacher_student.flows.smooth"
SIZES = (12, 18, 27, 40)
CHECKS = 6


def run(  # noqa: PLR0917
    activation: str, state: Floats, params: Floats, times: Floats, rtol: float, atol: float, quadrature: float
) -> Trajectory:
    """The trajectory from one state; `quadrature` is the largest estimate to accept, relative to the learning rates."""
    parts = (module_of(activation),)
    accepted = quadrature * max(params[3], params[4])
    for size in SIZES:
        if size != SIZES[-1] and estimate(parts, state, params, size) > accepted:
            continue
        trajectory = integrate(KERNEL, state, with_rule(params, size), times, rtol, atol, parts=parts)
        bad = next((at for at, left in checked(parts, trajectory, params, size) if not left <= accepted), None)
        if bad is None:
            return trajectory
    left = estimate(parts, trajectory.states[0, bad], params, size)
    states = trajectory.states.copy()
    states[0, bad:] = np.nan
    relative = left / max(params[3], params[4])
    sentence = f"{size} nodes in each direction leave errors of {relative:.1e} in the averages"
    sentence += f"; quadrature={2 * relative:.0e} accepts them"
    return replace(trajectory, states=states, messages=(sentence,))


def with_rule(params: Floats, size: int) -> Floats:
    """The parameters of the kernel with this rule."""
    nodes, weights, polynomials = rule(size)
    return np.concatenate([params, [size], nodes, weights, polynomials.T.ravel()])


def checked(parts: tuple[str, ...], trajectory: Trajectory, params: Floats, size: int) -> list[tuple[int, float]]:
    """Some of the times that a run reached, each with the estimated error of the rates there."""
    reached = int(np.isfinite(trajectory.states[0]).all(axis=1).sum())
    places = sorted({int(at) for at in np.linspace(0, reached - 1, CHECKS).round()})
    return [(at, estimate(parts, trajectory.states[0, at], params, size)) for at in places]


def estimate(parts: tuple[str, ...], state: Floats, params: Floats, size: int) -> float:
    """SAFETY times the largest change of the rates to a rule half as large again."""
    small, large = (rates(parts, state, with_rule(params, nodes)) for nodes in (size, size * 3 // 2))
    return float(SAFETY * np.abs(small - large).max())


def rates(parts: tuple[str, ...], state: Floats, params: Floats) -> Floats:
    """The rates of change of a state."""
    size, prepare, right = (compiled(KERNEL, parts, name) for name in ("scratch_size", "prepare", "rates"))
    scratch, out = np.empty(size(params)), np.empty(state.size)
    prepare(params, scratch)
    right(0.0, state, params, out, scratch)
    return out
