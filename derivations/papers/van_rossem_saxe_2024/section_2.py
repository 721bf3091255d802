"""Section 2 and appendices A.1 and A.2: the model, its reduction to three scalars, and the loss."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.papers.van_rossem_saxe_2024.source.readings import FROM_LOSS, doubled, links, mend
from derivations.prove.words import Equation

paper.equation("Eq. 1", r"L(f_{\theta})=\frac{1}{2}\langle||f_{\theta}(x_{i})-y_{i}||^{2}\rangle_{\mathcal{D}}",
    says="The loss is half the mean squared distance between outputs and targets.", name="mean_squared_loss")
paper.equation("Eq. 2",
    r"L(h_{\theta},y_{\theta})=\frac{1}{2}\langle||y_{\theta}(h_{\theta}(x_{i}))-y_{i}||^{2}\rangle_{\mathcal{D}}",
    says="The same loss with the network split into an encoder and a decoder.", name="loss_of_maps")
paper.equation("Eq. 3", r"\Delta\theta=-\eta\nabla_{\theta}L",
    says="One update moves the parameters against the gradient of the loss, by the learning rate.",
    name="gradient_descent")

eta, lam, theta, slope, k = reals("eta lambda > 0, theta slope k")
quadratic_flow = theta * exp(-eta * lam * k)
paper.equation("Eq. 4", r"\frac{\mathrm{d}}{\mathrm{d}t}\theta=-\frac{1}{\tau}\nabla_{\theta}L", scalars=True,
    meanings={"tau": 1 / eta, "grad": slope, "dtheta_dt": Symbol("dtheta_dt")}).states("update_is_euler_step",
    "With tau = 1/eta and time in updates, the update is the flow's velocity, and on a quadratic loss right to first "
    "order.",
    lambda eq: [same(-eta * slope, eq.right), same(Subs(Derivative(quadratic_flow, k), k, 0), -eta * lam * theta),
        same(Subs(Derivative(quadratic_flow, (k, 2)), k, 0), eta**2 * lam**2 * theta)])

paper.equation("Eq. 5", r"h_{\theta}(x_{i})=h_{\theta}(\frac{x_{2}+x_{1}}{2})+\frac{1}{2}D_{h}(x_{i}-x_{\neg i})\\"
    r"y_{\theta}(x_{i})=y_{\theta}(h_{\theta}(\frac{x_{2}+x_{1}}{2}))+\frac{1}{2}D_{y}(D_{h}(x_{i}-x_{\neg i}))",
    says="Encoder and decoder are replaced by their linear approximations around the mean of the two points.",
    name="linear_approximation")
paper.equation("Eq. 6",
    r"\frac{\mathrm{d}}{\mathrm{d}t}\bar{y}=-\frac{1}{\tau_{\bar{y}}}\frac{\partial L}{\partial\bar{y}}\\"
    r"\frac{\mathrm{d}}{\mathrm{d}t}D_{h}=-\frac{1}{\tau_{h}}\frac{\partial L}{\partial D_{h}}\\"
    r"\frac{\mathrm{d}}{\mathrm{d}t}D_{y}=-\frac{1}{\tau_{y}}\frac{\partial L}{\partial D_{y}}",
    says="Gradient descent acts on the linearisation parameters, each with an effective time constant of its own.",
    name="flow_of_linearisation")
paper.equation("Eq. 8",
    r"||dh||^{2}:=||D_{h}(x_{2}-x_{1})||^{2}\\||dy||^{2}:=||D_{y}D_{h}(x_{2}-x_{1})||^{2}\\"
    r"w:=||dy||^{2}-(D_{y}D_{h}(x_{2}-x_{1}))^{\top}(y_{2}-y_{1})",
    says="Squared representational distance, squared prediction distance, and alignment of the two points.",
    name="scalar_variables")

angle = letters("cosine_times_lengths")
paper.states("alignment_is_an_angle", "Section 2.3, meaning of w",
    "Given |dy| and |y2 - y1|, w depends on their cosine alone: w = |dy|^2 - |dy| |y2 - y1| cos.",
    lambda: same(net.alignment, norm2(dy) - angle, given=[(dy.T @ target, angle)]))
paper.states("midpoint_plays_no_role: loss_equation", "Section 2.2, footnote 2",
    "The loss does not depend on the representation of the mean input, only on its output.",
    lambda: same(loss, substitute(loss, {h_mid: h_mid + letters("shift: n_h")})))

c = letters("c: n_h")
affine, middle = [c + D_h @ x for x in (x1, x2)], c + HALF * (D_h @ (x1 + x2))
decoded = [ybar + D_y @ (point - h_mid) for point in hidden]
ONE, TWO = ({"x_i": x1, "x_other": x2}, {"x_i": x2, "x_other": x1})

paper.equation("Eq. 15, line 1", r"h(x_{i})=h(\frac{x_{2}+x_{1}}{2})+\frac{1}{2}D_{h}(x_{i}-x_{\neg i})",
    letters={"h_i": affine[0], "h_mid": middle, **ONE}).states("encoder_expansion",
    "For an affine encoder, h(x_i) = h(mean) + D_h (x_i - x_other) / 2 exactly, for both points.",
    lambda eq: [eq, eq.put({"h_i": affine[1], **TWO})])
paper.equation("Eq. 15, line 2", r"y(x_{i})=y(h(\frac{x_{2}+x_{1}}{2}))+\frac{1}{2}D_{y}(h(x_{i})-h(x_{\neg i}))",
    letters={"y_out": decoded[0], "h_i": hidden[0], "h_other": hidden[1]}).states("decoder_expansion",
    "For an affine decoder, y(h(x_i)) = y(h(mean)) + D_y (h(x_i) - h(x_other)) / 2 exactly, for both points.",
    lambda eq: [eq, eq.put({"y_out": decoded[1], "h_i": hidden[1], "h_other": hidden[0]})])
paper.equation("Eq. 15, line 3", r"D_{y}(h(x_{i})-h(x_{\neg i}))=D_{y}(D_{h}(x_{i}-x_{\neg i}))",
    letters={"h_i": hidden[0], "h_other": hidden[1], **ONE}).states("decoder_of_encoder: encoder_expansion",
    "The difference of the two representations is D_h applied to the difference of the inputs.")

@paper.equation("Eq. 16",
    r"L=\frac{1}{2}\langle||y(h(\frac{x_{2}+x_{1}}{2}))+\frac{1}{2}D_{y}(D_{h}(x_{i}-x_{\neg i}))-y_{i}||^{2}\rangle_{\mathcal{D}}",
).claim(rests_on="decoder_of_encoder")
def loss_equation():
    """Put into the loss, the approximations give half the mean of |y(h(mean)) + D_y D_h (x_i - x_other)/2 - y_i|^2."""

paper.states("same_representation_same_output", "Section 4.2",
    "Where dh = 0, both points have one prediction, so two different targets cannot both be met.",
    lambda: same(dy, 0 * dy, given=[(dh, 0 * dh)]))

# === Appendix A.1, equations 17-21 and 7: from the loss to three scalars, for inputs, representations and outputs of any size ===
PULLED = r"D_{y}^{\top}(D_{y}D_{h}(x_{2}-x_{1})-(y_{2}-y_{1}))(x_{2}-x_{1})^{\top}"
PUSHED = r"(D_{y}D_{h}(x_{2}-x_{1})-(y_{2}-y_{1}))(D_{h}(x_{2}-x_{1}))^{\top}"
GRADIENT = "{} descends the gradient of the loss."
QUARTERED = "The mean over the two points gives {}: a quarter, not a half."
links("Eq. 17", "mean_output",
    r"\frac{\mathrm{d}}{\mathrm{d}t}\bar{y}=-\frac{1}{\tau_{\bar{y}}}\frac{\partial L}{\partial\bar{y}}"
    r"=-\frac{1}{\tau_{\bar{y}}}\langle\bar{y}+\frac{1}{2}D_{y}(D_{h}(x_{i}-x_{\neg i}))-y_{i}\rangle_{\mathcal{D}}"
    r"=-\frac{1}{\tau_{\bar{y}}}(\bar{y}-\frac{y_{2}+y_{1}}{2})", [GRADIENT.format("The mean output"),
        "The gradient with respect to the mean output is the mean error.",
        "The mean error is the mean output minus the mean target."])
links("Eq. 17", "encoder", r"\frac{\mathrm{d}}{\mathrm{d}t}D_{h}=-\frac{1}{\tau_{h}}\frac{\partial L}{\partial D_{h}}"
    r"=-\frac{1}{\tau_{h}}\frac{1}{2}\langle(\frac{1}{2}D_{y}^{\top}D_{y}D_{h}(x_{i}-x_{\neg i})(x_{i}-x_{\neg i})^{\top}"
    r"+D_{y}^{\top}(\bar{y}-y_{i})(x_{i}-x_{\neg i})^{\top})\rangle_{\mathcal{D}}"
    rf"=-\frac{{1}}{{\tau_{{h}}}}\frac{{1}}{{2}}{PULLED}", [GRADIENT.format("The encoder's Jacobian"),
        "The gradient with respect to D_h is a mean over the two points.",
        "The mean over the two points gives D_h a velocity with the factor 1/2.",
    ], first=4, wrong={6: QUARTERED.format("D_h the velocity -1/(4 tau_h) D_y^T (dy - (y2 - y1)) (x2 - x1)^T")})
links("Eq. 17", "decoder", r"\frac{\mathrm{d}}{\mathrm{d}t}D_{y}=-\frac{1}{\tau_{y}}\frac{\partial L}{\partial D_{y}}"
    r"=-\frac{1}{\tau_{y}}\frac{1}{2}\langle(\frac{1}{2}D_{y}D_{h}(x_{i}-x_{\neg i})(D_{h}(x_{i}-x_{\neg i}))^{\top}"
    r"+(\bar{y}-y_{i})(D_{h}(x_{i}-x_{\neg i}))^{\top})\rangle_{\mathcal{D}}"
    rf"=-\frac{{1}}{{\tau_{{y}}}}\frac{{1}}{{2}}{PUSHED}", [GRADIENT.format("The decoder's Jacobian"),
        "The gradient with respect to D_y is a mean over the two points.",
        "The mean over the two points gives D_y a velocity with the factor 1/2.",
    ], first=7, wrong={9: QUARTERED.format("D_y the velocity -1/(4 tau_y) (dy - (y2 - y1)) (D_h (x2 - x1))^T")})

left, right, square, variable = letters("left: m, right: p, C: m x m, M: m x p")
paper.equation("Eq. 17, first differentiation rule", r"\frac{\partial a^{\top}Xb}{\partial X}=ab^{\top}",
    letters={"a": left, "X": variable, "b": right}).states("derivative_of_bilinear",
    "The derivative of a^T X b with respect to X is a b^T.")
paper.equation("Eq. 17, second differentiation rule",
    r"\frac{\partial a^{\top}X^{\top}CXa}{\partial X}=(C+C^{\top})Xaa^{\top}",
    letters={"a": right, "X": variable, "C": square}).states("derivative_of_quadratic",
    "The derivative of a^T X^T C X a with respect to X is (C + C^T) X a a^T.")
paper.equation("Eq. 18", r"\bar{y}(t)=\frac{y_{2}+y_{1}}{2}+(y(0)-\frac{y_{2}+y_{1}}{2})e^{-\frac{t}{\tau_{\bar{y}}}}", scalars=True).states(
    "mean_output_decays: mean_output_link3",
    "Every component of the mean output decays exponentially to the mean target, from its value at the start.",
    lambda eq: solves({mean_now: -(mean_now - mean_target) / net.tau_b}, {mean_now: eq.right}, {mean_now: ybar0},
        net.t))

paper.equation("Eq. 19", r"\frac{\mathrm{d}}{\mathrm{d}t}dh\propto dh",
    says="Solutions are studied along which dh keeps its direction.", name="no_rotation")

pulled = D_y.T @ (c_dy - aim)
straight = [(pulled, c_dh * (c_dh.T @ pulled) * inv_h)]
paper.states("straight_at_an_instant", "Eq. 19, at one instant",
    "The velocity of dh is a negative multiple of D_y^T (dy - (y2 - y1)), and follows dh exactly when that does.",
    lambda: same(c_ddh, -QUARTER * rate_h * norm2(net.delta) * pulled))

p_, q_ = letters("p, q")
ONES = {name: [["1"]] for name in ("dx", "rate_h", "rate_y", "tau_h", "tau_y", "inv_h")}
STRAIGHT_START = {"dims": {"n_x": 1, "n_h": 2, "n_y": 2},
    "matrices": {**ONES,
        "D_h": [["1"], ["0"]],
        "D_y": [["1", "0"], ["1", "0"]],
        "dy_target": [["2"], ["1"]],
        "p": [["2"]],
        "q": [["3"]]}}
@paper.claim("Eq. 19, when it is preserved", needs={
        "predictions_along_dh": Equation(D_y.T @ D_y @ c_dh, c_dh * p_, oriented=True),
        "targets_along_dh": Equation(D_y.T @ aim, c_dh * q_, oriented=True)})
def straight_is_preserved():
    """Where dh is not 0 and D_y^T D_y dh, D_y^T (y2 - y1) lie along it, dh and the rates of both vectors do, too."""
    moving = [c_ddh, along(D_y.T @ D_y @ c_dh, c_flow), along(D_y.T @ aim, c_flow)]
    along_dh = [c_dh * (c_dh.T @ v) * inv_h for v in moving]
    yield from (same(a, b, among=STRAIGHT_START) for a, b in zip(moving, along_dh, strict=True))

turning, image = along(pulled, c_flow), D_y.T @ D_y @ c_dh
paper.states("straightness_is_lost_unless_eigenvector: straight_at_an_instant", "Eq. 19, necessity",
    "Where dh moves along itself, the part of the derivative of D_y^T (dy - (y2 - y1)) across dh is dh.(d "
    "dh/dt)/|dh|^2 times that of D_y^T D_y dh: while |dh| changes, equation 19 survives only if that lies along dh.",
    lambda: same(across_dh(turning), (c_dh.T @ c_ddh) * inv_h * across_dh(image), given=straight))

def across_dh(vector):
    """The part of a vector that is orthogonal to dh."""
    return vector - c_dh * (c_dh.T @ vector) * inv_h

WIDE = r"(2dy-(y_{2}-y_{1}))^{\top}"
DDY = (r"(-\frac{1}{\tau_{y}}\frac{1}{2}(dy-(y_{2}-y_{1}))%s"
    r"-\frac{1}{\tau_{h}}\frac{1}{2}||x_{2}-x_{1}||^{2}\frac{w}{||dh||^{2}}dy)")
DH_DH = r"(dh)^{\top}dh"
MORE_HALVES = "With the velocities that follow from the loss, both terms carry a further factor 1/2"
links("Eq. 20", "distance",
    r"\frac{\mathrm{d}}{\mathrm{d}t}||dh||^{2}=2dh^{\top}\frac{\mathrm{d}}{\mathrm{d}t}dh=2dh^{\top}\dot{D_{h}}(x_{2}-x_{1})"
    r"=-\frac{1}{\tau_{h}}(||dy||^{2}-dy^{\top}(y_{2}-y_{1}))||x_{2}-x_{1}||^{2}=-\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}w",
    ["The squared distance changes by twice dh times its velocity.",
        "The velocity of dh is that of D_h times the input difference.",
        "The squared distance changes at the rate -(|dy|^2 - dy.(y2 - y1)) |x2 - x1|^2 / tau_h.",
        "The bracket is w by definition."], wrong={
        3: "The squared distance changes at half the printed rate: -(|dy|^2 - dy.(y2 - y1)) |x2 - x1|^2 / (2 tau_h)."
    }, rests_on=["encoder_link6"])
links("Eq. 20", "prediction", r"\frac{\mathrm{d}}{\mathrm{d}t}||dy||^{2}=2dy^{\top}\frac{\mathrm{d}}{\mathrm{d}t}dy"
    r"=2dy^{\top}(\dot{D_{y}}D_{h}(x_{2}-x_{1})+D_{y}\frac{\mathrm{d}}{\mathrm{d}t}dh)"
    r"=2dy^{\top}(\dot{D_{y}}D_{h}(x_{2}-x_{1})+\frac{dh^{\top}\frac{\mathrm{d}}{\mathrm{d}t}dh}{||dh||^{2}}D_{y}dh)"
    r"=2dy^{\top}(\dot{D_{y}}D_{h}(x_{2}-x_{1})+\frac{1}{2}\frac{\frac{\mathrm{d}}{\mathrm{d}t}||dh||^{2}}{||dh||^{2}}D_{y}dh)"
    rf"=2dy^{{\top}}{DDY % DH_DH}"
    r"=-w(\frac{1}{\tau_{y}}||dh||^{2}+\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{||dy||^{2}}{||dh||^{2}})", [
        "The squared prediction distance changes by twice dy times its velocity.",
        "The velocity of dy has a part from the decoder and a part from the encoder.",
        "Where dh does not rotate (equation 19), its velocity is its projection onto dh.",
        "dh times its velocity is half the rate of the squared distance.",
        "The velocities of D_y and of the distance are inserted.", "The products with dy are w and |dy|^2.",
    ], first=5, wrong={9: f"{MORE_HALVES}."}, known={7: {"equation_19": straight}},
    rests_on=["decoder_link9", "encoder_link6"])
links("Eq. 20", "alignment",
    rf"\frac{{\mathrm{{d}}}}{{\mathrm{{d}}t}}w={WIDE}\frac{{\mathrm{{d}}}}{{\mathrm{{d}}t}}dy={WIDE}{DDY % H_LATEX}"
    r"=-\frac{1}{\tau_{y}}\frac{1}{2}(3w-||dy||^{2}+||y_{2}-y_{1}||^{2})||dh||^{2}"
    r"-\frac{1}{\tau_{h}}\frac{1}{2}||x_{2}-x_{1}||^{2}\frac{(||dy||^{2}+w)w}{||dh||^{2}}", [
        "w changes by 2 dy - (y2 - y1) times the velocity of dy.",
        "The velocity of dy is inserted, for dh that does not rotate.",
        "The products are written in |dy|^2, w and |y2 - y1|^2.",
    ], first=11, wrong={12: f"{MORE_HALVES}, for dh that does not rotate."}, known={12: straight},
    rests_on=["decoder_link9", "encoder_link6"])

gap, wide, size = norm2(c_dy) - c_dy.T @ aim, 2 * c_dy - aim, norm2(net.delta)
SOURCES = {"distance": "distance_link3", "prediction": "prediction_link9", "alignment": "alignment_link12"}
paper.states("derived_system", "Section 2.3, derived system",
    "For dh that does not rotate |dh|^2, |dy|^2 and w obey equation 21 with both time constants doubled.",
    lambda: [same(along(norm2(c_dh), c_flow), 2 * (c_dh.T @ c_ddh)),
        same(along(norm2(c_dy), c_flow), 2 * (c_dy.T @ net.straight_ddy), given=straight),
        same(along(gap, c_flow), wide.T @ net.straight_ddy, given=straight),
        *(same(net.derived_flow[v], put(printed_flow[v], DOUBLED)) for v in (h, y, w))],
    rests_on=["encoder_link6_corrected", "decoder_link9_corrected",
        *(f"{name}_corrected" for name in SOURCES.values())])
paper.states("balance_is_conserved_for_every_dh: encoder_link6_corrected decoder_link9_corrected",
    "Eq. 23, what remains without equation 19",
    "For every dh, tau_h dh dh^T and tau_y |x2 - x1|^2 D_y^T D_y change at one rate: their difference is conserved.",
    lambda: same(net.const_h * along(c_dh @ c_dh.T, c_flow), net.const_y * size * along(D_y.T @ D_y, c_flow)))

# By Cauchy and Schwarz, as |dy|^2 - w = dy.(y2 - y1): so that witnesses are of networks that there are.
POSSIBLE = [(y - w) ** 2 <= y * s, s > 0]

for (name, source), equation, variable, says in zip(
    SOURCES.items(), EQ_21, (h, y, w), ("|dh|^2", "|dy|^2", "w"), strict=True):
    printed = equation.put({f"d{variable}_dt": net.derived_flow[variable]})
    printed.claim(name=f"eq21_{name}",
        says=f"Gradient descent on the loss gives the printed rate of {says} for dh that does not rotate.",
        corrected_by=f"eq21_{name}_corrected", rests_on=[source], given=POSSIBLE if variable is w else ())(lambda: None)
    mend(printed, f"eq21_{name}", doubled(equation.latex),
        says=f"Gradient descent on the loss gives the printed rate of {says} with both time constants doubled.",
        rests_on=["derived_system"])

paper.picture("eq21_alignment",
    Picture("The rate of w, by |dh|^2.", h, 2, (("as printed", printed_flow[w]), ("derived", net.derived_flow[w])),
    start=QUARTER, held=((net.X, 1), (s, 1), (net.tau_h, 1), (net.tau_y, 1), (w, Fraction(1, 2)), (y, 1))))

fixed = [Equation(c_dh, net.unit * net.signed, oriented=True), (norm2(net.unit), identity(1))]
paper.states("signed_coordinates", "Section 2.3, signed distance",
    "With dh = a e for a fixed unit vector e, a and D_y e obey a polynomial flow: the velocity of a is -|x2 - x1|^2 "
    "(D_y e).(dy - (y2 - y1)) / (4 tau_h), that of D_y e is -a (dy - (y2 - y1)) / (4 tau_y).",
    lambda: [same(net.unit.T @ c_ddh, net.signed_rate, given=fixed),
        same(along(D_y @ net.unit, {D_y: c_flow[D_y]}), net.signed_ddy, given=fixed)])

# === Equations 9 and 22: the loss in the reduced variables, and whether the printed system lowers it as gradient descent must ===
centre = HALF * (y2 + y1)
after_decay = [Equation(ybar, net.centred(centre + (net.start - centre) * net.decay), oriented=True)]
STARTED = r"(y(0)-\frac{y_{2}+y_{1}}{2})e^{-\frac{t}{\tau_{\bar{y}}}}"
ASIDE = r"\frac{y_{2}-y_{1}}{2}"
ERRORS = r"||\bar{y}-y_{1}||^{2}+||\bar{y}-y_{2}||^{2}"
links("Eq. 22", "loss_curve",
    r"L=\frac{1}{2}\langle||\bar{y}+\frac{1}{2}D_{y}D_{h}(x_{i}-x_{\neg i})-y_{i}||^{2}\rangle_{\mathcal{D}}"
    r"=\frac{1}{2}\langle||\bar{y}-y_{i}||^{2}+(D_{y}D_{h}(x_{i}-x_{\neg i}))^{\top}(\bar{y}-y_{i})+\frac{1}{4}||dy||^{2}\rangle_{\mathcal{D}}"
    rf"=\frac{{1}}{{4}}({ERRORS}-(dy)^{{\top}}(y_{{2}}-y_{{1}})+\frac{{1}}{{2}}||dy||^{{2}})"
    rf"=\frac{{1}}{{4}}({ERRORS}+w-\frac{{1}}{{2}}||dy||^{{2}})"
    rf"=\frac{{1}}{{4}}(||{STARTED}+{ASIDE}||^{{2}}+||{STARTED}-{ASIDE}||^{{2}}+w-\frac{{1}}{{2}}||dy||^{{2}})"
    rf"=\frac{{1}}{{4}}(2||{STARTED}||^{{2}}+w+\frac{{1}}{{2}}(||y_{{2}}-y_{{1}}||^{{2}}-||dy||^{{2}}))", [
        "The loss is half the mean squared error of the linear approximation.",
        "The square of the error is expanded.", "The mean over the two points is taken.",
        "The product of dy with the target difference is |dy|^2 - w.",
        "The mean output of equation 18 is inserted.", "The two squares around the target difference are added.",
    ], known={5: after_decay}, rests_on=["mean_output_decays"])

LOSS = (
    rf"L=\frac{{1}}{{2}}||{STARTED}||^{{2}}+\frac{{1}}{{4}}(w+\frac{{1}}{{2}}(||y_{{2}}-y_{{1}}||^{{2}}-||dy||^{{2}}))")
paper.equation("Eq. 9", f"{LOSS})", reads=LOSS).states("training_loss: mean_output_decays loss_curve_link6",
    "The loss is the decaying mean error plus a quarter of w + (|y2 - y1|^2 - |dy|^2)/2.", given=after_decay)
paper.states("loss_of_the_difference", "Eq. 9, second term",
    "The second term of the loss is an eighth of |dy - (y2 - y1)|^2, so it is never negative.",
    lambda: same(QUARTER * (alignment + HALF * (norm2(target) - norm2(dy))), Fraction(1, 8) * norm2(dy - target)))

spent = net.const_b * norm2(flow[ybar]) + net.const_h * norm2(flow[D_h]) + net.const_y * norm2(flow[D_y])
paper.states("loss_falls_as_gradient_descent_must: encoder_link6_corrected decoder_link9_corrected", "Eq. 6, energy",
    "Along equation 6 the loss falls at the rate tau_y_bar |d ybar/dt|^2 + tau_h |d D_h/dt|^2 + tau_y |d D_y/dt|^2.",
    lambda: same(along(loss, flow), -1 * spent))

second_term = Rational(1, 4) * (w + (s - y) / 2)
spent_on_distance = X * w**2 / (16 * net.tau_h * h) + h * (2 * w - y + s) / (16 * net.tau_y)
paper.states("derived_system_lowers_the_loss: derived_system", "Eq. 7 with Eq. 9, energy, corrected",
    "Along the flow of the loss equation 9's second term falls at tau_h |d D_h/dt|^2 + tau_y |d D_y/dt|^2.",
    lambda: same(FROM_LOSS.rate(second_term), -spent_on_distance))
paper.states("loss_never_rises: derived_system_lowers_the_loss", "Eq. 9, monotone",
    "The loss of the difference never rises along the flow (2 w - |dy|^2 + |y2 - y1|^2 is the squared error).",
    lambda: holds(at_least(0, FROM_LOSS.rate(second_term)), given=2 * w - y + s >= 0))
paper.states("growth_stops_only_for_an_instant: derived_system", "Eq. 19, moments without growth",
    "Where w = 0, so that |dh| rests, w falls at the rate |dh|^2 |dy - (y2 - y1)|^2/(4 tau_y).",
    lambda: same(FROM_LOSS.flow[w], -h * (2 * w - y + s) / (4 * net.tau_y), given=Eq(w, 0)))
