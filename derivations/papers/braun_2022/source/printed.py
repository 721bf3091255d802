r"""The numbered equations as printed, each beside the expression that a reader takes it for.

    EQ_1           the output of the network, W2 W1 x_n
    EQ_2           the loss
    EQ_3_XX EQ_3_YX  the correlations of the data
    EQ_4_Q EQ_4_F  the block matrices Q and F
    EQ_5           Fukumizu's solution, in undivided letters
    EQ_6           the four quadrants of Q Q^T
    EQ_7           the output over the data
    EQ_8_I EQ_8_O  the representational similarity of inputs, and of outputs
    EQ_9           the neural tangent kernel, applied to `error`
    EQ_10_START EQ_10_TASK  the two singular value decompositions
    EQ_11 EQ_12    Theorem 3.1
    EQ_13          Theorem 5.1
    EQ_14_START EQ_14_TASK  the parameters of two-dimensional networks
    EQ_15          the sigmoid of a diagonal element

and formulas of the running text, by the place that an entry names which prints them:

    BALANCED_START           "Assumption 2.3"
    OVERLAP_SUM OVERLAP_DIFFERENCE  "Assumption 3.1", the definitions of B and C
    FINAL_INPUT FINAL_OUTPUT "Theorem 3.2", in the letters of the limit
    START_INPUT START_OUTPUT "Theorem 5.1", the ansatz
    SAME_VECTORS             "Section 5", the decoupled start (a statement for U, and one for V)
    PRODUCT_OF_BASES         "Section 5", the remark on U V, for square matrices `SQUARE`
    PEAK                     "Section 5", the time of the peak
    FORGETTING               "Section 6", the loss of task i after learning task j, with `task_i`, `task_j`, `rest`

The right sides without their LaTeX are `solution_5`, `solution_11`, `solution_13`, `ntk`, `rsm_i`, `rsm_o`, `sigmoid`,
`t_peak` and `forgetting`.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations.language.words import Letter, Words, identity, norm2
from derivations.language.words.blocks import Blocks
from derivations.models import two_layer_linear as net
from derivations.models.two_layer_linear import HALF, W1, W2, F, Q, S, St, U, Ut, V, Vt, X, Y, loss, start_1, start_2
from derivations.papers.braun_2022.setup import a1, a2, b, paper, s, s1, s2, t, tau
from derivations.papers.braun_2022.source import vocabulary
from derivations.papers.braun_2022.source.vocabulary import (
    A,
    A_start,
    Q_start,
    Z,
    error,
    growth,
    rest,
    task_i,
    task_j,
    x_n,
)

# --- the network (section 2) --------------------------------------------------------------------------------------------

EQ_1 = paper.printed(r"\hat{\mathbf{y}}_n = \mathbf{W}_2 \mathbf{W}_1 \mathbf{x}_n,", W2 @ W1 @ x_n)

EQ_2 = paper.printed(
    r"\mathcal{L}(\hat{\mathbf{y}}, \mathbf{y}) = "
    r"\frac{1}{2} \left\langle ||\hat{\mathbf{y}} - \mathbf{y}||^2 \right\rangle,",
    loss,
)

EQ_3_XX = paper.printed(
    r"\tilde{\boldsymbol{\Sigma}}^{xx} = \frac{1}{P} \sum_{n=1}^{P} \mathbf{x}_n \mathbf{x}_n^T", net.data_xx
)

EQ_3_YX = paper.printed(
    r"\tilde{\boldsymbol{\Sigma}}^{yx} = \frac{1}{P} \sum_{n=1}^{P} \mathbf{y}_n \mathbf{x}_n^T", net.data_yx
)

EQ_4_Q = paper.printed(r"\mathbf{Q} = \begin{bmatrix} \mathbf{W}_1^T \\ \mathbf{W}_2 \end{bmatrix}", Q)

EQ_4_F = paper.printed(
    r"\mathbf{F} = \begin{bmatrix} 0 & (\tilde{\boldsymbol{\Sigma}}^{yx})^T \\"
    r" \tilde{\boldsymbol{\Sigma}}^{yx} & 0 \end{bmatrix},",
    F,
)

solution_5 = growth @ Q_start @ vocabulary.inner_5_inv @ Q_start.T @ growth
EQ_5 = paper.printed(
    r"\mathbf{Q}\mathbf{Q}^{T}(t) = e^{\mathbf{F}\frac{t}{\tau}}\mathbf{Q}(0) \left[\mathbf{I} + "
    r"\frac{1}{2}\mathbf{Q}(0)^{T} \left(e^{\mathbf{F}\frac{t}{\tau}}\mathbf{F}^{-1}e^{\mathbf{F}\frac{t}{\tau}} - "
    r"\mathbf{F}^{-1}\right)\mathbf{Q}(0)\right]^{-1}\mathbf{Q}(0)^{T}e^{\mathbf{F}\frac{t}{\tau}},",
    solution_5,
    letters=vocabulary.UNDIVIDED,
)

EQ_6 = paper.printed(
    r"\mathbf{Q}\mathbf{Q}^{T} = \begin{bmatrix} \mathbf{W}_{1}^{T}\mathbf{W}_{1}(t) & \mathbf{W}_{1}^{T}\mathbf{W}_{2}^{T}(t) \\"
    r" \mathbf{W}_{2}\mathbf{W}_{1}(t) & \mathbf{W}_{2}\mathbf{W}_{2}^{T}(t) \end{bmatrix},",
    Q @ Q.T,
    Blocks([[W1.T @ W1, W1.T @ W2.T], [W2 @ W1, W2 @ W2.T]]),
)

EQ_7 = paper.printed(r"\hat{\mathbf{Y}}(t) = \mathbf{W}_2 \mathbf{W}_1(t) \mathbf{X},", W2 @ W1 @ X)

rsm_i = X.T @ W1.T @ W1 @ X
EQ_8_I = paper.printed(
    r"\operatorname{RSM}_{I} = \mathbf{X}^{T} \mathbf{W}_{1}^{T} \mathbf{W}_{1}(t) \mathbf{X}", rsm_i
)

rsm_o = Y.T @ vocabulary.output_pinv @ Y
EQ_8_O = paper.printed(
    r"\operatorname{RSM}_{O} = \mathbf{Y}^{T} (\mathbf{W}_{2} \mathbf{W}_{2}^{T}(t))^{+} \mathbf{Y}", rsm_o
)


def ntk(at: Words) -> Words:
    """The printed kernel, applied to one number for each output and sample."""
    return identity("N_o") @ at @ (X.T @ W1.T @ W1 @ X).T + W2 @ W2.T @ at @ (X.T @ X).T


EQ_9 = paper.printed(
    r"NTK = \mathbf{I}_{N_o} \otimes \mathbf{X}^T \mathbf{W}_1^T \mathbf{W}_1(t) \mathbf{X} + "
    r"\mathbf{W}_2 \mathbf{W}_2^T(t) \otimes \mathbf{X}^T \mathbf{X},",
    ntk(error),
)

BALANCED_START = paper.printed(
    r"\mathbf{W}_1(0)\mathbf{W}_1(0)^T = \mathbf{W}_2(0)^T\mathbf{W}_2(0)", start_1 @ start_1.T, start_2.T @ start_2
)

# --- the solution for every start with B invertible (section 3) ---------------------------------------------------------

EQ_10_START = paper.printed(
    r"\operatorname{SVD}(\mathbf{W}_2(0)\mathbf{W}_1(0)) = \mathbf{U}\mathbf{S}\mathbf{V}^T",
    start_2 @ start_1,
    U @ S @ V.T,
)

EQ_10_TASK = paper.printed(
    r"\operatorname{SVD}(\tilde{\mathbf{\Sigma}}^{yx}) = \tilde{\mathbf{U}}\tilde{\mathbf{S}}\tilde{\mathbf{V}}^T",
    net.Sigma,
    Ut @ St @ Vt.T,
)

solution_11 = Z @ vocabulary.inner_11_inv @ Z.T
EQ_11 = paper.printed(
    r"\mathbf{Q}\mathbf{Q}^{T}(t) = \mathbf{Z} \Big[ 4e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} \mathbf{B}^{-1} "
    r"\mathbf{S}^{-1} (\mathbf{B}^{T})^{-1} e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} + "
    r"\left( \mathbf{I} - e^{-2\tilde{\mathbf{S}}\frac{t}{\tau}} \right) \tilde{\mathbf{S}}^{-1} "
    r"- e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} \mathbf{B}^{-1} \mathbf{C} "
    r"\left( e^{-2\tilde{\mathbf{S}}\frac{t}{\tau}} - \mathbf{I} \right) \tilde{\mathbf{S}}^{-1} "
    r"\mathbf{C}^{T} (\mathbf{B}^{T})^{-1} e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} "
    r"+ 4\frac{t}{\tau} e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} \mathbf{B}^{-1} "
    r"(\mathbf{V}^{T} \tilde{\mathbf{V}}_{\perp} \tilde{\mathbf{V}}_{\perp}^{T} \mathbf{V} + "
    r"\mathbf{U}^{T} \tilde{\mathbf{U}}_{\perp} \tilde{\mathbf{U}}_{\perp}^{T} \mathbf{U}) "
    r"(\mathbf{B}^{T})^{-1} e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} \Big]^{-1} \mathbf{Z}^{T}",
    solution_11,
)

EQ_12 = paper.printed(
    r"\mathbf{Z} = \begin{bmatrix} \tilde{\mathbf{V}} \left( \mathbf{I} - e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} "
    r"\mathbf{C}^{T} (\mathbf{B}^{T})^{-1} e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} \right) + "
    r"2\tilde{\mathbf{V}}_{\perp} \tilde{\mathbf{V}}_{\perp}^{T} \mathbf{V} (\mathbf{B}^{T})^{-1} "
    r"e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} \\"
    r" \tilde{\mathbf{U}} \left( \mathbf{I} + e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} "
    r"\mathbf{C}^{T} (\mathbf{B}^{T})^{-1} e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} \right) + "
    r"2\tilde{\mathbf{U}}_{\perp} \tilde{\mathbf{U}}_{\perp}^{T} \mathbf{U} (\mathbf{B}^{T})^{-1} "
    r"e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} \end{bmatrix}.",
    Z,
)

OVERLAP_SUM = paper.printed(
    r"\mathbf{B} = \mathbf{U}^T \tilde{\mathbf{U}} + \mathbf{V}^T \tilde{\mathbf{V}}", U.T @ Ut + V.T @ Vt
)
OVERLAP_DIFFERENCE = paper.printed(
    r"\mathbf{C} = \mathbf{U}^T \tilde{\mathbf{U}} - \mathbf{V}^T \tilde{\mathbf{V}}", U.T @ Ut - V.T @ Vt
)

FINAL_INPUT = paper.printed(
    r"\mathbf{W}_1^T\mathbf{W}_1 = \tilde{\mathbf{V}}\tilde{\mathbf{S}}\tilde{\mathbf{V}}^T", Vt @ St @ Vt.T
)
FINAL_OUTPUT = paper.printed(
    r"\mathbf{W}_2\mathbf{W}_2^T = \tilde{\mathbf{U}}\tilde{\mathbf{S}}\tilde{\mathbf{U}}^T", Ut @ St @ Ut.T
)

# --- the solution in the basis of the task (section 5) ------------------------------------------------------------------

solution_13 = vocabulary.inner_13_inv
EQ_13 = paper.printed(
    r"\mathbf{A}^{T}\mathbf{A}(t) = \left[e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} "
    r"\left(\mathbf{A}(0)^{T}\mathbf{A}(0)\right)^{-1} e^{-\tilde{\mathbf{S}}\frac{t}{\tau}} + "
    r"(\mathbf{I} - e^{-2\tilde{\mathbf{S}}\frac{t}{\tau}})\tilde{\mathbf{S}}^{-1}\right]^{-1}.",
    A.T @ A,
    solution_13,
)

START_INPUT = paper.printed(r"\mathbf{W}_1 = \mathbf{A}(0)\mathbf{\tilde{V}}^T", A_start @ Vt.T)
START_OUTPUT = paper.printed(r"\mathbf{W}_2 = \mathbf{\tilde{U}}\mathbf{A}(0)^T", Ut @ A_start.T)

SAME_VECTORS = (
    paper.printed(r"\mathbf{U} = \tilde{\mathbf{U}}", U, Ut),
    paper.printed(r"\mathbf{V} = \tilde{\mathbf{V}}", V, Vt),
)

SQUARE = {letter.name: Letter(letter.name, "N", "N", orthonormal_columns=True) for letter in (U, V, Ut, Vt)}
"""The singular vectors where inputs, outputs and modes are equally many."""

PRODUCT_OF_BASES = paper.printed(
    r"\mathbf{UV} = \tilde{\mathbf{U}}\tilde{\mathbf{V}}",
    SQUARE["U"] @ SQUARE["V"],
    SQUARE["U_t"] @ SQUARE["V_t"],
    letters=SQUARE,
)


def _table(*rows: tuple[Any, Any]) -> tuple[Any, ...]:
    return ("matrix", tuple(tuple(map(paper.term, row)) for row in rows))


EQ_14_START = paper.printed(
    r"\mathbf{A}(0)^T \mathbf{A}(0) = \begin{bmatrix} a_1(0) & b(0) \\ b(0) & a_2(0) \end{bmatrix}",
    _table((a1, b), (b, a2)),
)

EQ_14_TASK = paper.printed(
    r"\tilde{\mathbf{S}} = \begin{bmatrix} s_1 & 0 \\ 0 & s_2 \end{bmatrix},", _table((s1, 0), (0, s2))
)

with sp.evaluate(False):
    sigmoid = s * a1 / (sp.exp(-2 * s * t / tau) * (s - a1 - a2) + a1 + a2)
    t_peak = tau / (4 * s) * sp.log(s * (s - a1 - a2) / (a1 * a2 - b**2))

EQ_15 = paper.printed(
    r"a_1(t) = \frac{sa_1(0)}{e^{\frac{-2st}{\tau}} \left[s - a_1(0) - a_2(0)\right] + a_1(0) + a_2(0)},", sigmoid
)

PEAK = paper.printed(r"t_{peak} = \frac{\tau}{4s} \ln \frac{s(s-a_1-a_2)}{a_1a_2-b(0)^2}", t_peak)

# --- a sequence of tasks (section 6) ------------------------------------------------------------------------------------

forgetting = HALF * norm2(task_j - task_i) + rest
FORGETTING = paper.printed(
    r"\mathcal{L}_i(\mathcal{T}_j) = 1/2 || \tilde{\Sigma}_j^{yx} - \tilde{\Sigma}_i^{yx} ||_F^2 + c", forgetting
)
