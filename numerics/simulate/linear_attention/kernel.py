"""Gradient descent of linear attention: the loops over steps, contexts and tokens.

`heads` has a row for each head: its value, and then its merged matrix row by row, or its key and its query. The sum of
the heads is the D x D matrix P of the answer beta'P x_q. What moves the heads is the slope of the loss by P.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

import numpy as np
from numba import njit, prange

from numerics.machine.lanes.normal import fill

HOPELESS = 1e100  # for an entry of P, whose square is still a number


@njit(cache=True)
def product(heads, separate, P):
    """Write P; returns whether it can be gone on with."""
    D = P.shape[0]
    P[:] = 0.0
    for head in heads:
        for i in range(D):
            for j in range(D):
                P[i, j] += head[0] * (head[1 + i] * head[1 + D + j] if separate else head[1 + i * D + j])
    size = 0.0
    for i in range(D):
        for j in range(D):
            size += abs(P[i, j])
    return size <= HOPELESS


@njit(cache=True)
def move(heads, separate, slope, rate):
    """Move every head against its part of the slope."""
    D = slope.shape[0]
    for head in heads:
        value, change = head[0], 0.0
        if not separate:
            for i in range(D):
                for j in range(D):
                    change += slope[i, j] * head[1 + i * D + j]
                    head[1 + i * D + j] -= rate * value * slope[i, j]
        else:
            for i in range(D):
                seen = 0.0  # of the query, by this entry of the key
                for j in range(D):
                    seen += slope[i, j] * head[1 + D + j]
                change += head[1 + i] * seen
            _key_and_query(head, slope, rate)
        head[0] -= rate * change


@njit(cache=True)
def _key_and_query(head, slope, rate):
    """Both move by the slope at where both were."""
    D, value = slope.shape[0], head[0]
    old = head.copy()
    for i in range(D):
        for j in range(D):
            head[1 + i] -= rate * value * slope[i, j] * old[1 + D + j]
            head[1 + D + j] -= rate * value * slope[i, j] * old[1 + i]


@njit(cache=True)
def descend(heads, separate, second, covariance, rate, steps):
    """Steps on the loss of all contexts; `second` is the mean square of a context's covariance.

    Returns how many steps were taken before P became hopeless.
    """
    D = covariance.shape[0]
    P, half, slope = covariance.copy(), covariance.copy(), covariance.copy()
    for at in range(steps):
        if not product(heads, separate, P):
            return at
        for i in range(D):
            for j in range(D):
                half[i, j] = 0.0
                for k in range(D):
                    half[i, j] += P[i, k] * covariance[k, j]
        for i in range(D):
            for j in range(D):
                slope[i, j] = 0.0
                for k in range(D):
                    slope[i, j] += second[i, k] * half[k, j] - covariance[i, k] * covariance[k, j]
        move(heads, separate, slope, rate)
    return steps


@njit(cache=True)
def learn(heads, separate, root, tokens, streams, rooms, counts, sums, rate, steps):
    """Steps on batches of contexts, of which every step draws fresh ones; returns as `descend` does."""
    D = root.shape[0]
    P, slope = root.copy(), root.copy()
    contexts = counts.sum()
    for at in range(steps):
        if not product(heads, separate, P):
            return at
        draw(P, root, tokens, streams, rooms, counts, sums)
        slope[:] = 0.0
        for chunk in range(counts.size):  # always in this order, whoever computed them
            for i in range(D):
                for j in range(D):
                    slope[i, j] -= sums[chunk, 1 + i * D + j]
        for i in range(D):
            for j in range(D):
                slope[i, j] /= contexts
        move(heads, separate, slope, rate)
    return steps


@njit(cache=True)
def draw(P, root, tokens, streams, rooms, counts, sums):
    """Draw all chunks of contexts, and sum in each the squares of what the answers lack, and their slopes.

    A chunk has a stream and a row of sums of its own, a thread a room, so that nothing depends on who computes what.
    """
    if rooms.shape[0] > 1:
        _side_by_side(P, root, tokens, streams, rooms, counts, sums)
    else:
        _share(0, P, root, tokens, streams, rooms, counts, sums)


@njit(cache=True, parallel=True)
def _side_by_side(P, root, tokens, streams, rooms, counts, sums):
    """The share of every thread."""
    for worker in prange(rooms.shape[0]):
        _share(np.intp(worker), P, root, tokens, streams, rooms, counts, sums)


@njit(cache=True)
def _share(worker, P, root, tokens, streams, rooms, counts, sums):
    """Every so many chunks."""
    for chunk in range(worker, counts.size, rooms.shape[0]):
        _chunk(P, root, tokens, streams[chunk], rooms[worker], counts[chunk], sums[chunk])


@njit(cache=True)
def room_size(D, tokens):
    """Return what a thread needs: the normal numbers of a context, vectors, sums, and the state of a stream.

    There is a gap behind it, so that no two threads write into one line of the cache.
    """
    return _drawn(D, tokens) + 5 * D + 1 + D * D + 32 + 16


@njit(cache=True)
def _drawn(D, tokens):
    return ((tokens + 2) * D + 15) // 16 * 16


@njit(cache=True)
def _chunk(P, root, tokens, kept, room, count, out):
    """So many contexts: tokens R z with targets w'R z, beta = R (sum of (w'R z) z)/tokens, and a query R z."""
    D = root.shape[0]
    at = _drawn(D, tokens)
    turned, gathered, beta, query, seen = (
        room[at : at + D],
        room[at + D : at + 2 * D],
        room[at + 2 * D : at + 3 * D],
        room[at + 3 * D : at + 4 * D],
        room[at + 4 * D : at + 5 * D],
    )
    sums, stream = room[at + 5 * D : at + 5 * D + out.size], room[at + 5 * D + out.size : room.size - 16]
    sums[:], stream[:] = 0.0, kept
    for _ in range(count):
        fill(stream, room, 0, at)
        ask, task = tokens * D, (tokens + 1) * D
        for i in range(D):
            turned[i], gathered[i] = 0.0, 0.0
            for k in range(D):
                turned[i] += root[k, i] * room[task + k]
        for token in range(0, ask, D):
            target = 0.0
            for i in range(D):
                target += turned[i] * room[token + i]
            for i in range(D):
                gathered[i] += target * room[token + i]
        lacking = 0.0
        for i in range(D):
            beta[i], query[i] = 0.0, 0.0
            for k in range(D):
                beta[i] += root[i, k] * gathered[k] / tokens
                query[i] += root[i, k] * room[ask + k]
            lacking += turned[i] * room[ask + i]
        for i in range(D):
            seen[i] = 0.0
            for j in range(D):
                seen[i] += P[i, j] * query[j]
            lacking -= beta[i] * seen[i]
        sums[0] += lacking * lacking
        for i in range(D):
            for j in range(D):
                sums[1 + i * D + j] += lacking * beta[i] * query[j]
    out[:], kept[:] = sums, stream
