"""Section 3: the singular value decompositions, equations 11 and 12, and a form that needs no inverse of B."""

from derivations.papers.braun_2022.setup import *
from derivations.language.words import number
from derivations.papers.braun_2022.source.equations import EQ_11, EQ_12, inner_11, inner_11_inv
from derivations.papers.braun_2022.source.examples import FRAMES, ONE_MODE, WIDE
from derivations.papers.braun_2022.source.theorems import keeps_inverse, only_solution

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
Z = EQ_12.right

# --- compact singular value decompositions (equation 10) ---------------------------------------------------------------
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
    """For balanced weights with W2 W1 = U S V', the matrices A = W2 W2' and R = U S U' have one square, and
    |W2'(A - R)|^2 + |S^(1/2) U'(A - R)|^2 = 0; hence (A - R)^2 = 0 and W2 W2' = U S U', and in the same way
    W1' W1 = V S V'."""
    known = [net.BALANCED, DECOMPOSED, ROOT]
    parts = []
    for excess, layer, vectors in ((W2 @ W2.T - U @ S @ U.T, W2.T, U), (input_excess, W1, V)):
        gram, spectral = layer.T @ layer, vectors @ S @ vectors.T
        parts += [
            same(gram @ gram, spectral @ spectral, known, among=ALIGNED),
            same(norm2(layer @ excess) + norm2(root @ vectors.T @ excess), 0, known, among=ALIGNED),
            same(excess @ excess, layer.T @ (layer @ excess) - vectors @ root @ (root @ vectors.T @ excess), [ROOT]),
        ]
    yield from parts

@paper.claim("Section 3, non-zero eigenvalues on the diagonal of S",
    quote=r"$\mathbf{S}$ and $\tilde{\mathbf{S}} \in \mathbb{R}^{N_m \times N_m}$ the square matrix with ordered, non-zero eigenvalues on its diagonal",
    corrected_by="diagonal_holds_singular_values")
def diagonal_holds_eigenvalues():
    """The diagonal of S holds eigenvalues of W2 W1 = U S V', for equal numbers of inputs and outputs: (U S V') U = U S."""
    square = letters("V: N_o x N_m", orthonormal_columns=True)
    yield same(U @ S @ square.T @ U, U @ S)

@paper.claim("Section 3, non-zero eigenvalues on the diagonal of S, corrected")
def diagonal_holds_singular_values():
    """The diagonal of S holds singular values: U S V' takes V to U S and its transpose takes U to V S, so that S^2 holds
    eigenvalues of the product with the transpose."""
    network = U @ S @ V.T
    yield same(network @ V, U @ S)
    yield same(network.T @ U, V @ S)
    yield same(network @ network.T @ U, U @ S @ S)

# --- the complements ----------------------------------------------------------------------------------------------------
@paper.claim("Section 3, shapes of the complements, corrected",
    needs={"the_complements": lambda: same(Vt @ Vt.T, identity("N_i"))})
def shapes_of_the_complements():
    """What completes the N_m singular vectors of the task has N_o - N_m columns for the outputs and N_i - N_m for the inputs:
    with N_m = min(N_i, N_o), U_perp is there for N_o > N_i and V_perp for N_i > N_o."""
    parts = []
    for vectors, rest, rule in ((Ut, Up, COMPLETE[2]), (Vt, Vp, COMPLETE[3])):
        whole = vectors @ vectors.T + rest @ rest.T
        columns = trace(identity(vectors.shape[1])) + trace(identity(rest.shape[1]))
        parts += [
            same(trace(whole), columns, among=FRAMES),
            same(trace(whole), trace(identity(vectors.shape[0])), [rule], among=FRAMES),
        ]
    yield from parts

@paper.claim("Section 3, shape of U_perp for N_i > N_o",
    quote=r"Accordingly, for the case $N_i > N_o$, we define $\tilde{\mathbf{U}}_{\perp} \in \mathbb{R}^{N_o \times (N_o - N_i)}$ as a matrix containing orthogonal column vectors that complete the basis",
    corrected_by="shapes_of_the_complements")
def printed_shape_of_the_output_complement():
    """For N_i > N_o, N_o - N_i is a possible number of columns of U_perp: it is not negative."""
    inputs, outputs = symbols("N_i N_o", positive=True)
    yield holds(sp.Ge(outputs - inputs, 0, evaluate=False), given=inputs > outputs)

# --- equations 11 and 12 ------------------------------------------------------------------------------------------------
TASK = (Sigma, Ut @ St @ Vt.T)
F_task = F.map(lambda block: substitute(block, {Sigma: Ut @ St @ Vt.T}))
AT_START = {E: ONE, time: number(0)}
frame = Blocks([[V], [U]])  # Q(0)Q(0)' = [V; U] S [V; U]' for balanced weights
outside = V.T @ Vp @ Vp.T @ V + U.T @ Up @ Up.T @ U  # what of the start's singular vectors lies outside the task's
moving_parts = (Letter("Z_i", "N_i", "N_m"), Letter("Z_o", "N_o", "N_m"))
moving = Blocks([[part] for part in moving_parts])
bracket = letters("K: N_m x N_m")
bracket_inv = letters("K_whole_inv", inverse_of=bracket)

def linear_flows(scales):
    """How Z and K move so that Z K^-1 Z' solves the Riccati equation: dZ = F Z - Z S and dK = Z'Z - S K - K S."""
    drift = dict(zip(moving_parts, F_task @ moving - moving @ scales, strict=True))
    return drift | {bracket: (moving.T @ moving).only - scales @ bracket - bracket @ scales}

def on_the_task(state):
    """The rate of QQ' on the task."""
    return net.riccati(F_task, state)

def substituted(value, table):
    return value.map(lambda block: substitute(block, table))

def at_start(words):
    return substitute(words, AT_START)

@EQ_12.claim(rests_on="riccati_solution", given=COMPLETE, among=FRAMES)
def equation_12(eq):
    """Z moves by dZ = F Z - Z S_t from 2 [V; U] B^-T: it is 2 e^(Ft) [V; U] B^-T e^(-S_t t)."""
    yield same(eq.right, 2 * split(U, V) @ B_inv.T @ E)
    yield same(along_blocks(eq.right, DECAY), F_task @ eq.right - eq.right @ St)
    yield same(eq.right.map(at_start), 2 * frame @ B_inv.T)

grown = letters("G", inverse_of=E)  # exp(S_t t)
vector = letters("x: N_m")
ROOTED = [*COMPLETE, ROOT]
@paper.claim(["Theorem 3.1, the inverse of the bracket", "Eq. 11, the inverse of the bracket"], rests_on="equation_12")
def bracket_has_an_inverse():
    """At all times t >= 0 the bracket K of equation 11 has an inverse: e^(St t) K e^(St t) starts at 4 B^-1 S^-1 B^-T, which is
    positive, and grows by the squares of Z e^(St t)."""
    motion, begin = DECAY, AT_START | {grown: ONE}
    start = (2 * root @ S_inv @ B_inv.T, B.T @ root / 2)
    grows_by = [block @ grown for block in Z]
    options = {"root": start, "scale": grown, "assuming": ROOTED, "among": FRAMES}
    yield keeps_inverse(inner_11, grows_by, motion, begin, **options)

@EQ_11.claim("Theorem 3.1, without assumptions 2.1 and 2.4",
    needs={"assumption_3_1": lambda: same(norm2(vector), 0, [(B @ vector, 0)])},
    rests_on="riccati_equation balanced_start_in_singular_vectors equation_12 bracket_has_an_inverse")
def theorem_31(eq):
    """If B has an inverse, the printed QQ'(t) exists at all times t >= 0 and solves the Riccati equation from
    [V; U] S [V; U]', for any numbers of inputs and outputs and any equal number of non-zero singular values of start and
    task, in any order: neither equal dimensions nor full rank is needed, but equal ranks are."""
    through = {**dict(zip(moving_parts, Z, strict=True)), bracket: inner_11, bracket_inv: inner_11_inv}
    yield only_solution(moving @ bracket_inv @ moving.T, on_the_task, frame @ S @ frame.T, DECAY,
        AT_START | {inner_11_inv: B.T @ S @ B / 4}, inverses={inner_11_inv.name: bracket_has_an_inverse()},
        through=through, drift=linear_flows(St), assuming=ROOTED, among=FRAMES)
    yield same(eq.right, substituted(moving @ bracket_inv @ moving.T, through))

# --- a form that needs no inverse of B ----------------------------------------------------------------------------------
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
    left_out = v.T @ Vp @ Vp.T @ v + u.T @ Up @ Up.T @ u
    return base + QUARTER * growing + QUARTER * falling + left_out * time

free_Z, free_bracket = split(start_U, start_V), gathered(start_U, start_V, start_S_inv)

def form_words(left, right):
    return same(left, right, COMPLETE, among=FRAMES)

@paper.claim(
    "Theorem 3.1, without assumptions 2.1, 2.4 and 3.1", rests_on="riccati_equation balanced_start_in_singular_vectors")
def theorem_31_for_every_balanced_start():
    """From every balanced start QQ'(t) = Z N^-1 Z' with Z = [Vt; Ut] e^(St t) B'/2 - [Vt; -Ut] e^(-St t) C'/2 +
    [Vp Vp'V; Up Up'U] and N = S^-1 + B (e^(2 St t) - I) St^-1 B'/4 + C (I - e^(-2 St t)) St^-1 C'/4 + t (V'Vp Vp'V +
    U'Up Up'U), without an inverse of B and with different ranks of start and task. y'N y starts at y'S^-1 y and grows at
    the rate |Z y|^2: N has an inverse at all times."""
    start_root = letters("S_root: N_s x N_s", diagonal=True)
    parts = (Letter("Z_i", "N_i", "N_s"), Letter("Z_o", "N_o", "N_s"))
    whole, free = Blocks([[part] for part in parts]), Letter("K", "N_s", "N_s")
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

@paper.claim("Theorem 3.1, from the form without an inverse of B", rests_on="theorem_31_for_every_balanced_start")
def theorem_31_from_the_general_form():
    """Where B has an inverse, the printed Z is 2 Z B^-T e^(-St t) of the form without it, and the printed bracket is
    4 e^(-St t) B^-1 N B^-T e^(-St t): both forms are one."""
    yield form_words(Z, 2 * split(U, V) @ B_inv.T @ E)
    yield form_words(inner_11, 4 * E @ B_inv @ gathered(U, V, S_inv) @ B_inv.T @ E)

# --- readings of the text -----------------------------------------------------------------------------------------------
@paper.claim("Assumption 3.1, ranks")
def overlap_inverse_needs_equal_ranks():
    """If B has an inverse from both sides, the start and the task have one rank: both ranks are the trace of B times its
    inverse."""
    overlap, inverse = start_U.T @ Ut + start_V.T @ Vt, Letter("B_inv", "N_m", "N_s")
    both = trace(inverse @ overlap)
    yield same(both, trace(identity("N_m")), [(inverse @ overlap, ONE)])
    yield same(both, trace(identity("N_s")), [(overlap @ inverse, identity("N_s"))])

@paper.claim("Section 3, time-dependent variables only occur in matrix exponentials",
    quote="Further, as time-dependent variables only occur in matrix exponentials of diagonal matrices of negative sign, the network approaches a steady state solution.",
    corrected_by="time_outside_exponentials")
def time_only_in_exponentials():
    """Time occurs in equation 11 only in matrix exponentials: its bracket is the same with t = 1 and t = 0 in the place of
    the bare t, for any dimensions."""
    yield same(substitute(inner_11, {time: number(1)}), substitute(inner_11, {time: number(0)}), COMPLETE, among=FRAMES)

@paper.claim("Section 3, time-dependent variables only occur in matrix exponentials, corrected")
def time_outside_exponentials():
    """What multiplies the bare t in equation 11 is 4 E B^-1 (2 I - V'Vt Vt'V - U'Ut Ut'U) B^-T E with E = e^(-St t); it vanishes
    where the task's singular vectors are complete for inputs and outputs, V_t V_t' = I and U_t U_t' = I."""
    left_out = 2 * ONE - V.T @ Vt @ Vt.T @ V - U.T @ Ut @ Ut.T @ U
    bare = substitute(inner_11, {time: number(1)}) - substitute(inner_11, {time: number(0)})
    yield form_words(bare, 4 * E @ B_inv @ left_out @ B_inv.T @ E)
    yield same(left_out, 0, [(Ut @ Ut.T, identity("N_o")), (Vt @ Vt.T, identity("N_i"))])
