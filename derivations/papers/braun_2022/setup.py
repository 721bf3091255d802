"""The paper, and the scalars of its two-dimensional networks.

Nothing here is a verdict.
"""

from __future__ import annotations

import sympy as sp

from derivations.models import two_layer_linear
from derivations.paper.model import Paper
from derivations.papers.braun_2022.source.vocabulary import VOCABULARY

paper = Paper(
    "braun_2022",
    title="Exact learning dynamics of deep linear networks with prior knowledge",
    authors="Lukas Braun, Clémentine C. J. Dominé, James E. Fitzgerald, Andrew M. Saxe",
    year=2022,
    source="Advances in Neural Information Processing Systems 35 (2022)",
    numbered=15,
    vocabulary=VOCABULARY,
    models=[two_layer_linear],
)

a1, a2, b = sp.symbols("a1 a2 b", real=True)
"""The entries of A(0)^T A(0)."""

s, s1, s2, tau = sp.symbols("s s1 s2 tau", positive=True)
t = sp.Symbol("t", nonnegative=True)
