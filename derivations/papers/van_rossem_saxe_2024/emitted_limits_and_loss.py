"""The final distance, the eigenvalues of the flow there and the loss as kernels, in forms that do not cancel."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from dataclasses import replace
from derivations.papers.van_rossem_saxe_2024.emitted import CITES, S
from derivations.papers.van_rossem_saxe_2024.in_numbers import LOSS as LOSS_IN_NUMBERS, loss_in_numbers
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.final_distance import level
from derivations.papers.van_rossem_saxe_2024.source.readings import FROM_LOSS

high, low2, root = reals("high low2 root")
FINAL_PARTS = [(high, h0 - tau_y * X / tau_h * y0 / h0),
    (low2, tau_y * X * S / tau_h),
    (root, sqrt(high**2 + 4 * low2))]
LINEAR = Matrix(level(FROM_LOSS)).jacobian([h, w]).subs(w, 0).subs(h, final)
eigenvalue = reals("eigenvalue")
CHARACTERISTIC = eigenvalue**2 - LINEAR.trace() * eigenvalue + LINEAR.det()
FROM_ROOT, FROM_SUM = -sqrt(A**2 + 4 * B**2) / (4 * tau_y), -(A + sqrt(A**2 + 4 * B**2)) / (4 * tau_y)
rest_and_eigenvalues = paper.states("rest_and_eigenvalues", "Eq. 10 and 28, in numbers",
    "With w = 0 the flow of the loss rests at the positive distance of equation 10, and the eigenvalues of its "
    "Jacobian there are -sqrt(A_high^2 + 4 A_low^2)/(4 tau_y) and -(A_high + sqrt(A_high^2 + 4 A_low^2))/(4 tau_y).",
    lambda: [same(Subs(level(FROM_LOSS)[1].subs(w, 0).xreplace(without_signs(h)), without_signs(h)[h], final), 0),
        positive(final, squares=[A + 2 * sqrt(A**2 / 4 + B**2)]),
        *(same(Subs(CHARACTERISTIC, eigenvalue, value), 0) for value in (FROM_ROOT, FROM_SUM))],
    rests_on="final_rest_distance derived_system")

def at_rest(*, above):
    """The distance and eigenvalues for a start with A_high above zero or below, which tells the slower one."""
    slow, fast = (FROM_ROOT, FROM_SUM) if above else (FROM_SUM, FROM_ROOT)
    return Equals(rest_and_eigenvalues, {"final": final, "slow": slow, "fast": fast},
        where={y0: tau_h / (tau_y * X) * h0 * (h0 - A), S: tau_h * B**2 / (tau_y * X)},
        reached={A: h0 - tau_y * X / tau_h * y0 / h0, B: sqrt(tau_y * X * S / tau_h)}, holds={high >= 0: above})

paper.emits("final_distance",
    says="The final |dh|^2 of equation 10 and the two eigenvalues of the flow there, for different targets (s > 0).",
    state=[h0, y0], params=[X, S, tau_h, tau_y], returns={
        "final": Piecewise(((high + root) / 2, high >= 0), (2 * low2 / (root - high), True)),
        "slow": Piecewise((-root / (4 * tau_y), high >= 0), (-low2 / (tau_y * (root - high)), True)),
        "fast": Piecewise((-(root + high) / (4 * tau_y), high >= 0), (-root / (4 * tau_y), True)),
    }, shared=FINAL_PARTS, cites=f"{CITES}, Eqs. 10 and 28", equals=[at_rest(above=True), at_rest(above=False)])

mean_error, decay = reals("mean_error >= 0, decay > 0")
# The decay is that of `decay_in_numbers`.
LOSS_OF_TIME = Equals(loss_in_numbers, {"loss": LOSS_IN_NUMBERS}, at={decay: exp(-t / tau_b)})
LOSS = mean_error * exp(-2 * t / tau_b) / 2 + (w + (s - y) / 2) / 4
paper.emits("training_loss",
    says="The loss at time t, from |ybar(0) - (y1 + y2)/2|^2 and the values of y and w at that time.", state=[y, w],
    params=[s, mean_error, tau_b, t], returns={"loss": LOSS}, cites=f"{CITES}, Eq. 9", equals=[LOSS_OF_TIME])

root_fade, early_half, late_half = reals("root_fade early_half late_half >= 0")
LOSS_PARTS = [(root_fade, exp(-t / tau_b)),
    (early_half, mean_error * root_fade / tau_b),
    (late_half, t * root_fade / tau_b)]
paper.emits("training_loss_sensitivity", says="The derivative of loss (training_loss) by tau_b.",
    state=[y, w], params=[s, mean_error, tau_b, t], returns={"dloss_dtau_b": early_half * late_half},
    shared=LOSS_PARTS, cites=f"{CITES}, Eq. 9",
    equals=[replace(LOSS_OF_TIME, returns={"dloss_dtau_b": LOSS_IN_NUMBERS}, by={"dloss_dtau_b": tau_b})])
