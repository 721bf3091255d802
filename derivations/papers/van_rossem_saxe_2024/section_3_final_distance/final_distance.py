"""Appendix A.3, equations 23-36 and 10: the conserved quantity, the fixed points, and what the Jacobian says."""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.terms import as_expression
from derivations.models.two_point import X, h, h0, s, tau_h, tau_y, w, y, y0
from derivations.papers.van_rossem_saxe_2024.setup import A, A_high, A_low, B, final, paper
from derivations.papers.van_rossem_saxe_2024.source.readings import FROM_LOSS, PRINTED, Reading, two_readings
from derivations.prove import Certificate, Verdict

OUT, IN = r"||dy||^{2}", r"||dh||^{2}"
RATIO = r"\frac{\tau_{h}}{\tau_{y}}\frac{1}{||x_{2}-x_{1}||^{2}}"
START = r"\left(\frac{||dy(0)||^{2}}{||dh(0)||^{2}}-\frac{\tau_{h}}{\tau_{y}}\frac{||dh(0)||^{2}}{||x_{2}-x_{1}||^{2}}\right)"
QUOTIENT = r"\frac{||dh||^{2}\frac{\mathrm{d}}{\mathrm{d}t}||dy||^{2}-||dy||^{2}\frac{\mathrm{d}}{\mathrm{d}t}||dh||^{2}}{||dh||^{4}}"
dh_dt, dy_dt = sp.symbols("dh_dt dy_dt")

with sp.evaluate(False):
    quotient = (h * dy_dt - y * dh_dt) / h**2
    slowing = -(1 / tau_y) * w
    conserved_rate = tau_h / tau_y * (1 / X) * dh_dt
    offset = y0 / h0 - tau_h / tau_y * (h0 / X)
    on_level = tau_h / tau_y * (1 / X) * h**2 + offset * h


@two_readings(
    "Eq. 23, link 1",
    printed=paper.printed(
        rf"\frac{{\mathrm{{d}}}}{{\mathrm{{d}}t}}\frac{{||dy||^{{2}}}}{{||dh||^{{2}}}}={QUOTIENT}",
        paper.rate(y / h),
        quotient,
    ),
    affected=False,
)
def ratio_link1(r: Reading) -> Certificate:
    """The ratio |dy|^2/|dh|^2 changes by the quotient rule."""
    return prove.identity(r.rate(y / h), quotient.subs({dh_dt: r.flow[h], dy_dt: r.flow[y]}))


@two_readings("Eq. 23, link 2", printed=paper.printed(rf"{QUOTIENT}=-\frac{{1}}{{\tau_{{y}}}}w", quotient, slowing))
def ratio_link2(r: Reading) -> Certificate:
    """The ratio |dy|^2/|dh|^2 changes at the rate -w/tau_y."""
    return prove.identity(r.rate(y / h), r.of(slowing))


@two_readings(
    "Eq. 23, link 3",
    printed=paper.printed(
        rf"-\frac{{1}}{{\tau_{{y}}}}w={RATIO}\frac{{\mathrm{{d}}}}{{\mathrm{{d}}t}}||dh||^{{2}}",
        slowing,
        conserved_rate,
    ),
)
def ratio_link3(r: Reading) -> Certificate:
    """-w/tau_y is tau_h/(tau_y |x2 - x1|^2) times the rate of |dh|^2."""
    return prove.identity(r.of(slowing), r.of(conserved_rate).subs(dh_dt, r.flow[h]))


@two_readings("Eq. 23, ends", affected=False)
def ratio_ends(r: Reading) -> Certificate:
    """|dy|^2/|dh|^2 - tau_h |dh|^2/(tau_y |x2 - x1|^2) is conserved"""
    return prove.identity(r.rate(y / h - tau_h / (tau_y * X) * h), 0)


@two_readings(
    "Eq. 24",
    printed=paper.printed(rf"{OUT}={RATIO}||dh||^{{4}}+{START}{IN}", y, on_level),
    affected=False,
    rests_on=["ratio_ends"],
)
def prediction_from_distance(r: Reading) -> Certificate:
    """|dy|^2 is the printed function of |dh|^2 and of the start"""
    kept = y / h - tau_h / (tau_y * X) * h
    conserved = prove.identity(r.rate(kept), 0)
    base = prove.identity(on_level.subs(h, h0), y0)
    held = prove.identity(y, on_level, assuming=[sp.Eq(kept, kept.subs({h: h0, y: y0}, simultaneous=True))])
    return prove.chain(
        "the conserved quantity has its value at the start",
        "fundamental theorem of calculus",
        derivative=prove.every(conserved, held),
        base=base,
    )


with sp.evaluate(False):
    reduced_distance = -(1 / tau_h) * X * w
    reduced_alignment = -sp.Rational(1, 2) * (
        -(tau_h / tau_y**2) * (1 / X) * h**3
        + 1 / tau_y * s * h
        + 4 / tau_y * h * w
        + 1 / tau_h * X * (w**2 / h)
        + offset * (1 / tau_h * X * w - 1 / tau_y * h**2)
    )


@two_readings(
    "Eq. 25, line 1",
    printed=paper.printed(
        r"\frac{\mathrm{d}}{\mathrm{d}t}||dh||^{2}=-\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}w", dh_dt, reduced_distance
    ),
)
def reduced_line1(r: Reading) -> Certificate:
    """The rate of |dh|^2 in the 2-dimensional system is the printed one."""
    return prove.identity(r.flow[h].subs(y, on_level), r.of(reduced_distance))


@two_readings(
    "Eq. 25, line 2",
    printed=paper.printed(
        r"\frac{\mathrm{d}}{\mathrm{d}t}w=-\frac{1}{2}(-\frac{\tau_{h}}{{\tau_{y}}^{2}}\frac{1}{||x_{2}-x_{1}||^{2}}||dh||^{6}"
        r"+\frac{1}{\tau_{y}}||y_{2}-y_{1}||^{2}||dh||^{2}+\frac{4}{\tau_{y}}||dh||^{2}w+\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{w^{2}}{||dh||^{2}}"
        rf"+{START}(\frac{{1}}{{\tau_{{h}}}}||x_{{2}}-x_{{1}}||^{{2}}w-\frac{{1}}{{\tau_{{y}}}}||dh||^{{4}}))",
        sp.Symbol("dw_dt"),
        reduced_alignment,
    ),
    rests_on=["prediction_from_distance"],
)
def reduced_line2(r: Reading) -> Certificate:
    """The rate of w in the 2-dimensional system is the printed one."""
    return prove.identity(r.flow[w].subs(y, on_level), r.of(reduced_alignment))


# On a level of the conserved quantity: A_high and A_low instead of the start and of |y2 - y1|^2.
c1 = tau_h / (tau_y * X)
ON_LEVEL = {y: c1 * h**2 - c1 * A * h, s: c1 * B**2}


def level(r: Reading) -> tuple[sp.Expr, sp.Expr]:
    """The rates of |dh|^2 and w where the conserved quantity and the target distance are A_high and A_low."""
    return r.flow[h].subs(ON_LEVEL), sp.expand(r.flow[w].subs(ON_LEVEL))


INGREDIENTS = (
    r"A_{\text{high}}=\left(\frac{||dh(0)||^{2}}{||x_{2}-x_{1}||^{2}}-\frac{\tau_{y}}{\tau_{h}}\frac{||dy(0)||^{2}}{||dh(0)||^{2}}\right)||x_{2}-x_{1}||^{2}",
    r"A_{\text{low}}=\sqrt{\frac{\tau_{y}}{\tau_{h}}}||x_{2}-x_{1}||\cdot||y_{2}-y_{1}||",
)


@paper.claim("Eq. 28, line 1", printed=paper.printed(INGREDIENTS[0], A, A_high), rests_on=["prediction_from_distance"])
def level_of_start() -> Certificate:
    """With the printed A_high, the offset in equation 24 is -tau_h A_high/(tau_y |x2 - x1|^2)."""
    return prove.identity(offset, -c1 * A_high)


@paper.claim("Eq. 28, line 2", printed=paper.printed(INGREDIENTS[1], B, A_low))
def level_of_target() -> Certificate:
    """With the printed A_low, |y2 - y1|^2 is tau_h A_low^2/(tau_y |x2 - x1|^2)."""
    return prove.identity(s, c1 * A_low**2)


for number, (latex, symbol, expression) in enumerate(zip(INGREDIENTS, (A, B), (A_high, A_low), strict=True), 1):
    paper.definition(
        f"Eq. 11, line {number}",
        f"ingredient_{'high' if symbol is A else 'low'}",
        f"{symbol} is an abbreviation in terms of the start, the two data distances and the time constants.",
        paper.printed(latex, symbol, expression),
    )


IMPLICATION = ("implies", ("=", ("s", "dh_dt"), ("q", "0")), ("=", ("s", "w"), ("q", "0")))


@two_readings(
    "Eq. 26",
    printed=paper.printed(r"\frac{\mathrm{d}}{\mathrm{d}t}||dh||^{2}=0\implies w=0", IMPLICATION),
    affected=False,
)
def rest_means_no_alignment(r: Reading) -> Certificate:
    """Where |dh|^2 does not change, w = 0"""
    return prove.identity(w, 0, assuming=[sp.Eq(r.flow[h], 0)])


with sp.evaluate(False):
    rest_cubic = -(tau_h / tau_y) * (1 / X) * h**3 - offset * h**2 + s * h


@two_readings(
    "Eq. 27, line 2",
    printed=paper.printed(
        rf"0=-\frac{{\tau_{{h}}}}{{{{\tau_{{y}}}}}}\frac{{1}}{{||x_{{2}}-x_{{1}}||^{{2}}}}||dh||^{{6}}-{START}||dh||^{{4}}+||y_{{2}}-y_{{1}}||^{{2}}||dh||^{{2}}",
        sp.Integer(0),
        rest_cubic,
    ),
    affected=False,
    rests_on=["reduced_line2"],
)
def rest_condition(r: Reading) -> Certificate:
    """Where w = 0 and w does not change, the printed cubic in |dh|^2 vanishes"""
    return prove.identity(rest_cubic, 0, assuming=[sp.Eq(sp.expand(r.flow[w].subs(y, on_level).subs(w, 0)), 0)])


lower = A / 2 - sp.sqrt(A**2 / 4 + B**2)


half_level, half_root = paper.term(A / 2), paper.term(sp.sqrt(A**2 / 4 + B**2))
EITHER = ("or", ("=", ("s", "h"), ("q", "0")), ("=", ("s", "h"), ("pm", half_level, half_root)))
ROOT_LATEX = r"\frac{1}{2}A_{\text{high}}\pm\sqrt{\frac{1}{4}A^{2}_{\text{high}}+A^{2}_{\text{low}}}"


@paper.claim(
    "Eq. 27, line 3",
    printed=paper.printed(rf"||dh||^{{2}}=0\text{{ or }}||dh||^{{2}}={ROOT_LATEX}", EITHER),
    rests_on=["rest_condition", "level_of_start", "level_of_target"],
)
def rest_distances() -> Certificate:
    """The roots of the cubic are 0 and A_high/2 +- sqrt(A_high^2/4 + A_low^2), and there are no others."""
    cubic = -c1 * h**3 + c1 * A * h**2 + c1 * B**2 * h
    return prove.identity(cubic, -c1 * h * (h - final) * (h - lower))


@paper.claim("Section A.3, a negative root")
def lower_root_is_negative() -> Certificate:
    """For different targets the root with the minus sign is negative."""
    return prove.positive(-lower, squares=[A - 2 * sp.sqrt(A**2 / 4 + B**2)])


@paper.claim(
    "Section A.3, a negative root, equal targets",
    quote=r"is negative and is thus not a valid solution.",
    expect=Verdict.REFUTED,
    corrected_by="lower_root_is_negative",
)
def lower_root_with_equal_targets() -> Certificate:
    """The root with the minus sign is negative even when the targets are equal."""
    return prove.positive(-lower.subs(B, 0))


@two_readings("Section A.3, fixed points of the original system", affected=False)
def rest_in_the_plane_is_rest(r: Reading) -> Certificate:
    """Where w = 0 and |dh| is positive, |dy|^2 does not change either, so a fixed point of the 2-dimensional system is one of the original"""
    return prove.identity(r.flow[y], 0, assuming=[sp.Eq(w, 0)])


@paper.claim(
    "Eq. 10",
    printed=paper.printed(
        r"||dh||^{2}=\frac{1}{2}A_{\text{high}}+\sqrt{\frac{1}{4}A^{2}_{\text{high}}+A^{2}_{\text{low}}}", h, final
    ),
    rests_on=["rest_distances", "lower_root_is_negative"],
)
def final_rest_distance() -> Certificate:
    """On each level of the conserved quantity, the printed distance is a fixed point, positive, and the only positive one (different targets)."""
    flow_of_w = level(FROM_LOSS)[1].subs({w: 0, h: final})
    positive = prove.positive(final, squares=[A + 2 * sp.sqrt(A**2 / 4 + B**2)])
    return prove.every(
        prove.identity(flow_of_w, 0), positive, prove.positive(-lower, squares=[A - 2 * sp.sqrt(A**2 / 4 + B**2)])
    )


@paper.claim("Eq. 10, fixed points of Eq. 7")
def rest_points_fill_a_line() -> Certificate:
    """Equation 7 itself, without fixing the start, is at rest wherever |dy|^2 = |y2 - y1|^2 and w = 0, at every distance; which of
    these points is reached depends on the start, through A_high."""
    return prove.every(*(prove.identity(rate.subs({y: s, w: 0}), 0) for rate in PRINTED.flow.values()))


# --- the Jacobian at the final distance -------------------------------------------------------------------------------

R = sp.sqrt(A**2 + 4 * B**2)
J12 = r"-\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}"
ROOT = r"\sqrt{A_{\text{high}}^{2}+4A_{\text{low}}^{2}}"
with sp.evaluate(False):
    printed_12 = -(1 / tau_h) * X
    printed_21 = sp.Rational(1, 4) * (tau_h / tau_y**2) * (1 / X) * (2 * B**2 + sp.Rational(1, 2) * (A + R) ** 2)
    printed_22 = -(1 / tau_y) * (sp.Rational(1, 2) * A + R)
    printed_determinant = sp.Rational(1, 4) * (1 / tau_y**2) * (2 * B**2 + sp.Rational(1, 2) * (A + R) ** 2)


def jacobian(r: Reading) -> sp.Matrix:
    """The derivatives of the 2-dimensional flow, at the final distance."""
    return sp.Matrix(level(r)).jacobian([h, w]).subs(w, 0).subs(h, final)


ENTRIES = {
    (1, 1): ("0", sp.Integer(0)),
    (1, 2): (J12, printed_12),
    (2, 1): (
        rf"\frac{{1}}{{4}}\frac{{\tau_{{h}}}}{{\tau_{{y}}^{{2}}}}\frac{{1}}{{||x_{{2}}-x_{{1}}||^{{2}}}}(2A_{{\text{{low}}}}^{{2}}+\frac{{1}}{{2}}(A_{{\text{{high}}}}+{ROOT})^{{2}})",
        printed_21,
    ),
    (2, 2): (rf"-\frac{{1}}{{\tau_{{y}}}}(\frac{{1}}{{2}}A_{{\text{{high}}}}+{ROOT})", printed_22),
}


def _entry(i: int, j: int) -> None:
    latex, expression = ENTRIES[i, j]

    def check(r: Reading) -> Certificate:
        return prove.identity(jacobian(r)[i - 1, j - 1], r.of(expression))

    check.__name__ = f"jacobian_{i}{j}"
    check.__doc__ = f"At the final distance the Jacobian has the printed entry in row {i}, column {j}."
    two_readings(
        f"Eq. 29, entry ({i},{j})",
        printed=paper.printed(latex, expression),
        affected=(i, j) != (1, 1),
        rests_on=["reduced_line2"],
    )(check)


for place in ENTRIES:
    _entry(*place)


@two_readings(
    "Eq. 30",
    printed=paper.printed(
        rf"\tau=-\frac{{1}}{{\tau_{{y}}}}(\frac{{1}}{{2}}A_{{\text{{high}}}}+{ROOT})", sp.Symbol("tau"), printed_22
    ),
    rests_on=["jacobian_22"],
)
def jacobian_trace(r: Reading) -> Certificate:
    """The trace of the Jacobian at the final distance is the printed one."""
    return prove.identity(jacobian(r).trace(), r.of(printed_22))


@two_readings(
    "Eq. 31",
    printed=paper.printed(
        rf"D=\frac{{1}}{{4}}\frac{{1}}{{\tau_{{y}}^{{2}}}}(2A_{{\text{{low}}}}^{{2}}+\frac{{1}}{{2}}(A_{{\text{{high}}}}+{ROOT})^{{2}})",
        sp.Symbol("D"),
        printed_determinant,
    ),
    rests_on=["jacobian_12", "jacobian_21"],
)
def jacobian_determinant(r: Reading) -> Certificate:
    """The determinant of the Jacobian at the final distance is the printed one."""
    return prove.identity(jacobian(r).det(), r.of(printed_determinant))


@paper.claim("Section A.3, stability", rests_on=["jacobian_trace", "jacobian_determinant"])
def stable_for_different_targets() -> Certificate:
    """For different targets the trace is negative and the determinant positive, so the final distance is stable."""
    trace = prove.positive(-printed_22.doit(), squares=[A + R])
    return prove.chain(
        "stable", "linear approximation", trace=trace, determinant=prove.positive(printed_determinant.doit())
    )


equal_B = sp.Symbol("A_low", nonnegative=True)


@paper.claim(
    "Section A.3, always stable",
    quote=r"This fixed point is therefore always stable.",
    expect=Verdict.REFUTED,
    corrected_by="stable_for_different_targets",
    rests_on=["jacobian_determinant"],
)
def always_stable() -> Certificate:
    """The determinant is positive for all targets, equal ones included, so that the linearisation shows stability (for equal
    targets and A_high <= 0 it is zero, and only the solution itself shows that the distance goes to zero)."""
    return prove.positive(printed_determinant.doit().subs(B, equal_B))


@two_readings("Section A.3, node or spiral")
def final_point_is_a_node(r: Reading) -> Certificate:
    """The eigenvalues at the final distance are -sqrt(A_high^2 + 4 A_low^2)/(2 tau_y) and -(A_high + sqrt(A_high^2 + 4 A_low^2))/(2 tau_y):
    real, so the point is a node and never a spiral."""
    value = sp.Symbol("eigenvalue", real=True)
    J = jacobian(r)
    return prove.identity(
        value**2 - J.trace() * value + J.det(), (value + r.of(R / (2 * tau_y))) * (value + r.of((A + R) / (2 * tau_y)))
    )


# --- the fixed point at zero distance ---------------------------------------------------------------------------------

z = sp.Symbol("w_over_h", real=True)
K = X / tau_h
with sp.evaluate(False):
    zero_21 = sp.Rational(1, 2) * (1 / tau_h * X * (w**2 / h**2) - 1 / tau_y * s)
    zero_22 = sp.Rational(1, 2) * (1 / tau_y) * A - 1 / tau_h * X * (w / h)


def approached(r: Reading, i: int, j: int) -> sp.Expr:
    """An entry of the Jacobian at w = z |dh|^2, on a level of the conserved quantity."""
    return sp.expand(sp.Matrix(level(r)).jacobian([h, w])[i - 1, j - 1].subs(w, z * h))


ZERO_ENTRIES = {
    (1, 1): ("0", sp.Integer(0)),
    (1, 2): (J12, printed_12),
    (2, 1): (
        r"\frac{1}{2}(\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{w^{2}}{||dh||^{4}}-\frac{1}{\tau_{y}}||y_{2}-y_{1}||^{2})",
        zero_21,
    ),
    (2, 2): (
        r"(\frac{1}{2}\frac{1}{\tau_{y}}A_{\text{high}}-\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{w}{||dh||^{2}})",
        zero_22,
    ),
}


def _zero_entry(i: int, j: int) -> None:
    latex, expression = ZERO_ENTRIES[i, j]

    def check(r: Reading) -> Certificate:
        on_ray = r.of(as_expression(expression).doit().subs(w, z * h)).subs(s, c1 * B**2)
        return prove.limit(approached(r, i, j), [h], on_ray)

    check.__name__ = f"zero_jacobian_{i}{j}"
    check.__doc__ = (
        f"As |dh|^2 goes to zero with w/|dh|^2 fixed, the Jacobian tends to the printed entry in row {i}, column {j}."
    )
    two_readings(
        f"Eq. 32, entry ({i},{j})",
        printed=paper.printed(latex, expression),
        affected=(i, j) != (1, 1),
        rests_on=["reduced_line2"],
    )(check)


for place in ZERO_ENTRIES:
    _zero_entry(*place)

direction = sp.Symbol("b_over_a", real=True)
with sp.evaluate(False):
    slope_up = -(tau_h / tau_y) * ((A + R) / (2 * X))
    slope_down = -(tau_h / tau_y) * ((A - R) / (2 * X))
    growth = 1 / tau_y * ((A + R) / 2)
    shrink = 1 / tau_y * ((A - R) / 2)


def ray_matrix(r: Reading, slope: sp.Expr) -> sp.Matrix:
    """The Jacobian at zero distance for a direction of approach b/a (equation 33), computed from the flow."""
    return sp.Matrix(2, 2, lambda i, j: approached(r, i + 1, j + 1).subs(h, 0).subs(z, slope))


def _column(*entries: sp.Symbol) -> tuple[Any, ...]:
    return ("matrix", tuple((paper.term(e),) for e in entries))


a_, b_, value_ = sp.symbols("a b lambda", real=True)
with sp.evaluate(False):
    ray_21 = sp.Rational(1, 2) * (1 / tau_h * X * (b_**2 / a_**2) - 1 / tau_y * s)
    ray_22 = sp.Rational(1, 2) * (1 / tau_y) * A - 1 / tau_h * X * (b_ / a_)
RAY = ("matrix", ((("q", "0"), paper.term(printed_12)), (paper.term(ray_21), paper.term(ray_22))))
RAY_LATEX = (
    r"\left[\begin{array}[]{cc}0&-\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\\ \frac{1}{2}(\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{b^{2}}{a^{2}}"
    r"-\frac{1}{\tau_{y}}||y_{2}-y_{1}||^{2})&(\frac{1}{2}\frac{1}{\tau_{y}}A_{\text{high}}-\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{b}{a})\end{array}\right]"
    r"\left[\begin{array}[]{c}a\\ b\end{array}\right]=\lambda\left[\begin{array}[]{c}a\\ b\end{array}\right]"
)


@two_readings(
    "Eq. 33, matrix",
    printed=paper.printed(RAY_LATEX, ("*", RAY, _column(a_, b_)), ("*", ("s", "lambda"), _column(a_, b_))),
)
def ray_entries(r: Reading) -> Certificate:
    """On the ray w/|dh|^2 = b/a the four entries of the Jacobian at zero distance are the printed ones."""
    printed = sp.Matrix([[0, printed_12], [ray_21, ray_22]]).subs(s, c1 * B**2)
    return prove.identity(ray_matrix(r, b_ / a_), sp.Matrix(2, 2, lambda i, j: r.of(printed[i, j])))


@paper.claim("Eq. 33", rests_on=["zero_jacobian_12", "zero_jacobian_21", "zero_jacobian_22"])
def eigenvector_condition() -> Certificate:
    """(1, b/a) is an eigenvector of the Jacobian taken along its own direction exactly when b/a solves
    tau_y |x2 - x1|^2 (b/a)^2 + tau_h A_high (b/a) - tau_h |y2 - y1|^2 = 0."""
    image = ray_matrix(PRINTED, direction) * sp.Matrix([1, direction])
    misfit = image[1] - image[0] * direction
    return prove.identity(
        2 * tau_h * tau_y * misfit, tau_y * X * direction**2 + tau_h * A * direction - tau_h * c1 * B**2
    )


PLUS_MINUS = rf"A_{{\text{{high}}}}\pm{ROOT}"


@two_readings(
    "Eq. 34",
    printed=paper.printed(
        rf"-\frac{{\tau_{{h}}}}{{\tau_{{y}}}}\frac{{{PLUS_MINUS}}}{{2||x_{{2}}-x_{{1}}||^{{2}}}}",
        ("pm", slope_up, slope_down),
    ),
    affected=False,
    rests_on=["eigenvector_condition"],
)
def eigenvectors_at_zero(r: Reading) -> Certificate:
    """The printed directions are eigenvectors of the matrix taken along themselves"""
    parts = []
    for slope in (slope_up.doit(), slope_down.doit()):
        image = ray_matrix(r, slope) * sp.Matrix([1, slope])
        parts.append(prove.identity(image[1], image[0] * slope))
    return prove.every(*parts)


@two_readings(
    "Eq. 35",
    printed=paper.printed(
        rf"\lambda_{{\pm}}=\frac{{1}}{{\tau_{{y}}}}\frac{{{PLUS_MINUS}}}{{2}}", ("pm", growth, shrink)
    ),
    rests_on=["eigenvectors_at_zero"],
)
def eigenvalues_at_zero(r: Reading) -> Certificate:
    """The eigenvalues along these directions are the printed ones."""
    pairs = ((slope_up.doit(), growth.doit()), (slope_down.doit(), shrink.doit()))
    return prove.every(
        *(prove.identity((ray_matrix(r, slope) * sp.Matrix([1, slope]))[0], r.of(value)) for slope, value in pairs)
    )


@paper.claim("Section A.3, one positive and one negative eigenvalue", rests_on=["eigenvalues_at_zero"])
def eigenvalue_signs() -> Certificate:
    """For different targets one eigenvalue is positive and one is negative."""
    return prove.every(prove.positive(growth.doit(), squares=[A + R]), prove.positive(-shrink.doit(), squares=[A - R]))


@paper.claim(
    "Section A.3, eigenvalues at zero, equal targets",
    quote=r"There is always one direction along which perturbations increase, so this fixed point is not stable.",
    expect=Verdict.REFUTED,
    corrected_by="eigenvalue_signs",
    rests_on=["eigenvalues_at_zero"],
)
def zero_always_repels() -> Certificate:
    """There is always a positive eigenvalue at zero distance, for equal targets as well (there zero attracts when A_high < 0)."""
    return prove.positive((growth.doit() * tau_y).subs(B, equal_B))


@two_readings("Section A.3, instability at zero distance", affected=False, rests_on=["eigenvectors_at_zero"])
def zero_distance_repels(r: Reading) -> Certificate:
    """Along the direction of the positive eigenvalue the ratio w/|dh|^2 is stationary as |dh|^2 goes to zero, and |dh|^2 grows there at a
    positive relative rate"""
    f_h, f_w = level(r)
    on_ray = slope_up.doit() * h
    turning = ((f_w * h - w * f_h) / h**2).subs(w, on_ray)
    relative_growth = (f_h / h).subs(w, on_ray) * tau_y
    return prove.every(
        prove.limit(sp.expand(turning), [h], sp.Integer(0)), prove.positive(relative_growth, squares=[A + R])
    )


@paper.claim("Section A.3, reach of the fixed point at zero")
def zero_distance_needs_negative_level() -> Certificate:
    """When A_high is positive, distances below A_high would need a negative |dy|^2: the fixed point at zero is outside the state space."""
    return prove.positive(c1 * A * h - c1 * h**2, assuming=[h < A])
