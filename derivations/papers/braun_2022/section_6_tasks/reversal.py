"""Section 6: relearning the opposite, whole or in part, and the saddle where it ends."""

from derivations.papers.braun_2022.setup import *
from derivations.paper.matrix_flows import ends_at, keeps_inverse, only_solution

fade = letters("E: N_m x N_m", diagonal=True)  # exp(-S t)
# How strongly each mode of the opposite is known; D = S once it is learned.
strength, root, strength_root = letters("D: N_m x N_m, S_root: N_m x N_m, D_root: N_m x N_m", diagonal=True)
S_inv = letters("S_inv", inverse_of=S)
# Singular values and strengths are positive: they have roots.
ROOTED = {"assuming": [(root @ root, S), (strength_root @ strength_root, strength)],
    "among": [
        instance("N_m=1 N_i=1 N_o=1", S=4, S_root=2, S_inv="1/4", D=9, D_root=3, E="1/2", U=1, V=1, K="4/43", X_11=1, X_12=1, X_21=1, X_22=1)
    ]}
divisor = letters("K", diagonal=True, inverse_of=S + strength @ (ONE - fade @ fade))
share = S @ strength @ fade @ fade @ divisor
# What is left of the singular values, S D E^2/(S + D (1 - E^2)), and the singular vectors of what the network knows.
known = Blocks([[V], [U]])

def task_matrix(task):
    """F of a task."""
    return F.map(lambda block: substitute(block, {Sigma: task}))

paper.states("overlap_of_reversal_vanishes", "Section 6, B in the case of reversal",
    "If -U S V' is learned after U S V', so that Ut = -U and Vt = V, then B = 0 and C = -2 I: B has no inverse.",
    lambda: [same(substitute(U.T @ Ut + V.T @ Vt, {Ut: -U, Vt: V}), zero("N_m", "N_m")),
        same(substitute(U.T @ Ut - V.T @ Vt, {Ut: -U, Vt: V}), -2 * ONE)],
    quote="We note that the analytical solution requires an adaptation of Theorem 3.1, as B is generally not invertible in the case of reversal learning (Appendix G).")

@paper.claim(["Section 6, reversal learning", "Section 6, converge to zero"],
    quote="We show analytically, that reversal learning in fact does not succeed in deep linear networks (Appendix G).",
    needs={"a_reversal_of_all_modes": lambda: same(in_part(substitute(share_2, GONE_2)), 0, APART, among=TWO_MODES)},
    rests_on="riccati_equation balanced_start_in_singular_vectors")
def reversal_ends_at_zero():
    """Knowledge U D V' of any strength D, trained on -U S V': QQ' is [V; U] S D E^2/(S + D (1 - E^2)) [V; U]' with E =
    e^(-St), for any dimensions and any rank. It goes to zero, where all of |S|^2 is left to learn."""
    inside = S + strength @ (ONE - fade @ fade)
    motion, begin, grows_by = {fade: -(S @ fade)}, {fade: ONE}, [root @ strength_root @ fade] * 2
    shown = keeps_inverse(inside, grows_by, motion, begin, root=(root, S_inv @ root), **ROOTED)
    divisor_end = letters("K_end", diagonal=True, inverse_of=S + strength)
    yield only_solution(known @ share @ known.T, lambda state: riccati(task_matrix(-(U @ S @ V.T)), state),
        known @ strength @ known.T, motion, begin | {divisor: S_inv}, inverses={divisor.name: shown}, **ROOTED)
    yield ends_at([share], [zero("N_m", "N_m")], {fade: S}, {divisor: divisor_end})
    yield same(norm2(-(U @ S @ V.T)), trace(S @ S))

# The directions of QQ' along which the task pulls away from zero, and those along which it pulls to zero.
wanted, opposed = Blocks([[Vt], [Ut]]), Blocks([[Vt], [-Ut]])
along_task, against_task = (wanted.T @ Q).only, (opposed.T @ Q).only
size = (Q.T @ Q).only
@paper.claim(["Section 6, exactly on the separatrix", "Section 6, a saddle point"],
    quote="The pre-existing knowledge lies exactly on the separatrix of a saddle point causing the learning dynamics to converge to zero (Fig. 6A).",
    rests_on="flow_of_the_weights")
def knowledge_lies_on_the_separatrix():
    """F takes [Vt; Ut] to [Vt; Ut] St and [Vt; -Ut] to -[Vt; -Ut] St: so Q grows along the first near zero, and shrinks
    along the other. Balanced weights with A = [Vt; Ut]'Q = 0 keep it, dA = St A - A Q'Q/2, and their |Q|^2 falls by
    |Q'Q|^2 at least. What was learned of the opposite task, Ut = -U and Vt = V, has A = 0."""
    on_task = {w: substitute(rate, {Sigma: Ut @ St @ Vt.T}) for w, rate in flow.items()}
    matrix = task_matrix(Ut @ St @ Vt.T)
    fall = trace(along_task.T @ St @ along_task) - trace(against_task.T @ St @ against_task) - norm2(size)
    yield same(matrix @ wanted, wanted @ St)
    yield same(matrix @ opposed, -1 * (opposed @ St))
    yield same(along(along_task, on_task), St @ along_task - HALF * (along_task @ size), [BALANCED])
    yield same(along(trace(size), on_task), fall, [BALANCED])
    yield same(Blocks([[V], [-U]]).T @ known, zero("N_m", "N_m"))

# Modes that the new task keeps, and modes that it reverses.
U1, V1, U2, V2 = letters("U_1: N_o x N_k, V_1: N_i x N_k, U_2: N_o x N_r, V_2: N_i x N_r", orthonormal_columns=True)
S1, S2 = letters("S_1: N_k x N_k, S_2: N_r x N_r", diagonal=True)
APART = [(U1.T @ U2, 0), (V1.T @ V2, 0)]
TWO_MODES = instance("N_i=2 N_o=3 N_k=1 N_r=1", U_1="3/5; 4/5; 0", U_2="-4/5; 3/5; 0", V_1="5/13; 12/13",
    V_2="-12/13; 5/13", S_1=2, S_2=4, S_2_root=2, E="1/2", K="4/7")
fade_2 = letters("E: N_r x N_r", diagonal=True)
left_over_2 = letters("K", diagonal=True, inverse_of=2 * identity("N_r") - fade_2 @ fade_2)
share_2 = S2 @ fade_2 @ fade_2 @ left_over_2
GONE_2 = {fade_2: 0 * identity("N_r"), left_over_2: HALF * identity("N_r")}
kept, turned = Blocks([[V1], [U1]]), Blocks([[V2], [U2]])
learned_before, half_reversed = U1 @ S1 @ V1.T + U2 @ S2 @ V2.T, U1 @ S1 @ V1.T - U2 @ S2 @ V2.T

def in_part(share):
    """QQ' with all of the kept modes and some share of the reversed ones."""
    return kept @ S1 @ kept.T + turned @ share @ turned.T

def apart(left, right):
    return same(left, right, APART, among=TWO_MODES)

u, v, ut = Blocks([[U1, U2]]), Blocks([[V1, V2]]), Blocks([[U1, -U2]])
one_k, one_r, none = identity("N_k"), identity("N_r"), zero("N_k", "N_r")
paper.states("overlap_of_partial_reversal", "Beyond: B after a partial reversal",
    "If U_1 S_1 V_1' - U_2 S_2 V_2' follows U_1 S_1 V_1' + U_2 S_2 V_2', B = diag(2 I, 0), U'Ut Vt'V = diag(I, -I).",
    lambda: [apart(u.T @ ut + v.T @ v, Blocks([[2 * one_k, none], [none.T, 0 * one_r]])),
        apart(u.T @ ut @ v.T @ v, Blocks([[one_k, none], [none.T, -one_r]]))])

@paper.claim("Section 6, reversal learning in part",
    quote="For example, reversal learning occurs when items of a class are mislabeled and later corrected.",
    rests_on="riccati_equation overlap_of_partial_reversal")
def partial_reversal_ends_on_a_saddle():
    """From the knowledge U_1 S_1 V_1' + U_2 S_2 V_2', trained on U_1 S_1 V_1' - U_2 S_2 V_2', the modes that the task
    keeps stay, and the reversed ones fall as S_2 e^(-2 S_2 t)/(2 - e^(-2 S_2 t)). QQ' ends at [V_1; U_1] S_1 [V_1;
    U_1]', a fixed point, and of the task |S_2|^2 is left to learn."""
    one, motion, final = identity("N_r"), {fade_2: -(S2 @ fade_2)}, kept @ S1 @ kept.T
    root_2 = letters("S_2_root: N_r x N_r", diagonal=True)
    options = {"assuming": [*APART, (root_2 @ root_2, S2)], "among": [TWO_MODES]}
    shown = keeps_inverse(2 * one - fade_2 @ fade_2, [root_2 @ fade_2] * 2, motion, {fade_2: one}, **options)
    yield only_solution(in_part(share_2), lambda state: riccati(task_matrix(half_reversed), state),
        kept @ S1 @ kept.T + turned @ S2 @ turned.T, motion, {fade_2: one, left_over_2: one},
        inverses={left_over_2.name: shown}, **options)
    yield ends_at(in_part(share_2), final, {fade_2: S2}, {left_over_2: one / 2}, assuming=APART, among=[TWO_MODES])
    yield apart(riccati(task_matrix(half_reversed), final), 0 * (kept @ kept.T))
    yield apart(norm2(half_reversed - final.rows[1][0]), trace(S2 @ S2))

paper.states("loss_after_a_reversal_in_part: partial_reversal_ends_on_a_saddle",
    ["Section 6, loss of another task, after a reversal in part", "Beyond: what is forgotten when modes are reversed"],
    "Where the next task reverses some modes of the last one, training ends on the saddle, and the last task's loss "
    "is |S_2|^2/2 + c, a quarter of the 2 |S_2|^2 + c of the printed formula.",
    lambda: [apart(norm2((kept @ S1 @ kept.T).rows[1][0] - learned_before), trace(S2 @ S2)),
        apart(norm2(half_reversed - learned_before), 4 * trace(S2 @ S2))],
    needs={"the_saddle": lambda: apart(norm2(half_reversed - learned_before), trace(S2 @ S2))})

# The weights of a network with one neuron in each layer, and where they start: at a and -a.
first, second, noisy = reals("w1 w2, a > 0")
narrow_flow = {first: second * (s - second * first), second: first * (s - second * first)}
shrinking = s * noisy**2 * exp(-2 * s * t) / (s + noisy**2 * (1 - exp(-2 * s * t)))  # the square of either weight
balanced_noise_ends_at_zero = paper.states("balanced_noise_ends_at_zero: flow_for_white_inputs",
    "Beyond: balanced noise with one neuron in each layer",
    "From w1 = a, w2 = -a the weights stay opposite, a^2 goes to zero as s a^2 E/(s + a^2 (1 - E)), E = e^(-2 s t).",
    lambda: [solves(narrow_flow, {first: sqrt(shrinking), second: -sqrt(shrinking)}, {first: noisy, second: -noisy}, t),
        tends(-shrinking, {t: oo}, 0)])

tilt = reals("h > 0")  # the tangent of half the angle by which noise turns what was learned
COSINE, SINE = (1 - tilt**2) / (1 + tilt**2), 2 * tilt / (1 + tilt**2)
@paper.claim(["Beyond: balanced noise, and how many modes are reversed", "Section 6, any noise, balanced noise"],
    rests_on="theorem_32 different_signs_make_overlap_singular balanced_noise_ends_at_zero")
def parity_decides_on_balanced_noise():
    """For N_i = N_o the number of reversed modes decides whether balanced noise can lead to the task. det(W2 W1) keeps
    its sign, and one or three reversals give it the other sign than the task's: balanced noise never learns the whole
    task. Two give it the same, and noise that turns two reversed modes by an angle with the half tangent h makes B = I
    - R with a rotation R, det B > 0. With two inputs and one output it makes B = 1 - cos > 0."""
    rotation = Matrix([[COSINE, -SINE], [SINE, COSINE]])
    x, y = reals("det_W det_Sigma > 0")
    yield same(rotation.T * rotation, eye(2))
    yield positive((eye(2) - rotation).det())
    yield positive(1 - COSINE)
    yield positive(-((-1) ** 3 * x) * y)
    yield positive((-1) ** 2 * x * y)

paper.states("any_noise_escapes: balanced_noise_ends_at_zero",
    "Section 6, any noise, read of noise that keeps the balance",
    "From any balanced start near the learned opposite, one neuron in each layer, the network learns the task s.",
    lambda: [balanced_noise_ends_at_zero(), tends(-shrinking, {t: oo}, s)],
    corrected_by="parity_decides_on_balanced_noise")

vector = {first: Integer(1), second: Integer(1)}
paper.states("zero_is_unstable",
    "Section 6, noise will perturb the dynamics off the saddle point, linear approximation",
    "With one neuron in each layer the flow d(w1, w2) = s (w2, w1) near zero leaves it along w1 = w2 at the rate s.",
    lambda: by("linear instability", flow=narrow_flow, point=dict.fromkeys(vector, Integer(0)), vector=vector, growth=s,
        side="right"))

lam, kappa = reals("lambda kappa > 0")  # the conserved w2^2 - w1^2, and the root of s^2 + lambda^2/4
ROOT = Eq(kappa**2, s**2 + lam**2 / 4)
height = reals("g")  # the square of w1 + w2
CONSERVED = Eq(lam, (second - first) * (second + first))
product = (height - lam**2 / height) / 4  # w2 w1 in terms of g
g = (first + second) ** 2
rate = sum(Derivative(g, w) * narrow_flow[w] for w in (first, second))
paper.states("narrow_network_in_one_variable: flow_for_white_inputs balance_persists",
    "Beyond: one neuron in each layer, any balance",
    "With lambda = w2^2 - w1^2 and g = (w1 + w2)^2, dg = 2 s g - g^2/2 + lambda^2/2 and w2 w1 = (g - lambda^2/g)/4.",
    lambda: [same(rate, 2 * s * g - g**2 / 2 + lam**2 / 2, given=[CONSERVED]),
        same(product.subs(height, g), first * second, given=[CONSERVED]),
        same(sum(Derivative(second**2 - first**2, w) * narrow_flow[w] for w in (first, second)), 0)])

growing = exp(2 * kappa * t)
# g of a network that had learned -s exactly.
from_reversal = (s * -2 * (kappa - s) + 2 * (kappa + s) * (kappa - s) * growing) / (s + (kappa - s) * growing)
# exp(2 kappa T) at the time T at which the network function has come back to zero.
escape = 2 * s * (2 * (kappa + s) + lam) / (lam * (2 * (kappa + s) - lam))
began, flow_of_g = 2 * (kappa - s), 2 * s * height - height**2 / 2 + lam**2 / 2
paper.states("unbalanced_noise_escapes: narrow_network_in_one_variable",
    "Section 6, noise will perturb the dynamics off the saddle point",
    "With a neuron in each layer that learned -s and lambda = w2^2 - w1^2 > 0, g = (w1 + w2)^2 is, X being e^(2 kappa "
    "t), kappa^2 = s^2 + lambda^2/4, (kappa - s)(2 (kappa + s) X - 2 s)/(s + (kappa - s) X), and w2 w1 goes to s.",
    lambda: [same(product.subs(height, began), -s, given=[ROOT]), positive(kappa - s, given=[ROOT]),
        solves({height: flow_of_g}, {height: from_reversal}, {height: began}, t, given=[ROOT, kappa > s]),
        tends(product.subs(height, from_reversal), {t: oo}, s, given=[ROOT, kappa > s])],
    quote="In contrast, the learning still succeeds numerically, as any noise will perturb the dynamics off the saddle point, allowing learning to proceed (Fig. 6A).")
paper.states("escape_takes_long: unbalanced_noise_escapes", "Section 6, slow in the vicinity of the saddle point",
    "The function of such a network passes zero at the time T with e^(2 kappa T) = 2 s (2 (kappa + s) + "
    "lambda)/(lambda (2 (kappa + s) - lambda)), and lambda e^(2 kappa T) tends to 2 s: T grows as ln(1/lambda)/(2 s).",
    lambda: [same(from_reversal.subs(growing, escape), lam, given=[ROOT]), same(Subs(product, height, lam), 0),
        same(2 * kappa - lam, 4 * s**2 / (2 * kappa + lam), given=[ROOT]),
        tends((lam * escape).subs(kappa, sqrt(s**2 + lam**2 / 4)), [lam], 2 * s),
        tends(sqrt(s**2 + lam**2 / 4), [lam], s)],
    quote="However, the dynamics still slow in the vicinity of the saddle point, providing a theoretical explanation for catastrophic slowing in deep linear networks [60].")
