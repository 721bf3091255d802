"""The flow of the order parameters for any activation, as a kernel for `numerics.machine.specialise`.

The module in front defines jitted functions `g` and `slope` of a number. Averages are sums over nodes, as in
numerics/theory/teacher_student/averages/quadrature.py: the fields in slopes are walked node by node, and the others
follow by the coefficients of their g in Hermite polynomials, which are computed once for each node and shared by all
averages there.

params and state: as in numerics/theory/teacher_student/flows/erf.py; params go on with the size of the rule, its nodes,
its weights, and the weighted polynomials, a row for each node.
"""

# mypy: ignore-errors

from math import sqrt

from numba import njit

from numerics.theory.teacher_student.flows.tanh import g, slope

HEADER = 7  # params in front of T


ROW_SIZES = ("rows", "sizes_with_rule")
"""The module beside this one, and its function, that say how long rows are."""


@njit(cache=True)
def rule(params):
    """The size of the rule, its nodes, its weights and polynomials."""
    K, M = int(params[0]), int(params[1])
    at = HEADER + M * (M + 1) // 2 + M + K
    size = int(params[at])
    rest = params[at + 1 :]
    return size, rest[:size], rest[size : 2 * size], rest[2 * size : (2 + size) * size].reshape((size, size))


@njit(cache=True)
def scratch_size(params):
    """How many doubles `rates` wants to work in."""
    K, M = int(params[0]), int(params[1])
    n, size = K + M, rule(params)[0]
    return 2 * n * n + 5 * n + n * size + K * n + K * K + K


@njit(cache=True)
def tables(params, scratch):
    """The work space: C, what is left of it, columns, weights, coefficients; sums of I3, of I4 with J2, and of I2."""
    K, M = int(params[0]), int(params[1])
    n, size = K + M, rule(params)[0]
    C, rest = scratch[: n * n].reshape((n, n)), scratch[n * n : 2 * n * n].reshape((n, n))
    columns = scratch[2 * n * n : 2 * n * n + 5 * n].reshape((5, n))
    at = 2 * n * n + 5 * n
    coefficients = scratch[at : at + n * size].reshape((n, size))
    at += n * size
    linear = scratch[at : at + K * n].reshape((K, n))
    at += K * n
    return C, rest, columns, coefficients, linear, scratch[at : at + K * K].reshape((K, K)), scratch[at + K * K :]


@njit(cache=True)
def prepare(params, scratch):
    """Write into the work space what stays the same during a run: the teacher's covariance and fixed weights."""
    K, M = int(params[0]), int(params[1])
    C, _, columns, _, _, _, _ = tables(params, scratch)
    at = HEADER
    for m in range(M):
        for l in range(m + 1):
            C[K + m, K + l] = C[K + l, K + m] = params[at + l]
        at += m + 1
    for m in range(M):
        columns[0, K + m] = params[at + m]
    for i in range(K):
        columns[0, i] = -params[at + M + i]


@njit(cache=True)
def gather(params, state, scratch):
    """Write the state into the covariance of all fields and their weights."""
    K, M = int(params[0]), int(params[1])
    C, _, columns, _, _, _, _ = tables(params, scratch)
    at, first_R = 0, K * (K + 1) // 2
    for i in range(K):
        for k in range(i + 1):
            C[i, k] = C[k, i] = state[at + k]
        at += i + 1
        for m in range(M):
            C[i, K + m] = C[K + m, i] = state[first_R + i * M + m]
        if params[2] != 0.0:
            columns[0, i] = -state[first_R + K * M + i]


@njit(cache=True)
def condition(before, i, along, rest):
    """Write how the fields depend on field i, and the covariance that is left."""
    scale = 1.0 / sqrt(before[i, i]) if before[i, i] > 0.0 else 0.0
    for f in range(along.size):
        along[f] = before[f, i] * scale
    for f in range(along.size):
        for h in range(along.size):
            rest[f, h] = before[f, h] - along[f] * along[h] if i not in (f, h) else 0.0


@njit(cache=True)
def expand(means, roots, coefficients, nodes, polynomials):
    """Write the coefficients of the activation of every field."""
    for f in range(means.size):
        row = coefficients[f]
        row[:] = 0.0
        if roots[f] == 0.0:
            row[0] = g(means[f])
            continue
        for q in range(nodes.size):
            value = g(means[f] + roots[f] * nodes[q])
            part = polynomials[q]
            for m in range(nodes.size):
                row[m] += part[m] * value


@njit(cache=True)
def root_of(rest, roots):
    """Write the standard deviations that are left."""
    for f in range(roots.size):
        roots[f] = sqrt(max(rest[f, f], 0.0))


@njit(cache=True)
def square(rest, s, roots, coefficients):
    """The mean of the squared error signal at a node."""
    total = 0.0
    for f in range(s.size):
        for h in range(f + 1):
            scale = roots[f] * roots[h]
            r = 1.0 if f == h else (min(max(rest[f, h] / scale, -1.0), 1.0) if scale > 0.0 else 0.0)
            left, right, part = coefficients[f], coefficients[h], 0.0
            for m in range(left.size - 1, -1, -1):
                part = part * r + left[m] * right[m]
            total += (1.0 if f == h else 2.0) * s[f] * s[h] * part
    return total


@njit(cache=True)
def one_student(params, scratch, i, noise):
    """Write the averages with one slope: I3, I4 and J2 with equal students, I2."""
    size, nodes, weights, polynomials = rule(params)
    C, rest, columns, coefficients, linear, quadratic, values = tables(params, scratch)
    s, along, means, roots = columns[0], columns[1], columns[3], columns[4]
    condition(C, i, along, rest)
    root_of(rest, roots)
    linear[i, :] = 0.0
    quadratic[i, i] = values[i] = 0.0
    for q in range(size):
        for f in range(s.size):
            means[f] = along[f] * nodes[q]
        expand(means, roots, coefficients, nodes, polynomials)
        steep, error = slope(means[i]), 0.0
        for f in range(s.size):
            error += s[f] * coefficients[f, 0]
        values[i] += weights[q] * g(means[i]) * error
        for b in range(s.size):
            total = means[b] * error
            for f in range(s.size):
                if roots[f] > 0.0:
                    total += s[f] * rest[b, f] / roots[f] * coefficients[f, 1]
            linear[i, b] += weights[q] * steep * total
        quadratic[i, i] += weights[q] * steep * steep * (square(rest, s, roots, coefficients) + noise)


@njit(cache=True)
def two_students(params, scratch, i, k, noise):
    """Write the averages with two slopes: I4 and J2."""
    size, nodes, weights, polynomials = rule(params)
    C, rest, columns, coefficients, _, quadratic, _ = tables(params, scratch)
    s, along, across, means, roots = columns[0], columns[1], columns[2], columns[3], columns[4]
    condition(C, i, along, rest)
    condition(rest, k, across, rest)
    root_of(rest, roots)
    total = 0.0
    for q in range(size):
        for p in range(size):
            for f in range(s.size):
                means[f] = along[f] * nodes[q] + across[f] * nodes[p]
            expand(means, roots, coefficients, nodes, polynomials)
            chance = weights[q] * weights[p] * slope(means[i]) * slope(means[k])
            total += chance * (square(rest, s, roots, coefficients) + noise)
    quadratic[i, k] = total


@njit(cache=True)
def rates(t, state, params, out, scratch):
    """Write the rates of Q, R and (where it learns) v into `out`."""
    K, M, learns = int(params[0]), int(params[1]), params[2] != 0.0
    eta, eta_v, noise, batch = params[3], params[4], params[5], params[6]
    gather(params, state, scratch)
    _, _, columns, _, linear, quadratic, values = tables(params, scratch)
    s, first_R, first_v = columns[0], K * (K + 1) // 2, K * (K + 1) // 2 + K * M
    for i in range(K):
        one_student(params, scratch, i, noise)
        for k in range(i):
            two_students(params, scratch, i, k, noise)
    for i in range(K):
        for k in range(i + 1):
            drift = -s[i] * linear[i, k] - s[k] * linear[k, i]
            out[i * (i + 1) // 2 + k] = eta * drift + eta * eta / batch * s[i] * s[k] * quadratic[i, k]
        for m in range(M):
            out[first_R + i * M + m] = -eta * s[i] * linear[i, K + m]
        if learns:
            out[first_v + i] = eta_v * values[i]
