r"""The paper, which text of it was read, and its printed formulas in its order.

The formulas are verbatim; `EQ_5.right` and so on are what their LaTeX says. Q and F stand undivided in equation 5.
Equations 5, 11 and 13 have an inverse of a bracket in them: `inner_5` is what stands in it, read from the LaTeX, and
`inner_5_inv` the letter for its inverse. Equation 9 is applied to `error`.
"""

from derivations.author import *
from derivations.models.two_layer_linear import *
from derivations.models.two_layer_linear.frames import *
from derivations.papers.braun_2022.source.vocabulary import *
from derivations.latex.formula import Formula
from derivations.models import two_layer_linear

aligned1, aligned2, definite, fade = reals("a1 a2 D F > 0")
# The diagonal and the determinant of A(0)'A(0) where they are positive, e^(-2 s t/tau), and that determinant.
D = a1 * a2 - b**2
net = two_layer_linear
paper = Paper("braun_2022", title="Exact learning dynamics of deep linear networks with prior knowledge",
    authors="Lukas Braun, Clémentine C. J. Dominé, James E. Fitzgerald, Andrew M. Saxe", year=2022,
    source="Advances in Neural Information Processing Systems 35 (2022)", numbered=15, vocabulary=VOCABULARY,
    read="The main text of the conference version (NeurIPS 2022), up to its checklist. Its supplementary appendices A to H "
    "(proofs, the solution of two modes in full, settings of the simulations) and the later version in a journal were not "
    "read.", models=[net])

def product(left, right):
    """A product of matrices whose entries stay sums of products."""
    rows, terms = range(left.rows), range(left.cols)
    return Matrix([[sp.Add(*(sp.Mul(left[i, k], right[k, j], evaluate=False) for k in terms), evaluate=False)
        for j in range(right.cols)] for i in rows])

# --- definitions ------------------------------------------------------------------------------------------------------
# Place, name, what it says, and how it is printed.
DEFINITIONS = [("Eq. 1", "network_output", "A network with two layers of weights and no nonlinearity.",
     r"\hat{\mathbf{y}}_n = \mathbf{W}_2 \mathbf{W}_1 \mathbf{x}_n,"),
    ("Eq. 2", "mean_squared_loss", "The loss is half the mean squared error.",
     r"\mathcal{L}(\hat{\mathbf{y}}, \mathbf{y}) = \frac{1}{2} \left\langle ||\hat{\mathbf{y}} - \mathbf{y}||^2 \right\rangle,"),
    ("Eq. 3", "input_correlation", "The correlation of the inputs.",
     r"\tilde{\boldsymbol{\Sigma}}^{xx} = \frac{1}{P} \sum_{n=1}^{P} \mathbf{x}_n \mathbf{x}_n^T"),
    ("Eq. 3", "output_input_correlation", "The correlation of the targets with the inputs.",
     r"\tilde{\boldsymbol{\Sigma}}^{yx} = \frac{1}{P} \sum_{n=1}^{P} \mathbf{y}_n \mathbf{x}_n^T"),
    ("Eq. 4", "stacked_weights", "The first weights, transposed, stand on the second weights.",
     r"\mathbf{Q} = \begin{bmatrix} \mathbf{W}_1^T \\ \mathbf{W}_2 \end{bmatrix}"),
    ("Eq. 4", "task_matrix", "The correlation of the task and its transpose beside the diagonal.",
     r"\mathbf{F} = \begin{bmatrix} 0 & (\tilde{\boldsymbol{\Sigma}}^{yx})^T \\ \tilde{\boldsymbol{\Sigma}}^{yx} & 0 \end{bmatrix},"),
    ("Assumption 2.3", "zero_balanced_start", "The weights are zero-balanced at the beginning of training.",
     r"\mathbf{W}_1(0)\mathbf{W}_1(0)^T = \mathbf{W}_2(0)^T\mathbf{W}_2(0)"),
    ("Eq. 6", "quadrants", "The matrix Q Q^T holds the network function and the weights' correlations.",
     r"\mathbf{Q}\mathbf{Q}^{T} = \begin{bmatrix} \mathbf{W}_{1}^{T}\mathbf{W}_{1}(t) & \mathbf{W}_{1}^{T}\mathbf{W}_{2}^{T}(t) \\ \mathbf{W}_{2}\mathbf{W}_{1}(t) & \mathbf{W}_{2}\mathbf{W}_{2}^{T}(t) \end{bmatrix},"),
    ("Eq. 10", "svd_of_the_start", "The compact singular value decomposition of the start.",
     r"\operatorname{SVD}(\mathbf{W}_2(0)\mathbf{W}_1(0)) = \mathbf{U}\mathbf{S}\mathbf{V}^T"),
    ("Eq. 14", "start_of_two_modes", "The start of a network with two modes, by three numbers.",
     r"\mathbf{A}(0)^T \mathbf{A}(0) = \begin{bmatrix} a_1(0) & b(0) \\ b(0) & a_2(0) \end{bmatrix}"),
    ("Eq. 14", "task_of_two_modes", "The task of a network with two modes.",
     r"\tilde{\mathbf{S}} = \begin{bmatrix} s_1 & 0 \\ 0 & s_2 \end{bmatrix},")]

for place, name, says, latex in DEFINITIONS:
    paper.equation(place, latex, name=name, says=says)

# --- the network (section 2) ------------------------------------------------------------------------------------------
def bracket(latex, name, rows, letters=None):
    """The content of a printed bracket, and the letter for its inverse."""
    inside = Formula(latex, VOCABULARY, letters or {}).right
    inverse = Letter(name, rows, rows, inverse_of=inside)
    INVERSES.append((inside, inverse))
    return inside, inverse

GROWS = r"e^{\mathbf{F}\frac{t}{\tau}}"
IN_5 = (rf"\mathbf{{I}} + \frac{{1}}{{2}}\mathbf{{Q}}(0)^{{T}} \left({GROWS}\mathbf{{F}}^{{-1}}{GROWS} - "
    r"\mathbf{F}^{-1}\right)\mathbf{Q}(0)")
inner_5, inner_5_inv = bracket(IN_5, "M_inv", "N_h", UNDIVIDED)
EQ_5 = paper.equation("Eq. 5",
    rf"\mathbf{{Q}}\mathbf{{Q}}^{{T}}(t) = {GROWS}\mathbf{{Q}}(0) \left[{IN_5}\right]^{{-1}}\mathbf{{Q}}(0)^{{T}}{GROWS},",
    letters=UNDIVIDED)
EQ_7 = paper.equation("Eq. 7", r"\hat{\mathbf{Y}}(t) = \mathbf{W}_2 \mathbf{W}_1(t) \mathbf{X},")
EQ_8_I = paper.equation(
    "Eq. 8, RSM_I", r"\operatorname{RSM}_{I} = \mathbf{X}^{T} \mathbf{W}_{1}^{T} \mathbf{W}_{1}(t) \mathbf{X}")
EQ_8_O = paper.equation(
    "Eq. 8, RSM_O", r"\operatorname{RSM}_{O} = \mathbf{Y}^{T} (\mathbf{W}_{2} \mathbf{W}_{2}^{T}(t))^{+} \mathbf{Y}")
EQ_9 = paper.equation("Eq. 9",
    r"NTK = \mathbf{I}_{N_o} \otimes \mathbf{X}^T \mathbf{W}_1^T \mathbf{W}_1(t) \mathbf{X} + "
    r"\mathbf{W}_2 \mathbf{W}_2^T(t) \otimes \mathbf{X}^T \mathbf{X},")

# --- the solution for every start with an inverse of B (section 3) ------------------------------------------------------
TASK = paper.equation("Eq. 10",
    r"\operatorname{SVD}(\tilde{\mathbf{\Sigma}}^{yx}) = \tilde{\mathbf{U}}\tilde{\mathbf{S}}\tilde{\mathbf{V}}^T",
    name="svd_of_the_task", says="The compact singular value decomposition of the task.")
paper.equation("Assumption 3.1", r"\mathbf{B} = \mathbf{U}^T \tilde{\mathbf{U}} + \mathbf{V}^T \tilde{\mathbf{V}}",
    name="overlap_of_the_bases", says="What the start's singular vectors have in common with the task's.")
paper.equation("Assumption 3.1", r"\mathbf{C} = \mathbf{U}^T \tilde{\mathbf{U}} - \mathbf{V}^T \tilde{\mathbf{V}}",
    name="opposition_of_the_bases", says="How differently outputs and inputs have it in common.")
FADES, BT_INV = r"e^{-\tilde{\mathbf{S}}\frac{t}{\tau}}", r"(\mathbf{B}^{T})^{-1}"
EQ_12 = paper.equation("Eq. 12",
    rf"\mathbf{{Z}} = \begin{{bmatrix}} \tilde{{\mathbf{{V}}}} \left( \mathbf{{I}} - {FADES} \mathbf{{C}}^{{T}} {BT_INV} {FADES} "
    rf"\right) + 2\tilde{{\mathbf{{V}}}}_{{\perp}} \tilde{{\mathbf{{V}}}}_{{\perp}}^{{T}} \mathbf{{V}} {BT_INV} {FADES} \\ "
    rf"\tilde{{\mathbf{{U}}}} \left( \mathbf{{I}} + {FADES} \mathbf{{C}}^{{T}} {BT_INV} {FADES} \right) + "
    rf"2\tilde{{\mathbf{{U}}}}_{{\perp}} \tilde{{\mathbf{{U}}}}_{{\perp}}^{{T}} \mathbf{{U}} {BT_INV} {FADES} \end{{bmatrix}}.")
IN_11 = (rf"4{FADES} \mathbf{{B}}^{{-1}} \mathbf{{S}}^{{-1}} {BT_INV} {FADES} + "
    r"\left( \mathbf{I} - e^{-2\tilde{\mathbf{S}}\frac{t}{\tau}} \right) \tilde{\mathbf{S}}^{-1} "
    rf"- {FADES} \mathbf{{B}}^{{-1}} \mathbf{{C}} "
    r"\left( e^{-2\tilde{\mathbf{S}}\frac{t}{\tau}} - \mathbf{I} \right) \tilde{\mathbf{S}}^{-1} "
    rf"\mathbf{{C}}^{{T}} {BT_INV} {FADES} + 4\frac{{t}}{{\tau}} {FADES} \mathbf{{B}}^{{-1}} "
    r"(\mathbf{V}^{T} \tilde{\mathbf{V}}_{\perp} \tilde{\mathbf{V}}_{\perp}^{T} \mathbf{V} + "
    rf"\mathbf{{U}}^{{T}} \tilde{{\mathbf{{U}}}}_{{\perp}} \tilde{{\mathbf{{U}}}}_{{\perp}}^{{T}} \mathbf{{U}}) {BT_INV} {FADES}"
)
inner_11, inner_11_inv = bracket(IN_11, "K_inv", "N_m")
EQ_11 = paper.equation(["Eq. 11", "Theorem 3.1"],
    rf"\mathbf{{Q}}\mathbf{{Q}}^{{T}}(t) = \mathbf{{Z}} \Big[ {IN_11} \Big]^{{-1}} \mathbf{{Z}}^{{T}}",
    letters={"Z": EQ_12.right})
FINAL_INPUT = paper.equation("Theorem 3.2, representation of inputs",
    r"\mathbf{W}_1^T\mathbf{W}_1 = \tilde{\mathbf{V}}\tilde{\mathbf{S}}\tilde{\mathbf{V}}^T")
FINAL_OUTPUT = paper.equation("Theorem 3.2, representation of outputs",
    r"\mathbf{W}_2\mathbf{W}_2^T = \tilde{\mathbf{U}}\tilde{\mathbf{S}}\tilde{\mathbf{U}}^T")

# --- the solution in the basis of the task (section 5) ------------------------------------------------------------------
IN_13 = (rf"{FADES} \left(\mathbf{{A}}(0)^{{T}}\mathbf{{A}}(0)\right)^{{-1}} {FADES} + "
    r"(\mathbf{I} - e^{-2\tilde{\mathbf{S}}\frac{t}{\tau}})\tilde{\mathbf{S}}^{-1}")
inner_13, inner_13_inv = bracket(IN_13, "L_inv", "N_m")
EQ_13 = paper.equation("Eq. 13", rf"\mathbf{{A}}^{{T}}\mathbf{{A}}(t) = \left[{IN_13}\right]^{{-1}}.")
START_INPUT = paper.equation("Theorem 5.1, the ansatz", r"\mathbf{W}_1 = \mathbf{A}(0)\mathbf{\tilde{V}}^T")
START_OUTPUT = paper.equation("Theorem 5.1, without assumption 2.3", r"\mathbf{W}_2 = \mathbf{\tilde{U}}\mathbf{A}(0)^T",
)
for side, latex in (("left", r"\mathbf{U} = \tilde{\mathbf{U}}"), ("right", r"\mathbf{V} = \tilde{\mathbf{V}}")):
    paper.equation(
        "Section 5", latex, name=f"same_{side}_vectors", says=f"Start and task share the {side} singular vectors.")

# The singular vectors where inputs, outputs and modes are equally many.
SQUARE = {letter.name: Letter(letter.name, "N", "N", orthonormal_columns=True) for letter in (U, V, Ut, Vt)}
BASES = paper.equation(
    "Section 5, the remark on U V", r"\mathbf{UV} = \tilde{\mathbf{U}}\tilde{\mathbf{V}}", letters=SQUARE)
PEAK = paper.equation(
    "Section 5, time of the peak", r"t_{peak} = \frac{\tau}{4s} \ln \frac{s(s-a_1-a_2)}{a_1a_2-b(0)^2}")
EQ_15 = paper.equation(
    "Eq. 15", r"a_1(t) = \frac{sa_1(0)}{e^{\frac{-2st}{\tau}} \left[s - a_1(0) - a_2(0)\right] + a_1(0) + a_2(0)},")

# --- a sequence of tasks (section 6) ------------------------------------------------------------------------------------
FORGETTING = paper.equation("Section 6, loss of another task",
    r"\mathcal{L}_i(\mathcal{T}_j) = 1/2 || \tilde{\Sigma}_j^{yx} - \tilde{\Sigma}_i^{yx} ||_F^2 + c",
    reads=r"\mathcal{L}_i(\mathcal{T}_j) = \frac{1}{2} || \tilde{\Sigma}_j^{yx} - \tilde{\Sigma}_i^{yx} ||_F^2 + c")
