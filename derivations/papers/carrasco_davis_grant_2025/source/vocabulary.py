r"""How the paper writes.

The iteration u is not kept: every quantity is that of the update at hand, and W^{u+1} is what the update makes of W.
The noise \xi^{u} is read as that of the sample beside which it stands, and \lambda_{i}^{u} as the field of sample s, as
equation 13 defines it.
"""

from derivations.author import *
from derivations.models.committee import *
from derivations.language.sums import size
from derivations.latex import (
    Indexed, Notation, NotThisKind, OverPrintedIndices, declared, moving, reciprocals, settled, square_roots,
    time_derivative, values_at)
from derivations.latex.printed import Vocabulary
from derivations.models import committee as net
from derivations.models.committee import population
from derivations.models.committee.population import (
    I2, I3, I4, J2, ONE_SAMPLE_TWICE, average, over_batches, student_rate, teacher_rate)

overlap = population.overlap
root_inputs = Array("root_inputs").value  # sqrt(N)
inputs, over_inputs = letters("inputs, per_input")  # N and 1/N beside matrices
students, teachers = letters("W: K x N, W_teacher: M x N")

# --- what moves ---------------------------------------------------------------------------------------------------------
def students_moving(other, pairs=ONE_SAMPLE_TWICE):
    """Q of students i and another, in batches whose pairs of samples are counted so."""
    return moving(overlap(W[i, a], W[other, a]), lambda: student_rate(other, pairs))

# --- names --------------------------------------------------------------------------------------------------------------
STUDENTS, SAMPLES = (i, j, k, l), (s, s_other)
INDICES = {**{at.name: at for at in (*STUDENTS, m, n, s)}, r"s^{\prime}": s_other}
WORDS = {
    "W_i": (W, i), "W_j": (W, j), "W_k": (W, k), "W_teacher_m": (net.W_teacher, m), "W_teacher_n": (net.W_teacher, n),
    "x_s": (x, s), "x_s_other": (x, s_other)}
LETTERS = {**{name: Indexed(array[at, a], a) for name, (array, at) in WORDS.items()},
    **{f"W_{at.name}_next": Indexed(W[at, a] + net.step(at, a), a) for at in (i, j)},
    **{f"lambda_{at.name}": Indexed(net.student_field(at, s)) for at in STUDENTS},
    **{f"rho_{at.name}": Indexed(net.teacher_field(at, s)) for at in (m, n)},
    **{f"Delta_{at.name}": Indexed(net.error(at)) for at in SAMPLES},
    **{at.name: at for at in (i, j, k, l, m, n)},
    "K": Indexed(size(K)), "M": Indexed(size(M)), "N": Indexed(size(N)), "B": Indexed(size(B)),
    "eta": Indexed(eta), "sigma": Indexed(sigma), "xi": Indexed(noise[s]), "dt": Indexed(per_input),
    "y_s": Indexed(total(net.g_teacher[m, s], m) + sigma * noise[s]), "yhat_s": Indexed(total(net.g_student[k, s], k)),
    "W": Indexed(W[i, a], a), "W_next": Indexed(W[i, a] + net.step(i, a), a), "W_teacher": Indexed(net.W_teacher[m, a], a),
    "loss": Indexed(net.loss), "error": Indexed(HALF * average(net.error(s) ** 2, s)),
    "R_in": moving(overlap(W[i, a], net.W_teacher[n, a]), teacher_rate),
    "R_in_next": Indexed(net.teacher_overlap_after_step(i, n)),
    "Q_ij": students_moving(j), "Q_ik": students_moving(k), "Q_ij_next": Indexed(net.overlap_after_step(i, j))}
FIELDS = [(net.student_field, net.g_student, at, sample) for at in STUDENTS for sample in SAMPLES]
FIELDS += [(net.teacher_field, net.g_teacher, at, sample) for at in (m, n) for sample in SAMPLES]
TIME_STEP = {"dt": "dt"}  # where dt stands as a factor of its own; elsewhere it belongs to a derivative
OBJECTS = Notation({r"W_{i}": "W_i", r"W_{i}^{u}": "W_i", r"W_{j}": "W_j", r"W_{j}^{u}": "W_j", r"W_{k}": "W_k",
        r"W_{i}^{u+1}": "W_i_next", r"W_{j}^{u+1}": "W_j_next", r"W^{*}_{m}": "W_teacher_m",
        r"W_{n}^{*}": "W_teacher_n", r"x_{s}^{u}": "x_s", r"y_{s}^{u}": "y_s", r"\hat{y}_{s}^{u}": "yhat_s",
        r"y": "y_s", r"\hat{y}": "yhat_s", r"\xi^{u}": "xi", r"\Delta_{s}^{u}": "Delta_s",
        r"\Delta_{s'}^{u}": "Delta_s_other", r"\lambda_{i}^{u}": "lambda_i", r"\lambda_{j}^{u}": "lambda_j",
        r"\rho_{n}^{u}": "rho_n", r"\rho_{m}^{u}": "rho_m", r"R_{in}^{u}": "R_in", r"Q^{u}_{ij}": "Q_ij",
        r"\mathcal{L}^{u}": "loss", r"\mathcal{L^{u}}": "loss", r"\mathcal{L}": "loss", r"\eta_{W}": "eta",
        r"R_{in}": "R_in", r"R_{in}^{u+1}": "R_in_next", r"Q_{ij}": "Q_ij", r"Q_{ik}": "Q_ik",
        r"Q_{ij}^{u+1}": "Q_ij_next", r"\mathcal{E}": "error", r"W^{*}": "W_teacher", r"W^{u}": "W",
        r"W^{u+1}": "W_next", r"\nu_{a}": "nu_a", r"\phi_{b}": "phi_b", r"\psi_{c}": "psi_c", r"\gamma_{d}": "gamma_d",
    }, letters=r"a b c d i j k l m n t K M N B R Q T W \sigma", transposes=("T",), functions={
        "f": "f", "f^{*}": "f_teacher", r"\mathcal{E}": "error", "g": "g", "g'": "slope", "I_{2}": "I2", "I_{3}": "I3",
        "I_{4}": "I4", "J_{2}": "J2"}, averages=("", "x,y"))
# The outputs of any student and teacher, which Eqs. 1 and 2 do not say more of.
OUTPUTS = {"f": Array("f", B), "f_teacher": Array("f_teacher", B)}
by_sums = reciprocals({"B": net.per_sample, "N": per_input, "root_inputs": net.root})
by_words = declared("inverse", [(inputs, over_inputs)])

def divided(divisor):
    """Equation 10 is printed for whole matrices, all others for their entries."""
    return by_words(divisor) if isinstance(divisor, Words) else by_sums(divisor)

def mean(body):
    """<...> of a quantity of one sample, or of sums over the samples of a batch."""
    of = settled(body)
    return Indexed(average(of, s) if s.name in of.free else over_batches(of), body.unprinted)

def by_the_weights(of, by):
    """The gradient of the loss by the weights of one student, entry by entry."""
    if settled(by) != W[i, a]:
        raise NotThisKind(f"gradients are taken by the weights of a student, and not by ({settled(by)!r})")
    return Indexed(net.by_weight(settled(of), i, a), a)

RULES = {"dt": time_derivative,
    "partial": by_the_weights,
    **{name: lambda *_, array=array: Indexed(array[s]) for name, array in OUTPUTS.items()},
    "error": lambda _: LETTERS["error"],
    "sum": OverPrintedIndices(INDICES, [K, M, N, B]),
    "index": lambda *parts: parts,
    "none": lambda: None,
    "inverse": divided,
    "power": square_roots([(size(N), root_inputs)]),
    "g": values_at([(field(at, q), values[at, q]) for field, values, at, q in FIELDS], "g"),
    "mean": mean,
    **{average_of.__name__: average_of for average_of in (I2, I3, I4, J2)},
    "slope": values_at([(net.student_field(at, q), net.slope[at, q]) for at in STUDENTS for q in SAMPLES], "g'")}
SCALARS = OBJECTS.extended({r"C_{ab}": "C_ab", r"C_{aa}": "C_aa", r"C_{bb}": "C_bb"})
# Those of Eq. 18.
COVARIANCES = {name: Symbol(name, real=True, positive=(name != "C_ab") or None) for name in ("C_ab", "C_aa", "C_bb")}
VOCABULARY = Vocabulary(SCALARS, OBJECTS, LETTERS, RULES, settled, COVARIANCES)
