"""Section 2 and equations 1-6, 8, 15, 16: the loss, gradient descent, and the linear approximation."""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, norm2, substitute
from derivations.models import two_point as net
from derivations.models.two_point import HALF, D_h, D_y, dh, dy, h_mid, hidden, loss, pairs, target, x1, x2, ybar
from derivations.papers.van_rossem_saxe_2024.setup import paper
from derivations.prove import Certificate

paper.definition(
    "Eq. 1",
    "mean_squared_loss",
    "The loss is half the mean squared distance between outputs and targets.",
    paper.printed(r"L(f_{\theta})=\frac{1}{2}\langle||f_{\theta}(x_{i})-y_{i}||^{2}\rangle_{\mathcal{D}}"),
)
paper.definition(
    "Eq. 2",
    "loss_of_maps",
    "The same loss with the network split into an encoder and a decoder.",
    paper.printed(
        r"L(h_{\theta},y_{\theta})=\frac{1}{2}\langle||y_{\theta}(h_{\theta}(x_{i}))-y_{i}||^{2}\rangle_{\mathcal{D}}"
    ),
)
paper.definition(
    "Eq. 3",
    "gradient_descent",
    "One update moves the parameters against the gradient of the loss, by the learning rate.",
    paper.printed(r"\Delta\theta=-\eta\nabla_{\theta}L"),
)

eta, lam, k = sp.symbols("eta lambda k", positive=True)
theta, slope = sp.symbols("theta slope", real=True)
quadratic_flow = theta * sp.exp(-eta * lam * k)


@paper.claim(
    "Eq. 4",
    printed=paper.printed(
        r"\frac{\mathrm{d}}{\mathrm{d}t}\theta=-\frac{1}{\tau}\nabla_{\theta}L",
        sp.Symbol("dtheta_dt"),
        -(1 / sp.Symbol("tau")) * sp.Symbol("grad"),
    ),
)
def update_is_euler_step() -> Certificate:
    """With tau = 1/eta and time counted in updates, the update is the velocity of the flow; on a quadratic loss the flow
    leaves the update only at second order in eta."""
    velocity = prove.identity(-eta * slope, -(1 / (1 / eta)) * slope)
    first = prove.identity(sp.Subs(sp.Derivative(quadratic_flow, k), k, 0), -eta * lam * theta)
    second = prove.identity(sp.Subs(sp.Derivative(quadratic_flow, (k, 2)), k, 0), eta**2 * lam**2 * theta)
    return prove.every(velocity, first, second)


paper.definition(
    "Eq. 5",
    "linear_approximation",
    "Encoder and decoder are replaced by their linear approximations around the mean of the two points.",
    paper.printed(
        r"h_{\theta}(x_{i})=h_{\theta}(\frac{x_{2}+x_{1}}{2})+\frac{1}{2}D_{h}(x_{i}-x_{\neg i})\\"
        r"y_{\theta}(x_{i})=y_{\theta}(h_{\theta}(\frac{x_{2}+x_{1}}{2}))+\frac{1}{2}D_{y}(D_{h}(x_{i}-x_{\neg i}))"
    ),
)
paper.definition(
    "Eq. 6",
    "flow_of_linearisation",
    "Gradient descent acts on the linearisation parameters, each with an effective time constant of its own.",
    paper.printed(
        r"\frac{\mathrm{d}}{\mathrm{d}t}\bar{y}=-\frac{1}{\tau_{\bar{y}}}\frac{\partial L}{\partial\bar{y}}\\"
        r"\frac{\mathrm{d}}{\mathrm{d}t}D_{h}=-\frac{1}{\tau_{h}}\frac{\partial L}{\partial D_{h}}\\"
        r"\frac{\mathrm{d}}{\mathrm{d}t}D_{y}=-\frac{1}{\tau_{y}}\frac{\partial L}{\partial D_{y}}"
    ),
)
paper.definition(
    "Eq. 8",
    "scalar_variables",
    "Squared representational distance, squared prediction distance, and alignment of the two points.",
    paper.printed(
        r"||dh||^{2}:=||D_{h}(x_{2}-x_{1})||^{2}\\||dy||^{2}:=||D_{y}D_{h}(x_{2}-x_{1})||^{2}\\"
        r"w:=||dy||^{2}-(D_{y}D_{h}(x_{2}-x_{1}))^{\top}(y_{2}-y_{1})"
    ),
)


@paper.claim("Section 2.3, meaning of w")
def alignment_is_an_angle() -> Certificate:
    """Given |dy| and |y2 - y1|, the variable w depends only on the cosine between them: w = |dy|^2 - |dy| |y2 - y1| cos."""
    angle = Letter("cosine_times_lengths", 1, 1)
    return prove.words(net.alignment, norm2(dy) - angle, assuming=[(dy.T @ target, angle)])


@paper.claim("Section 2.2, footnote 2", rests_on=["loss_equation"])
def midpoint_plays_no_role() -> Certificate:
    """The loss does not depend on the representation of the mean input, only on its output."""
    moved = substitute(loss, {h_mid: h_mid + Letter("shift", "n_h", 1)})
    return prove.words(loss, moved)


c = Letter("c", "n_h", 1)
affine = [c + D_h @ x for x in (x1, x2)]
affine_mid = c + HALF * (D_h @ (x1 + x2))


@paper.claim(
    "Eq. 15, line 1",
    printed=paper.printed(
        r"h(x_{i})=h(\frac{x_{2}+x_{1}}{2})+\frac{1}{2}D_{h}(x_{i}-x_{\neg i})",
        affine[0],
        affine_mid + HALF * (D_h @ (x1 - x2)),
        letters={"h_i": affine[0], "h_mid": affine_mid, "x_i": x1, "x_other": x2},
    ),
)
def encoder_expansion() -> Certificate:
    """For an affine encoder, h(x_i) = h(mean) + D_h (x_i - x_other) / 2 exactly, for both points."""
    expansions = [affine_mid + HALF * (D_h @ (x - other)) for x, other, _ in pairs]
    return prove.every(*(prove.words(left, right) for left, right in zip(affine, expansions, strict=True)))


u, v = sp.symbols("u v", real=True)


@paper.claim(
    "Eq. 15, line 2",
    printed=paper.printed(
        r"y(x_{i})=y(h(\frac{x_{2}+x_{1}}{2}))+\frac{1}{2}D_{y}(h(x_{i})-h(x_{\neg i}))",
        ybar + D_y @ (hidden[0] - h_mid),
        ybar + HALF * (D_y @ (hidden[0] - hidden[1])),
        letters={"y_out": ybar + D_y @ (hidden[0] - h_mid), "h_i": hidden[0], "h_other": hidden[1]},
    ),
)
def decoder_expansion() -> Certificate:
    """For an affine decoder, y(x_i) = y(h(mean)) + D_y (h(x_i) - h(x_other)) / 2 exactly, for both points."""
    decoded = [ybar + D_y @ (p - h_mid) for p in hidden]
    printed = [ybar + HALF * (D_y @ (p - q)) for p, q in (hidden, hidden[::-1])]
    return prove.every(*(prove.words(left, right) for left, right in zip(decoded, printed, strict=True)))


@paper.claim(
    "Eq. 15, line 3",
    printed=paper.printed(
        r"D_{y}(h(x_{i})-h(x_{\neg i}))=D_{y}(D_{h}(x_{i}-x_{\neg i}))",
        D_y @ (hidden[0] - hidden[1]),
        D_y @ (D_h @ (x1 - x2)),
        letters={"h_i": hidden[0], "h_other": hidden[1], "x_i": x1, "x_other": x2},
    ),
    rests_on=["encoder_expansion"],
)
def decoder_of_encoder() -> Certificate:
    """The difference of the two representations is D_h applied to the difference of the inputs."""
    return prove.words(D_y @ (hidden[0] - hidden[1]), D_y @ (D_h @ (x1 - x2)))


printed_errors = [ybar + HALF * (D_y @ (D_h @ (x - other))) - yi for x, other, yi in pairs]


@paper.claim(
    "Eq. 16",
    printed=paper.printed(
        r"L=\frac{1}{2}\langle||y(h(\frac{x_{2}+x_{1}}{2}))+\frac{1}{2}D_{y}(D_{h}(x_{i}-x_{\neg i}))-y_{i}||^{2}\rangle_{\mathcal{D}}",
        loss,
        HALF * (HALF * (norm2(printed_errors[0]) + norm2(printed_errors[1]))),
    ),
    rests_on=["decoder_of_encoder"],
)
def loss_equation() -> Certificate:
    """Put into the loss, the approximations give half the mean of |y(h(mean)) + D_y D_h (x_i - x_other)/2 - y_i|^2."""
    printed = HALF * (HALF * (norm2(printed_errors[0]) + norm2(printed_errors[1])))
    return prove.words(loss, printed)


@paper.claim("Section 4.2")
def same_representation_same_output() -> Certificate:
    """Where both points have one representation, dh = 0, the predictions agree, so two different targets cannot both be met."""
    return prove.words(dy, 0 * dy, assuming=[(dh, 0 * dh)])
