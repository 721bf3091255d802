"""How the paper writes its formulas: spellings, the letters behind them, and what inverses and exponentials are called.

Time runs in units of tau, so that the printed t/tau is one letter.
"""

from derivations.author import *
from derivations.models.two_layer_linear import *
from derivations.language.words import number
from derivations.latex import Notation, acts_on, block_matrix, declared, exponentials, sums_of_columns
from derivations.latex.printed import Vocabulary, symbols_of
from derivations.models import two_layer_linear as net

# --- the singular value decompositions of the start and of the task (equation 10) --------------------------------------
B = letters("B", equals=U.T @ Ut + V.T @ Vt)
C = letters("C", equals=U.T @ Ut - V.T @ Vt)
B_inv = letters("B_inv", inverse_of=B)  # Assumption 3.1
time = letters("t")  # t/tau
E = letters("E: N_m x N_m", diagonal=True)  # exp(-S_t t/tau)
DECAY = {time: number(1), E: -(St @ E)}  # how t/tau and the exponential of the task's singular values move

# --- equation 5, in which Q and F stand undivided -----------------------------------------------------------------------
Q_start = letters("Q_0: N x N_h")
F_whole = letters("F: N x N", symmetric=True)
F_inv = letters("F_inv", inverse_of=F_whole)
growth = letters("G: N x N", symmetric=True, commutes_with=[F_whole, F_inv])  # exp(F t/tau)
# How the exponential of F moves; the rate is written symmetrically, as the letter is symmetric.
GROWTH = {time: number(1), growth: HALF * (F_whole @ growth + growth @ F_whole)}

# --- equations 11 to 13 -------------------------------------------------------------------------------------------------
ONE = identity("N_m")
A, A_start = letters("A: N_h x N_m, A_0: N_h x N_m")
gram_inv = letters("P_0_inv", inverse_of=A_start.T @ A_start)

# --- kernels ------------------------------------------------------------------------------------------------------------
# The pseudoinverse of W_2 W_2^T; `PENROSE` says what makes it one.
output_pinv = letters("W2W2_pinv: N_o x N_o", symmetric=True)
output_gram = W2 @ W2.T
PENROSE = [(output_gram @ output_pinv @ output_gram, output_gram),
    (output_pinv @ output_gram @ output_pinv, output_pinv),
    (output_gram @ output_pinv, output_pinv @ output_gram)]
# What a kernel of the whole network acts on: one number for each output and each sample, stacked row by row.
error = letters("error: N_o x P")

# --- two tasks of a sequence (section 6) --------------------------------------------------------------------------------
task_i, task_j = letters("Sigma_i: N_o x N_i, Sigma_j: N_o x N_i")
rest = letters("c")  # the part of a task's loss that no linear network avoids

# --- sums over the data -------------------------------------------------------------------------------------------------
x_n, y_n = letters("x_n: N_i, y_n: N_o")
samples = letters("samples")  # one training pair, and how many there are (printed P)
over_samples = sums_of_columns({x_n: X, y_n: Y}, ("n", Fraction(1), samples))

# --- spellings ----------------------------------------------------------------------------------------------------------
WORDS = Notation({
    r"\hat{\mathbf{y}}_{n}": "yhat_n", r"\hat{\mathbf{y}}": "yhat_n", r"\mathbf{y}": "y_n", r"\mathbf{y}_{n}": "y_n",
    r"\mathbf{x}_{n}": "x_n", r"\mathcal{L}(\hat{\mathbf{y}}, \mathbf{y})": "loss",
    r"\tilde{\boldsymbol{\Sigma}}^{xx}": "Sigma_xx", r"\tilde{\boldsymbol{\Sigma}}^{yx}": "Sigma",
    r"\tilde{\mathbf{\Sigma}}^{yx}": "Sigma", r"\mathbf{W}_{1}": "W1", r"\mathbf{W}_{2}": "W2",
    r"\mathbf{W}_{1}(t)": "W1", r"\mathbf{W}_{2}^{T}(t)": ("T", ("s", "W2")), r"\mathbf{W}_{1}(0)": "W1_0",
    r"\mathbf{W}_{2}(0)": "W2_0", r"\mathbf{Q}\mathbf{Q}^{T}(t)": "QQ", r"\mathbf{Q}": "Q", r"\mathbf{Q}(0)": "Q_0",
    r"\mathbf{F}": "F", r"\mathbf{X}": "X", r"\mathbf{Y}": "Y", r"\hat{\mathbf{Y}}(t)": "Yhat",
    r"\operatorname{RSM}_{I}": "RSM_I", r"\operatorname{RSM}_{O}": "RSM_O", r"NTK": "NTK", r"\mathbf{I}": "I",
    r"\mathbf{I}_{N_{o}}": "I_out", r"\frac{t}{\tau}": "t", r"\mathbf{U}": "U", r"\mathbf{V}": "V",
    r"\mathbf{S}": "S", r"\tilde{\mathbf{U}}": "U_t", r"\tilde{\mathbf{V}}": "V_t", r"\tilde{\mathbf{S}}": "S_t",
    r"\tilde{\mathbf{U}}_{\perp}": "U_p", r"\tilde{\mathbf{V}}_{\perp}": "V_p", r"\mathbf{B}": "B",
    r"\mathbf{C}": "C", r"\mathbf{Z}": "Z", r"\mathbf{A}": "A", r"\mathbf{A}(t)": "A", r"\mathbf{A}(0)": "A_0",
    r"\mathbf{\tilde{U}}": "U_t", r"\mathbf{\tilde{V}}": "V_t", r"\mathbf{UV}": ("*", ("s", "U"), ("s", "V")),
    r"\mathcal{L}_{i}(\mathcal{T}_{j})": "loss_ij", r"\tilde{\Sigma}_{i}^{yx}": "Sigma_i",
    r"\tilde{\Sigma}_{j}^{yx}": "Sigma_j", }, letters="P c", functions={r"\operatorname{SVD}": "SVD"})
LETTERS = {"x_n": x_n, "y_n": y_n, "yhat_n": W2 @ W1 @ x_n, "loss": net.loss, "P": samples,
    "W1": W1, "W2": W2, "W1_0": net.start_1, "W2_0": net.start_2, "X": X, "Y": Y, "Sigma": net.Sigma, "Q": Q, "F": F,
    "I": identity("N_m"), "I_out": identity("N_o"), "t": time,
    "U": U, "V": V, "S": S, "U_t": Ut, "V_t": Vt, "S_t": St, "U_p": Up, "V_p": Vp, "B": B, "C": C,
    "A": A, "A_0": A_start, "Sigma_i": task_i, "Sigma_j": task_j, "c": rest}
# What the letters of equation 5 mean: there Q and F stand whole, and the identity is as large as the hidden layer.
UNDIVIDED = {"Q_0": Q_start, "F": F_whole, "I": identity("N_h")}
INVERSES = [(samples, net.per_sample),
    (S, S_inv),
    (St, St_inv),
    (B, B_inv),
    (F_whole, F_inv),
    (A_start.T @ A_start, gram_inv)]
a1, a2, b = reals("a1 a2 b")  # the entries of A(0)'A(0)
s, s1, s2, tau, t = reals("s s1 s2 tau > 0, t >= 0")
SCALARS = Notation({
        r"a_{1}(0)": "a1", r"a_{2}(0)": "a2", r"b(0)": "b", r"a_{1}": "a1", r"a_{2}": "a2", r"a_{1}(t)": "a1_t",
        r"s_{1}": "s1", r"s_{2}": "s2", r"t_{peak}": "t_peak", r"\mathbf{A}(0)": "A_0", r"\tilde{\mathbf{S}}": "S_t",
    }, letters=r"s t \tau")
VOCABULARY = Vocabulary(SCALARS, WORDS, LETTERS, {"matrix": block_matrix,
        "inverse": declared("inverse", INVERSES),
        "pinv": declared("pseudoinverse", [(output_gram, output_pinv)]),
        "exp": exponentials([(-1 * St * time, E), (F_whole * time, growth)]),
        "kron": acts_on(error),
        "sum": over_samples,
        "index": lambda *parts: parts,
        "norm2": norm2,
        "mean": lambda body: net.per_sample * over_samples(body),
        "SVD": lambda product: product,  # what stands beside it is the decomposition, which multiplies up to it
    }, meanings=symbols_of(a1, a2, b, s, s1, s2, t, tau))
