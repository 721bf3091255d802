"""Section 1: how QQ' moves from every start, and the starts for which that is a Riccati equation with constant parts."""

from derivations.papers.solvable_networks.setup import *

N = QQ @ J
TURN = F + HALF * (J @ N - N @ J)

def lacking(gram):
    """The expression that vanishes for a start of two levels."""
    return (gram @ J - ONE * a) @ (gram @ J + ONE * b)

missed = lacking(QQ)
paper.states("gram_matrix_closes: braun_2022:flow_for_white_inputs", "1.1 The flow of QQ'",
    "From every start QQ' moves by itself: d(QQ') = F QQ' + QQ' F - (QQ')^2 + (N^2 + J N^2 J)/2 with N = QQ'J.",
    lambda: same(along_blocks(QQ, flow), riccati(F, QQ) + HALF * (N @ N + J @ N @ N @ J)))
paper.states("levels_are_conserved: gram_matrix_closes", "1.2 The values of QQ'J are conserved",
    "N = QQ'J moves by a commutator, dN = G N - N G with G = F + (J N - N J)/2, and so does (N - a)(N + b), which "
    "stays zero if it is zero at the start. N Q = -Q (W2'W2 - W1 W1'): the other values of N are those of the "
    "conserved imbalance, negated. dQ = G Q, and G J = -J G: learning turns the start by V with V'J V = J.",
    lambda: [same(along_blocks(Q, flow), TURN @ Q), same(TURN @ J, -1 * (J @ TURN)),
        same(along_blocks(N, flow), TURN @ N - N @ TURN),
        same(along_blocks(missed, flow), TURN @ missed - missed @ TURN), same(N @ Q, -1 * (Q @ imbalance))])

@paper.claim("1.3 Starts of two levels keep them", rests_on="levels_are_conserved")
def two_levels_stay():
    """If (N - a)(N + b) = 0 at the start, N = QQ'J, then it stays zero while the flow exists, on every task."""
    still = four("C")
    parts = [dict(zip(still, blocks, strict=True)) for blocks in (missed, TURN @ still - still @ TURN)]
    yield by("zero stays zero", values=parts[0], rates=parts[1], motion=flow, begin={W1: start_1, W2: start_2},
        given=paired(lacking(Q_0 @ Q_0.T), 0), among=EXAMPLE)

OF_TWO_LEVELS = paired(QQ @ J @ QQ, QQ * (a - b) + J * (a @ b))  # that QQ'J QQ' = (a - b) QQ' + a b J, block by block
paper.states("two_levels_make_a_riccati_flow: gram_matrix_closes two_levels_stay", "1.4 Starts of two levels",
    "From a start of two levels, d(QQ') = F QQ' + QQ' F - (QQ')^2 + a b I with F = [(a - b) I/2, S'; S, -(a - b) "
    "I/2].",
    lambda: same(along_blocks(QQ, flow), two_level_rate(QQ), OF_TWO_LEVELS, among=EXAMPLE),
    needs={"the_two_levels": lambda: same(along_blocks(QQ, flow), two_level_rate(QQ))})

SHIFTED = QQ + J * b
pairs = [(along_blocks(QQ, flow), riccati(F_ab + J * b, SHIFTED)),
    (SHIFTED @ J @ SHIFTED, SHIFTED * (a + b)),
    (SHIFTED @ J @ QQ @ J @ SHIFTED, SHIFTED * (a @ (a + b)))]
paper.states("two_levels_are_a_shifted_balance: two_levels_make_a_riccati_flow",
    "1.4 Starts of two levels as balanced ones",
    "From two levels P = QQ' + b J has P J P = (a + b) P, as for the balance -(a + b), and dP = K P + P K - P^2 with "
    "K = F + b J, F of that balance; a (a + b) P = (J P)'QQ'(J P), so that for a > 0 no value of P is negative.",
    lambda: [*(same(left, right, OF_TWO_LEVELS, among=EXAMPLE) for left, right in pairs)])

paper.states("balanced_starts_have_two_levels: two_levels_make_a_riccati_flow braun_2022:riccati_equation",
    "1.5 Balanced starts, lambda not zero included (Braun et al. 2022; Dominé et al. 2024)",
    "Where W2'W2 - W1 W1' = lambda I, QQ'J QQ' = -lambda QQ': one of the levels is zero and the other is |lambda|, at "
    "the outputs for lambda > 0 and at the inputs for lambda < 0.",
    lambda: same(QQ @ J @ QQ, QQ * (-1 * balance), [EVEN]))

input_weights, output_weights = letters("w: N_h, v: 1 x N_h")  # The weights of a network with one input and one output
@paper.claim("1.6 One input and one output", rests_on="two_levels_make_a_riccati_flow")
def one_input_one_output_is_solvable():
    """With one input and one output every start has two levels: a - b = |w|^2 - |v|^2, a b = |w|^2 |v|^2 - (v w)^2."""
    w, v = input_weights, output_weights
    stacked = Blocks([[w.T], [v]])
    gram, turned = stacked @ stacked.T, Blocks([[identity(1), zero(1, 1)], [zero(1, 1), -identity(1)]])
    product = norm2(w) @ norm2(v) - (v @ w) @ (v @ w)
    yield same(gram @ turned @ gram, gram * (norm2(w) - norm2(v)) + turned * product)

known = [(W1.T @ W1, identity("N_i") * a), (W2 @ W2.T, identity("N_o") * b), (W2 @ W1, 0)]
paper.states("wide_starts_have_two_levels: two_levels_make_a_riccati_flow", "1.7 Wide random starts",
    "Where the columns of W1 and the rows of W2 are orthogonal, with squares a and b, QQ' = diag(a I, b I), the start "
    "has the levels a and -b. Wide random layers come close to it, and no lambda describes it.",
    lambda: [same(left, right, known, among=WIDE) for left, right in OF_TWO_LEVELS])

# Three hidden neurons, each of which sees one input or one output.
WIDE = instance("N_i=1 N_o=2 N_h=3", W1="3; 0; 0", W2="0 2 0; 0 0 2", a=9, b=4)
w, v = input_weights, output_weights
paper.states("only_balanced_starts_make_a_riccati_flow", "1.8 Is a multiple of the identity needed?",
    "Every start with one input, one output and d(QQ') = F QQ' + QQ' F - (QQ')^2 + a b I is balanced.", lambda: same(v.T @ v - w @ w.T, identity("N_h") * (norm2(v) - norm2(w))),
    corrected_by="one_input_one_output_is_solvable")
