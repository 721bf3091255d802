"""The polynomial of degree 11 through six points of a trajectory and their slopes, as a part of an integrator.

The last points are remembered in one array: for each the state and then the slope, as many doubles both, a multiple of
LANES; `moments` holds their times in order.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from numba import njit

from numerics.machine.lanes import LANES, load, spread, store

POINTS = 6  # that an interpolant passes through
MEMORY = 16  # how many points are remembered
NODES_SIZE = 16  # 3 + 2 POINTS, and one more


@njit(cache=True)
def remember(t, state, slope, place, moments, points, count):
    """Insert a point of the trajectory among the remembered ones, of which the oldest makes way; how many there are."""
    wide = state.size
    if count == MEMORY:
        place, count = place - 1, count - 1
        for j in range(place):
            moments[j] = moments[j + 1]
        for at in range(0, 2 * wide * place, LANES):
            store(points, at, load(points, at + 2 * wide))
    else:
        for j in range(count, place, -1):
            moments[j] = moments[j - 1]
        for at in range(2 * wide * count - LANES, 2 * wide * place - LANES, -LANES):
            store(points, at + 2 * wide, load(points, at))
    moments[place] = t
    for at in range(0, wide, LANES):
        store(points, 2 * wide * place + at, load(state, at))
        store(points, 2 * wide * place + wide + at, load(slope, at))
    return count + 1


@njit(cache=True, error_model="numpy", inline="always")
def weigh_points(moments, first, last, nodes):
    """Write for each point from first to last the product and the sum of its inverse distances from the others.

    In front stands which points these are, because many outputs share them.
    """
    if nodes[0] == moments[first] and nodes[1] == moments[last - 1] and nodes[2] == last - first:
        return
    nodes[0], nodes[1], nodes[2] = moments[first], moments[last - 1], last - first
    for j in range(first, last):
        product, total = 1.0, 0.0
        for k in range(first, last):
            if k != j:
                inverse = 1.0 / (moments[j] - moments[k])
                product *= inverse
                total += inverse
        nodes[3 + 2 * (j - first)], nodes[4 + 2 * (j - first)] = product, total


@njit(cache=True, error_model="numpy", inline="always")
def interpolate(t, moments, points, first, last, nodes, out, change):
    """Write the value at t, which is none of theirs, of the polynomial through the points from first to last (Hermite).

    Beside it, write how much it changes without the first or last of the points, the one that is farther from t.
    """
    wide = out.size
    weigh_points(moments, first, last, nodes)
    far = last - 1 if t - moments[first] < moments[last - 1] - t else first
    for at in range(0, wide, LANES):
        store(out, at, spread(0.0))
        store(change, at, spread(0.0))
    distances = 1.0
    for j in range(first, last):
        if j != far:
            distances *= t - moments[j]
    for j in range(first, last):
        product, bend = distances * nodes[3 + 2 * (j - first)], nodes[4 + 2 * (j - first)]
        ahead = t - moments[j]
        less_value, less_slope = 0.0, 0.0
        if j != far:
            product /= ahead
            gap = moments[j] - moments[far]
            square = (product * gap) ** 2
            less_value, less_slope = (1.0 - 2.0 * ahead * (bend - 1.0 / gap)) * square, ahead * square
            product *= t - moments[far]
        square = product * product
        value, slope = (1.0 - 2.0 * ahead * bend) * square, ahead * square
        for at in range(0, wide, LANES):
            here, there = load(points, 2 * wide * j + at), load(points, 2 * wide * j + wide + at)
            store(out, at, load(out, at) + spread(value) * here + spread(slope) * there)
            less = spread(value - less_value) * here + spread(slope - less_slope) * there
            store(change, at, load(change, at) + less)
