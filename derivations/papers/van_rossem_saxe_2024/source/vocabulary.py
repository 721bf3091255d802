"""How the paper writes its formulas: spellings of scalars and matrices, and what operators mean."""

from derivations.author import *
from derivations.models.two_point import *
from derivations.latex import Notation, along_flow, declared, exponentials
from derivations.latex.printed import Vocabulary, symbols_of
from derivations.models import two_point as net

SCALARS = Notation({r"||dh||^{2}": "h", r"||dh(t)||^{2}": "h", r"||dy||^{2}": "y", r"||dy(t)||^{2}": "y",
        r"||dh(0)||^{2}": "h0", r"||dy(0)||^{2}": "y0", r"||dh(\infty)||^{2}": "h_infinity",
        r"||x_{2}-x_{1}||^{2}": "X", r"||y_{2}-y_{1}||^{2}": "s", r"{||dh||^{2}}^{\prime}": "hp",
        r"{||dy||^{2}}^{\prime}": "yp", r"w^{\prime}": "wp", r"t^{\prime}": "tp", r"\frac{y_{2}+y_{1}}{2}": "m",
        r"\bar{y}(t)": "ybar", r"y(0)": "ybar0", r"\tau_{h}": "tau_h", r"\tau_{y}": "tau_y",
        r"\tau_{\bar{y}}": "tau_b", r"A_{\text{high}}": "A_high", r"A_{\text{low}}": "A_low", r"v_{\pm}": "v",
        r"\lambda_{\pm}": "eigenvalue", r"\nabla_{\theta}L": "grad", r"f_{\theta}": "f_theta",
        r"h_{\theta}": "h_theta", r"y_{\theta}": "y_theta", r"||dh(t)||^{2}_{\text{theory}}": "h_theory",
        r"||dy(t)||^{2}_{\text{theory}}": "y_theory", r"w(t)": "w", r"w(t)_{\text{theory}}": "w_theory",
        r"||dh_{i,j}(\infty)||^{2}_{\text{pred}}": "h_pred_ij",
        r"||dh_{i,k}(\infty)||^{2}_{\text{theory}}": "h_theory_ik",
        r"||dh_{l,j}(\infty)||^{2}_{\text{theory}}": "h_theory_lj",
        r"||dh_{k,l}(\infty)||^{2}_{\text{theory}}": "h_theory_kl", r"x_{\neg i}": "x_other", r"x_{1}": "x_1",
        r"x_{2}": "x_2", r"y_{1}": "y_1", r"y_{2}": "y_2", r"D_{h}": "D_h", r"D_{y}": "D_y", r"dy": "dy",
        r"\bar{y}": "ybar", r"h": "level", r"x_{i}": "x_i", r"y_{i}": "y_i", r"dh": "dh",
    }, letters=r"t w G L J D a b n \tau \eta \theta \lambda", functions={
        r"f_{\theta}": "f_theta", r"h_{\theta}": "h_theta", r"y_{\theta}": "y_theta", r"\Phi": "Phi",
        r"\phi": "phi", r"L": "L", r"f": "f"}, operators={r"\Delta": "Delta"})
WORDS = Notation({
        r"dh": "dh", r"dy": "dy", r"x_{1}": "x1", r"x_{2}": "x2", r"y_{1}": "y1", r"y_{2}": "y2", r"x_{i}": "x_i",
        r"y_{i}": "y_i", r"x_{\neg i}": "x_other", r"D_{h}": "D_h", r"D_{y}": "D_y", r"\bar{y}": "ybar",
        r"y(0)": "ybar0", r"\tau_{h}": "tau_h", r"\tau_{y}": "tau_y", r"\tau_{\bar{y}}": "tau_b",
        r"h(\frac{x_{2}+x_{1}}{2})": "h_mid", r"y(h(\frac{x_{2}+x_{1}}{2}))": "ybar", r"y(x_{i})": "y_out",
        r"h(x_{i})": "h_i", r"h(x_{\neg i})": "h_other"}, letters="t w L a b C X")
x_i, x_other, y_i = letters("x_i: n_x, x_other: n_x, y_i: n_y")
# Of which the mean over the two points is taken.
SAMPLES = ({x_i: x1, x_other: x2, y_i: y1}, {x_i: x2, x_other: x1, y_i: y2})
time = letters("t")
LETTERS = {"dh": dh, "dy": dy, "x1": x1, "x2": x2, "y1": y1, "y2": y2, "x_i": x_i, "y_i": y_i, "x_other": x_other,
    "D_h": D_h, "D_y": D_y, "ybar": net.ybar, "ybar0": net.start, "tau_h": const_h, "tau_y": const_y, "tau_b": const_b,
    "w": net.alignment, "L": loss, "t": time}

INVERSES = [(const_h, net.rate_h), (const_y, net.rate_y), (const_b, rate_b), (norm2(dh), net.inv_h)]

A, B, hp, G, level, h_now, tp = reals("A_high, A_low hp G level h_infinity tp > 0")
yp, wp, value, mean_target, mean_now, ybar0 = reals("yp >= 0, wp eigenvalue m ybar ybar0")
rates = reals("dh_dt dy_dt dw_dt dhp_dtp dyp_dtp dwp_dtp")
PLAIN = symbols_of(*(net.h, net.y, net.w, net.t, net.X, net.s, net.tau_h, net.tau_y, net.tau_b, net.h0, net.y0),
    *(A, B, hp, yp, wp, tp, G, level, h_now, value, mean_target, mean_now, ybar0, *rates),
    *reals("tau D a b lambda n"))

def Phi(x):
    return (1 + erf(x / sqrt(2))) / 2

def phi(x):
    at = reals("at")
    return Subs(Derivative(Phi(at), at), at, x)

def margin(greater, less):
    """An event greater > less, as what is positive exactly when it happens."""
    return sp.Add(greater, sp.Mul(-1, less, evaluate=False), evaluate=False)

MEANINGS = {**PLAIN, "implies": lambda _, conclusion: conclusion,
    ">": margin,
    "and": lambda *events: events,
    "P": lambda event: event,  # equal probabilities: of events of which each implies the other
    "normal": lambda mean, variance: (mean, variance),
    "Phi": Phi,
    "phi": phi}
VOCABULARY = Vocabulary(SCALARS, WORDS, LETTERS, {"dt": along_flow(flow),
        "partial": lambda of, by: gradient(of, next(iter(by.letters.values()))),
        "mean": lambda body: HALF * (substitute(body, SAMPLES[0]) + substitute(body, SAMPLES[1])),
        "norm2": norm2,
        "inverse": declared("inverse", INVERSES),
        "exp": exponentials([(-1 * time * rate_b, net.decay)])}, settle=net.centred, meanings=MEANINGS)
