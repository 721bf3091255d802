"""Beyond the paper: where the flow ends from every balanced start, the start's rank, B and the task being whatever they are.

A balanced start is Q(0) = X H with columns X that span its range. Each column is a sum of eigenvectors of F; the eigenvalue
that is the largest with a part in the column leads it. Column reduction makes the leading parts orthogonal to each other,
those of positive eigenvalues [V_a; U_a] with orthonormal V_a and U_a. Columns led by f > 0 are divided by e^(f t), columns
led by 0 by the root of 1 + t, and the others stay as they are. Then the bracket ends as a matrix of three diagonal blocks, each
with an inverse: L^-1, the inner products of the leading parts of eigenvalue 0, and what the columns led by negative eigenvalues
began with plus inner products.
"""

from derivations.papers.braun_2022.setup import *
from derivations.papers.braun_2022.section_2_network.riccati import riccati_by_linear_flows

# --- the entries of the scaled bracket ----------------------------------------------------------------------------------
# An entry of the bracket, its start, and what two columns share in one eigenspace of F.
entry, begun, overlap = symbols("n n_0 c", real=True)
# p: the sum of the rates at which two columns are divided; d: how far it is above twice the eigenvalue of the part they
# share.
d, p = symbols("d p", positive=True)
COURSES = [
    (p, d, begun * exp(-p * t) + overlap * (exp(-d * t) - exp(-p * t)) / (p - d)),
    (p, p, begun * exp(-p * t) + overlap * t * exp(-p * t)),
    (p, sp.S.Zero, begun * exp(-p * t) + overlap * (1 - exp(-p * t)) / p),
    (sp.S.Zero, d, begun + overlap * (1 - exp(-d * t)) / d),
    (sp.S.Zero, sp.S.Zero, begun + overlap * t),
]
@paper.claim("Beyond: entries of the scaled bracket", rests_on="riccati_by_linear_flows")
def entries_of_the_bracket():
    """Where two columns, divided by exponentials of rates with the sum p, share c in the eigenspace of (p - d)/2, their entry n
    of the bracket moves by c e^(-d t) - p n; it is n_0 e^(-p t) + c (e^(-d t) - e^(-p t))/(p - d), and the limits of this
    for d = p, d = 0, p = 0 and both."""
    yield from (
        solves({entry: overlap * exp(-gap * t) - total * entry}, {entry: course}, {entry: begun}, t)
        for total, gap, course in COURSES
    )

# exp(-d t), exp(-p t), t exp(-p t), and the root of 1/(1 + t).
k_d, k_p, bare, share = symbols("k_d k_p k_t h", positive=True)
apart = Symbol("q", positive=True)  # the size of p - d; its sign goes with c, which may have both
# Leading parts of positive eigenvalues stay as c/p, of eigenvalue 0 as c, of negative ones as n_0 + c/d; all else
# vanishes.
ENDS = [
    (begun * k_p + overlap * (k_d - k_p) / apart, [k_d, k_p], 0),
    (begun * k_p + overlap * bare, [k_p, bare], 0),
    (begun * k_p + overlap * (1 - k_p) / p, [k_p], overlap / p),
    (begun * share**2 + overlap * (1 - share**2), [share], overlap),
    ((begun + overlap * (1 - k_d) / d) * share, [k_d, share], 0),
    (begun + overlap * (1 - k_d) / d, [k_d], begun + overlap / d),
    (begun + overlap * k_d, [k_d], begun),
    (begun * share, [share], 0),
    (begun * k_d, [k_d], 0),
]

# --- the limit ------------------------------------------------------------------------------------------------------------
# The leading parts of positive eigenvalues, and those eigenvalues: singular values of the task.
Va, Ua = letters("V_a: N_i x N_a, U_a: N_o x N_a", orthonormal_columns=True)
La = letters("L: N_a x N_a", diagonal=True)
# What the bracket ends as for columns led by the eigenvalue 0 and by negative ones.
standing, falling = letters("M_z: N_z x N_z, M_n: N_n x N_n", symmetric=True)
lead = Blocks([[Va], [Ua]])
final = lead @ La @ lead.T

def diagonal(*blocks):
    """The blocks on a diagonal, zero elsewhere."""
    return Blocks(
        [[x if i == j else zero(x.shape[0], y.shape[1]) for j, y in enumerate(blocks)] for i, x in enumerate(blocks)])

def inverse(name, of):
    return Letter(name, of.rows, of.cols, inverse_of=of)

LED = ("N_a", "N_z", "N_n")
moving = [[Letter(f"Z_{side}{kind[-1]}", f"N_{side}", kind) for kind in LED] for side in "io"]
parts = Blocks(moving)
# Z, its columns sorted by what leads them, and how it ends.
at_the_end = {
    z: end if k == 0 else zero(*z.shape) for row, end in zip(moving, (Va, Ua), strict=True) for k, z in enumerate(row)
}
ended_bracket = diagonal(inverse("L_inv", La), standing, falling)
ended_inverse = diagonal(La, inverse("M_z_inv", standing), inverse("M_n_inv", falling))
@paper.claim(["Beyond: the end of every balanced start", "Section 3, the network approaches a steady state"],
    expect="argued", rests_on="riccati_solution bracket_grows entries_of_the_bracket")
def long_time_limit():
    """From every balanced start QQ' tends to [V_a; U_a] L [V_a; U_a]', the sum of 2 f times the projections on the leading parts
    of the start's columns with eigenvalues f > 0 of F; columns led by zero or negative eigenvalues leave nothing. B, the
    ranks and equal or zero singular values of the task play no role. M_z, a Gram matrix of independent vectors, and M_n,
    positive at the start and growing, have inverses."""
    basis, mix = letters("X: N x N_s, H: N_s x N_h")
    columns, one = basis @ mix, diagonal(identity("N_a"), identity("N_z"), identity("N_n"))
    yield argued("QQ' tends to [V_a; U_a] L [V_a; U_a]'",
        columns=prove.words(columns @ columns.T, basis @ (mix @ mix.T) @ basis.T), flow=riccati_by_linear_flows(),
        entries=entries_of_the_bracket(),
        ends=prove.every(*(prove.limit(value, fading, ends) for value, fading, ends in ENDS)),
        inverse=prove.words(ended_bracket @ ended_inverse, one),
        end=prove.words((parts @ ended_inverse @ parts.T).map(lambda block: substitute(block, at_the_end)), final))

# Leading parts are eigenvectors of F: singular vectors of the task.
EIGEN = [(Sigma @ Va, Ua @ La), (Sigma.T @ Ua, Va @ La)]
@paper.claim("Beyond: what is learned in the end", rests_on="long_time_limit", given=EIGEN)
def what_is_learned():
    """The end is a rest point of the Riccati equation. There W2 W1 = U_a L V_a', which holds some singular modes of the task and
    none of the others: of |Sigma|^2 the part tr L^2 is learned and all the rest is missed."""
    function = final.rows[1][0]
    yield same(riccati(F, final), 0)
    yield same(norm2(Sigma - function), norm2(Sigma) - trace(La @ La))

# --- when every mode of the task is learned -------------------------------------------------------------------------------
@paper.claim("Beyond: what B says about the end", rests_on="long_time_limit")
def overlap_holds_the_growing_parts():
    """B' holds the growing parts of the start, [Vt; Ut]'[V; U] = B': with an inverse of B the columns [V; U] B^-T have every mode
    of the task once as growing part, and where B'y = 0 the start's column [V; U] y has none and leaves nothing."""
    wanted, start, unseen = Blocks([[Vt], [Ut]]), Blocks([[V], [U]]), Letter("y", "N_m", 1)
    yield same((wanted.T @ start).only, B.T)
    yield same((wanted.T @ start @ B_inv.T).only, identity("N_m"))
    yield same((wanted.T @ start @ unseen).only, 0, [(B.T @ unseen, 0)])

Q_start = Blocks([[Letter("Q_i", "N_i", "N_h")], [Letter("Q_o", "N_o", "N_h")]])
@paper.claim([
        "Beyond: the end of a bottlenecked network",
        "Beyond: starts with the other sign learn all modes but the smallest",
    ], rests_on="long_time_limit what_is_learned overlap_holds_the_growing_parts")
def largest_modes_are_learned():
    """Let V_a and U_a be the singular vectors of some largest singular values, the next one being smaller. If
    T = [V_a; U_a]'Q(0) has an inverse K from the right, the columns 2 Q(0) K are [V_a; U_a] and parts orthogonal to it, of
    lower eigenvalues: these modes are learned. So N_h hidden neurons, fewer than singular values, learn the N_h largest
    modes; and for N_i = N_o and a B with one zero singular value, whose column with B'y = 0 leaves nothing, N - 1 modes
    are learned and the smallest alone is missed, unless T loses rank."""
    right_inverse = letters("K: N_h x N_a")
    columns = 2 * (Q_start @ right_inverse)
    yield same((lead.T @ (columns - lead)).only, 0, [((lead.T @ Q_start).only @ right_inverse, identity("N_a"))])
