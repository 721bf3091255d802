"""Appendix A.3, equations 23-35 and 10: the conserved quantity, the fixed points, and what the Jacobian says."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from dataclasses import replace
from derivations.papers.van_rossem_saxe_2024.source.readings import FROM_LOSS, PRINTED, follow, follows

RATIO = r"\frac{\tau_{h}}{\tau_{y}}\frac{1}{||x_{2}-x_{1}||^{2}}"
START = r"\left(\frac{||dy(0)||^{2}}{||dh(0)||^{2}}-\frac{\tau_{h}}{\tau_{y}}\frac{||dh(0)||^{2}}{||x_{2}-x_{1}||^{2}}\right)"
QUOTIENT = r"\frac{||dh||^{2}\frac{\mathrm{d}}{\mathrm{d}t}||dy||^{2}-||dy||^{2}\frac{\mathrm{d}}{\mathrm{d}t}||dh||^{2}}{||dh||^{4}}"
DISTANCE_DT = r"\frac{\mathrm{d}}{\mathrm{d}t}||dh||^{2}"
kept = y / h - c1 * h

def along(reading):
    """The meaning of d/dt of an expression: its rate along the flow."""
    return {"dt": lambda of, _: reading.rate(of)}

EQ_23 = printed("Eq. 23",
    rf"\frac{{\mathrm{{d}}}}{{\mathrm{{d}}t}}\frac{{||dy||^{{2}}}}{{||dh||^{{2}}}}={QUOTIENT}=-\frac{{1}}{{\tau_{{y}}}}w={RATIO}{DISTANCE_DT}",
    meanings=along(PRINTED))
follow("ratio_link1", EQ_23.link(1),
    "The ratio |dy|^2/|dh|^2 changes by the quotient rule.", lambda r, eq: eq.put(along(r)), affected=False)
follow("ratio_link2", EQ_23.link(2),
    "The ratio |dy|^2/|dh|^2, by the quotient rule, changes at the rate -w/tau_y.")
follow("ratio_link3", EQ_23.link(3),
    "-w/tau_y is tau_h/(tau_y |x2 - x1|^2) times the rate of |dh|^2.")
follow("ratio_ends", "Eq. 23, ends",
    "|dy|^2/|dh|^2 - tau_h |dh|^2/(tau_y |x2 - x1|^2) is conserved, as both change at the same rate",
    lambda r: same(r.rate(y / h), r.rate(c1 * h)), affected=False)

EQ_24 = printed("Eq. 24", rf"||dy||^{{2}}={RATIO}||dh||^{{4}}+{START}||dh||^{{2}}")
on_level = EQ_24.right
@follows(EQ_24, affected=False, rests_on=["ratio_ends"])
def prediction_from_distance(r, eq):
    """|dy|^2 is the printed function of |dh|^2 and of the start"""
    start = {h: h0, y: y0, w: reals("w0")}
    flow = {k: as_expression(rate).doit() for k, rate in r.flow.items()}
    yield by("conserved quantity", flow=flow, quantity=kept, start=start, left=y, right=eq.right)

follow("reduced_line1",
    printed("Eq. 25, line 1", rf"{DISTANCE_DT}=-\frac{{1}}{{\tau_{{h}}}}||x_{{2}}-x_{{1}}||^{{2}}w"),
    "The rate of |dh|^2 in the 2-dimensional system is the printed one.", lambda r, eq: eq.put({"dh_dt": r.rate(h)}))

@follows(printed("Eq. 25, line 2",
        r"\frac{\mathrm{d}}{\mathrm{d}t}w=-\frac{1}{2}(-\frac{\tau_{h}}{{\tau_{y}}^{2}}\frac{1}{||x_{2}-x_{1}||^{2}}||dh||^{6}"
        r"+\frac{1}{\tau_{y}}||y_{2}-y_{1}||^{2}||dh||^{2}+\frac{4}{\tau_{y}}||dh||^{2}w+\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{w^{2}}{||dh||^{2}}"
        rf"+{START}(\frac{{1}}{{\tau_{{h}}}}||x_{{2}}-x_{{1}}||^{{2}}w-\frac{{1}}{{\tau_{{y}}}}||dh||^{{4}}))"),
    left="the rate of w where |dy|^2 is what equation 24 says", rests_on=["prediction_from_distance"])
def reduced_line2(r, eq):
    """The rate of w in the 2-dimensional system is the printed one."""
    yield eq.put({"dw_dt": as_expression(r.flow[w]).subs(y, on_level)})

# On a level of the conserved quantity: A_high and A_low instead of the start and of |y2 - y1|^2.
ON_LEVEL = {y: c1 * h**2 - c1 * A * h, s: c1 * B**2}
BARE = without_signs(h)

def level(r):
    """The rates of |dh|^2 and w where the conserved quantity and the target distance are A_high and A_low."""
    return r.flow[h].subs(ON_LEVEL), expand(r.flow[w].subs(ON_LEVEL))

replace(EQ_11[0], where=("Eq. 28, line 1",)).states("level_of_start: prediction_from_distance",
    "A_high is what equation 24 keeps: |dh|^2 - tau_y |x2 - x1|^2 |dy|^2/(tau_h |dh|^2).",
    lambda eq: same(h - on_level / (c1 * h), eq.right))
replace(EQ_11[1], where=("Eq. 28, line 2",)).states("level_of_target",
    "A_low is the root of tau_y |x2 - x1|^2 |y2 - y1|^2/tau_h.", lambda eq: same(sqrt(s / c1), eq.right))
follow("rest_means_no_alignment", printed("Eq. 26", rf"{DISTANCE_DT}=0\implies w=0"),
    "Where |dh|^2 does not change, w = 0", lambda r, eq: eq, affected=False)

EQ_27 = printed("Eq. 27, line 2",
    rf"0=-\frac{{\tau_{{h}}}}{{{{\tau_{{y}}}}}}\frac{{1}}{{||x_{{2}}-x_{{1}}||^{{2}}}}||dh||^{{6}}-{START}||dh||^{{4}}+||y_{{2}}-y_{{1}}||^{{2}}||dh||^{{2}}")
follow("rest_condition", EQ_27,
    "Where w = 0 and w does not change, the printed cubic in |dh|^2 vanishes",
    lambda r, eq: eq.judged([Eq(expand(r.flow[w].subs(y, on_level).subs(w, 0)), 0)]), affected=False,
    rests_on=["reduced_line2"])

ROOTS = printed("Eq. 27, line 3",
    r"||dh||^{2}=\frac{1}{2}A_{\text{high}}\pm\sqrt{\frac{1}{4}A^{2}_{\text{high}}+A^{2}_{\text{low}}}")
lower = A / 2 - sqrt(A**2 / 4 + B**2)
@ROOTS.claim(rests_on="rest_condition level_of_start level_of_target")
def rest_distances(eq):
    """The roots of the cubic are 0 and A_high/2 +- sqrt(A_high^2/4 + A_low^2), and there are no others."""
    upper_root, lower_root = (branch.right for branch in eq.branches())
    yield same(-c1 * h**3 + c1 * A * h**2 + c1 * B**2 * h, -c1 * h * (h - upper_root) * (h - lower_root))
    yield same((A + R) / 2, upper_root)
    yield same((A - R) / 2, lower_root)

paper.states("lower_root_is_negative", "Section A.3, a negative root",
    "For different targets the root with the minus sign is negative.", lambda: positive(-lower))
paper.states("lower_root_with_equal_targets", "Section A.3, a negative root, equal targets",
    "The root with the minus sign is negative even when the targets are equal.", lambda: positive(-lower.subs(B, 0)),
    quote="is negative and is thus not a valid solution.", corrected_by="lower_root_is_negative")
follow("rest_in_the_plane_is_rest", "Section A.3, fixed points of the original system",
    "Where w = 0 and |dh| > 0, |dy|^2 rests too: a fixed point of the 2-dimensional system is one of the original",
    lambda r: same(r.flow[y], 0, given=Eq(w, 0)), affected=False)

EQ_10 = printed(
    "Eq. 10", r"||dh||^{2}=\frac{1}{2}A_{\text{high}}+\sqrt{\frac{1}{4}A^{2}_{\text{high}}+A^{2}_{\text{low}}}")
EQ_10.states("final_rest_distance: rest_distances lower_root_is_negative",
    "On each level the printed distance is a fixed point, positive, and the only positive one (different targets).",
    lambda eq: [same(Subs(level(FROM_LOSS)[1].xreplace(BARE), (w, BARE[h]), (0, eq.right)), 0), positive(eq.right),
        positive(-lower)])
paper.states("rest_points_fill_a_line", "Eq. 10, fixed points of Eq. 7",
    "Equation 7 is at rest where |dy|^2 = |y2 - y1|^2 and w = 0, at every distance: the start decides, by A_high.",
    lambda: [same(Subs(rate, (y, w), (s, 0)), 0) for rate in PRINTED.flow.values()])

R = sqrt(A**2 + 4 * B**2)
J_12 = r"-\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}"
ROOT = r"\sqrt{A_{\text{high}}^{2}+4A_{\text{low}}^{2}}"
SQUARES = rf"(2A_{{\text{{low}}}}^{{2}}+\frac{{1}}{{2}}(A_{{\text{{high}}}}+{ROOT})^{{2}})"
J_22 = rf"-\frac{{1}}{{\tau_{{y}}}}(\frac{{1}}{{2}}A_{{\text{{high}}}}+{ROOT})"
AT_THE_END = {(1, 1): "0", (1, 2): J_12,
    (2, 1): rf"\frac{{1}}{{4}}\frac{{\tau_{{h}}}}{{\tau_{{y}}^{{2}}}}\frac{{1}}{{||x_{{2}}-x_{{1}}||^{{2}}}}{SQUARES}",
    (2, 2): J_22}
AT_ZERO = {(1, 1): "0", (1, 2): J_12, (2, 1,
    ): r"\frac{1}{2}(\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{w^{2}}{||dh||^{4}}-\frac{1}{\tau_{y}}||y_{2}-y_{1}||^{2})",
    (2, 2): r"(\frac{1}{2}\frac{1}{\tau_{y}}A_{\text{high}}-\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{w}{||dh||^{2}})"}
z = reals("w_over_h")

def jacobian(r):
    """The derivatives of the 2-dimensional flow, at the final distance, which are left to the prover."""
    rates, variables = Matrix(level(r)).xreplace(BARE), (BARE[h], w)
    return Matrix(2, 2, lambda i, j: Subs(Derivative(rates[i], variables[j]), variables, (final, 0)))

def approached(r, i, j):
    """An entry of the Jacobian at w = z |dh|^2, on a level of the conserved quantity."""
    return expand(Matrix(level(r)).jacobian([h, w])[i - 1, j - 1].subs(w, z * h))

for i, j in AT_THE_END:
    about = {"affected": (i, j) != (1, 1), "rests_on": ["reduced_line2"]}
    entry = f"printed entry in row {i}, column {j}."
    at_the_end, at_zero = (printed(f"Eq. {number}, entry ({i},{j})", table[i, j]).put({"w": z * h, "s": c1 * B**2})
        for number, table in ((29, AT_THE_END), (32, AT_ZERO)))
    follow(f"jacobian_{i}{j}", at_the_end, f"At the final distance the Jacobian has the {entry}",
        lambda r, eq, i=i, j=j: same(jacobian(r)[i - 1, j - 1], eq.right), **about)
    follow(f"zero_jacobian_{i}{j}", at_zero,
        f"As |dh|^2 goes to zero with w/|dh|^2 fixed, the Jacobian tends to the {entry}",
        lambda r, eq, i=i, j=j: tends(approached(r, i, j), [h], as_expression(eq.right).doit()), **about)

follow("jacobian_trace", printed("Eq. 30", rf"\tau={J_22}"),
    "The trace of the Jacobian at the final distance is the printed one.",
    lambda r, eq: same(jacobian(r).trace(), eq.right), rests_on=["jacobian_22"])

EQ_31 = printed("Eq. 31", rf"D=\frac{{1}}{{4}}\frac{{1}}{{\tau_{{y}}^{{2}}}}{SQUARES}")
follow("jacobian_determinant", EQ_31,
    "The determinant of the Jacobian at the final distance is the printed one.",
    lambda r, eq: same(jacobian(r).det(), eq.right), rests_on=["jacobian_12", "jacobian_21"])

end = reals("F > 0")
@follows("Section A.3, stability", affected=False, rests_on=["jacobian_trace", "jacobian_determinant"])
def stable_for_different_targets(r):
    """For different targets the final distance F is asymptotically stable, A_high = F - A_low^2/F being its level"""
    flow = {k: rate.subs(A, end - B**2 / end) for k, rate in zip((h, w), level(r), strict=True)}
    yield by("linear stability in the plane", flow=flow, point={h: end, w: 0})

equal_B = reals("A_low >= 0")
paper.states("always_stable: jacobian_determinant", "Section A.3, always stable",
    "The determinant is positive for all targets, equal ones included (where it is zero for A_high <= 0).",
    lambda: positive(EQ_31.right.doit().subs(B, equal_B)),
    quote="This fixed point is therefore always stable.", corrected_by="stable_for_different_targets")

@follows("Section A.3, node or spiral")
def final_point_is_a_node(r):
    """The eigenvalues at the final distance are -sqrt(A_high^2 + 4 A_low^2)/(2 tau_y) and -(A_high + sqrt(A_high^2 + 4
    A_low^2))/(2 tau_y): real, so it is a node."""
    J, roots = jacobian(r), [r.of(R / (2 * tau_y)), r.of((A + R) / (2 * tau_y))]
    yield same(value**2 - J.trace() * value + J.det(), (value + roots[0]) * (value + roots[1]))

direction = reals("b_over_a")

def ray_matrix(r, slope):
    """The Jacobian at zero distance for a direction of approach b/a (equation 33), computed from the flow."""
    return Matrix(2, 2, lambda i, j: approached(r, i + 1, j + 1).subs(h, 0).subs(z, slope))

RAY_21 = r"\frac{1}{2}(\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{b^{2}}{a^{2}}-\frac{1}{\tau_{y}}||y_{2}-y_{1}||^{2})"
RAY_22 = r"(\frac{1}{2}\frac{1}{\tau_{y}}A_{\text{high}}-\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{b}{a})"
for column, latex in enumerate((RAY_21, RAY_22), 1):
    follow(f"ray_2{column}", printed(f"Eq. 33, entry (2,{column})", latex).put({"s": c1 * B**2}),
        f"On the ray w/|dh|^2 = b/a the Jacobian at zero distance has the printed entry in row 2, column {column}.",
        lambda r, eq, column=column: same(ray_matrix(r, PLAIN["b"] / PLAIN["a"])[1, column - 1], eq.right))

image = ray_matrix(PRINTED, direction) * Matrix([1, direction])
misfit = image[1] - image[0] * direction
paper.states("eigenvector_condition", "Eq. 33",
    "(1, b/a) is an eigenvector of the Jacobian taken along its own direction exactly when b/a solves tau_y |x2 - "
    "x1|^2 (b/a)^2 + tau_h A_high (b/a) - tau_h |y2 - y1|^2 = 0.",
    lambda: same(2 * tau_h * tau_y * misfit, tau_y * X * direction**2 + tau_h * A * direction - tau_h * c1 * B**2))

PLUS_MINUS = rf"A_{{\text{{high}}}}\pm{ROOT}"
EQ_34 = printed("Eq. 34", rf"-\frac{{\tau_{{h}}}}{{\tau_{{y}}}}\frac{{{PLUS_MINUS}}}{{2||x_{{2}}-x_{{1}}||^{{2}}}}")
EQ_35 = printed("Eq. 35", rf"\lambda_{{\pm}}=\frac{{1}}{{\tau_{{y}}}}\frac{{{PLUS_MINUS}}}{{2}}")
SLOPES = [branch.right.doit() for branch in EQ_34.branches()]
growth, shrink = (branch.right.doit() for branch in EQ_35.branches())
@follows(EQ_34, affected=False, rests_on=["eigenvector_condition"])
def eigenvectors_at_zero(r, eq):
    """The printed directions are eigenvectors of the matrix taken along themselves"""
    images = [ray_matrix(r, slope) * Matrix([1, slope]) for slope in SLOPES]
    yield from (same(a[1] / a[0], b.right) for a, b in zip(images, eq.branches(), strict=True))

@follows(EQ_35, rests_on=["eigenvectors_at_zero"])
def eigenvalues_at_zero(r, eq):
    """The eigenvalues along these directions are the printed ones."""
    images = [(ray_matrix(r, slope) * Matrix([1, slope]))[0] for slope in SLOPES]
    yield from (same(a, b.right) for a, b in zip(images, eq.branches(), strict=True))

paper.states("eigenvalue_signs: eigenvalues_at_zero", "Section A.3, one positive and one negative eigenvalue",
    "For different targets one eigenvalue is positive and one is negative.",
    lambda: [positive(growth), positive(-shrink)])
paper.states("zero_always_repels: eigenvalues_at_zero", "Section A.3, eigenvalues at zero, equal targets",
    "There is always a positive eigenvalue at zero distance, for equal targets, too (zero attracts for A_high < 0).",
    lambda: positive((growth * tau_y).subs(B, equal_B)),
    quote="There is always one direction along which perturbations increase, so this fixed point is not stable.",
    corrected_by="eigenvalue_signs")

@follows("Section A.3, instability at zero distance", affected=False, rests_on=["eigenvectors_at_zero"])
def zero_distance_repels(r):
    """Along the positive eigenvalue's direction w/|dh|^2 is stationary, and |dh|^2 grows, as |dh|^2 goes to zero"""
    f_h, f_w = level(r)
    on_ray = SLOPES[0] * h
    yield tends(((f_w * h - w * f_h) / h**2).subs(w, on_ray), [h], 0)
    yield positive((f_h / h).subs(w, on_ray))

paper.states("zero_distance_needs_negative_level", "Section A.3, reach of the fixed point at zero",
    "For A_high > 0, distances below it need a negative |dy|^2: the fixed point at zero is outside the state space.",
    lambda: positive(c1 * A * h - c1 * h**2, given=h < A))
