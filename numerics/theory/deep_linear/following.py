"""QQ' along the weights' own flow from any start at all, by Taylor series, with a bound of what that misses.

Let Q = [W1'; W2] move by gradient flow, and P be any path of such weights, with the residual e = Sigma - P2 P1 and the
defect d = dP/dt - rate(P). Then x = |Q - P|, the root of the sum of squares, obeys

    dx/dt <= |e| x + x^3/16 + |d|,

with the spectral norm |e|: let X = Q - P have the parts x1 and x2, p = x2 x1, and u = x2 P1 + P2 x1 + p, so that Q has
the residual e - u. Then half the derivative of |X|^2 is 2 <p, e> - |u|^2 - <p, u> - <X, d>. The nuclear norm of p is at
most |x1| |x2| <= |X|^2/2, so that 2 <p, e> <= |e| |X|^2, and -|u|^2 - <p, u> <= |p|^2/4 <= |X|^4/16. At each time
|QQ' - PP'| <= 2 |P| x + x^2, with the spectral norm |P|.

P consists of polynomials in time whose coefficients up to ORDER solve the flow. Its defect is the rest of a polynomial,
which is bounded by the sums of the norms of its coefficients; what steps round away adds to x.
"""

from __future__ import annotations

import numpy as np

from numerics.theory.deep_linear.modes import Array

ORDER = 18
SMALL = 1e-16  # of the weights: what a step may miss
REST = 1e-13  # of the weights: what they move by in all the time that is left, where they are let rest
STEPS = 5_000
SQUARINGS = 5
PARTS = 4  # of a step, for each of which |e| is bounded
ROUNDED = 32.0 * float(np.finfo(float).eps)  # of the weights, in every step


def followed(Q: Array, inputs: int, sigma: Array, times: Array) -> tuple[Array, Array]:
    """PP' at every time (T, m, m) and a bound of |QQ' - PP'| (T); infinite, and PP' nan, where none is found."""
    order, ordered = np.argsort(times, kind="stable"), np.sort(times)
    states, bounds = np.full((times.size, *2 * (Q.shape[0],)), np.nan), np.full(times.size, np.inf)
    now, missed, done = 0.0, 0.0, 0
    for _ in range(STEPS):
        if done == times.size or not np.isfinite(missed):
            break
        coefficients, residuals = _series(Q, inputs, sigma)
        size, speed = float(np.linalg.norm(Q)), float(np.linalg.norm(coefficients[1]))
        of_rounding = ROUNDED * (float(np.linalg.norm(sigma)) + size * size) * size
        if speed * (ordered[-1] - now) <= REST * size or speed <= of_rounding:
            coefficients[1:], residuals[1:] = 0.0, 0.0
            step, defect = ordered[done] - now, speed
        else:
            step = _step(coefficients, ordered[-1] - now)
            defect = _defect(coefficients, residuals, inputs, step)
        begun = now
        rounded = ROUNDED * size + float(np.finfo(float).eps) * (now + step) * speed  # of the weights and of the clock
        missed = _missed(residuals, step, defect + of_rounding, missed + rounded)
        now = ordered[-1] if now + step >= ordered[-1] else now + step
        while done < times.size and ordered[done] <= now:
            P = _sum(coefficients, ordered[done] - begun)
            states[order[done]] = P @ P.T
            bounds[order[done]] = (2.0 * float(spectral(P)) + missed) * missed
            done += 1
        Q = _sum(coefficients, now - begun)
    return states, bounds


def _series(Q: Array, inputs: int, sigma: Array) -> tuple[Array, Array]:
    """Coefficients of P and of e in powers of time."""
    P = np.zeros((ORDER + 1, *Q.shape))
    e = np.zeros((ORDER + 1, *sigma.shape))
    P[0] = Q
    upper, lower = P[:, :inputs], P[:, inputs:]
    for n in range(ORDER):
        e[n] = -np.matmul(lower[: n + 1], np.swapaxes(upper[n::-1], 1, 2)).sum(axis=0)
        if n == 0:
            e[0] += sigma
        upper[n + 1] = np.matmul(np.swapaxes(e[n::-1], 1, 2), lower[: n + 1]).sum(axis=0) / (n + 1)
        lower[n + 1] = np.matmul(e[n::-1], upper[: n + 1]).sum(axis=0) / (n + 1)
    e[ORDER] = -np.matmul(lower, np.swapaxes(upper[::-1], 1, 2)).sum(axis=0)
    return P, e


def _step(P: Array, left: float) -> float:
    """How far the series goes."""
    norms = np.linalg.norm(P, axis=(1, 2))
    last = max(norms[ORDER] ** (1.0 / ORDER), norms[ORDER - 1] ** (1.0 / (ORDER - 1)))
    return min(left, float((SMALL * norms[0]) ** (1.0 / ORDER) / last)) if last > 0.0 else left


def _defect(P: Array, e: Array, inputs: int, step: float) -> float:
    """A bound of |d| in a step: the coefficients of the rate from ORDER on, which P has not."""
    powers = step ** np.arange(ORDER + 1)
    upper, lower = (np.linalg.norm(part, axis=(1, 2)) * powers for part in (P[:, :inputs], P[:, inputs:]))
    residual = np.convolve(upper, lower)
    residual[: ORDER + 1] = np.linalg.norm(e, axis=(1, 2)) * powers
    return float(np.hypot(*(np.convolve(part, residual)[ORDER:].sum() for part in (upper, lower))))


def _missed(e: Array, step: float, defect: float, x: float) -> float:
    """The bound x after a step."""
    known = np.linalg.norm(e, axis=(1, 2)) * step ** np.arange(ORDER + 1)
    moved = float(known @ np.arange(ORDER + 1)) / (2 * PARTS)
    for part in range(PARTS):
        rate = float(spectral(_sum(e, (part + 0.5) / PARTS * step))) + moved
        x = _grown(x, rate, defect, step / PARTS)
    return x


def _grown(x: float, rate: float, defect: float, time: float) -> float:
    """A bound of x after a time: where x <= 2 (x + |d| t) e^(|e| t), the cube is at most that squared times x."""
    with np.errstate(over="ignore"):
        most = 2.0 * (x + defect * time) * np.exp(rate * time)
        after = (x + defect * time) * np.exp((rate + most * most / 16.0) * time)
    return float(after) if after <= most else np.inf


def spectral(matrices: Array) -> Array:
    """Upper bounds of the spectral norms of matrices (..., m, n), at most min(m, n)^(1/64) times them.

    They are the 64th roots of tr (A A')^32, by squaring, which is faster than singular values.
    """
    flat = matrices if matrices.shape[-2] <= matrices.shape[-1] else np.swapaxes(matrices, -1, -2)
    gram = flat @ np.swapaxes(flat, -1, -2)
    logarithm = np.zeros(gram.shape[:-2])
    for doubling in range(SQUARINGS + 1):
        trace = np.trace(gram, axis1=-2, axis2=-1)
        with np.errstate(divide="ignore"):
            logarithm += np.log(trace) / 2.0 ** (doubling + 1)
        gram = gram / np.where(trace > 0.0, trace, 1.0)[..., None, None]
        gram = gram @ gram
    return np.asarray(np.exp(logarithm) * (1.0 + 1e-12))


def _sum(coefficients: Array, time: float) -> Array:
    """The value of a polynomial."""
    total: Array = coefficients[-1].copy()
    for k in range(coefficients.shape[0] - 2, -1, -1):
        total *= time
        total += coefficients[k]
    return total
