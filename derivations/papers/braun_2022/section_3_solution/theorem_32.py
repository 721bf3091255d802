"""Theorem 3.2: where the solution ends if B has an inverse, how fast, and which hypotheses it needs."""

from derivations.papers.braun_2022.setup import *
from derivations.papers.braun_2022.section_3_solution.theorem_31 import Z, outside
from derivations.papers.braun_2022.source.equations import FINAL_INPUT, FINAL_OUTPUT, TASK, inner_11, inner_11_inv
from derivations.papers.braun_2022.source.examples import FRAMES
from derivations.papers.braun_2022.source.theorems import ends_at

# --- the limit ------------------------------------------------------------------------------------------------------------
slow = letters("D", equals=time * E)  # t exp(-S_t t), which vanishes with time as E = exp(-S_t t) does
# The bracket of equation 11: the inverse of S_t, and terms that each hold E or D as a factor.
vanishing_bracket = (
    St_inv
    + 4 * E @ B_inv @ net.S_inv @ B_inv.T @ E
    - E @ E @ St_inv
    + E @ B_inv @ C @ (ONE - E @ E) @ St_inv @ C.T @ B_inv.T @ E
    + 4 * slow @ B_inv @ outside @ B_inv.T @ E
)
final_Z = Blocks([[Vt], [Ut]])
final = final_Z @ St @ final_Z.T
LEARNED, BALANCED = (W2 @ W1, Sigma), net.BALANCED
input_rich, output_rich = letters("R: N_i x N_i, A: N_o x N_o", symmetric=True)
# The roots of Sigma' Sigma and Sigma Sigma', which are Vt St Vt' and Ut St Ut'.
RICH = [(input_rich @ input_rich, Sigma.T @ Sigma), (output_rich @ output_rich, Sigma @ Sigma.T)]
UNEVEN = instance("N_i=1 N_h=1 N_o=1", W1=2, W2="1/2", Sigma=1, R=1, A=1)
AT_REST = [(rate, 0) for rate in flow.values()]
@paper.claim("Theorem 3.2",
    needs={
        "assumption_2_3": lambda: same(W1.T @ W1, input_rich, [LEARNED, *RICH], among=UNEVEN),
        "assumption_2_2": lambda: same(W2 @ W1, net.data_yx, [(W2 @ W1 @ net.data_xx, net.data_yx), BALANCED]),
        "the_rank_of_the_task": lambda: same(W2 @ W1, Sigma, [*AT_REST, BALANCED]),
    }, rests_on="theorem_31")
def theorem_32():
    """If B has an inverse, QQ' tends to [Vt; Ut] St [Vt; Ut]': everything in equations 11 and 12 that depends on time holds
    e^(-St t) or t e^(-St t) as a factor, and where these vanish the bracket is St^-1 and Z is [Vt; Ut]. For any
    dimensions, any equal ranks of start and task, and equal singular values too."""
    inverse = letters("K_inv", inverse_of=vanishing_bracket)
    yield same(inner_11, vanishing_bracket)
    yield ends_at(Z @ inverse @ Z.T, final, {E: St}, {inverse: St}, slow={slow: E}, assuming=COMPLETE, among=FRAMES)

@paper.claim("Theorem 3.2, network function", rests_on="theorem_32 loss_for_white_inputs")
def network_learns_the_task():
    """If B has an inverse, the network function W2 W1 tends to Ut St Vt', the task, where the loss has no part left that
    depends on the weights."""
    yield theorem_32()
    yield same(norm2(Sigma - final.rows[1][0]), 0, [(Sigma, TASK.right)])

def gram_in_the_end(end):
    """A diagonal block of Z K^-1 Z' where both have reached their ends."""
    part, inverse = Letter("Z", end.shape[0], "N_m"), Letter("K_inv", "N_m", "N_m")
    return substitute(part @ inverse @ part.T, {part: end, inverse: St})

@FINAL_INPUT.claim(rests_on="theorem_32")
def input_representation_is_rich(eq):
    """If B has an inverse, W1' W1 tends to Vt St Vt'."""
    yield theorem_32()
    yield same(gram_in_the_end(Vt), eq.right)

@FINAL_OUTPUT.claim(rests_on="theorem_32")
def output_representation_is_rich(eq):
    """If B has an inverse, W2 W2' tends to Ut St Ut'."""
    yield theorem_32()
    yield same(gram_in_the_end(Ut), eq.right)

# --- how fast -------------------------------------------------------------------------------------------------------------
# What stands between two factors E in the bracket.
held = (
    4 * B_inv @ net.S_inv @ B_inv.T
    - St_inv
    + B_inv @ C @ (ONE - E @ E) @ St_inv @ C.T @ B_inv.T
    + 4 * (B_inv @ outside @ B_inv.T) * time
)
moved = Blocks([[-(Vt @ E @ C.T)], [Ut @ E @ C.T]]) @ B_inv.T @ E
# What Z lacks of its end inside the task's singular vectors, and outside of them, with one factor E only.
stray = 2 * Blocks([[Vp @ Vp.T @ V], [Up @ Up.T @ U]]) @ B_inv.T @ E
@paper.claim("Section 3, convergence rate", rests_on="theorem_32 time_outside_exponentials")
def deviation_of_the_parts():
    """Z = [Vt; Ut] + X + Y and K^-1 = St - St E L E K^-1, where X holds E = e^(-St t) twice, and Y, the part outside the
    task's singular vectors, holds it once. For N_i = N_o and full rank, Y vanishes, so that every term of
    QQ'(t) - QQ'(infinity) = X K^-1 Z' + T K^-1 X' - T St E L E K^-1 T', with T = [Vt; Ut], holds E twice."""
    core = letters("L: N_m x N_m", symmetric=True)
    shifted = Blocks([[Letter("Z_i", "N_i", "N_m")], [Letter("Z_o", "N_o", "N_m")]])
    inverse = letters("K_inv", inverse_of=St_inv + E @ core @ E)
    change = shifted - final_Z
    parts = change @ inverse @ shifted.T + final_Z @ inverse @ change.T
    left_over = 2 * Blocks([[V - Vt @ Vt.T @ V], [U - Ut @ Ut.T @ U]]) @ B_inv.T @ E
    yield same(Z, final_Z + moved + stray)
    yield same(inner_11, St_inv + E @ held @ E)
    yield same(inner_11_inv, St - St @ E @ held @ E @ inner_11_inv)
    yield same(stray, left_over, net.COMPLETE, among=FRAMES)
    yield same(left_over, 0, [(Ut @ Ut.T, identity("N_o")), (Vt @ Vt.T, identity("N_i"))])
    yield same(shifted @ inverse @ shifted.T - final, parts - final_Z @ St @ E @ core @ E @ inverse @ final_Z.T)

a = Symbol("a", positive=True)
fade, bare = symbols("E T", positive=True)  # exp(-s t), and t exp(-2 s t)
value = Symbol("value", real=True)
aligned = a * s / (a + (s - a) * fade**2)
@paper.claim("Section 3, convergence rate, N_i = N_o, is reached", rests_on="deviation_of_the_parts")
def rate_for_equal_dimensions_is_reached():
    """One aligned mode of singular value s from a is a s/(a + (s - a) e^(-2 s t)); its distance from s is -s (s - a)/a times
    e^(-2 s t) in the end."""
    course = aligned.subs(fade, exp(-s * t))
    yield solves({value: 2 * value * (s - value)}, {value: course}, {value: a}, t)
    yield tends((aligned - s) / fade**2, [fade], -s * (s - a) / a)

def in_numbers(words, matrices):
    """Words with matrices of expressions in the place of their letters."""
    terms = []
    for (scalars, outer), coefficient in sorted(words.terms.items(), key=repr):
        term = Rational(coefficient.numerator, coefficient.denominator)
        for factor in (*(f for scalar in scalars for f in scalar), *outer):
            matrix = matrices[factor.removesuffix("'")]
            term = term * (matrix.T if factor.endswith("'") else matrix)
        terms.append(term)
    return sum(terms[1:], terms[0])

# Two inputs, one output: V' Vt and V' Vp, the cosine and the sine between start and task.
angle, across = symbols("c p", positive=True)
# The letters of equations 11 and 12 for two inputs and one output.
TWO_INPUTS = {
    name: Matrix(rows)
    for name, rows in {
        "U": [[1]], "U_t": [[1]], "V": [[angle], [across]], "V_t": [[1], [0]], "V_p": [[0], [1]],
        "S_inv": [[1 / a]], "S_t_inv": [[1 / s]], "E": [[fade]], "B_inv": [[1 / (1 + angle)]], "C": [[1 - angle]],
    }.items()
} | {"U_p": Matrix(1, 0, []), "t": bare / fade**2}
tilted = in_numbers(inner_11, TWO_INPUTS)[0, 0]
(from_inputs,), (from_output,) = Z.rows
along_task, off_task = in_numbers(from_inputs, TWO_INPUTS)
# An entry of W1' W1 between the task's input direction and the other one, from equations 11 and 12.
cross_entry = off_task * along_task / tilted
along_both = in_numbers(from_output, TWO_INPUTS)[0, 0] * along_task / tilted  # W2 W1 along the task's input direction

def fast_rate():
    """Decide whether that entry, divided by e^(-3 s t/2), goes to zero."""
    half_fade = Symbol("h", positive=True)
    return tends(cross_entry.subs(fade, half_fade**2) / half_fade**3, [half_fade, bare], 0)

@paper.claim(
    "Section 3, convergence rate, N_i different from N_o", needs={"so_slow_a_rate": fast_rate}, rests_on="theorem_31")
def rate_for_unequal_dimensions():
    """With two inputs and one output, the entry of W1' W1 between the task's input direction and the other one goes to zero as
    2 p s/(1 + c) e^(-s t), with the cosine c and the sine p between start and task: half the rate of equal dimensions."""
    yield tends(cross_entry / fade, [fade, bare], 2 * across * s / (1 + angle))

# --- what takes the place of its hypotheses --------------------------------------------------------------------------------
@paper.claim("Theorem 3.2, without assumption 2.3, corrected", rests_on="balance_persists")
def rich_means_balanced():
    """If W2 W1 = Sigma and both representations are rich, (W1' W1)^2 = Sigma' Sigma and (W2 W2')^2 = Sigma Sigma', then the
    weights are balanced; as W2' W2 - W1 W1' is conserved, no unbalanced start becomes rich while learning the task, be it
    small or large."""
    rich = [(W1.T @ W1, input_rich), (W2 @ W2.T, output_rich)]
    yield same(norm2(net.imbalance), 0, [LEARNED, *rich, *RICH])

@paper.claim("Theorem 3.2, without assumption 2.2, corrected")
def learning_with_any_inputs():
    """Weights with W2 W1 S_xx = S_yx compute S_yx S_xx^-1."""
    xx_inv = letters("S_xx_inv", inverse_of=net.data_xx)
    yield same(W2 @ W1, net.data_yx @ xx_inv, [(W2 @ W1 @ net.data_xx, net.data_yx)])

@paper.claim("Theorem 3.2, from a start of lower rank than the task, corrected")
def full_rank_rest_has_learned():
    """Weights that no longer move and whose network function has an inverse from the left or from the right have learned the
    task."""
    inverse = letters("T: N_i x N_o")
    left, right = (inverse @ W2 @ W1, identity("N_i")), (W2 @ W1 @ inverse, identity("N_o"))
    yield same(inverse.T @ W1.T @ flow[W1], net.gap, [right])
    yield same(flow[W2] @ W2.T @ inverse.T, net.gap, [left])
