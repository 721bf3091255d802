"""QQ'(t) of deep linear networks at 1,000 times, beside three ways to evaluate the printed Theorem 3.1.

The printed formula is evaluated in a Python loop over times, for all times at once with `numpy.linalg.solve`, and by
JAX (float64, compiled, vectorised over times). Everybody is given the singular value decompositions; everything after
that is timed. Errors are distances to 60 digits, computed from the weights without a decomposition, relative to the
largest entry, at a few of the times. On hard starts B is singular in exact arithmetic: what the printed formula makes
of that is rounding errors, or NumPy refuses.
"""

# ruff: noqa: PLR0917

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from flint import arb, arb_mat, ctx
from rich.table import Table

from numerics.bench import machine, seconds
from numerics.machine.progress import table
from numerics.theory.deep_linear.modes import Array, Modes, modes
from numerics.theory.deep_linear.riccati import fast, robust

SIDES = (5, 20, 100)
TIMES = np.linspace(0.0, 10.0, 1000)
JUDGED = {5: (0, 100, 999), 20: (0, 100, 999), 100: (100,)}  # the times whose errors are measured
ROUNDS = 5
OURS, LOOP, BATCHED, JAX = "here", "Python loop", "numpy.linalg.solve", "JAX"


class Network(NamedTuple):
    """Balanced weights and a task of full rank, with the compact decompositions that the printed formula is made of."""

    W1: Array
    W2: Array
    sigma: Array
    modes: Modes
    given: tuple[Array, ...]  # B, C, S, and V, U, S of the task


def network(side: int, hard: bool, seed: int = 0) -> Network:
    """A start of size one whose B is well conditioned, or singular because its determinant has the wrong sign."""
    rng = np.random.default_rng([seed, side])
    sigma = rng.standard_normal((side, side)) / np.sqrt(side)
    U_task, s, V_task = np.linalg.svd(sigma)
    while True:
        left, right, hidden = (np.linalg.qr(rng.standard_normal((side, side)))[0] for _ in range(3))
        if (np.linalg.det(left @ right @ U_task @ V_task) < 0.0) != hard:
            left[:, 0] *= -1.0
        S = np.linspace(1.0, 0.5, side)
        W1, W2 = (hidden * np.sqrt(S)) @ right.T, (left * np.sqrt(S)) @ hidden.T
        found = modes(W1, W2, sigma)
        if hard or fast.suits(found, TIMES):
            break
    U, S, V = np.linalg.svd(W2 @ W1)
    B, C = U.T @ U_task + V @ V_task.T, U.T @ U_task - V @ V_task.T
    return Network(W1, W2, sigma, found, (B, C, S, np.ascontiguousarray(V_task.T), U_task, s))


def tables(say: Callable[[str], None]) -> Iterator[Table]:
    """One table of well-conditioned starts, and one of hard ones."""
    say(machine("numpy", "numba", "jax"))
    if jax_at_all_times() is None:
        say("JAX is not installed, so it is left out: pip install '.[bench]'")
    for hard in (False, True):
        title = "B singular" if hard else "B well conditioned"
        numbers = ("us per time", "times slower than here", "largest error")
        result = table(f"{title}: {TIMES.size} times, Ni = No = Nh = N", ["N", ""], numbers)
        for side in SIDES:
            net = network(side, hard)
            ways = candidates(net)
            with np.errstate(all="ignore"):  # the printed formula on hard starts
                error = errors(net, ways)
                found = seconds({name: ways[name] for name in error}, ROUNDS)
            for name in ways:
                cells = ("refuses", "", "")
                if name in error:
                    ratio = "" if name == OURS else f"{found[name] / found[OURS]:.1f}"
                    cells = (f"{found[name] / TIMES.size * 1e6:.3g}", ratio, f"{error[name]:.1e}")
                result.add_row(str(side) if name == OURS else "", name, *cells)
            result.add_section()
        yield result


def candidates(net: Network) -> dict[str, Callable[[], Any]]:
    """What is compared: functions that return QQ' at all times."""
    ways: dict[str, Callable[[], Any]] = {
        OURS: partial(here, net),
        LOOP: partial(printed_in_a_loop, *net.given),
        BATCHED: partial(printed_at_all_times, *net.given),
    }
    compiled = jax_at_all_times()
    if compiled is not None:
        ways[JAX] = lambda: compiled(*net.given, TIMES).block_until_ready()
    return ways


def here(net: Network) -> Array:
    """What this package computes: the fast way where the start suits it, and the one for every start elsewhere."""
    states = fast.qqt(net.modes, TIMES)
    return robust.states(net.modes, TIMES) if states is None else states


def printed_in_a_loop(B: Array, C: Array, S: Array, V: Array, U: Array, s: Array) -> Array:
    """Equations 11 and 12 for Ni = No, as printed, one time after the other."""
    inverse = np.linalg.inv(B)
    ratio, weight, one = C.T @ inverse.T, (inverse / S) @ inverse.T, np.eye(s.size)
    out = np.empty((TIMES.size, 2 * s.size, 2 * s.size))
    for k, t in enumerate(TIMES):
        e = np.diag(np.exp(-s * t))
        square = np.diag(np.exp(-2.0 * s * t))
        Z = np.vstack([V @ (one - e @ ratio @ e), U @ (one + e @ ratio @ e)])
        middle = 4.0 * e @ weight @ e + (one - square) / s - e @ ratio.T @ ((square - one) / s) @ ratio @ e
        out[k] = Z @ np.linalg.solve(middle, Z.T)
    return out


def printed_at_all_times(B: Array, C: Array, S: Array, V: Array, U: Array, s: Array) -> Array:
    """The printed formula for all times at once."""
    inverse = np.linalg.inv(B)
    ratio, weight = C.T @ inverse.T, (inverse / S) @ inverse.T
    e = np.exp(-s * TIMES[:, None])
    rest = (1.0 - e * e) / s
    crossed = e[:, :, None] * ratio * e[:, None, :]
    Z = np.concatenate([V @ (np.eye(s.size) - crossed), U @ (np.eye(s.size) + crossed)], axis=1)
    middle = e[:, :, None] * (4.0 * weight + np.swapaxes(ratio, 0, 1) @ (rest[:, :, None] * ratio)) * e[:, None, :]
    middle[:, np.arange(s.size), np.arange(s.size)] += rest
    return Z @ np.linalg.solve(middle, np.swapaxes(Z, 1, 2))


@cache
def jax_at_all_times() -> Callable[..., Any] | None:
    """The printed formula in JAX, where that is installed."""
    try:
        jax: Any = importlib.import_module("jax")
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", True)
    xp = jax.numpy

    def at_one_time(t: Any, ratio: Any, weight: Any, V: Any, U: Any, s: Any) -> Any:
        e, one = xp.exp(-s * t), xp.eye(s.size)
        rest, crossed = (1.0 - e * e) / s, e[:, None] * ratio * e
        Z = xp.vstack([V @ (one - crossed), U @ (one + crossed)])
        middle = e[:, None] * (4.0 * weight + ratio.T @ (rest[:, None] * ratio)) * e + xp.diag(rest)
        return Z @ xp.linalg.solve(middle, Z.T)

    def at_all_times(B: Any, C: Any, S: Any, V: Any, U: Any, s: Any, times: Any) -> Any:
        inverse = xp.linalg.inv(B)
        fixed = (C.T @ inverse.T, (inverse / S) @ inverse.T, V, U, s)
        return jax.vmap(at_one_time, in_axes=(0, *[None] * len(fixed)))(times, *fixed)

    compiled: Callable[..., Any] = jax.jit(at_all_times)
    return compiled


def errors(net: Network, ways: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The largest distance to 60 digits, relative to the largest entry, over a few times; nothing for who refuses."""
    worst: dict[str, float] = {}
    judged = JUDGED[net.sigma.shape[0]]
    exact = [sixty_digits(net, float(TIMES[k])) for k in judged]
    for name, run in ways.items():
        try:
            states = np.asarray(run())
        except np.linalg.LinAlgError:
            continue
        distances = [np.max(np.abs(states[k] - e)) / np.max(np.abs(e)) for k, e in zip(judged, exact, strict=True)]
        worst[name] = float(np.max(np.nan_to_num(distances, nan=np.inf)))
    return worst


def sixty_digits(net: Network, time: float) -> Array:
    """QQ' = Z M^-1 Z' with Z = exp(F t) Q and M = I + (Z' F^-1 Z - Q' F^-1 Q)/2, at a precision of 400 bits.

    The exponential is summed as its power series. Nothing is decomposed, so that no error is shared with anybody.
    """
    side = net.sigma.shape[0]
    saved, ctx.prec = ctx.prec, 400
    try:
        task, turned = _balls(net.sigma), _balls(net.sigma.T)
        start = _balls(net.W1.T), _balls(net.W2)
        grown = term = start
        t, k = arb(time), 0
        while k < 40 or max(float(abs(x).mid()) for part in term for x in part.entries()) > 1e-90:
            k += 1
            term = turned * term[1] * (t / k), task * term[0] * (t / k)
            grown = grown[0] + term[0], grown[1] + term[1]
        across = (_across(task, *grown) - _across(task, *start)) * arb("0.5")
        M = _balls(np.eye(side)) + across
        Z = arb_mat(2 * side, side, [*grown[0].entries(), *grown[1].entries()])
        result = Z * M.solve(Z.transpose())
        return np.array([float(x.mid()) for x in result.entries()]).reshape(2 * side, 2 * side)
    finally:
        ctx.prec = saved


def _across(task: arb_mat, upper: arb_mat, lower: arb_mat) -> arb_mat:
    """Z' F^-1 Z for Z = [upper; lower]: twice the symmetric part of upper' Sigma^-1 lower."""
    half = upper.transpose() * task.solve(lower)
    return half + half.transpose()


def _balls(matrix: Array) -> arb_mat:
    rows, columns = matrix.shape
    return arb_mat(rows, columns, [arb(float(x)) for x in matrix.ravel()])
