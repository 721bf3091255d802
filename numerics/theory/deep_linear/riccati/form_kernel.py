"""Inverses and condition numbers, by which `riccati.forms` decides; for `numerics.machine.specialise`.

Written out, because a library's threads go on spinning for a while and would slow down what comes next.
"""

# mypy: ignore-errors

import numpy as np
from numba import njit

POWERS = 8  # of a matrix, to find its largest eigenvalue
HALVINGS = 30


@njit(cache=True)
def whole_form(f, Y):
    """X, A and which modes are inside, with all growing ones, and how A is conditioned; infinitely badly if there are
    not as many as columns."""
    inside = f > 0.0
    count = np.count_nonzero(inside)
    if count == 0 or count != Y.shape[1]:
        return Y, np.eye(Y.shape[1]), inside, np.inf
    X, A = late_form(Y[inside], Y[~inside])
    return X, A, inside, condition(A)


@njit(cache=True)
def narrowed(f, Y, least, rounded):
    """The start in directions that its growing modes span, and whether nothing but rounding is left out by that.

    Growing modes keep every digit, relative to themselves: each has to have more than `least` of the largest row that
    is new beside those before.
    """
    rows, width = Y.shape
    largest, count = 0.0, 0
    for k in range(rows):
        largest = max(largest, np.sqrt(_dot(Y[k], Y[k], width)))
    directions = np.zeros((min(rows, width), width))
    for k in range(rows):
        if f[k] > 0.0:
            if count == directions.shape[0] or not _new(directions, count, Y[k], least * largest):
                return Y, False
            count += 1
    if count in (0, width):
        return Y, False
    narrow = np.zeros((rows, count))
    for k in range(rows):
        rest = Y[k].copy()
        for q in range(count):
            narrow[k, q] = _dot(Y[k], directions[q], width)
            _add(rest, -narrow[k, q], directions[q])
        if not np.sqrt(_dot(rest, rest, width)) <= rounded * largest:
            return Y, False
    return narrow, True


@njit(cache=True)
def late_form(growing, others):
    """X = others growing^-1 and A = (growing growing')^-1; not finite where a pivot is zero."""
    n = growing.shape[0]
    left, inverse = growing.copy(), np.eye(n)
    for j in range(n):
        pivot = j
        for i in range(j + 1, n):
            if abs(left[i, j]) > abs(left[pivot, j]):
                pivot = i
        for k in range(n):
            left[j, k], left[pivot, k] = left[pivot, k], left[j, k]
            inverse[j, k], inverse[pivot, k] = inverse[pivot, k], inverse[j, k]
        scale = 1.0 / left[j, j] if left[j, j] != 0.0 else np.nan
        for k in range(n):
            left[j, k] *= scale
            inverse[j, k] *= scale
        for i in range(n):
            if i != j:
                factor = -left[i, j]
                _add(left[i], factor, left[j])
                _add(inverse[i], factor, inverse[j])
    X, A = np.zeros(others.shape), np.zeros((n, n))
    for k in range(n):
        for i in range(others.shape[0]):
            _add(X[i], others[i, k], inverse[k])
        for i in range(n):
            _add(A[i], inverse[k, i], inverse[k])
    return X, A


@njit(cache=True)
def partial_form(Y, growing, least):
    """X, A and which modes are inside, without rows that have less than `least` of the largest that is new.

    Rows come in their order. A column of X and A beyond the modes inside is a coordinate that none of them sees.
    """
    rows, width = Y.shape
    directions, inside = np.zeros((width, width)), np.zeros(rows, dtype=np.bool_)
    largest = 0.0
    for k in range(rows):
        if growing[k]:
            largest = max(largest, np.sqrt(_dot(Y[k], Y[k], width)))
    count = 0
    for k in range(rows):
        if growing[k] and count < width:
            inside[k] = _new(directions, count, Y[k], least * largest)
            count += inside[k]
    _complete(directions, count)
    turned = np.zeros((rows, width))
    for k in range(rows):
        for q in range(width):
            turned[k, q] = _dot(Y[k], directions[q], width)
    X, A = late_form(turned[inside][:, :count], turned[~inside][:, :count])
    wide, whole = np.empty((rows - count, width)), np.eye(width)
    wide[:, :count], wide[:, count:] = X, turned[~inside][:, count:]
    whole[:count, :count] = A
    return wide, whole, inside


@njit(cache=True)
def _new(directions, count, row, least):
    """Check whether more than `least` of a row is new beside the first directions, and append the new part."""
    rest = row.copy()
    for _ in range(2):
        for k in range(count):
            _add(rest, -_dot(directions[k], rest, rest.size), directions[k])
    size = np.sqrt(_dot(rest, rest, rest.size))
    if not size > least:
        return False
    for q in range(rest.size):
        directions[count, q] = rest[q] / size
    return True


@njit(cache=True)
def _complete(directions, count):
    """Write directions that are orthogonal to the first ones and to each other."""
    width = directions.shape[0]
    for found in range(count, width):
        missing = np.ones(width)
        for k in range(found):
            for q in range(width):
                missing[q] -= directions[k, q] ** 2
        unit = np.zeros(width)
        unit[np.argmax(missing)] = 1.0
        _new(directions, found, unit, 0.0)


@njit(cache=True)
def integral(f, t):
    """The integral of exp(2 f t) from zero to t; infinite where it overflows."""
    x = 2.0 * f * t
    return t if x == 0.0 else np.expm1(x) / x * t


@njit(cache=True)
def condition_at(f, inside, X, A, t):
    """How badly M = E (A + X' Phi X) E + (I - E^2)/(2f) is conditioned at one time."""
    n = A.shape[0]
    middle, decays, rest = A.copy(), np.ones(n), np.zeros(n)
    growing = others = 0
    for k in range(f.size):
        if inside[k]:
            decays[growing], rest[growing] = np.exp(-f[k] * t), integral(-f[k], t)
            growing += 1
        else:
            weight = integral(f[k], t)
            for i in range(n):
                _add(middle[i], weight * X[others, i], X[others])
            others += 1
    for i in range(n):
        for j in range(n):
            middle[i, j] *= decays[i] * decays[j]
        middle[i, i] += rest[i]
    return condition(middle)


@njit(cache=True)
def reach(f, squares, most, latest):
    """Until which time, at most `latest`, 1 + sum of squares times integrals stays below a bound, to a millionth."""
    early, late = 0.0, latest
    for _ in range(HALVINGS):
        between = 0.5 * (early + late)
        bound = 1.0
        for k in range(f.size):
            if squares[k] > 0.0:
                bound += squares[k] * integral(f[k], between)
        if bound <= most:
            early = between
        else:
            late = between
    return early


@njit(cache=True)
def condition(matrix):
    """The condition number of a symmetric matrix with its diagonal scaled to one, to some ten per cent from below.

    By powers of the matrix and of its inverse; infinite where rounding makes it singular or indefinite.
    """
    n = matrix.shape[0]
    scale = np.empty(n)
    for i in range(n):
        if not 0.0 < matrix[i, i] < np.inf:
            return np.inf
        scale[i] = 1.0 / np.sqrt(matrix[i, i])
    scaled, factor = np.empty((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            scaled[i, j] = matrix[i, j] * scale[i] * scale[j]
    for i in range(n):
        for j in range(i + 1):
            value = scaled[i, j]
            value -= _dot(factor[i], factor[j], j)
            if i == j and not value > 0.0:
                return np.inf
            factor[i, j] = np.sqrt(value) if i == j else value / factor[j, j]
    up, down = np.empty(n), np.empty(n)
    for i in range(n):
        up[i] = down[i] = 1.0 + (0.618 * i) % 1.0  # along no eigenvector that symmetry would suggest
    largest = smallest = 0.0
    for _ in range(POWERS):
        image = np.zeros(n)
        for i in range(n):
            _add(image, up[i], scaled[i])
        for i in range(n):
            down[i] = (down[i] - _dot(factor[i], down, i)) / factor[i, i]
        for i in range(n - 1, -1, -1):
            down[i] /= factor[i, i]
            _add(down[:i], -down[i], factor[i])
        largest, smallest = np.sqrt(_dot(image, image, n)), np.sqrt(_dot(down, down, n))
        for i in range(n):
            up[i], down[i] = image[i] / largest, down[i] / smallest
    return largest * smallest


@njit(cache=True)
def _add(target, factor, row):
    for k in range(target.size):
        target[k] += factor * row[k]


@njit(cache=True, fastmath={"reassoc", "contract"})
def _dot(left, right, length):
    total = 0.0
    for k in range(length):
        total += left[k] * right[k]
    return total
