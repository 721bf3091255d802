"""Beyond the paper: starts with W2'W2 - W1 W1' = lambda I, of which the paper's zero-balanced starts are the case lambda = 0.

Dominé et al. (2024), "From lazy to rich: exact learning dynamics in deep linear networks", arXiv:2409.14623, treat them.
"""

from __future__ import annotations

from derivations import prove
from derivations.language.words import identity
from derivations.language.words.blocks import Blocks, along_blocks, block_diagonal
from derivations.models.two_layer_linear import EVEN, HALF, F, Q, balance, flow, riccati
from derivations.papers.braun_2022.section_2_network.riccati import riccati_solution
from derivations.papers.braun_2022.setup import paper
from derivations.prove import Certificate

# --- the Riccati equation -----------------------------------------------------------------------------------------------

F_balance = F + block_diagonal(identity("N_i") * (-HALF * balance), identity("N_o") * (HALF * balance))
"""F of these starts: [-lambda I/2, Sigma'; Sigma, lambda I/2]."""

P = Q @ Q.T


def riccati_with(matrix: Blocks) -> Certificate:
    return prove.words(along_blocks(P, flow), riccati(matrix, P), [EVEN])


@paper.claim(
    "Beyond: lambda-balanced starts, Riccati equation",
    needs={"lambda_in_F": lambda: riccati_with(F)},
    rests_on=["flow_for_white_inputs", "balance_persists", "riccati_solution"],
)
def lambda_riccati_equation() -> Certificate:
    """If W2'W2 - W1 W1' = lambda I, then dQ = F Q - Q Q'Q/2 and d(QQ') = F QQ' + QQ' F - (QQ')^2 with the symmetric
    F = [-lambda I/2, S'; S, lambda I/2], so that QQ'(t) = Z M^-1 Z', Z = e^(Ft) Q(0), M = I + Q(0)' Phi Q(0), for any
    dimensions, any rank, any task and any lambda."""
    return prove.every(
        prove.words(along_blocks(Q, flow), F_balance @ Q - HALF * (Q @ Q.T @ Q), [EVEN]),
        riccati_with(F_balance),
        prove.words(F_balance.T, F_balance),
        riccati_solution(),
    )
