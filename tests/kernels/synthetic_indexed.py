"""A small kernel with sums that uses everything the emitter can print, and the same values without any loop emitted."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import sympy as sp

from derivations.kernels.kernel import Kernel
from derivations.kernels.specification.sums import Call, Definition, Joined, Reciprocal, entry
from derivations.language.sums import Array, Range, delta, number, size, total

p, q = sp.symbols("p q", real=True)
crossed = Kernel(
    "crossed",
    says="Two numbers that tell their arguments apart.",
    state=[p, q],
    returns={"one": p + 2 * q, "other": p * q - q**2},
    rests_on=["growth"],
)
lone = Kernel("lone", says="Half of a square.", state=[p], returns={"one": p**2 / 2}, rests_on=["decline"])

K, M, L = Range("K"), Range("M"), Range("L")
F = Joined("F", (M, K, L))
i, k = K.index("i"), K.index("k")
m, n = M.index("m"), M.index("n")
l, r = L.index("l"), L.index("r")
f, g, h = (F.index(name) for name in "fgh")

A, B, w = Array("A", K, M), Array("B", K, K, symmetric=True), Array("w", L)
C, RATE = Array("c"), Array("rate")
c, rate = C.value, RATE.value
G, u = Array("G", F, F, symmetric=True), Array("u", F)
one, other, squares = Array("one", F, F), Array("other", F, F), Array("squares", K)
y, z, t, e = Array("y", K, M), Array("z", K, K, L), Array("t", F), Array("e")

mixture = Kernel(
    "mixture",
    says="Sums over joined ranges, equal indices, sizes, calls and a reciprocal.",
    inputs=[A, B, w, C],
    steps=[
        Reciprocal(RATE, (), c),
        Definition(
            G,
            {
                (m, n): delta(m, n),
                (m, k): A[k, m],
                (m, l): number(0),
                (k, m): A[k, m],
                (i, k): B[i, k],
                (i, l): number(Fraction(1, 3)),
                (l, m): number(0),
                (l, k): number(Fraction(1, 3)),
                (l, r): w[l] * w[r],
            },
        ),
        Definition(u, {(m,): number(1), (k,): -1 * B[k, k], (l,): Fraction(1, 2) * w[l]}),
        Call([one, other], (f, g), crossed, [G[f, g], 2 * u[f] - u[g]]),
        Call([squares], (k,), lone, [B[k, k]]),
        Definition(y, {(i, m): total(entry(one, i, f) * entry(other, m, f), f) - 2 * c * A[i, m]}),
        Definition(
            z,
            {
                (i, k, l): -3 * delta(i, k) * w[l]
                + rate * total(G[f, g] * u[g] * entry(one, l, f) - G[f, f] * u[g], f, g)
                - size(F) * delta(i, k) * total(A[i, m] * A[k, n], m, n)
            },
        ),
        Definition(t, {(f,): -1 * total(one[f, g], g) - total(other[f, g] * squares[k], g, k)}),
        Definition(e, {(): total(t[f], f) / 7 + size(K) / 3}),
    ],
    returns=[y, z, t, e],
    domain="c != 0",
    rests_on=["growth"],
    cites="Verhulst (1838)",
)
ALL = {"verhulst": [crossed, lone, mixture]}

Rows = Sequence[Sequence[Fraction]]


def naive(A: Rows, B: Rows, w: Sequence[Fraction], c: Fraction) -> tuple[object, ...]:
    """The mixture from its mathematics: fields of M, then K, then L, as plain sums of fractions."""
    sizes = len(A[0]), len(A), len(w)
    fields = [(kind, at) for kind, length in zip("mkl", sizes, strict=True) for at in range(length)]
    place = {field: at for at, field in enumerate(fields)}

    def overlap(first: tuple[str, int], second: tuple[str, int]) -> Fraction:
        (a, x), (b, y) = sorted((first, second))  # k before l before m
        known = {"kk": lambda: B[x][y], "kl": lambda: Fraction(1, 3), "km": lambda: A[x][y]}
        known |= {"ll": lambda: w[x] * w[y], "lm": lambda: Fraction(0), "mm": lambda: Fraction(x == y)}
        return known[a + b]()

    def weight(field: tuple[str, int]) -> Fraction:
        kind, at = field
        return {"m": lambda: Fraction(1), "k": lambda: -B[at][at], "l": lambda: w[at] / 2}[kind]()

    G = [[overlap(a, b) for b in fields] for a in fields]
    u = [weight(a) for a in fields]
    every = range(len(fields))
    twist = [[2 * u[a] - u[b] for b in every] for a in every]
    one = [[G[a][b] + 2 * twist[a][b] for b in every] for a in every]
    other = [[G[a][b] * twist[a][b] - twist[a][b] ** 2 for b in every] for a in every]
    squares = sum(B[k][k] ** 2 / 2 for k in range(len(A)))

    def y(i: int, m: int) -> Fraction:
        return sum(one[place["k", i]][f] * other[place["m", m]][f] for f in every) - 2 * c * A[i][m]

    def z(i: int, k: int, l: int) -> Fraction:
        rows = one[place["l", l]]
        double = sum(G[f][g] * u[g] * rows[f] - G[f][f] * u[g] for f in every for g in every) / c
        return double - (3 * w[l] + len(fields) * sum(A[i]) ** 2 if i == k else 0)

    t = [-sum(one[a]) - sum(other[a]) * squares for a in every]
    ys = [[y(i, m) for m in range(sizes[0])] for i in range(sizes[1])]
    zs = [[[z(i, k, l) for l in range(sizes[2])] for k in range(sizes[1])] for i in range(sizes[1])]
    return ys, zs, t, sum(t) / 7 + Fraction(sizes[1], 3)
