r"""A linear network with two layers of weights, W2 W1, trained on any data by gradient descent in continuous time.

**Symbols** (matrices of any size; the names of the dimensions stand in brackets):

    W1 [N_h x N_i], W2 [N_o x N_h]  the weights: N_i inputs, N_h hidden and N_o output neurons
    X [N_i x P], Y [N_o x P]        the inputs and targets of P training pairs, one pair in each column
    per_sample                      1/P
    Sigma [N_o x N_i]               the task: the correlation of the targets with the inputs, when these are white
    start_1, start_2                the weights at the start
    U, S, V; Ut, St, Vt; Up, Vp     singular value decompositions of W2 W1 at the start, and of Sigma; U_p and V_p
                                    complete the task's singular vectors to bases (COMPLETE)

**Definitions.** `loss` is half the squared error of W2 W1 X, averaged over the training pairs. `data_xx`, `data_yx` and
`data_yy` are the correlations of the data. White inputs (`WHITE`) have data_xx = I. `Q` stacks W1' on W2 and `F` holds
Sigma and its transpose beside the diagonal: they are the block matrices in which the flow is a Riccati equation, whose
rate is `riccati(F, QQ')`. `Q_0` is Q at the start, and `four(name)` has letters for a matrix that is cut as QQ' is.

**Flow**, computed from the loss, with time in units of the time constant tau: `descent` on any data; `flow` for white
inputs, in which the data enter through Sigma alone; `flow_by_correlations` with the letters Sigma_yx and Sigma_xx.

**Conserved**: `imbalance` = W2'W2 - W1 W1' does not move on any data. Weights are balanced where it is zero
(`BALANCED`), and lambda-balanced where it is a multiple of the identity (`EVEN`, with the letter `balance` for it).

**Any depth**: `deep(depth)` gives the same for a product of any number of layers.

**Instances**: `instance(kind, seed)` draws exact numbers for these symbols; `KINDS` says what is true of each kind. The
weights of an instance are those of its start. `rates` are differences of the loss; no expression of the flow is used.

>>> import textwrap
>>> print(textwrap.fill(" ".join(KINDS), 110))
generic white balanced lambda_balanced aligned wrong_sign rank_deficient dead_modes repeated at_rest
bottleneck wide size_one
>>> from derivations.language.words import along
>>> along(imbalance, descent)
0
"""

from __future__ import annotations

from derivations.models import quantities
from derivations.models.two_layer_linear.definitions import *
from derivations.models.two_layer_linear.kinds import KINDS, loss_at, rates
from derivations.models.two_layer_linear.kinds import holds as holds
from derivations.models.two_layer_linear.kinds import instance as instance

QUANTITIES = quantities("two_layer_linear")
__all__ = [
    "BALANCED", "COMPLETE", "EVEN", "HALF", "KINDS", "Q_0", "W1", "W2", "WHITE", "Deep", "F", "Q", "S", "S_inv",
    "Sigma", "Sigma_xx", "Sigma_yx", "St", "St_inv", "U", "Up", "Ut", "V", "Vp", "Vt", "X", "Y", "at_start",
    "balance", "data_xx", "data_yx", "data_yy", "deep", "descent", "flow", "flow_by_correlations", "four", "gap",
    "imbalance", "loss", "loss_at", "loss_by_correlations", "miss", "per_sample", "rates",
    "riccati", "start_1", "start_2",
]  # fmt: skip
