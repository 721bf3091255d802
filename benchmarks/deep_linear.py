"""QQ'(t) of deep linear networks at 1,000 times, beside other ways to evaluate the solution.

From zero-balanced starts these are three ways to evaluate the printed Theorem 3.1: in a Python loop over times, for all
times at once with `numpy.linalg.solve`, and by JAX (float64, compiled, vectorised over times). Everybody is given the
singular value decompositions; everything after that is timed. On hard starts B is singular in exact arithmetic: what
the printed formula makes of that is rounding errors, or NumPy refuses. The loss alone is timed, too: half the sum of
squares of what the network function lacks, which JAX computes in singular vectors of the task.

From starts that are lambda-balanced or of two levels, JAX evaluates the closed form in the eigenvectors of F with a
Cholesky decomposition at each time. Both are timed twice: given what was decomposed, and from the weights on.

Errors are distances to 60 digits, computed from the weights without a decomposition, relative to the largest entry, at
a few of the times.
"""

# ruff: noqa: PLR0917

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from flint import arb, arb_mat, ctx
from rich.table import Table

from benchmarks import machine, seconds
from numerics.machine.blas import one_thread
from numerics.machine.progress import table
from numerics.theory.deep_linear import qqt
from numerics.theory.deep_linear.modes import Array, Modes, modes
from numerics.theory.deep_linear.riccati import fast, robust

SIDES = (5, 20, 100)
TIMES = np.linspace(0.0, 10.0, 1000)
JUDGED = {5: (0, 100, 999), 20: (0, 100, 999), 100: (100,)}  # the times whose errors are measured
ROUNDS = 5
OURS, LOOP, BATCHED, JAX = "here", "Python loop", "numpy.linalg.solve", "JAX"
WHOLE, WHOLE_JAX = "here, from the weights", "JAX, from the weights"
LOSS, LOSS_JAX = "here, the loss alone", "JAX, the loss alone"


Way = Callable[[], Any]


class Network(NamedTuple):
    """Weights of two levels, both zero for balanced ones, and a task of full rank, with what others are given of them.

    For balanced weights these are the compact decompositions that the printed formula is made of.
    """

    W1: Array
    W2: Array
    sigma: Array
    levels: tuple[float, float]
    modes: Modes
    given: tuple[
        Array, ...
    ]  # B, C, S, and V, U, S of the task; for other levels f, a b, the vectors of F, and Q in them


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
    return Network(W1, W2, sigma, (0.0, 0.0), found, (B, C, S, np.ascontiguousarray(V_task.T), U_task, s))


def of_levels(side: int, a: float, b: float, seed: int = 0) -> Network:
    """A start of these levels, boosted by random angles up to one, with as many hidden units as it has rank."""
    rng = np.random.default_rng([seed, side])
    sigma = rng.standard_normal((side, side)) / np.sqrt(side)
    left, right = (np.linalg.qr(rng.standard_normal((side, side)))[0] for _ in range(2))
    angles = rng.uniform(0.0, 1.0, side)
    across = (left * np.sinh(angles)) @ right.T
    boost = np.block([[(right * np.cosh(angles)) @ right.T, across.T], [across, (left * np.cosh(angles)) @ left.T]])
    values = np.repeat([a, b], side)
    Q = (boost * np.sqrt(values))[:, values > 0.0]
    Q = Q @ np.linalg.qr(rng.standard_normal((Q.shape[1], Q.shape[1])))[0]
    W1, W2 = Q[:side].T.copy(), Q[side:].copy()
    found = modes(W1, W2, sigma, np.float64(b - a), np.float64(np.sqrt(a * b)))
    return Network(W1, W2, sigma, (a, b), found, in_vectors_of_F(np, W1, W2, sigma, a, b))


def in_vectors_of_F(xp: Any, W1: Any, W2: Any, sigma: Any, a: Any, b: Any) -> tuple[Any, ...]:
    """The values f of F, a b, the eigenvectors of F, and Q in them, by NumPy or JAX."""
    half = 0.5 * (a - b) * xp.eye(sigma.shape[0])
    f, vectors = xp.linalg.eigh(xp.block([[half, sigma.T], [sigma, -half]]))
    return f, xp.asarray(a * b), vectors, vectors.T @ xp.concatenate([W1.T, W2])


def tables(say: Callable[[str], None]) -> Iterator[Table]:
    """One table of well-conditioned starts, one of hard ones, and one for each kind of levels."""
    say(machine("numpy", "numba", "jax"))
    if not jax_is_there():
        say("JAX is not installed, so it is left out: pip install '.[bench]'")
    for title, of_side, ways_of in (
        ("B well conditioned", partial(network, hard=False), candidates),
        ("B singular", partial(network, hard=True), candidates),
        ("balance 0.5", partial(of_levels, a=0.0, b=0.5), candidates_between_levels),
        ("levels 0.3 and 0.8", partial(of_levels, a=0.3, b=0.8), candidates_between_levels),
    ):
        numbers = ("us per time", "times slower than here", "largest error")
        result = table(f"{title}: {TIMES.size} times, Ni = No = N", ["N", ""], numbers)
        for side in SIDES:
            for cells in rows(side, net := of_side(side), ways_of(net)):
                result.add_row(*cells)
            result.add_section()
        yield result


def rows(side: int, net: Network, ways: dict[str, Way]) -> Iterator[tuple[str, ...]]:
    """The rows of one table for one network; each way is compared with the last one before it that is ours."""
    with np.errstate(all="ignore"):  # the printed formula on hard starts
        error = errors(net, ways)
        found = seconds({name: ways[name] for name in error}, ROUNDS)
    base = ""
    for name in ways:
        cells = ("refuses", "", "")
        base = name if name in (OURS, WHOLE, LOSS) else base
        if name in error:
            ratio = "" if name == base else f"{found[name] / found[base]:.1f}"
            cells = (f"{found[name] / TIMES.size * 1e6:.3g}", ratio, f"{error[name]:.1e}")
        yield str(side) if name == OURS else "", name, *cells


def candidates(net: Network) -> dict[str, Way]:
    """Return what is compared from zero-balanced starts: functions that return QQ' at all times."""
    ways: dict[str, Way] = {
        OURS: partial(here, net),
        LOOP: partial(printed_in_a_loop, *net.given),
        BATCHED: partial(printed_at_all_times, *net.given),
    }
    if jax_is_there():
        ways[JAX] = _by_jax(jax_at_all_times()[0], net.given)
    ways[LOSS] = partial(loss_here, net)
    if jax_is_there():
        ways[LOSS_JAX] = _by_jax(jax_at_all_times()[1], net.given)
    return ways


def candidates_between_levels(net: Network) -> dict[str, Way]:
    """Return what is compared from starts of two levels."""
    weights = (net.W1, net.W2, net.sigma)
    ways: dict[str, Way] = {OURS: partial(here, net)}
    if jax_is_there():
        ways[JAX] = _by_jax(jax_between_levels()[0], net.given)
    ways[WHOLE] = partial(qqt, *weights, TIMES, balance="any")
    if jax_is_there():
        ways[WHOLE_JAX] = _by_jax(jax_between_levels()[1], (*weights, *net.levels))
    return ways


def _by_jax(compiled: Callable[..., Any], given: tuple[Any, ...]) -> Way:
    return lambda: compiled(*given, TIMES).block_until_ready()


@one_thread()
def here(net: Network) -> Array:
    """Return what this package computes: the fast way where the start suits it, and the one for every start elsewhere.

    As in `qqt`, which is called with weights, NumPy's own threads have no part in it.
    """
    states = fast.qqt(net.modes, TIMES)
    return robust.states(net.modes, TIMES) if states is None else states


@one_thread()
def loss_here(net: Network) -> Array:
    """The loss as this package computes it: by the fast way, and by the one for every start where that leaves off."""
    squares = fast.distances(net.modes, TIMES)
    left = np.isnan(squares)
    if left.any():
        squares[left] = robust.distances(net.modes, TIMES[left])
    return 0.5 * squares


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
def jax_is_there() -> bool:
    """Check whether JAX is installed."""
    return importlib.util.find_spec("jax") is not None


@cache
def jax_in_doubles() -> Any:
    """JAX with float64."""
    jax: Any = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    return jax


@cache
def jax_at_all_times() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The printed formula in JAX: QQ', and the loss alone."""
    jax = jax_in_doubles()
    xp = jax.numpy

    def in_singular_vectors(t: Any, ratio: Any, weight: Any, s: Any) -> tuple[Any, Any, Any]:
        e, one = xp.exp(-s * t), xp.eye(s.size)
        rest, crossed = (1.0 - e * e) / s, e[:, None] * ratio * e
        middle = e[:, None] * (4.0 * weight + ratio.T @ (rest[:, None] * ratio)) * e + xp.diag(rest)
        return one - crossed, one + crossed, middle

    def state(t: Any, ratio: Any, weight: Any, V: Any, U: Any, s: Any) -> Any:
        on_right, on_left, middle = in_singular_vectors(t, ratio, weight, s)
        Z = xp.vstack([V @ on_right, U @ on_left])
        return Z @ xp.linalg.solve(middle, Z.T)

    def loss(t: Any, ratio: Any, weight: Any, V: Any, U: Any, s: Any) -> Any:
        on_right, on_left, middle = in_singular_vectors(t, ratio, weight, s)
        return 0.5 * xp.sum((xp.diag(s) - on_left @ xp.linalg.solve(middle, on_right.T)) ** 2)

    def at_all_times(what: Any, B: Any, C: Any, S: Any, V: Any, U: Any, s: Any, times: Any) -> Any:
        inverse = xp.linalg.inv(B)
        fixed = (C.T @ inverse.T, (inverse / S) @ inverse.T, V, U, s)
        return jax.vmap(what, in_axes=(0, *[None] * len(fixed)))(times, *fixed)

    return jax.jit(partial(at_all_times, state)), jax.jit(partial(at_all_times, loss))


@cache
def jax_between_levels() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The closed form for two levels in JAX: given f, a b, the vectors of F and Q in them; and from the weights on."""
    jax = jax_in_doubles()
    xp = jax.numpy

    def at_one_time(t: Any, f: Any, product: Any, vectors: Any, Y: Any) -> Any:
        R = xp.sqrt(f * f + product)
        larger = R + abs(f)
        m, n = xp.where(f > 0.0, product / larger, larger), xp.where(f > 0.0, larger, product / larger)
        e = xp.exp(-2.0 * R * t)
        G, H = (1.0 - e) / (m + n * e), 2.0 * R * xp.exp(-R * t) / (m + n * e)
        L = xp.linalg.cholesky(xp.eye(Y.shape[1]) + Y.T @ (G[:, None] * Y))
        Z = vectors @ jax.scipy.linalg.solve_triangular(L, (H[:, None] * Y).T, lower=True).T
        return Z @ Z.T + (vectors * (product * G)) @ vectors.T

    def given_vectors(f: Any, product: Any, vectors: Any, Y: Any, times: Any) -> Any:
        return jax.vmap(at_one_time, in_axes=(0, *[None] * 4))(times, f, product, vectors, Y)

    def from_weights(W1: Any, W2: Any, sigma: Any, a: Any, b: Any, times: Any) -> Any:
        f, product, vectors, Y = in_vectors_of_F(xp, W1, W2, sigma, a, b)
        return given_vectors(f, product, vectors, Y, times)

    return jax.jit(given_vectors), jax.jit(from_weights)


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
        wanted = [_loss(net, e) for e in exact] if name in (LOSS, LOSS_JAX) else exact
        distances = [np.max(np.abs(states[k] - e)) / np.max(np.abs(e)) for k, e in zip(judged, wanted, strict=True)]
        worst[name] = float(np.max(np.nan_to_num(distances, nan=np.inf)))
    return worst


def _loss(net: Network, state: Array) -> Array:
    """The loss from a state."""
    side = net.sigma.shape[0]
    return np.asarray(0.5 * np.sum((net.sigma - state[side:, :side]) ** 2))


def sixty_digits(net: Network, time: float) -> Array:
    """QQ' = Y X^-1 at a precision of 400 bits, where (X, Y) = exp(A t) (I, M) with M = QQ' at time zero.

    A = [-F, I; a b I, F] has the square R^2 twice, with a block R^2 = Sigma'Sigma + ((a + b)/2)^2 I for the inputs and
    one for the outputs, so that exp(A t) = cosh(R t) + A sinh(R t)/R, which are summed as power series of R^2. Nothing
    is decomposed, so that no error is shared with anybody.
    """
    side, (a, b) = net.sigma.shape[0], net.levels
    saved, ctx.prec = ctx.prec, 400
    try:
        task, mean = _balls(net.sigma), (arb(a) + arb(b)) / 2
        squares = [
            gram + mean * mean * _balls(np.eye(side)) for gram in (task.transpose() * task, task * task.transpose())
        ]
        series = [_even_and_odd(square, arb(time)) for square in squares]
        even, odd = (_blocks(first, second) for first, second in zip(*series, strict=True))
        half = (arb(a) - arb(b)) / 2 * _balls(np.eye(side))
        F = _blocks(half, -half, task)
        Q = _balls(np.concatenate([net.W1.T, net.W2]))
        M, one = Q * Q.transpose(), _balls(np.eye(2 * side))
        X, Y = even + odd * (M - F), even * M + odd * (arb(a) * arb(b) * one + F * M)
        result = X.transpose().solve(Y.transpose())
        return np.array([float(x.mid()) for x in result.entries()]).reshape(2 * side, 2 * side)
    finally:
        ctx.prec = saved


def _even_and_odd(square: arb_mat, t: arb) -> tuple[arb_mat, arb_mat]:
    """cosh(R t) and sinh(R t)/R from the square of R."""
    term = _balls(np.eye(square.nrows()))
    even, odd, k = term, term * t, 0
    while k < 20 or max(float(abs(x).mid()) for x in term.entries()) > 1e-90:
        k += 1
        term = square * term * (t * t / (2 * k * (2 * k - 1)))
        even, odd = even + term, odd + term * (t / (2 * k + 1))
    return even, odd


def _blocks(first: arb_mat, second: arb_mat, below: arb_mat | None = None) -> arb_mat:
    """Two blocks on the diagonal, and one with its transpose beside them."""
    side = first.nrows()
    whole = arb_mat(2 * side, 2 * side)
    for i in range(side):
        for j in range(side):
            whole[i, j], whole[side + i, side + j] = first[i, j], second[i, j]
            if below is not None:
                whole[side + i, j] = whole[j, side + i] = below[i, j]
    return whole


def _balls(matrix: Array) -> arb_mat:
    rows, columns = matrix.shape
    return arb_mat(rows, columns, [arb(float(x)) for x in matrix.ravel()])
