"""Section 6: relearning the opposite, whole or in part, and the saddle where it ends."""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, Words, along, identity, norm2, substitute, trace, zero
from derivations.language.words.blocks import Blocks, along_blocks
from derivations.models.two_layer_linear import BALANCED, HALF, F, Q, S, Sigma, St, U, Ut, V, Vt, flow
from derivations.papers.braun_2022.setup import paper, s, t
from derivations.papers.braun_2022.source.vocabulary import ONE
from derivations.prove import Certificate, Verdict

UNIQUE, DECAYING = "uniqueness of solutions", "limit by decaying exponentials"

# --- full reversal ----------------------------------------------------------------------------------------------------

fade = Letter("E", "N_m", "N_m", diagonal=True)
"""exp(-S t)."""

left_over = Letter("K", "N_m", "N_m", diagonal=True, inverse_of=2 * ONE - fade @ fade)
kept_share = S @ fade @ fade @ left_over
"""What is left of the singular values: S e^(-2St)/(2 - e^(-2St))."""

known = Blocks([[V], [U]])
"""The singular vectors of what the network knows."""


def task_matrix(task: Words) -> Blocks:
    """F of a task."""
    return F.map(lambda block: substitute(block, {Sigma: task}))


def riccati(state: Blocks, task: Words) -> Blocks:
    """The rate of QQ' on a task."""
    matrix = task_matrix(task)
    return matrix @ state + state @ matrix - state @ state


@paper.claim("Section 6, B in the case of reversal")
def overlap_of_reversal_vanishes() -> Certificate:
    """If the task is -U S V' after U S V' was learned, so that Ut = -U and Vt = V, then B is zero and C is -2 I: B is not invertible."""
    opposite = {Ut: -U, Vt: V}
    return prove.every(
        prove.words(substitute(U.T @ Ut + V.T @ Vt, opposite), zero("N_m", "N_m")),
        prove.words(substitute(U.T @ Ut - V.T @ Vt, opposite), -2 * ONE),
    )


unlearning = known @ kept_share @ known.T


def reversal_is_solved() -> Certificate:
    """Rate and start of the course of a full reversal."""
    begin = {fade: ONE}
    return prove.every(
        prove.words(along_blocks(unlearning, {fade: -(S @ fade)}), riccati(unlearning, -(U @ S @ V.T))),
        prove.words(substitute(2 * ONE - fade @ fade, begin), ONE),
        prove.words(substitute(S @ fade @ fade, begin), S),
    )


@paper.claim(
    "Section 6, reversal learning",
    rests_on=["riccati_equation", "balanced_start_in_singular_vectors"],
)
def reversal_course() -> Certificate:
    """From the balanced knowledge U S V', trained on -U S V', QQ' is [V; U] S e^(-2St)/(2 - e^(-2St)) [V; U]', for any dimensions and any
    rank."""
    return prove.chain("this is QQ' after a reversal", UNIQUE, solution=reversal_is_solved())


@paper.claim("Section 6, converge to zero", rests_on=["reversal_course"])
def reversal_ends_at_zero() -> Certificate:
    """After a full reversal QQ', and with it the network function, goes to zero: the singular values end as S 0/2, and of the task's
    U S V' all of |S|^2 is left to learn."""
    gone = {fade: 0 * ONE}
    return prove.chain(
        "a reversed network forgets everything and learns nothing",
        DECAYING,
        form=reversal_is_solved(),
        value=prove.every(
            prove.words(substitute(kept_share, gone), 0),
            prove.words(norm2(-(U @ S @ V.T) - U @ substitute(kept_share, gone) @ V.T), trace(S @ S)),
        ),
    )


strength = Letter("D", "N_m", "N_m", diagonal=True)
"""How strongly each mode of the opposite is known."""

divisor = Letter("K", "N_m", "N_m", diagonal=True, inverse_of=S + strength @ (ONE - fade @ fade))
any_share = S @ strength @ fade @ fade @ divisor


@paper.claim("Section 6, reversal learning, from knowledge of any strength", rests_on=["riccati_equation"])
def reversal_from_any_strength() -> Certificate:
    """Knowledge U D V' in the right singular vectors, of any strength D, finished or not, is lost as well: trained on -U S V', QQ' is
    [V; U] S D E^2/(S + D (1 - E^2)) [V; U]' with E = e^(-St), which goes to zero."""
    state = known @ any_share @ known.T
    begin, gone = {fade: ONE}, {fade: 0 * ONE}
    return prove.chain(
        "knowledge of the opposite goes to zero, whatever its strength",
        DECAYING,
        form=prove.every(
            prove.words(along_blocks(state, {fade: -(S @ fade)}), riccati(state, -(U @ S @ V.T))),
            prove.words(substitute(S + strength @ (ONE - fade @ fade), begin), S),
            prove.words(substitute(S @ strength @ fade @ fade, begin), S @ strength),
        ),
        value=prove.words(substitute(any_share, gone), 0),
    )


# --- the separatrix ---------------------------------------------------------------------------------------------------

wanted, opposed = Blocks([[Vt], [Ut]]), Blocks([[Vt], [-Ut]])
"""The directions of QQ' along which the task pulls away from zero, and those along which it pulls to zero."""

along_task, against_task = (wanted.T @ Q).only, (opposed.T @ Q).only
on_task = {w: substitute(rate, {Sigma: Ut @ St @ Vt.T}) for w, rate in flow.items()}
size = (Q.T @ Q).only


@paper.claim("Section 6, a saddle point", rests_on=["flow_of_the_weights"])
def zero_is_a_saddle() -> Certificate:
    """Near zero dQ = F Q: Q grows along [Vt; Ut] and shrinks along [Vt; -Ut], with the singular values of the task as rates."""
    matrix = task_matrix(Ut @ St @ Vt.T)
    return prove.every(prove.words(matrix @ wanted, wanted @ St), prove.words(matrix @ opposed, -1 * (opposed @ St)))


@paper.claim(
    "Section 6, exactly on the separatrix",
    rests_on=["flow_of_the_weights", "zero_is_a_saddle"],
)
def knowledge_lies_on_the_separatrix() -> Certificate:
    """Balanced weights with A = [Vt; Ut]'Q = 0 keep it: dA = St A - A Q'Q/2. There d|Q|^2 is at most -|Q'Q|^2, which is at most
    -|Q|^4/N_h, so that they go to zero. What
    was learned of the opposite task has A = 0, as [Vt; Ut]'[V; U] is zero for Ut = -U and Vt = V."""
    fall = trace(along_task.T @ St @ along_task) - trace(against_task.T @ St @ against_task) - norm2(size)
    flipped = Blocks([[V], [-U]])
    return prove.every(
        prove.words(along(along_task, on_task), St @ along_task - HALF * (along_task @ size), [BALANCED]),
        prove.words(along(trace(size), on_task), fall, [BALANCED]),
        prove.words(flipped.T @ known, zero("N_m", "N_m")),
    )


# --- reversal in part -------------------------------------------------------------------------------------------------

U1, V1 = Letter("U_1", "N_o", "N_k", orthonormal_columns=True), Letter("V_1", "N_i", "N_k", orthonormal_columns=True)
U2, V2 = Letter("U_2", "N_o", "N_r", orthonormal_columns=True), Letter("V_2", "N_i", "N_r", orthonormal_columns=True)
S1, S2 = Letter("S_1", "N_k", "N_k", diagonal=True), Letter("S_2", "N_r", "N_r", diagonal=True)
"""Modes that the new task keeps, and modes that it reverses."""

APART: list[tuple[Words, Words | int]] = [(U1.T @ U2, 0), (V1.T @ V2, 0)]
TWO_MODES: dict[str, Any] = {
    "dims": {"N_i": 2, "N_o": 3, "N_k": 1, "N_r": 1},
    "matrices": {
        "U_1": [["3/5"], ["4/5"], ["0"]], "U_2": [["-4/5"], ["3/5"], ["0"]],
        "V_1": [["5/13"], ["12/13"]], "V_2": [["-12/13"], ["5/13"]],
        "S_1": [["2"]], "S_2": [["3"]], "E": [["1/2"]], "K": [["4/7"]],
    },
}  # fmt: skip

PLAIN_MODES: dict[str, Any] = {
    "dims": {"N_i": 2, "N_o": 2, "N_k": 1, "N_r": 1},
    "matrices": {
        "U_1": [["1"], ["0"]], "U_2": [["0"], ["1"]], "V_1": [["1"], ["0"]], "V_2": [["0"], ["1"]],
        "S_1": [["1"]], "S_2": [["1"]], "E": [["1/2"]], "K": [["4/7"]],
    },
}  # fmt: skip
"""One mode of two changes its sign."""

fade_2 = Letter("E", "N_r", "N_r", diagonal=True)
left_over_2 = Letter("K", "N_r", "N_r", diagonal=True, inverse_of=2 * identity("N_r") - fade_2 @ fade_2)
share_2 = S2 @ fade_2 @ fade_2 @ left_over_2
kept, turned = Blocks([[V1], [U1]]), Blocks([[V2], [U2]])
half_reversed = U1 @ S1 @ V1.T - U2 @ S2 @ V2.T


def in_part(share: Words) -> Blocks:
    """QQ' with all of the kept modes and some share of the reversed ones."""
    return kept @ S1 @ kept.T + turned @ share @ turned.T


@paper.claim("Beyond: B after a partial reversal")
def overlap_of_partial_reversal() -> Certificate:
    """If the task is U_1 S_1 V_1' - U_2 S_2 V_2' after U_1 S_1 V_1' + U_2 S_2 V_2' was learned, then B = diag(2 I, 0), and U'Ut Vt'V has the
    eigenvalue -1 once for each reversed mode."""
    u, v, ut = Blocks([[U1, U2]]), Blocks([[V1, V2]]), Blocks([[U1, -U2]])
    one_k, one_r, none = identity("N_k"), identity("N_r"), zero("N_k", "N_r")
    overlap = Blocks([[2 * one_k, none], [none.T, 0 * one_r]])
    signs = Blocks([[one_k, none], [none.T, -one_r]])
    return prove.every(
        prove.words(u.T @ ut + v.T @ v, overlap, APART, [TWO_MODES]),
        prove.words(u.T @ ut @ v.T @ v, signs, APART, [TWO_MODES]),
    )


def partial_reversal_is_solved() -> Certificate:
    """Rate and start of the course of a partial reversal."""
    state = in_part(share_2)
    begin = {fade_2: identity("N_r")}
    return prove.every(
        prove.words(along_blocks(state, {fade_2: -(S2 @ fade_2)}), riccati(state, half_reversed), APART, [TWO_MODES]),
        prove.words(substitute(2 * identity("N_r") - fade_2 @ fade_2, begin), identity("N_r")),
        prove.words(substitute(S2 @ fade_2 @ fade_2, begin), S2),
    )


@paper.claim("Beyond: course of a partial reversal", rests_on=["riccati_equation"])
def partial_reversal_course() -> Certificate:
    """From the balanced knowledge U_1 S_1 V_1' + U_2 S_2 V_2', trained on U_1 S_1 V_1' - U_2 S_2 V_2', the modes that the task keeps stay as
    they are and the reversed ones fall as S_2 e^(-2 S_2 t)/(2 - e^(-2 S_2 t))."""
    return prove.chain("this is QQ' after a reversal in part", UNIQUE, solution=partial_reversal_is_solved())


@paper.claim(
    "Section 6, reversal learning in part",
    rests_on=["partial_reversal_course"],
)
def partial_reversal_ends_on_a_saddle() -> Certificate:
    """After a partial reversal QQ' ends at [V_1; U_1] S_1 [V_1; U_1]', a fixed point: the network keeps the modes that stay right, and of
    the task |S_2|^2 is left to learn."""
    gone = substitute(share_2, {fade_2: 0 * identity("N_r")})
    rest = half_reversed - in_part(gone).rows[1][0]
    return prove.chain(
        "a network that is reversed in part keeps the rest",
        DECAYING,
        form=partial_reversal_is_solved(),
        value=prove.every(
            prove.words(in_part(gone), kept @ S1 @ kept.T),
            prove.words(riccati(kept @ S1 @ kept.T, half_reversed), 0 * (kept @ kept.T), APART, [TWO_MODES]),
            prove.words(norm2(rest), trace(S2 @ S2), APART, [TWO_MODES]),
        ),
    )


@paper.claim(
    "Section 6, converge to zero, reversal in part",
    expect=Verdict.REFUTED,
    corrected_by="partial_reversal_ends_on_a_saddle",
    rests_on=["partial_reversal_course"],
)
def partial_reversal_ends_at_zero() -> Certificate:
    """A network that has to relearn some of its modes, as when the items of one class were mislabeled, converges to zero too."""
    gone = substitute(share_2, {fade_2: 0 * identity("N_r")})
    return prove.every(partial_reversal_is_solved(), prove.words(in_part(gone), 0, APART, [PLAIN_MODES]))


# --- noise ------------------------------------------------------------------------------------------------------------

first, second = sp.symbols("w1 w2", real=True)
noisy = sp.Symbol("a", positive=True)
"""The weights of a network with one neuron in each layer, and where they start: at a and -a."""

E = sp.Symbol("E", positive=True)
"""exp(-2 s t)."""

narrow_flow = {first: second * (s - second * first), second: first * (s - second * first)}
shrinking = s * noisy**2 * E / (s + noisy**2 * (1 - E))
"""The square of either weight."""


@paper.claim("Beyond: balanced noise with one neuron in each layer", rests_on=["flow_for_white_inputs"])
def balanced_noise_ends_at_zero() -> Certificate:
    """From w1 = a and w2 = -a, whatever a is, the weights stay opposite and a^2 goes to zero as s a^2 E/(s + a^2 (1 - E)), E = e^(-2 s t): the
    task s is never learned."""
    weight = sp.sqrt(shrinking.subs(E, sp.exp(-2 * s * t)))
    return prove.every(
        prove.solves(narrow_flow, {first: weight, second: -weight}, {first: noisy, second: -noisy}, t),
        prove.limit(-shrinking, [E], 0),
    )


@paper.claim(
    ["Section 6, any noise will perturb the dynamics off the saddle point"],
    expect=Verdict.REFUTED,
    corrected_by="unbalanced_noise_escapes",
    rests_on=["balanced_noise_ends_at_zero", "knowledge_lies_on_the_separatrix"],
)
def any_noise_escapes() -> Certificate:
    """From any balanced start near the learned opposite, one neuron in each layer, the network learns the task s."""
    return prove.every(balanced_noise_ends_at_zero(), prove.limit(-shrinking, [E], s))


tilt = sp.Symbol("h", positive=True)
"""The tangent of half the angle between the learned input direction and the opposite of the task's."""


@paper.claim("Beyond: balanced noise with two inputs", rests_on=["theorem_32"])
def turning_noise_escapes() -> Certificate:
    """With two inputs and one output, balanced noise that turns the learned direction off the opposite of the task's, by an angle with the half
    tangent h, makes B = U'Ut + V'Vt = 2 h^2/(1 + h^2) > 0: from there the network learns the task."""
    learned, wanted_direction = sp.Matrix([1 - tilt**2, 2 * tilt]) / (1 + tilt**2), sp.Matrix([-1, 0])
    overlap = 1 + (learned.T * wanted_direction)[0]
    return prove.every(
        prove.identity((learned.T * learned)[0], 1),
        prove.identity(overlap, 2 * tilt**2 / (1 + tilt**2)),
        prove.positive(2 * tilt**2 / (1 + tilt**2)),
    )


@paper.claim("Section 6, noise will perturb the dynamics off the saddle point, linear approximation")
def zero_is_unstable() -> Certificate:
    """With one neuron in each layer, the flow near zero is d(w1, w2) = s (w2, w1): it leaves zero along w1 = w2, at the rate s."""
    jacobian = sp.Matrix([[narrow_flow[x].diff(y) for y in (first, second)] for x in (first, second)])
    at_zero = jacobian.subs({first: 0, second: 0})
    direction = sp.Matrix([1, 1])
    return prove.chain(
        "zero is not stable",
        "linear instability",
        eigenvector=prove.identity(tuple(at_zero * direction), tuple(s * direction)),
        growth=prove.positive(s),
    )


lam, kappa = sp.symbols("lambda kappa", positive=True)
"""The conserved w2^2 - w1^2, and the root of s^2 + lambda^2/4."""

ROOT = sp.Eq(kappa**2, s**2 + lam**2 / 4)
height, level, above = sp.symbols("g level above", positive=True)
"""The square of w1 + w2; exp(-2 kappa t); and kappa - s, which is positive."""

CONSERVED = sp.Eq(lam, (second - first) * (second + first))
product = (height - lam**2 / height) / 4
"""w2 w1 in terms of g."""


@paper.claim("Beyond: one neuron in each layer, any balance", rests_on=["flow_for_white_inputs", "balance_persists"])
def narrow_network_in_one_variable() -> Certificate:
    """With one neuron in each layer and lambda = w2^2 - w1^2, g = (w1 + w2)^2 moves at 2 s g - g^2/2 + lambda^2/2, and the network
    function w2 w1 is (g - lambda^2/g)/4."""
    g = (first + second) ** 2
    rate = sum(g.diff(w) * narrow_flow[w] for w in (first, second))
    return prove.every(
        prove.identity(rate, 2 * s * g - g**2 / 2 + lam**2 / 2, assuming=[CONSERVED]),
        prove.identity(product.subs(height, g), first * second, assuming=[CONSERVED]),
        prove.identity(sum((second**2 - first**2).diff(w) * narrow_flow[w] for w in (first, second)), 0),
    )


growing = sp.Symbol("X", positive=True)
"""exp(2 kappa t)."""

from_reversal = (s * -2 * (kappa - s) + 2 * (kappa + s) * (kappa - s) * growing) / (s + (kappa - s) * growing)
"""g of a network that had learned -s exactly."""

escape = 2 * s * (2 * (kappa + s) + lam) / (lam * (2 * (kappa + s) - lam))
"""exp(2 kappa T) at the time T at which the network function has come back to zero."""


@paper.claim(
    "Section 6, noise will perturb the dynamics off the saddle point",
    rests_on=["narrow_network_in_one_variable"],
)
def unbalanced_noise_escapes() -> Certificate:
    """With one neuron in each layer that has learned -s and lambda = w2^2 - w1^2 > 0, g = (w1 + w2)^2 is, with X = e^(2 kappa t) and kappa^2 = s^2 +
    lambda^2/4, (kappa - s)(2 (kappa + s) X - 2 s)/(s + (kappa - s) X); from every lambda, however small, w2 w1 tends to the task s."""
    at = {growing: sp.exp(2 * kappa * t)}
    began = 2 * (kappa - s)
    far = sp.cancel(from_reversal.subs({growing: 1 / level, kappa: s + above}))
    return prove.every(
        prove.identity(product.subs(height, began), -s, assuming=[ROOT]),
        prove.solves(
            {height: 2 * s * height - height**2 / 2 + lam**2 / 2},
            {height: from_reversal.subs(at)},
            {height: began},
            t,
            assuming=[ROOT, kappa > s],
        ),
        prove.identity(kappa - s, lam**2 / (4 * (kappa + s)), assuming=[ROOT]),
        prove.positive(lam**2 / (4 * (kappa + s))),
        prove.limit(far, [level], 2 * (2 * s + above)),
        prove.identity(product.subs(height, 2 * (kappa + s)), s, assuming=[ROOT]),
    )


@paper.claim(
    "Section 6, slow in the vicinity of the saddle point",
    rests_on=["unbalanced_noise_escapes"],
)
def escape_takes_long() -> Certificate:
    """The network function of such a network passes zero at the time T with e^(2 kappa T) = 2 s (2 (kappa + s) + lambda)/(lambda (2 (kappa + s) -
    lambda)), where 2 kappa > lambda, and lambda e^(2 kappa T) tends to 2 s as lambda goes to zero: T grows as ln(1/lambda)/(2 s)."""
    root = sp.sqrt(s**2 + lam**2 / 4)
    return prove.every(
        prove.identity(from_reversal.subs(growing, escape), lam, assuming=[ROOT]),
        prove.identity(product.subs(height, lam), 0),
        prove.identity(2 * kappa - lam, 4 * s**2 / (2 * kappa + lam), assuming=[ROOT]),
        prove.limit((lam * escape).subs(kappa, root), [lam], 2 * s),
        prove.limit(root, [lam], s),
    )
