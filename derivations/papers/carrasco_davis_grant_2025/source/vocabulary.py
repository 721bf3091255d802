r"""How the paper writes.

The iteration u is not kept: every quantity is that of the update at hand, and W^{u+1} is what the update makes of W.
The noise \xi^{u} is read as that of the sample beside which it stands, and \lambda_{i}^{u} as the field of sample s, as
equation 13 defines it.
"""

from __future__ import annotations

from typing import Any

from derivations.language.sums import Array, size, total
from derivations.language.words import Letter, Words
from derivations.latex import (
    Indexed,
    Notation,
    declared,
    over_printed_indices,
    reciprocals,
    settled,
    square_roots,
    values_at,
)
from derivations.latex.printed import Vocabulary
from derivations.models import committee as net
from derivations.models.committee import B, K, M, N, W, a, eta, i, j, k, l, m, n, noise, per_input, s, s_other, sigma, x
from derivations.models.committee.population import I2, I3, I4, J2, average

root_inputs = Array("root_inputs").value
"""sqrt(N)."""
inputs, over_inputs = Letter("inputs", 1, 1), Letter("per_input", 1, 1)
"""N and 1/N beside matrices."""

STUDENTS, SAMPLES = (i, j, k, l), (s, s_other)
INDICES = {**{at.name: at for at in (*STUDENTS, m, n, s)}, r"s^{\prime}": s_other}

WORDS = {
    "W_i": (W, i), "W_j": (W, j), "W_k": (W, k), "W_teacher_m": (net.W_teacher, m), "W_teacher_n": (net.W_teacher, n),
    "x_s": (x, s), "x_s_other": (x, s_other),
}  # fmt: skip
LETTERS: dict[str, Any] = {
    **{name: Indexed(array[at, a], a) for name, (array, at) in WORDS.items()},
    **{f"W_{at.name}_next": Indexed(W[at, a] + net.step(at, a), a) for at in (i, j)},
    **{f"lambda_{at.name}": Indexed(net.student_field(at, s)) for at in STUDENTS},
    **{f"rho_{at.name}": Indexed(net.teacher_field(at, s)) for at in (m, n)},
    **{f"Delta_{at.name}": Indexed(net.error(at)) for at in SAMPLES},
    **{at.name: at for at in (i, j, k, l, m, n)},
    "K": Indexed(size(K)), "M": Indexed(size(M)), "N": Indexed(size(N)), "B": Indexed(size(B)),
    "eta": Indexed(eta), "sigma": Indexed(sigma), "xi": Indexed(noise[s]), "dt": Indexed(per_input),
    "y_s": Indexed(total(net.g_teacher[m, s], m) + sigma * noise[s]), "yhat_s": Indexed(total(net.g_student[k, s], k)),
    "R_in": Indexed(per_input * total(W[i, a] * net.W_teacher[n, a], a)),
    "Q_ij": Indexed(per_input * total(W[i, a] * W[j, a], a)),
}  # fmt: skip

FIELDS = [(net.student_field, net.g_student, at, sample) for at in STUDENTS for sample in SAMPLES]
FIELDS += [(net.teacher_field, net.g_teacher, at, sample) for at in (m, n) for sample in SAMPLES]


TIME_STEP = {"dt": "dt"}
"""Where dt stands as a factor of its own; elsewhere it belongs to a derivative."""

OBJECTS = Notation(
    {
        r"W_{i}": "W_i",
        r"W_{i}^{u}": "W_i",
        r"W_{j}": "W_j",
        r"W_{j}^{u}": "W_j",
        r"W_{k}": "W_k",
        r"W_{i}^{u+1}": "W_i_next",
        r"W_{j}^{u+1}": "W_j_next",
        r"W^{*}_{m}": "W_teacher_m",
        r"W_{n}^{*}": "W_teacher_n",
        r"x_{s}^{u}": "x_s",
        r"y_{s}^{u}": "y_s",
        r"\hat{y}_{s}^{u}": "yhat_s",
        r"y": "y_s",
        r"\hat{y}": "yhat_s",
        r"\xi^{u}": "xi",
        r"\Delta_{s}^{u}": "Delta_s",
        r"\Delta_{s'}^{u}": "Delta_s_other",
        r"\lambda_{i}^{u}": "lambda_i",
        r"\lambda_{j}^{u}": "lambda_j",
        r"\rho_{n}^{u}": "rho_n",
        r"\rho_{m}^{u}": "rho_m",
        r"R_{in}^{u}": "R_in",
        r"Q^{u}_{ij}": "Q_ij",
        r"\mathcal{L}^{u}": "loss",
        r"\mathcal{L^{u}}": "loss",
        r"\mathcal{L}": "loss",
        r"\eta_{W}": "eta",
        r"R_{in}": "R_in",
        r"R_{in}^{u+1}": "R_in_next",
        r"Q_{ij}": "Q_ij",
        r"Q_{ik}": "Q_ik",
        r"Q_{ij}^{u+1}": "Q_ij_next",
        r"\mathcal{E}": "error",
        r"W^{*}": "W_teacher",
    },
    letters=r"i j k l m n t K M N B R Q T W \sigma",
    functions={"g": "g", "g'": "slope", "I_{2}": "I2", "I_{3}": "I3", "I_{4}": "I4", "J_{2}": "J2"},
    averages=("", "x,y"),
)

by_sums = reciprocals({"B": net.per_sample, "N": per_input, "root_inputs": net.root})
by_words = declared("inverse", [(inputs, over_inputs)])


def divided(divisor: Any) -> Any:
    """Equation 10 is printed for whole matrices, all others for their entries."""
    return by_words(divisor) if isinstance(divisor, Words) else by_sums(divisor)


RULES: dict[str, Any] = {
    "sum": over_printed_indices(INDICES, [K, M, N, B]),
    "index": lambda *parts: parts,
    "none": lambda: None,
    "inverse": divided,
    "power": square_roots([(size(N), root_inputs)]),
    "g": values_at([(field(at, q), values[at, q]) for field, values, at, q in FIELDS], "g"),
    "mean": lambda body: Indexed(average(settled(body), s)),
    **{average_of.__name__: average_of for average_of in (I2, I3, I4, J2)},
    "slope": values_at([(net.student_field(at, q), net.slope[at, q]) for at in STUDENTS for q in SAMPLES], "g'"),
}

SCALARS = OBJECTS.extended(
    {
        r"C_{ab}": "C_ab",
        r"C_{aa}": "C_aa",
        r"C_{bb}": "C_bb",
        r"\nu_{a}": "nu_a",
        r"\phi_{b}": "phi_b",
        r"\psi_{c}": "psi_c",
        r"\gamma_{d}": "gamma_d",
        r"W^{u}": "W",
        r"W^{u+1}": "W_next",
    },
    letters="a b c d",
    functions={"f": "f", "f^{*}": "f_teacher", r"\mathcal{E}": "error"},
)

VOCABULARY = Vocabulary(SCALARS, OBJECTS, LETTERS, RULES, settled)
