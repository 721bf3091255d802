"""Appendix A.1, equations 17-21 and 7: from the loss to three scalars, for inputs, representations and outputs of any size."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, Words, along, gradient, identity, mean, norm2
from derivations.models import two_point as net
from derivations.models.two_point import HALF, D_h, D_y, aim, c_ddh, c_dh, c_dy, c_flow, h, inv_h, rate_h, s, w, y, ybar
from derivations.paper.chains import Link, chain
from derivations.paper.model import Picture
from derivations.papers.van_rossem_saxe_2024.setup import DOUBLED, paper, printed_flow
from derivations.prove import Certificate, Verdict
from derivations.prove.words import Equation

QUARTER = Fraction(1, 4)
dLdD_h, dLdD_y, dLdybar = gradient(net.loss, D_h), gradient(net.loss, D_y), gradient(net.loss, ybar)
centre = HALF * (net.y2 + net.y1)
off_target = D_y @ D_h @ net.dx - net.target
each = [(x - other, yi) for x, other, yi in net.pairs]

chain(
    paper,
    "Eq. 17",
    "mean_output",
    (r"\frac{\mathrm{d}}{\mathrm{d}t}\bar{y}", net.flow[ybar]),
    [
        Link(
            r"-\frac{1}{\tau_{\bar{y}}}\frac{\partial L}{\partial\bar{y}}",
            -net.rate_b * dLdybar,
            "The mean output descends the gradient of the loss.",
        ),
        Link(
            r"-\frac{1}{\tau_{\bar{y}}}\langle\bar{y}+\frac{1}{2}D_{y}(D_{h}(x_{i}-x_{\neg i}))-y_{i}\rangle_{\mathcal{D}}",
            -net.rate_b * mean([ybar + HALF * (D_y @ (D_h @ step)) - yi for step, yi in each]),
            "The gradient with respect to the mean output is the mean error.",
        ),
        Link(
            r"-\frac{1}{\tau_{\bar{y}}}(\bar{y}-\frac{y_{2}+y_{1}}{2})",
            -net.rate_b * (ybar - centre),
            "The mean error is the mean output minus the mean target.",
        ),
    ],
)
chain(
    paper,
    "Eq. 17",
    "encoder",
    (r"\frac{\mathrm{d}}{\mathrm{d}t}D_{h}", net.flow[D_h]),
    [
        Link(
            r"-\frac{1}{\tau_{h}}\frac{\partial L}{\partial D_{h}}",
            -rate_h * dLdD_h,
            "The encoder's Jacobian descends the gradient of the loss.",
        ),
        Link(
            r"-\frac{1}{\tau_{h}}\frac{1}{2}\langle(\frac{1}{2}D_{y}^{\top}D_{y}D_{h}(x_{i}-x_{\neg i})(x_{i}-x_{\neg i})^{\top}"
            r"+D_{y}^{\top}(\bar{y}-y_{i})(x_{i}-x_{\neg i})^{\top})\rangle_{\mathcal{D}}",
            -rate_h
            * HALF
            * mean([HALF * (D_y.T @ D_y @ D_h @ step @ step.T) + D_y.T @ (ybar - yi) @ step.T for step, yi in each]),
            "The gradient with respect to D_h is a mean over the two points.",
        ),
        Link(
            r"-\frac{1}{\tau_{h}}\frac{1}{2}D_{y}^{\top}(D_{y}D_{h}(x_{2}-x_{1})-(y_{2}-y_{1}))(x_{2}-x_{1})^{\top}",
            -rate_h * HALF * (D_y.T @ off_target @ net.dx.T),
            "The mean over the two points gives D_h a velocity with the factor 1/2.",
            corrected=-rate_h * QUARTER * (D_y.T @ off_target @ net.dx.T),
            correction="The mean over the two points gives D_h the velocity -1/(4 tau_h) D_y^T (dy - (y2 - y1)) (x2 - x1)^T: a quarter, not a half.",
        ),
    ],
    first=4,
)
chain(
    paper,
    "Eq. 17",
    "decoder",
    (r"\frac{\mathrm{d}}{\mathrm{d}t}D_{y}", net.flow[D_y]),
    [
        Link(
            r"-\frac{1}{\tau_{y}}\frac{\partial L}{\partial D_{y}}",
            -net.rate_y * dLdD_y,
            "The decoder's Jacobian descends the gradient of the loss.",
        ),
        Link(
            r"-\frac{1}{\tau_{y}}\frac{1}{2}\langle(\frac{1}{2}D_{y}D_{h}(x_{i}-x_{\neg i})(D_{h}(x_{i}-x_{\neg i}))^{\top}"
            r"+(\bar{y}-y_{i})(D_{h}(x_{i}-x_{\neg i}))^{\top})\rangle_{\mathcal{D}}",
            -net.rate_y
            * HALF
            * mean([HALF * (D_y @ D_h @ step @ (D_h @ step).T) + (ybar - yi) @ (D_h @ step).T for step, yi in each]),
            "The gradient with respect to D_y is a mean over the two points.",
        ),
        Link(
            r"-\frac{1}{\tau_{y}}\frac{1}{2}(D_{y}D_{h}(x_{2}-x_{1})-(y_{2}-y_{1}))(D_{h}(x_{2}-x_{1}))^{\top}",
            -net.rate_y * HALF * (off_target @ net.dh.T),
            "The mean over the two points gives D_y a velocity with the factor 1/2.",
            corrected=-net.rate_y * QUARTER * (off_target @ net.dh.T),
            correction="The mean over the two points gives D_y the velocity -1/(4 tau_y) (dy - (y2 - y1)) (D_h (x2 - x1))^T: a quarter, not a half.",
        ),
    ],
    first=7,
)

left, right, square, variable = (
    Letter("left", "m", 1),
    Letter("right", "p", 1),
    Letter("C", "m", "m"),
    Letter("M", "m", "p"),
)


@paper.claim(
    "Eq. 17, first differentiation rule",
    printed=paper.printed(
        r"\frac{\partial a^{\top}Xb}{\partial X}=ab^{\top}",
        gradient(left.T @ variable @ right, variable),
        left @ right.T,
        letters={"a": left, "X": variable, "b": right},
    ),
)
def derivative_of_bilinear() -> Certificate:
    """The derivative of a^T X b with respect to X is a b^T."""
    return prove.words(gradient(left.T @ variable @ right, variable), left @ right.T)


@paper.claim(
    "Eq. 17, second differentiation rule",
    printed=paper.printed(
        r"\frac{\partial a^{\top}X^{\top}CXa}{\partial X}=(C+C^{\top})Xaa^{\top}",
        gradient(right.T @ variable.T @ square @ variable @ right, variable),
        (square + square.T) @ variable @ right @ right.T,
        letters={"a": right, "X": variable, "C": square},
    ),
)
def derivative_of_quadratic() -> Certificate:
    """The derivative of a^T X^T C X a with respect to X is (C + C^T) X a a^T."""
    form = right.T @ variable.T @ square @ variable @ right
    return prove.words(gradient(form, variable), (square + square.T) @ variable @ right @ right.T)


m, mean0 = sp.symbols("m ybar0", real=True)
mean_now = sp.Symbol("ybar", real=True)
with sp.evaluate(False):
    mean_solution = m + (mean0 - m) * sp.exp(-(net.t / net.tau_b))


@paper.claim(
    "Eq. 18",
    printed=paper.printed(
        r"\bar{y}(t)=\frac{y_{2}+y_{1}}{2}+(y(0)-\frac{y_{2}+y_{1}}{2})e^{-\frac{t}{\tau_{\bar{y}}}}",
        mean_now,
        mean_solution,
    ),
    rests_on=["mean_output_link3"],
)
def mean_output_decays() -> Certificate:
    """Every component of the mean output decays exponentially to the mean target, from its value at the start."""
    return prove.solves({mean_now: -(mean_now - m) / net.tau_b}, {mean_now: mean_solution}, {mean_now: mean0}, net.t)


paper.definition(
    "Eq. 19",
    "no_rotation",
    "Solutions are studied along which dh keeps its direction.",
    paper.printed(r"\frac{\mathrm{d}}{\mathrm{d}t}dh\propto dh"),
)

pulled = D_y.T @ (c_dy - aim)
straight = [(pulled, c_dh * (c_dh.T @ pulled) * inv_h)]


@paper.claim("Eq. 19, at one instant")
def straight_at_an_instant() -> Certificate:
    """The velocity of dh is a negative multiple of D_y^T (dy - (y2 - y1)), so it follows dh exactly when that vector does."""
    return prove.words(c_ddh, -QUARTER * rate_h * norm2(net.delta) * pulled)


p_, q_ = Letter("p", 1, 1), Letter("q", 1, 1)
eigen = [Equation(D_y.T @ D_y @ c_dh, c_dh * p_, oriented=True), Equation(D_y.T @ aim, c_dh * q_, oriented=True)]


def follows_dh(vector: Words) -> Certificate:
    """The vector is its own projection onto dh."""
    return prove.words(vector, c_dh * (c_dh.T @ vector) * inv_h, assuming=eigen, among=STRAIGHT_START)


STRAIGHT_START = [
    {
        "dims": {"n_x": 1, "n_h": 2, "n_y": 2},
        "matrices": {
            "dx": [["1"]],
            "D_h": [["1"], ["0"]],
            "D_y": [["1", "0"], ["1", "0"]],
            "dy_target": [["2"], ["1"]],
            "p": [["2"]],
            "q": [["3"]],
            "rate_h": [["1"]],
            "rate_y": [["1"]],
            "tau_h": [["1"]],
            "tau_y": [["1"]],
            "inv_h": [["1"]],
        },
    }
]


@paper.claim("Eq. 19, when it is preserved")
def straight_is_preserved() -> Certificate:
    """Where dh is not zero and D_y^T D_y dh and D_y^T (y2 - y1) are multiples of it, dh moves along itself and the time derivatives
    of both vectors are multiples of dh too."""
    moving = [c_ddh, along(D_y.T @ D_y @ c_dh, c_flow), along(D_y.T @ aim, c_flow)]
    return prove.every(*(follows_dh(v) for v in moving))


@paper.claim("Eq. 19, necessity", rests_on=["straight_at_an_instant"])
def straightness_is_lost_unless_eigenvector() -> Certificate:
    """Where dh moves along itself, the part of the derivative of D_y^T (dy - (y2 - y1)) that is not along dh is the growth rate
    dh.(d dh/dt)/|dh|^2 times the part of D_y^T D_y dh that is not along dh. While |dh| changes, equation 19 therefore survives
    only if D_y^T D_y dh, and with it D_y^T (y2 - y1), is a multiple of dh."""
    turning, image = along(pulled, c_flow), D_y.T @ D_y @ c_dh
    return prove.words(across_dh(turning), (c_dh.T @ c_ddh) * inv_h * across_dh(image), assuming=straight)


def across_dh(vector: Words) -> Words:
    """The part of a vector that is orthogonal to dh."""
    return vector - c_dh * (c_dh.T @ vector) * inv_h


gap = norm2(c_dy) - c_dy.T @ aim
size = norm2(net.delta)
D_h_dot, D_y_dot = c_flow[D_h], c_flow[D_y]

chain(
    paper,
    "Eq. 20",
    "distance",
    (r"\frac{\mathrm{d}}{\mathrm{d}t}||dh||^{2}", along(norm2(c_dh), c_flow)),
    [
        Link(
            r"2dh^{\top}\frac{\mathrm{d}}{\mathrm{d}t}dh",
            2 * (c_dh.T @ c_ddh),
            "The squared distance changes by twice dh times its velocity.",
        ),
        Link(
            r"2dh^{\top}\dot{D_{h}}(x_{2}-x_{1})",
            2 * (c_dh.T @ D_h_dot @ net.delta),
            "The velocity of dh is that of D_h times the input difference.",
        ),
        Link(
            r"-\frac{1}{\tau_{h}}(||dy||^{2}-dy^{\top}(y_{2}-y_{1}))||x_{2}-x_{1}||^{2}",
            -rate_h * gap * size,
            "The squared distance changes at the rate -(|dy|^2 - dy.(y2 - y1)) |x2 - x1|^2 / tau_h.",
            corrected=-HALF * rate_h * gap * size,
            correction="The squared distance changes at half the printed rate: -(|dy|^2 - dy.(y2 - y1)) |x2 - x1|^2 / (2 tau_h).",
        ),
        Link(r"-\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}w", -rate_h * size * gap, "The bracket is w by definition."),
    ],
    rests_on=["encoder_link6"],
)

printed_ddy = -net.rate_y * HALF * ((c_dy - aim) * norm2(c_dh)) - rate_h * HALF * size * gap * inv_h * c_dy
true_ddy = HALF * printed_ddy
moves = D_y_dot @ c_dh
chain(
    paper,
    "Eq. 20",
    "prediction",
    (r"\frac{\mathrm{d}}{\mathrm{d}t}||dy||^{2}", along(norm2(c_dy), c_flow)),
    [
        Link(
            r"2dy^{\top}\frac{\mathrm{d}}{\mathrm{d}t}dy",
            2 * (c_dy.T @ along(c_dy, c_flow)),
            "The squared prediction distance changes by twice dy times its velocity.",
        ),
        Link(
            r"2dy^{\top}(\dot{D_{y}}D_{h}(x_{2}-x_{1})+D_{y}\frac{\mathrm{d}}{\mathrm{d}t}dh)",
            2 * (c_dy.T @ (D_y_dot @ D_h @ net.delta + D_y @ c_ddh)),
            "The velocity of dy has a part from the decoder and a part from the encoder.",
        ),
        Link(
            r"2dy^{\top}(\dot{D_{y}}D_{h}(x_{2}-x_{1})+\frac{dh^{\top}\frac{\mathrm{d}}{\mathrm{d}t}dh}{||dh||^{2}}D_{y}dh)",
            2 * (c_dy.T @ (moves + (c_dh.T @ c_ddh) * inv_h * (D_y @ c_dh))),
            "Where dh does not rotate (equation 19), its velocity is its projection onto dh.",
            assuming=straight,
        ),
        Link(
            r"2dy^{\top}(\dot{D_{y}}D_{h}(x_{2}-x_{1})+\frac{1}{2}\frac{\frac{\mathrm{d}}{\mathrm{d}t}||dh||^{2}}{||dh||^{2}}D_{y}dh)",
            2 * (c_dy.T @ (moves + HALF * along(norm2(c_dh), c_flow) * inv_h * (D_y @ c_dh))),
            "dh times its velocity is half the rate of the squared distance.",
        ),
        Link(
            r"2dy^{\top}(-\frac{1}{\tau_{y}}\frac{1}{2}(dy-(y_{2}-y_{1}))(dh)^{\top}dh-\frac{1}{\tau_{h}}\frac{1}{2}||x_{2}-x_{1}||^{2}\frac{w}{||dh||^{2}}dy)",
            2 * (c_dy.T @ printed_ddy),
            "The velocities of D_y and of the distance are inserted.",
            corrected=2 * (c_dy.T @ true_ddy),
            correction="With the velocities that follow from the loss, both terms carry a further factor 1/2.",
        ),
        Link(
            r"-w(\frac{1}{\tau_{y}}||dh||^{2}+\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{||dy||^{2}}{||dh||^{2}})",
            -gap * (net.rate_y * norm2(c_dh) + rate_h * size * norm2(c_dy) * inv_h),
            "The products with dy are w and |dy|^2.",
        ),
    ],
    first=5,
    rests_on=["decoder_link9", "encoder_link6"],
)


wide = 2 * c_dy - aim
chain(
    paper,
    "Eq. 20",
    "alignment",
    (r"\frac{\mathrm{d}}{\mathrm{d}t}w", along(gap, c_flow)),
    [
        Link(
            r"(2dy-(y_{2}-y_{1}))^{\top}\frac{\mathrm{d}}{\mathrm{d}t}dy",
            wide.T @ along(c_dy, c_flow),
            "w changes by 2 dy - (y2 - y1) times the velocity of dy.",
        ),
        Link(
            r"(2dy-(y_{2}-y_{1}))^{\top}(-\frac{1}{\tau_{y}}\frac{1}{2}(dy-(y_{2}-y_{1}))||dh||^{2}-\frac{1}{\tau_{h}}\frac{1}{2}||x_{2}-x_{1}||^{2}\frac{w}{||dh||^{2}}dy)",
            wide.T @ printed_ddy,
            "The velocity of dy is inserted, for dh that does not rotate.",
            assuming=straight,
            corrected=wide.T @ true_ddy,
            correction="With the velocities that follow from the loss, both terms carry a further factor 1/2, for dh that does not rotate.",
        ),
        Link(
            r"-\frac{1}{\tau_{y}}\frac{1}{2}(3w-||dy||^{2}+||y_{2}-y_{1}||^{2})||dh||^{2}-\frac{1}{\tau_{h}}\frac{1}{2}||x_{2}-x_{1}||^{2}\frac{(||dy||^{2}+w)w}{||dh||^{2}}",
            -net.rate_y * HALF * (3 * gap - norm2(c_dy) + norm2(aim)) * norm2(c_dh)
            - rate_h * HALF * size * (norm2(c_dy) + gap) * gap * inv_h,
            "The products are written in |dy|^2, w and |y2 - y1|^2.",
        ),
    ],
    first=11,
    rests_on=["decoder_link9", "encoder_link6"],
)


@paper.claim(
    "Section 2.3, derived system",
    rests_on=[
        "encoder_link6_corrected",
        "decoder_link9_corrected",
        "distance_link3_corrected",
        "prediction_link9_corrected",
        "alignment_link12_corrected",
    ],
)
def derived_system() -> Certificate:
    """For dh that does not rotate, the rates of |dh|^2, |dy|^2 and w are those of a closed system: equation 21 with both time
    constants doubled."""
    rates = [
        prove.words(along(norm2(c_dh), c_flow), 2 * (c_dh.T @ c_ddh)),
        prove.words(along(norm2(c_dy), c_flow), 2 * (c_dy.T @ net.straight_ddy), assuming=straight),
        prove.words(along(gap, c_flow), wide.T @ net.straight_ddy, assuming=straight),
    ]
    return prove.every(*rates, *(prove.identity(net.derived_flow[v], printed_flow[v].subs(DOUBLED)) for v in (h, y, w)))


@paper.claim(
    "Eq. 23, what remains without equation 19", rests_on=["encoder_link6_corrected", "decoder_link9_corrected"]
)
def balance_is_conserved_for_every_dh() -> Certificate:
    """For every dh, rotating or not, tau_h dh dh^T and tau_y |x2 - x1|^2 D_y^T D_y change at the same rate, so their difference is
    conserved."""
    return prove.words(net.const_h * along(c_dh @ c_dh.T, c_flow), net.const_y * size * along(D_y.T @ D_y, c_flow))


LINES = {
    "distance": (h, r"\frac{\mathrm{d}}{\mathrm{d}t}||dh||^{2}", r"-\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}w"),
    "prediction": (
        y,
        r"\frac{\mathrm{d}}{\mathrm{d}t}||dy||^{2}",
        r"-w(\frac{1}{\tau_{y}}||dh||^{2}+\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{||dy||^{2}}{||dh||^{2}})",
    ),
    "alignment": (
        w,
        r"\frac{\mathrm{d}}{\mathrm{d}t}w",
        r"-\frac{1}{\tau_{y}}\frac{1}{2}(3w-||dy||^{2}+||y_{2}-y_{1}||^{2})||dh||^{2}-\frac{1}{\tau_{h}}\frac{1}{2}||x_{2}-x_{1}||^{2}\frac{(||dy||^{2}+w)w}{||dh||^{2}}",
    ),
}
MEANING = {h: "|dh|^2", y: "|dy|^2", w: "w"}
POSSIBLE = {"alignment": [(y - w) ** 2 <= y * s, s > 0]}
"""By Cauchy and Schwarz, as |dy|^2 - w = dy.(y2 - y1): so that witnesses are of networks that there are."""
SOURCES = {"distance": "distance_link3", "prediction": "prediction_link9", "alignment": "alignment_link12"}


def _line(number: int, label: str) -> None:
    variable, rate_latex, latex = LINES[label]
    printed, derived = printed_flow[variable], net.derived_flow[variable]
    paper.claim(
        (f"Eq. 21, line {number}", f"Eq. 7, line {number}"),
        printed=paper.printed(f"{rate_latex}={latex}", sp.Symbol(f"d{variable}_dt"), printed),
        expect=Verdict.REFUTED,
        corrected_by=f"eq21_{label}_corrected",
        rests_on=[SOURCES[label]],
        name=f"eq21_{label}",
        says=f"Gradient descent on the loss gives the printed rate of {MEANING[variable]} for dh that does not rotate.",
    )(lambda: prove.identity(derived, printed, assuming=POSSIBLE.get(label, ())))
    paper.claim(
        (f"Eq. 21, line {number}, corrected", f"Eq. 7, line {number}, corrected"),
        rests_on=["derived_system"],
        name=f"eq21_{label}_corrected",
        says=f"Gradient descent on the loss gives the printed rate of {MEANING[variable]} with both time constants doubled.",
    )(lambda: prove.identity(derived, printed.subs(DOUBLED)))


for number, label in enumerate(LINES, 1):
    _line(number, label)

paper.picture(
    "eq21_alignment",
    Picture(
        "The rate of w, by |dh|^2.",
        h,
        2,
        (("as printed", printed_flow[w]), ("derived", net.derived_flow[w])),
        start=Fraction(1, 4),
        held=((net.X, 1), (s, 1), (net.tau_h, 1), (net.tau_y, 1), (w, Fraction(1, 2)), (y, 1)),
    ),
)


@paper.claim("Section 2.3, signed distance")
def signed_coordinates() -> Certificate:
    """With dh = a e for a fixed unit vector e, a and D_y e obey a polynomial flow: the velocity of a is
    -|x2 - x1|^2 (D_y e).(dy - (y2 - y1)) / (4 tau_h), that of D_y e is -a (dy - (y2 - y1)) / (4 tau_y)."""
    fixed: list[Any] = [Equation(c_dh, net.unit * net.signed, oriented=True), (norm2(net.unit), identity(1))]
    return prove.every(
        prove.words(net.unit.T @ c_ddh, net.signed_rate, assuming=fixed),
        prove.words(along(D_y @ net.unit, {D_y: D_y_dot}), net.signed_ddy, assuming=fixed),
    )
