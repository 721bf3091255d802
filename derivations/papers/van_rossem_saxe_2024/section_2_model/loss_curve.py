"""Equations 9 and 22: the loss in the reduced variables, and whether the printed system lowers it as gradient descent must."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.papers.van_rossem_saxe_2024.source.readings import FROM_LOSS, links
from derivations.prove.words import Equation

QUARTER = Fraction(1, 4)
centre = HALF * (y2 + y1)
remaining = (net.start - centre) * net.decay
after_decay = [Equation(ybar, net.centred(centre + remaining), oriented=True)]
STARTED = r"(y(0)-\frac{y_{2}+y_{1}}{2})e^{-\frac{t}{\tau_{\bar{y}}}}"
ASIDE = r"\frac{y_{2}-y_{1}}{2}"
ERRORS = r"||\bar{y}-y_{1}||^{2}+||\bar{y}-y_{2}||^{2}"
links("Eq. 22", "loss_curve",
    r"L=\frac{1}{2}\langle||\bar{y}+\frac{1}{2}D_{y}D_{h}(x_{i}-x_{\neg i})-y_{i}||^{2}\rangle_{\mathcal{D}}"
    r"=\frac{1}{2}\langle||\bar{y}-y_{i}||^{2}+(D_{y}D_{h}(x_{i}-x_{\neg i}))^{\top}(\bar{y}-y_{i})+\frac{1}{4}||dy||^{2}\rangle_{\mathcal{D}}"
    rf"=\frac{{1}}{{4}}({ERRORS}-(dy)^{{\top}}(y_{{2}}-y_{{1}})+\frac{{1}}{{2}}||dy||^{{2}})"
    rf"=\frac{{1}}{{4}}({ERRORS}+w-\frac{{1}}{{2}}||dy||^{{2}})"
    rf"=\frac{{1}}{{4}}(||{STARTED}+{ASIDE}||^{{2}}+||{STARTED}-{ASIDE}||^{{2}}+w-\frac{{1}}{{2}}||dy||^{{2}})"
    rf"=\frac{{1}}{{4}}(2||{STARTED}||^{{2}}+w+\frac{{1}}{{2}}(||y_{{2}}-y_{{1}}||^{{2}}-||dy||^{{2}}))",
    [
        "The loss is half the mean squared error of the linear approximation.",
        "The square of the error is expanded.",
        "The mean over the two points is taken.",
        "The product of dy with the target difference is |dy|^2 - w.",
        "The mean output of equation 18 is inserted.",
        "The two squares around the target difference are added.",
    ], known={5: after_decay}, rests_on=["mean_output_decays"])

LOSS = (
    rf"L=\frac{{1}}{{2}}||{STARTED}||^{{2}}+\frac{{1}}{{4}}(w+\frac{{1}}{{2}}(||y_{{2}}-y_{{1}}||^{{2}}-||dy||^{{2}}))"
)
@paper.equation("Eq. 9", f"{LOSS})", reads=LOSS).claim(given=after_decay, rests_on="mean_output_decays loss_curve_link6",
)
def training_loss():
    """The loss is the decaying mean error plus a quarter of w + (|y2 - y1|^2 - |dy|^2)/2."""

@paper.claim("Eq. 9, second term")
def loss_of_the_difference():
    """The second term of the loss is an eighth of |dy - (y2 - y1)|^2, so it is never negative."""
    yield same(QUARTER * (alignment + HALF * (norm2(target) - norm2(dy))), Fraction(1, 8) * norm2(dy - target))

@paper.claim("Eq. 6, energy", rests_on="encoder_link6_corrected decoder_link9_corrected")
def loss_falls_as_gradient_descent_must():
    """Along equation 6 the loss falls at the rate tau_y_bar |d ybar/dt|^2 + tau_h |d D_h/dt|^2 + tau_y |d D_y/dt|^2."""
    spent = net.const_b * norm2(flow[ybar]) + net.const_h * norm2(flow[D_h]) + net.const_y * norm2(flow[D_y])
    yield same(along(loss, flow), -1 * spent)

second_term = Rational(1, 4) * (w + (s - y) / 2)
spent_on_distance = X * w**2 / (16 * net.tau_h * h) + h * (2 * w - y + s) / (16 * net.tau_y)
@paper.claim("Eq. 7 with Eq. 9, energy, corrected", rests_on="derived_system")
def derived_system_lowers_the_loss():
    """Along the system derived from the loss, the second term of equation 9 falls at the rate tau_h |d D_h/dt|^2 + tau_y |d D_y/dt|^2."""
    yield same(FROM_LOSS.rate(second_term), -spent_on_distance)

@paper.claim("Eq. 9, monotone", rests_on="derived_system_lowers_the_loss")
def loss_never_rises():
    """The loss of the difference never rises along the flow (2 w - |dy|^2 + |y2 - y1|^2 is the squared error, so not negative)."""
    yield holds(sp.Le(FROM_LOSS.rate(second_term), 0, evaluate=False), given=2 * w - y + s >= 0)

@paper.claim("Eq. 19, moments without growth", rests_on="derived_system")
def growth_stops_only_for_an_instant():
    """Where w = 0, so that |dh| does not change, w falls at the rate |dh|^2 |dy - (y2 - y1)|^2/(4 tau_y): the distance rests for an
    instant only, unless the prediction is right."""
    squared_error = 2 * w - y + s
    yield same(FROM_LOSS.flow[w], -h * squared_error / (4 * net.tau_y), given=Eq(w, 0))
