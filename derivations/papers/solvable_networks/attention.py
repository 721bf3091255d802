"""Section 6: linear attention that learns regression in context (Zhang, Singh, Latham & Saxe 2025), a linear network.

A context has B tokens x ~ N(0, L) in N dimensions, with y = w'x for one w ~ N(0, I); Lh is the average of x x'.
"""

from derivations.papers.solvable_networks.setup import *
from derivations.language.averages import covariance, field, mean
from derivations.language.sums import size
from derivations.models.committee import B, a, b, s, s_other, x
from derivations.models.committee.contexts import *
from derivations.models.committee.population import c, over_batches, x as drawn
from derivations.prove.words import Equation

C = covariance("a", "b", "c", "d")
pairs = (C[0, 1] * C[2, 3], C[0, 2] * C[1, 3], C[0, 3] * C[1, 2])
squared = over_batches(total(x[s, a] * x[s, c] * x[s_other, c] * x[s_other, b], s, s_other, c))
paper.states("squared_covariance_of_a_context", "6.1 The moments of a context's covariance (Zhang et al. 2025)",
    "For x ~ N(0, L), whose fourth moments are L_ab L_cd + L_ac L_bd + L_ad L_bc, <(sum x x')^2> = B^2 L^2 + B (L^2 "
    "+ tr(L) L) for B tokens: <Lh^2> = L^2 + (L^2 + tr(L) L)/B, and c l^2 with c = 1 + (1 + N)/B for L = l I.",
    lambda: [same(mean(field(0) * field(1) * field(2) * field(3), C), sum(pairs)),
        same(squared, SQUARED, MOMENTS, among=EXAMPLE)])

asked = drawn[query, e] * drawn[query, f]
one, other = (answer(at, x) * x[at, i] for at, i in ((s, a), (s_other, b)))
seen = weighed(over_batches(total(one * other, s, s_other)) * asked)
# B^2 <z z'> and B <y_q z> for z = beta x_q'.
answered = weighed(over_batches(total(one, s)) * answer(query, drawn) * drawn[query, e])
paper.states("attention_is_linear_in_cubic_features: squared_covariance_of_a_context",
    "6.2 The features of attention (Zhang et al. 2025)",
    "Merged attention is a two-layer linear network on the features z = beta x_q', beta being the context's average "
    "of y x and x_q the query: <z z'> = <Lh^2> (x) L and <y_q z> = L^2, for L = l I a single mode of l^2 N^(1/2).",
    lambda: [same(seen, SQUARED * L[e, f]), same(answered, size(B) * total(L[a, c] * L[c, e], c))],
    given=[*MOMENTS, WHITE], among=EXAMPLE)

@paper.claim("6.2 The features of attention: its loss", rests_on="attention_is_linear_in_cubic_features")
def loss_of_all_contexts():
    """<y_q^2> is tr(L), and the mean square of y_q less the answer beta'P x_q is tr(L) - 2 tr(L^2 P) + tr(M P L P')
    with M = <Lh^2>, in every dimension, for every number of tokens and every P, whatever heads it is the sum of."""
    lacking = wanted_of[of] - total(P[a, e] * feature[of, a, e], a, e)
    linear = total(L[c, c], c) - 2 * total(L[a, c] * L[c, e] * P[a, e], a, c, e)
    grown = total(mean_square[a, b] * P[a, e] * L[e, f] * P[b, f], a, b, e, f)
    yield same(weighed(answer(query, drawn) * answer(query, drawn)), total(L[c, c], c),
        [*MOMENTS, WHITE], among=EXAMPLE)
    yield same(total(often[of] * lacking * lacking, of), linear + grown, FEATURES, among=SEEN)

t, strength, l, start, spread, inputs = reals("t >= 0, s, l s0 c N > 0")
MERGED = 2 * strength * (l**2 * sqrt(inputs) - l**3 * spread * strength)
@paper.claim("6.3 Merged attention is one two-layer mode",
    rests_on="attention_is_linear_in_cubic_features sigmoid_is_the_rich_mode")
def merged_attention_is_a_sigmoid():
    """ds = 2 s (l^2 N^(1/2) - l^3 c s) is the mode of two layers in the time l^3 c t with the task N^(1/2)/(l c): that
    task times E/(E - 1 + task/s0), E = exp(2 l^2 N^(1/2) t), half of it after about ln(1/s0)/(2 l^2 N^(1/2))."""
    wanted, pace = sqrt(inputs) / (l * spread), 2 * l**2 * sqrt(inputs)
    grown, half = exp(pace * t), log(wanted / start - 1) / pace
    course = wanted * grown / (grown - 1 + wanted / start)
    yield same(MERGED, l**3 * spread * (2 * strength * (wanted - strength)))
    yield solves({strength: MERGED}, {strength: course}, {strength: start}, t)
    yield same(course.subs(grown, wanted / start - 1), wanted / 2)
    yield tends(half / (-log(start) / pace), {start: 0}, 1)

v, key, ask, root, tokens, variance = reals("v kappa rho k B T > 0")
product, many = v * key * ask, 1 + (1 + variance / l) / tokens
equal = Subs(-Derivative(l**3 * spread * product**2 / 2 - l**2 * product, v), (key, ask), (v, v))
paper.states("separate_attention_is_three_layers: attention_is_linear_in_cubic_features",
    "6.4 Separate keys and queries: three layers",
    "A head with value v, key kappa u and query rho u, L u = l u, has, up to a constant, the loss l^3 c p^2/2 - l^2 "
    "p with p = v kappa rho and c = 1 + (1 + tr(L)/l)/B. With equal factors dv = l^2 v^2 - l^3 c v^5.",
    lambda: [same(l * (l**2 + (l**2 + variance * l) / tokens), l**3 * many),
        same(equal, l**2 * v**2 - l**3 * spread * v**5)])

turn = sqrt(3) * atan((2 * root * v + 1) / sqrt(3))
bent = log(1 + root * v + root**2 * v**2) / 2 - log(1 - root * v) - turn
passed, known = (root / 3 * bent - 1 / v) / l**2, [root * v < 1]
paper.states("separate_attention_waits: separate_attention_is_three_layers",
    "6.5 The solution and the plateau of separate attention",
    "With k^3 = l c, l^2 T = (k/3)(ln(1 + k v + k^2 v^2)/2 - ln(1 - k v) - 3^(1/2) arctan((2 k v + 1)/3^(1/2))) - "
    "1/v grows at the rate l^2, v rests at 1/k, and the wait from v0 is 1/(l^2 v0) to leading order, whatever v is.",
    lambda: [same(Derivative(passed, v) * (l**2 * v**2 - l**3 * spread * v**5), 1, [*known, Eq(root**3, l * spread)]),
        same(Subs(v**2 - root**3 * v**5, v, 1 / root), 0),
        tends(start * (passed - passed.subs(v, start)), {start: 0}, 1 / l**2, known)])

u, others, cov = letters("u: N"), letters("R: N x N"), letters("L: N x N", symmetric=True)
value, learned, per_token = letters("l, p, beta")
ON_A_DIRECTION = [Equation(cov @ u, u @ value, oriented=True),
    (norm2(u), identity(1)),
    (others @ u, 0),
    (others.T @ u, 0)]
APART = instance("N=2", u="1; 0", R="0 0; 0 5", L="3 0; 0 2", l=3, p="1/2", beta="1/4")
second = cov @ cov + (cov @ cov + cov * trace(cov)) * per_token
slope = second @ (u @ learned @ u.T + others) @ cov - cov @ cov
alone = u @ ((value @ value + (value @ value + value * trace(cov)) @ per_token) @ value @ learned - value @ value)
paper.states("heads_on_different_directions_do_not_meet: loss_of_all_contexts separate_attention_is_three_layers",
    "6.6 Heads on different directions",
    "Let L u = l u with |u| = 1, P = p u u' + R with R u = R'u = 0, and 1/B = beta. The slope G = <Lh^2> P L - L^2 "
    "has G u = G'u = (l^3 c p - l^2) u: heads along u stay so, and move as if there were no others.",
    lambda: [*(same(side @ u, alone, ON_A_DIRECTION, among=APART) for side in (slope, slope.T))])

A = letters("A: N x N", symmetric=True)
cosh, sinh = letters("C: N x N, S: N x N", symmetric=True, commutes_with=[A])
first_key, first_query = letters("k_0: N, q_0: N")
place, pace = reals("x >= 0, A > 0")
@paper.claim("6.7 Small heads, from every start", rests_on="heads_on_different_directions_do_not_meet")
def small_heads_grow_beyond_all_bounds():
    """Where the slope is -A, a head moves by dv = k'A q, dk = v A q and dq = v A k. In the time x with dx = v dt, C =
    cosh(A x) and S = sinh(A x), k = C k_0 + S q_0 and q = S k_0 + C q_0, and |k|^2 grows by 2 k'A q, as v^2 does. A
    head k_0 = q_0 = v_0 u, v_0 > 0, on a direction u has v = v_0 exp(A x), and is beyond all bounds after 1/(A v_0)."""
    key, asking = cosh @ first_key + sinh @ first_query, sinh @ first_key + cosh @ first_query
    turned = {cosh: HALF * (A @ sinh + sinh @ A), sinh: HALF * (A @ cosh + cosh @ A)}
    passed = (1 - exp(-pace * place)) / (pace * v)
    yield same(along(key, turned), A @ asking)
    yield same(along(asking, turned), A @ key)
    yield same(along(norm2(key), turned), 2 * (key.T @ A @ asking))
    yield same(v * sp.cosh(pace * place) + v * sp.sinh(pace * place), v * exp(pace * place))
    yield same(Derivative(passed, place) * v * exp(pace * place), 1)
    yield tends(passed, {place: oo}, 1 / (pace * v))

weaker = reals("m > 0")
rate, gathered = l**2 * v**2 - l**3 * spread * v**5, 1 / start - 1 / v
paper.states("directions_are_learned_one_after_the_other: separate_attention_waits small_heads_grow_beyond_all_bounds",
    "6.8 One step after the other",
    "With equal small heads on two directions that on the larger eigenvalue is learned first: the waits 1/(l^2 v_0) "
    "and 1/(m^2 v_0) differ by (l - m)(l + m)/(l^2 m^2 v_0). While it is learned its slope fades as l^2 (1 - k^3 "
    "v^3), whose integral from v_0 to the end is 1/v_0 - k, as if it had stood still up to (1/v_0 - k)/l^2.",
    lambda: [same(1 / (weaker**2 * start) - 1 / (l**2 * start), (l - weaker) * (l + weaker) / (l * weaker) ** 2
            / start), same(Derivative(gathered, v) * rate, l**2 * (1 - root**3 * v**3), [Eq(root**3, l * spread)]),
        tends(gathered, {v: 1 / root}, 1 / start - root)])

paper.experiment("Figure 3", "fig_3",
    "Linear attention with separate keys and queries by gradient descent, on all contexts and on sampled ones: heads on the directions "
    "beside their exact solution, small random heads beside the steps that are foretold, and the error of these over their size.",
    rests_on="separate_attention_waits small_heads_grow_beyond_all_bounds directions_are_learned_one_after_the_other")
