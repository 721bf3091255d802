"""Section 2 and equations 1-6, 8, 15, 16: the loss, gradient descent, and the linear approximation."""

from derivations.papers.van_rossem_saxe_2024.setup import *

paper.equation("Eq. 1", r"L(f_{\theta})=\frac{1}{2}\langle||f_{\theta}(x_{i})-y_{i}||^{2}\rangle_{\mathcal{D}}",
    says="The loss is half the mean squared distance between outputs and targets.", name="mean_squared_loss")
paper.equation("Eq. 2",
    r"L(h_{\theta},y_{\theta})=\frac{1}{2}\langle||y_{\theta}(h_{\theta}(x_{i}))-y_{i}||^{2}\rangle_{\mathcal{D}}",
    says="The same loss with the network split into an encoder and a decoder.", name="loss_of_maps")
paper.equation("Eq. 3", r"\Delta\theta=-\eta\nabla_{\theta}L",
    says="One update moves the parameters against the gradient of the loss, by the learning rate.",
    name="gradient_descent")

eta, lam = symbols("eta lambda", positive=True)
theta, slope, k = symbols("theta slope k", real=True)
quadratic_flow = theta * exp(-eta * lam * k)
@paper.equation("Eq. 4", r"\frac{\mathrm{d}}{\mathrm{d}t}\theta=-\frac{1}{\tau}\nabla_{\theta}L", scalars=True,
    meanings={"tau": 1 / eta, "grad": slope, "dtheta_dt": Symbol("dtheta_dt")}).claim()
def update_is_euler_step(eq):
    """With tau = 1/eta and time counted in updates, the update is the velocity of the flow; on a quadratic loss the flow
    leaves the update only at second order in eta."""
    yield same(-eta * slope, eq.right)
    yield same(Subs(Derivative(quadratic_flow, k), k, 0), -eta * lam * theta)
    yield same(Subs(Derivative(quadratic_flow, (k, 2)), k, 0), eta**2 * lam**2 * theta)

paper.equation("Eq. 5",
    r"h_{\theta}(x_{i})=h_{\theta}(\frac{x_{2}+x_{1}}{2})+\frac{1}{2}D_{h}(x_{i}-x_{\neg i})\\"
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

@paper.claim("Section 2.3, meaning of w")
def alignment_is_an_angle():
    """Given |dy| and |y2 - y1|, the variable w depends only on the cosine between them: w = |dy|^2 - |dy| |y2 - y1| cos."""
    angle = letters("cosine_times_lengths")
    yield same(net.alignment, norm2(dy) - angle, given=[(dy.T @ target, angle)])

@paper.claim("Section 2.2, footnote 2", rests_on="loss_equation")
def midpoint_plays_no_role():
    """The loss does not depend on the representation of the mean input, only on its output."""
    moved = substitute(loss, {h_mid: h_mid + Letter("shift", "n_h", 1)})
    yield same(loss, moved)

c = letters("c: n_h")
affine, middle = [c + D_h @ x for x in (x1, x2)], c + HALF * (D_h @ (x1 + x2))
decoded = [ybar + D_y @ (point - h_mid) for point in hidden]
ONE, TWO = ({"x_i": x1, "x_other": x2}, {"x_i": x2, "x_other": x1})

def for_both_points(eq, first, second):
    """A formula with an index i, for both of its values."""
    return [eq.put(first), eq.put(second)]

@paper.equation("Eq. 15, line 1", r"h(x_{i})=h(\frac{x_{2}+x_{1}}{2})+\frac{1}{2}D_{h}(x_{i}-x_{\neg i})",
    letters={"h_i": affine[0], "h_mid": middle, **ONE}).claim()
def encoder_expansion(eq):
    """For an affine encoder, h(x_i) = h(mean) + D_h (x_i - x_other) / 2 exactly, for both points."""
    yield for_both_points(eq, {}, {"h_i": affine[1], **TWO})

@paper.equation("Eq. 15, line 2", r"y(x_{i})=y(h(\frac{x_{2}+x_{1}}{2}))+\frac{1}{2}D_{y}(h(x_{i})-h(x_{\neg i}))",
    letters={"y_out": decoded[0], "h_i": hidden[0], "h_other": hidden[1]}).claim()
def decoder_expansion(eq):
    """For an affine decoder, y(h(x_i)) = y(h(mean)) + D_y (h(x_i) - h(x_other)) / 2 exactly, for both points."""
    yield for_both_points(eq, {}, {"y_out": decoded[1], "h_i": hidden[1], "h_other": hidden[0]})

@paper.equation("Eq. 15, line 3", r"D_{y}(h(x_{i})-h(x_{\neg i}))=D_{y}(D_{h}(x_{i}-x_{\neg i}))",
    letters={"h_i": hidden[0], "h_other": hidden[1], **ONE}).claim(rests_on="encoder_expansion")
def decoder_of_encoder():
    """The difference of the two representations is D_h applied to the difference of the inputs."""

@paper.equation("Eq. 16",
    r"L=\frac{1}{2}\langle||y(h(\frac{x_{2}+x_{1}}{2}))+\frac{1}{2}D_{y}(D_{h}(x_{i}-x_{\neg i}))-y_{i}||^{2}\rangle_{\mathcal{D}}",
).claim(rests_on="decoder_of_encoder")
def loss_equation():
    """Put into the loss, the approximations give half the mean of |y(h(mean)) + D_y D_h (x_i - x_other)/2 - y_i|^2."""

@paper.claim("Section 4.2")
def same_representation_same_output():
    """Where both points have one representation, dh = 0, the predictions agree, so two different targets cannot both be met."""
    yield same(dy, 0 * dy, given=[(dh, 0 * dh)])
