"""Section 3: the exact solution, and where it ends."""

from derivations.papers.braun_2022.setup import *
from derivations.language.words import number
from derivations.papers.braun_2022.section_2 import riccati_by_linear_flows
from derivations.paper.matrix_flows import ends_at, keeps_inverse, only_solution

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
Z = EQ_12.right

root = letters("S_root: N_m x N_m", diagonal=True)
ROOT = (root @ root, S)  # singular values are positive: they have roots
DECOMPOSED = (W2 @ W1, U @ S @ V.T)
input_excess = W1.T @ W1 - V @ S @ V.T
# Balanced weights with two singular values.
ALIGNED = instance("N_i=2 N_h=2 N_o=2 N_m=2", W1="2 0; 0 3", W2="0 3; 2 0", S="4 0; 0 9", S_root="2 0; 0 3",
    U="0 1; 1 0", V="1 0; 0 1")
@paper.claim(["Eq. 10", "Assumption 2.3"], needs={"balance": lambda: same(input_excess, 0, [DECOMPOSED, ROOT])},
    rests_on="ranks_agree")
def balanced_start_in_singular_vectors():
    """For balanced weights with W2 W1 = U S V', the matrices A = W2 W2' and R = U S U' have one square, and |W2'(A -
    R)|^2 + |S^(1/2) U'(A - R)|^2 = 0; hence (A - R)^2 = 0 and W2 W2' = U S U', and in the same way W1' W1 = V S V'."""
    known = [net.BALANCED, DECOMPOSED, ROOT]
    for excess, layer, vectors in ((W2 @ W2.T - U @ S @ U.T, W2.T, U), (input_excess, W1, V)):
        gram, spectral = layer.T @ layer, vectors @ S @ vectors.T
        yield same(gram @ gram, spectral @ spectral, known, among=ALIGNED)
        yield same(norm2(layer @ excess) + norm2(root @ vectors.T @ excess), 0, known, among=ALIGNED)
        yield same(excess @ excess, layer.T @ (layer @ excess) - vectors @ root @ (root @ vectors.T @ excess), [ROOT])

paper.states("diagonal_holds_eigenvalues", "Section 3, non-zero eigenvalues on the diagonal of S",
    "The diagonal of S holds eigenvalues of W2 W1 = U S V' for N_i = N_o: (U S V') U = U S.",
    lambda: same(U @ S @ letters("V: N_o x N_m", orthonormal_columns=True).T @ U, U @ S),
    quote=r"$\mathbf{S}$ and $\tilde{\mathbf{S}} \in \mathbb{R}^{N_m \times N_m}$ the square matrix with ordered, "
    r"non-zero eigenvalues on its diagonal", corrected_by="diagonal_holds_singular_values")

network = U @ S @ V.T
paper.states("diagonal_holds_singular_values", "Section 3, non-zero eigenvalues on the diagonal of S, corrected",
    "S holds singular values: U S V' takes V to U S, its transpose U to V S, and their product U to U S^2.",
    lambda: [same(network @ V, U @ S), same(network.T @ U, V @ S), same(network @ network.T @ U, U @ S @ S)])

@paper.claim("Section 3, shapes of the complements, corrected",
    needs={"the_complements": lambda: same(Vt @ Vt.T, identity("N_i"))})
def shapes_of_the_complements():
    """U_perp has N_o - N_m columns and V_perp N_i - N_m: with N_m = min(N_i, N_o), U_perp is there for N_o > N_i."""
    for vectors, others, rule in ((Ut, Up, COMPLETE[2]), (Vt, Vp, COMPLETE[3])):
        whole = vectors @ vectors.T + others @ others.T
        columns = trace(identity(vectors.shape[1])) + trace(identity(others.shape[1]))
        yield same(trace(whole), columns, among=FRAMES)
        yield same(trace(whole), trace(identity(vectors.shape[0])), [rule], among=FRAMES)

inputs, outputs = reals("N_i N_o > 0")
paper.states("printed_shape_of_the_output_complement", "Section 3, shape of U_perp for N_i > N_o",
    "For N_i > N_o, N_o - N_i is a possible number of columns of U_perp: it is not negative.",
    lambda: holds(at_least(outputs - inputs, 0), given=inputs > outputs),
    quote=r"Accordingly, for the case $N_i > N_o$, we define $\tilde{\mathbf{U}}_{\perp} \in \mathbb{R}^{N_o \times (N_o - N_i)}$ as a matrix containing orthogonal column vectors that complete the basis",
    corrected_by="shapes_of_the_complements")

F_task = F.map(lambda block: substitute(block, {Sigma: Ut @ St @ Vt.T}))
AT_START = {E: ONE, time: number(0)}
frame = Blocks([[V], [U]])  # Q(0)Q(0)' = [V; U] S [V; U]' for balanced weights
outside = V.T @ Vp @ Vp.T @ V + U.T @ Up @ Up.T @ U  # what of the start's singular vectors lies outside the task's
moving_parts = (letters("Z_i: N_i x N_m"), letters("Z_o: N_o x N_m"))
moving = Blocks([[part] for part in moving_parts])
bracket = letters("K: N_m x N_m")
bracket_inv = letters("K_whole_inv", inverse_of=bracket)

# How Z and K move so that Z K^-1 Z' solves the Riccati equation: dZ = F Z - Z S and dK = Z'Z - S K - K S.
LINEAR_FLOWS = dict(zip(moving_parts, F_task @ moving - moving @ St, strict=True)) | {
    bracket: (moving.T @ moving).only - St @ bracket - bracket @ St}

def on_the_task(state):
    """The rate of QQ' on the task."""
    return net.riccati(F_task, state)

EQ_12.states("equation_12: riccati_solution",
    "Z moves by dZ = F Z - Z S_t from 2 [V; U] B^-T: it is 2 e^(Ft) [V; U] B^-T e^(-S_t t).",
    lambda eq: [same(eq.right, 2 * split(U, V) @ B_inv.T @ E),
        same(along_blocks(eq.right, DECAY), F_task @ eq.right - eq.right @ St),
        same(eq.right.map(lambda words: substitute(words, AT_START)), 2 * frame @ B_inv.T)],
    given=COMPLETE, among=FRAMES)

grown = letters("G", inverse_of=E)  # exp(S_t t)
vector = letters("x: N_m")
ROOTED = [*COMPLETE, ROOT]
@paper.claim(["Theorem 3.1, the inverse of the bracket", "Eq. 11, the inverse of the bracket"], rests_on="equation_12")
def bracket_has_an_inverse():
    """The bracket K of equation 11 has an inverse: e^(St t) K e^(St t) is 4 B^-1 S^-1 B^-T and grows by squares of Z
    e^(St t)."""
    motion, begin = DECAY, AT_START | {grown: ONE}
    start = (2 * root @ S_inv @ B_inv.T, B.T @ root / 2)
    options = {"root": start, "scale": grown, "assuming": ROOTED, "among": FRAMES}
    yield keeps_inverse(inner_11, [block @ grown for block in Z], motion, begin, **options)

@EQ_11.claim("Theorem 3.1, without assumptions 2.1 and 2.4",
    needs={"assumption_3_1": lambda: same(norm2(vector), 0, [(B @ vector, 0)])},
    rests_on="riccati_equation balanced_start_in_singular_vectors equation_12 bracket_has_an_inverse")
def theorem_31(eq):
    """If B has an inverse, the printed QQ'(t) exists at all times t >= 0 and solves the Riccati equation from [V; U] S
    [V; U]', for any numbers of inputs and outputs and any equal ranks of start and task, full or not."""
    through = {**dict(zip(moving_parts, Z, strict=True)), bracket: inner_11, bracket_inv: inner_11_inv}
    yield only_solution(moving @ bracket_inv @ moving.T, on_the_task, frame @ S @ frame.T, DECAY,
        AT_START | {inner_11_inv: B.T @ S @ B / 4}, inverses={inner_11_inv.name: bracket_has_an_inverse()},
        through=through, drift=LINEAR_FLOWS, assuming=ROOTED, among=FRAMES)
    yield same(eq.right, (moving @ bracket_inv @ moving.T).map(lambda block: substitute(block, through)))

start_U, start_V = letters("U: N_o x N_s, V: N_i x N_s", orthonormal_columns=True)
start_S = letters("S: N_s x N_s", diagonal=True)
start_S_inv = letters("S_inv", inverse_of=start_S)  # the start with a rank of its own, N_s
PARTS = {"Z_i": [["1"], ["0"]], "Z_o": [["0"], ["1"]], "K": [["2"]], "K_whole_inv": [["1/2"]]}
SPLIT_FRAMES = [ONE_MODE | {"matrices": ONE_MODE["matrices"] | PARTS}, WIDE]

def split(u, v):
    """e^(Ft) [V; U] in parts that grow, decay and stand still."""
    growing = Blocks([[Vt], [Ut]]) @ grown @ (u.T @ Ut + v.T @ Vt).T
    falling = Blocks([[Vt], [-Ut]]) @ E @ (u.T @ Ut - v.T @ Vt).T
    return HALF * growing - HALF * falling + Blocks([[Vp @ Vp.T @ v], [Up @ Up.T @ u]])

def gathered(u, v, base):
    """The bracket that belongs to it: S^-1 and the integral of its square."""
    sums, differences = u.T @ Ut + v.T @ Vt, u.T @ Ut - v.T @ Vt
    growing = sums @ (grown @ grown - ONE) @ St_inv @ sums.T
    falling = differences @ (ONE - E @ E) @ St_inv @ differences.T
    return base + QUARTER * growing + QUARTER * falling + (v.T @ Vp @ Vp.T @ v + u.T @ Up @ Up.T @ u) * time

free_Z, free_bracket = split(start_U, start_V), gathered(start_U, start_V, start_S_inv)

def form_words(left, right):
    return same(left, right, COMPLETE, among=FRAMES)

@paper.claim(
    "Theorem 3.1, without assumptions 2.1, 2.4 and 3.1", rests_on="riccati_equation balanced_start_in_singular_vectors")
def theorem_31_for_every_balanced_start():
    """From every balanced start QQ'(t) = Z N^-1 Z' with Z = [Vt; Ut] e^(St t) B'/2 - [Vt; -Ut] e^(-St t) C'/2 + [Vp
    Vp'V; Up Up'U] and N = S^-1 + B (e^(2 St t) - I) St^-1 B'/4 + C (I - e^(-2 St t)) St^-1 C'/4 + t (V'Vp Vp'V + U'Up
    Up'U), whatever B and the ranks are: y'N y grows from y'S^-1 y at the rate |Z y|^2, so that N has an inverse."""
    start_root = letters("S_root: N_s x N_s", diagonal=True)
    parts = (letters("Z_i: N_i x N_s"), letters("Z_o: N_o x N_s"))
    whole, free = Blocks([[part] for part in parts]), letters("K: N_s x N_s")
    free_inv = letters("K_whole_inv", inverse_of=free)
    free_bracket_inv = letters("N_inv", inverse_of=free_bracket)
    options = {"assuming": [*COMPLETE, (start_root @ start_root, start_S)], "among": SPLIT_FRAMES}
    begin, begun_root = {E: ONE, time: number(0)}, (start_root @ start_S_inv, start_root)
    shown = keeps_inverse(free_bracket, [*free_Z], DECAY, begin | {grown: ONE}, root=begun_root, **options)
    yield only_solution(whole @ free_inv @ whole.T, on_the_task,
        Blocks([[start_V], [start_U]]) @ start_S @ Blocks([[start_V], [start_U]]).T, DECAY,
        begin | {grown: ONE, free_bracket_inv: start_S}, inverses={free_bracket_inv.name: shown},
        through={**dict(zip(parts, free_Z, strict=True)), free: free_bracket, free_inv: free_bracket_inv},
        drift=dict(zip(parts, F_task @ whole, strict=True)) | {free: (whole.T @ whole).only}, **options)

paper.states("theorem_31_from_the_general_form: theorem_31_for_every_balanced_start",
    "Theorem 3.1, from the form without an inverse of B",
    "Where B has an inverse, the printed Z is 2 Z B^-T e^(-St t) of the form without it, and the printed bracket is 4 "
    "e^(-St t) B^-1 N B^-T e^(-St t): both forms are one.",
    lambda: [form_words(Z, 2 * split(U, V) @ B_inv.T @ E),
        form_words(inner_11, 4 * E @ B_inv @ gathered(U, V, S_inv) @ B_inv.T @ E)])

@paper.claim("Assumption 3.1, ranks")
def overlap_inverse_needs_equal_ranks():
    """If B has an inverse from both sides, start and task have one rank: both are the trace of B times its inverse."""
    overlap, inverse = start_U.T @ Ut + start_V.T @ Vt, letters("B_inv: N_m x N_s")
    both = trace(inverse @ overlap)
    yield same(both, trace(identity("N_m")), [(inverse @ overlap, ONE)])
    yield same(both, trace(identity("N_s")), [(overlap @ inverse, identity("N_s"))])

paper.states("time_only_in_exponentials", "Section 3, time-dependent variables only occur in matrix exponentials",
    "Time occurs in equation 11 in matrix exponentials alone: its bracket is the same with 1 and 0 for the bare t.",
    lambda: same(substitute(inner_11, {time: number(1)}), substitute(inner_11, {time: number(0)}), COMPLETE,
        among=FRAMES),
    quote="Further, as time-dependent variables only occur in matrix exponentials of diagonal matrices of negative "
    "sign, the network approaches a steady state solution.", corrected_by="time_outside_exponentials")

@paper.claim("Section 3, time-dependent variables only occur in matrix exponentials, corrected")
def time_outside_exponentials():
    """The bare t in equation 11 has the factor 4 E B^-1 (2 I - V'Vt Vt'V - U'Ut Ut'U) B^-T E with E = e^(-St t), which
    vanishes where the task's singular vectors are complete, V_t V_t' = I and U_t U_t' = I."""
    left_out = 2 * ONE - V.T @ Vt @ Vt.T @ V - U.T @ Ut @ Ut.T @ U
    bare = substitute(inner_11, {time: number(1)}) - substitute(inner_11, {time: number(0)})
    yield form_words(bare, 4 * E @ B_inv @ left_out @ B_inv.T @ E)
    yield same(left_out, 0, [(Ut @ Ut.T, identity("N_o")), (Vt @ Vt.T, identity("N_i"))])

# === Theorem 3.2: where the solution ends if B has an inverse, how fast, and which hypotheses it needs ================
slow = letters("D", equals=time * E)  # t exp(-S_t t), which vanishes with time as E = exp(-S_t t) does
# The bracket of equation 11: the inverse of S_t, and terms that each hold E or D as a factor.
vanishing_bracket = (St_inv + 4 * E @ B_inv @ net.S_inv @ B_inv.T @ E - E @ E @ St_inv
    + E @ B_inv @ C @ (ONE - E @ E) @ St_inv @ C.T @ B_inv.T @ E + 4 * slow @ B_inv @ outside @ B_inv.T @ E)
final_Z = Blocks([[Vt], [Ut]])
final = final_Z @ St @ final_Z.T
LEARNED, BALANCED = (W2 @ W1, Sigma), net.BALANCED
input_rich, output_rich = letters("R: N_i x N_i, A: N_o x N_o", symmetric=True)
# The roots of Sigma' Sigma and Sigma Sigma', which are Vt St Vt' and Ut St Ut'.
RICH = [(input_rich @ input_rich, Sigma.T @ Sigma), (output_rich @ output_rich, Sigma @ Sigma.T)]
UNEVEN = instance("N_i=1 N_h=1 N_o=1", W1=2, W2="1/2", Sigma=1, R=1, A=1)
AT_REST = [(rate, 0) for rate in flow.values()]
@paper.claim("Theorem 3.2", needs={
        "assumption_2_3": lambda: same(W1.T @ W1, input_rich, [LEARNED, *RICH], among=UNEVEN),
        "assumption_2_2": lambda: same(W2 @ W1, net.data_yx, [(W2 @ W1 @ net.data_xx, net.data_yx), BALANCED]),
        "the_rank_of_the_task": lambda: same(W2 @ W1, Sigma, [*AT_REST, BALANCED])}, rests_on="theorem_31")
def theorem_32():
    """If B has an inverse, QQ' tends to [Vt; Ut] St [Vt; Ut]': all that depends on time in equations 11 and 12 has a
    factor e^(-St t) or t e^(-St t). For any dimensions, equal ranks of start and task, equal singular values too."""
    inverse = letters("K_inv", inverse_of=vanishing_bracket)
    yield same(inner_11, vanishing_bracket)
    yield ends_at(Z @ inverse @ Z.T, final, {E: St}, {inverse: St}, slow={slow: E}, assuming=COMPLETE, among=FRAMES)

paper.states("network_learns_the_task: theorem_32 loss_for_white_inputs", "Theorem 3.2, network function",
    "If B has an inverse, W2 W1 tends to the task Ut St Vt', where the weights' part of the loss is zero.",
    lambda: [theorem_32(), same(norm2(Sigma - final.rows[1][0]), 0, [(Sigma, TASK.right)])])

def gram_in_the_end(end):
    """A diagonal block of Z K^-1 Z' where both have reached their ends."""
    part, inverse = Letter("Z", end.shape[0], "N_m"), letters("K_inv: N_m x N_m")
    return substitute(part @ inverse @ part.T, {part: end, inverse: St})

FINAL_INPUT.states("input_representation_is_rich: theorem_32", "If B has an inverse, W1' W1 tends to Vt St Vt'.",
    lambda eq: [theorem_32(), same(gram_in_the_end(Vt), eq.right)])
FINAL_OUTPUT.states("output_representation_is_rich: theorem_32", "If B has an inverse, W2 W2' tends to Ut St Ut'.",
    lambda eq: [theorem_32(), same(gram_in_the_end(Ut), eq.right)])

# What stands between two factors E in the bracket.
held = (4 * B_inv @ net.S_inv @ B_inv.T - St_inv + B_inv @ C @ (ONE - E @ E) @ St_inv @ C.T @ B_inv.T
    + 4 * (B_inv @ outside @ B_inv.T) * time)
moved = Blocks([[-(Vt @ E @ C.T)], [Ut @ E @ C.T]]) @ B_inv.T @ E
# What Z lacks of its end inside the task's singular vectors, and outside of them, with one factor E only.
stray = 2 * Blocks([[Vp @ Vp.T @ V], [Up @ Up.T @ U]]) @ B_inv.T @ E
@paper.claim("Section 3, convergence rate", rests_on="theorem_32 time_outside_exponentials")
def deviation_of_the_parts():
    """Z = [Vt; Ut] + X + Y and K^-1 = St - St E L E K^-1, where X holds E = e^(-St t) twice, and Y, the part outside the
    task's singular vectors, holds it once. For N_i = N_o and full rank, Y vanishes, so that every term of
    QQ'(t) - QQ'(infinity) = X K^-1 Z' + T K^-1 X' - T St E L E K^-1 T', with T = [Vt; Ut], holds E twice."""
    core = letters("L: N_m x N_m", symmetric=True)
    shifted = Blocks([[letters("Z_i: N_i x N_m")], [letters("Z_o: N_o x N_m")]])
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

a = reals("a > 0")
fade, bare = reals("E T > 0")  # exp(-s t), and t exp(-2 s t)
value = reals("value")
aligned = a * s / (a + (s - a) * fade**2)
paper.states("rate_for_equal_dimensions_is_reached: deviation_of_the_parts",
    "Section 3, convergence rate, N_i = N_o, is reached",
    "An aligned mode from a is a s/(a + (s - a) e^(-2 s t)), in the end -s (s - a)/a e^(-2 s t) away from s.",
    lambda: [solves({value: 2 * value * (s - value)}, {value: aligned.subs(fade, exp(-s * t))}, {value: a}, t),
        tends((aligned - s) / fade**2, [fade], -s * (s - a) / a)])

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
angle, across = reals("c p > 0")
# The letters of equations 11 and 12 for two inputs and one output.
TWO_INPUTS = {name: Matrix(rows) for name, rows in {
        "U": [[1]], "U_t": [[1]], "V": [[angle], [across]], "V_t": [[1], [0]], "V_p": [[0], [1]],
        "S_inv": [[1 / a]], "S_t_inv": [[1 / s]], "E": [[fade]], "B_inv": [[1 / (1 + angle)]], "C": [[1 - angle]],
    }.items()} | {"U_p": Matrix(1, 0, []), "t": bare / fade**2}
tilted = in_numbers(inner_11, TWO_INPUTS)[0, 0]
(from_inputs,), (from_output,) = Z.rows
along_task, off_task = in_numbers(from_inputs, TWO_INPUTS)
# An entry of W1' W1 between the task's input direction and the other one, from equations 11 and 12.
cross_entry = off_task * along_task / tilted
along_both = in_numbers(from_output, TWO_INPUTS)[0, 0] * along_task / tilted  # W2 W1 along the task's input direction

half_fade = reals("h > 0")  # exp(-s t/2)
paper.states("rate_for_unequal_dimensions: theorem_31", "Section 3, convergence rate, N_i different from N_o",
    "With two inputs and one output, the entry of W1'W1 between the task's input direction and the other one goes to "
    "zero as 2 p s/(1 + c) e^(-s t), cosine c and sine p of start and task: half the rate of equal dimensions.",
    lambda: tends(cross_entry / fade, [fade, bare], 2 * across * s / (1 + angle)),
    needs={"so_slow_a_rate": lambda: tends(cross_entry.subs(fade, half_fade**2) / half_fade**3, [half_fade, bare], 0)})
paper.states("rich_means_balanced: balance_persists", "Theorem 3.2, without assumption 2.3, corrected",
    "If W2 W1 = Sigma and both representations are rich, (W1'W1)^2 = Sigma'Sigma and (W2 W2')^2 = Sigma Sigma', the "
    "weights are balanced; as W2'W2 - W1 W1' is conserved, no unbalanced start becomes rich while learning the task.",
    lambda: same(norm2(net.imbalance), 0, [LEARNED, *[(W1.T @ W1, input_rich), (W2 @ W2.T, output_rich)], *RICH]))
paper.states("learning_with_any_inputs", "Theorem 3.2, without assumption 2.2, corrected",
    "Weights with W2 W1 S_xx = S_yx compute S_yx S_xx^-1.",
    lambda: same(W2 @ W1, net.data_yx @ letters("S_xx_inv", inverse_of=net.data_xx),
        [(W2 @ W1 @ net.data_xx, net.data_yx)]))

@paper.claim("Theorem 3.2, from a start of lower rank than the task, corrected")
def full_rank_rest_has_learned():
    """Weights at rest whose network function has an inverse from the left or the right have learned the task."""
    inverse = letters("T: N_i x N_o")
    left, right = (inverse @ W2 @ W1, identity("N_i")), (W2 @ W1 @ inverse, identity("N_o"))
    yield same(inverse.T @ W1.T @ flow[W1], net.gap, [right])
    yield same(flow[W2] @ W2.T @ inverse.T, net.gap, [left])

# === Beyond the paper: where the flow ends from every balanced start, the start's rank, B and the task being whatever they are ===
# A balanced start is Q(0) = X H with columns X that span its range. Each column is a sum of eigenvectors of F; the
# eigenvalue that is the largest with a part in the column leads it. Column reduction makes the leading parts orthogonal
# to each other, those of positive eigenvalues [V_a; U_a] with orthonormal V_a and U_a. Columns led by f > 0 are divided
# by e^(f t), columns led by 0 by the root of 1 + t, and the others stay as they are. Then the bracket ends as a matrix
# of three diagonal blocks, each with an inverse: L^-1, the inner products of the leading parts of eigenvalue 0, and
# what the columns led by negative eigenvalues began with plus inner products.
# An entry of the bracket, its start, and what two columns share in one eigenspace of F.
entry, begun, overlap = reals("n n_0 c")
# p: the sum of the rates at which two columns are divided; d: how far it is above twice the eigenvalue of the part they
# share.
d, p = reals("d p > 0")
COURSES = [(p, d, begun * exp(-p * t) + overlap * (exp(-d * t) - exp(-p * t)) / (p - d)),
    (p, p, begun * exp(-p * t) + overlap * t * exp(-p * t)),
    (p, sp.S.Zero, begun * exp(-p * t) + overlap * (1 - exp(-p * t)) / p),
    (sp.S.Zero, d, begun + overlap * (1 - exp(-d * t)) / d),
    (sp.S.Zero, sp.S.Zero, begun + overlap * t)]
entries_of_the_bracket = paper.states("entries_of_the_bracket: riccati_by_linear_flows",
    "Beyond: entries of the scaled bracket",
    "Where two columns, divided by exponentials of rates with the sum p, share c in the eigenspace of (p - d)/2, "
    "their entry moves by c e^(-d t) - p n: it is n_0 e^(-p t) + c (e^(-d t) - e^(-p t))/(p - d), or a limit.",
    lambda: [solves({entry: overlap * exp(-gap * t) - total * entry}, {entry: course}, {entry: begun}, t) for total,
        gap, course in COURSES])

k_d, k_p, aging, share = reals("k_d k_p k_t h > 0")  # exp(-d t), exp(-p t), t exp(-p t), and the root of 1/(1 + t)
apart = reals("q > 0")  # the size of p - d; its sign goes with c, which may have both
# Leading parts of positive eigenvalues stay as c/p, of eigenvalue 0 as c, of negative ones as n_0 + c/d; all else
# vanishes.
ENDS = [(begun * k_p + overlap * (k_d - k_p) / apart, [k_d, k_p], 0),
    (begun * k_p + overlap * aging, [k_p, aging], 0),
    (begun * k_p + overlap * (1 - k_p) / p, [k_p], overlap / p),
    (begun * share**2 + overlap * (1 - share**2), [share], overlap),
    ((begun + overlap * (1 - k_d) / d) * share, [k_d, share], 0),
    (begun + overlap * (1 - k_d) / d, [k_d], begun + overlap / d),
    (begun + overlap * k_d, [k_d], begun),
    (begun * share, [share], 0),
    (begun * k_d, [k_d], 0)]

# The leading parts of positive eigenvalues, and those eigenvalues: singular values of the task.
Va, Ua = letters("V_a: N_i x N_a, U_a: N_o x N_a", orthonormal_columns=True)
La = letters("L: N_a x N_a", diagonal=True)
# What the bracket ends as for columns led by the eigenvalue 0 and by negative ones.
standing, falling = letters("M_z: N_z x N_z, M_n: N_n x N_n", symmetric=True)
lead = Blocks([[Va], [Ua]])
long_end = lead @ La @ lead.T

def diagonal(*blocks):
    """The blocks on a diagonal, zero elsewhere."""
    return Blocks(
        [[x if i == j else zero(x.shape[0], y.shape[1]) for j, y in enumerate(blocks)] for i, x in enumerate(blocks)])

def inverse(name, of):
    return Letter(name, of.rows, of.cols, inverse_of=of)

LED = ("N_a", "N_z", "N_n")
led = [[Letter(f"Z_{side}{kind[-1]}", f"N_{side}", kind) for kind in LED] for side in "io"]
parts = Blocks(led)
# Z, its columns sorted by what leads them, and how it ends.
at_the_end = {
    z: end if k == 0 else zero(*z.shape) for row, end in zip(led, (Va, Ua), strict=True) for k, z in enumerate(row)}
ended_inverse = diagonal(La, inverse("M_z_inv", standing), inverse("M_n_inv", falling))
@paper.claim(["Beyond: the end of every balanced start", "Section 3, the network approaches a steady state"],
    expect="argued", rests_on="riccati_solution bracket_grows entries_of_the_bracket")
def long_time_limit():
    """From every balanced start QQ' tends to [V_a; U_a] L [V_a; U_a]', the sum of 2 f times the projections on the
    leading parts of the start's columns with eigenvalues f > 0 of F; other columns leave nothing, whatever B, ranks and
    singular values are. M_z, a Gram matrix of independent vectors, and M_n, positive and growing, have inverses."""
    basis, mix = letters("X: N x N_s, H: N_s x N_h")
    columns, one = basis @ mix, diagonal(identity("N_a"), identity("N_z"), identity("N_n"))
    yield argued("QQ' tends to [V_a; U_a] L [V_a; U_a]'",
        columns=prove.words(columns @ columns.T, basis @ (mix @ mix.T) @ basis.T), flow=riccati_by_linear_flows(),
        entries=entries_of_the_bracket(),
        ends=prove.every(*(prove.limit(value, fading, ends) for value, fading, ends in ENDS)),
        inverse=prove.words(diagonal(inverse("L_inv", La), standing, falling) @ ended_inverse, one),
        end=prove.words((parts @ ended_inverse @ parts.T).map(lambda block: substitute(block, at_the_end)), long_end))

# Leading parts are eigenvectors of F: singular vectors of the task.
EIGEN = [(Sigma @ Va, Ua @ La), (Sigma.T @ Ua, Va @ La)]
paper.states("what_is_learned: long_time_limit", "Beyond: what is learned in the end",
    "The end is a rest point of the Riccati equation. There W2 W1 = U_a L V_a', which holds some singular modes of "
    "the task and none of the others: of |Sigma|^2 the part tr L^2 is learned and all the rest is missed.",
    lambda: [same(riccati(F, long_end), 0), same(norm2(Sigma - long_end.rows[1][0]), norm2(Sigma) - trace(La @ La))],
    given=EIGEN)

wanted, start, unseen = Blocks([[Vt], [Ut]]), Blocks([[V], [U]]), letters("y: N_m")
overlap_holds_the_growing_parts = paper.states("overlap_holds_the_growing_parts: long_time_limit",
    "Beyond: what B says about the end",
    "B' holds the growing parts of the start, [Vt; Ut]'[V; U] = B': with an inverse of B the columns [V; U] B^-T have "
    "every mode of the task once as growing part, and where B'y = 0 the start's column [V; U] y has none.",
    lambda: [same((wanted.T @ start).only, B.T), same((wanted.T @ start @ B_inv.T).only, identity("N_m")),
        same((wanted.T @ start @ unseen).only, 0, [(B.T @ unseen, 0)])])

Q_start = Blocks([[letters("Q_i: N_i x N_h")], [letters("Q_o: N_o x N_h")]])
paper.states("largest_modes_are_learned: long_time_limit what_is_learned overlap_holds_the_growing_parts",
    ["Beyond: the end of a bottlenecked network",
        "Beyond: starts with the other sign learn all modes but the smallest",],
    "Let V_a and U_a be the singular vectors of the largest singular values. If T = [V_a; U_a]'Q(0) has an inverse K "
    "from the right, the columns 2 Q(0) K are [V_a; U_a] and parts orthogonal to it. So, by the end of every balanced "
    "start, which is argued, these modes are learned: N_h hidden neurons learn the N_h largest ones, and for N_i = "
    "N_o and a B with one zero singular value all but the smallest, unless T loses rank.",
    lambda: same((lead.T @ ((2 * (Q_start @ letters("K: N_h x N_a"))) - lead)).only, 0,
        [((lead.T @ Q_start).only @ letters("K: N_h x N_a"), identity("N_a"))]))
