"""Section 6: linear attention that learns regression in context (Zhang, Singh, Latham & Saxe 2025), as deep linear networks.

A context has B tokens x ~ N(0, L) in N dimensions, with y = w'x for one w ~ N(0, I); Lh is the average of x x' over it.
"""

from __future__ import annotations

from typing import Any

from derivations import prove
from derivations.language.averages import covariance, field, mean
from derivations.language.sums import Array, Sums, number, size, total
from derivations.models.committee import B, N, a, b, s, s_other, x
from derivations.models.committee.population import CHANCES, chance, over_batches, p
from derivations.models.committee.population import x as drawn
from derivations.papers.carrasco_davis_grant_2025.source import examples
from derivations.papers.solvable_networks.setup import paper
from derivations.prove import Certificate
from derivations.prove.sums import Hypothesis

# --- the second moment of the context's covariance ------------------------------------------------------------------------

c, d = (N.index(name) for name in "cd")
L = Array("L", N, N, symmetric=True)
PAIRINGS = ((a, b, c, d), (a, c, b, d), (a, d, b, c))
SECOND: Hypothesis = (total(chance[p] * drawn[p, a] * drawn[p, b], p), L[a, b])
FOURTH: Hypothesis = (
    total(chance[p] * drawn[p, a] * drawn[p, b] * drawn[p, c] * drawn[p, d], p),
    sum((L[i, j] * L[k, m] for i, j, k, m in PAIRINGS), number(0)),
)
"""The moments of x ~ N(0, L)."""


def example() -> dict[str, Any]:
    """Inputs with these moments, for L = I in four dimensions."""
    found: dict[str, Any] = examples.two_shells()
    unit = [[str(int(i == k)) for k in range(4)] for i in range(4)]
    return found | {"arrays": found["arrays"] | {"L": unit}}


@paper.claim("6.1 The moments of a context's covariance (Zhang et al. 2025)")
def squared_covariance_of_a_context() -> Certificate:
    """For x ~ N(0, L), whose fourth moments are L_ab L_cd + L_ac L_bd + L_ad L_bc, <(sum x x')^2> = B^2 L^2 + B (L^2 + tr(L) L), for
    every number B of tokens in every dimension: <Lh^2> = L^2 + (L^2 + tr(L) L)/B, and c l^2 with c = 1 + (1 + N)/B for L = l I."""
    C = covariance("a", "b", "c", "d")
    pairs = (C[0, 1] * C[2, 3], C[0, 2] * C[1, 3], C[0, 3] * C[1, 2])
    squared = over_batches(total(x[s, a] * x[s, c] * x[s_other, c] * x[s_other, b], s, s_other, c))
    square, trace = total(L[a, c] * L[c, b], c), total(L[c, c], c)
    right: Sums = size(B) * size(B) * square + size(B) * (square + trace * L[a, b])
    return prove.every(
        prove.average(mean(field(0) * field(1) * field(2) * field(3), C), sum(pairs)),
        prove.sums(squared, right, [SECOND, FOURTH, CHANCES[0]], [example()]),
    )
