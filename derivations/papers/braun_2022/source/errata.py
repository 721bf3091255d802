"""What the paper should read where a formula of it does not hold, and which refuted sentences are its own."""

from __future__ import annotations

import sympy as sp

from derivations.papers.braun_2022.section_5_decoupling.peak import D, rest_time
from derivations.papers.braun_2022.setup import a1, a2, paper, s, t, tau
from derivations.papers.braun_2022.source import printed

paper.letters = (
    "In witnesses a1, a2 and b are the entries of A(0)'A(0), and D = a1 a2 - b^2; s is a singular value of the task; fade, F and E are e^(-2 s t/tau), with tau = 1 if it is not named. U_t, V_t "
    "and S_t, or Ut, Vt and St, stand for letters with a tilde, and N_i, N_h and N_o for the sizes of the layers. Matrices "
    "are written row by row."
)

paper.asserts(
    "unequal_dimensions_under_printed_full_rank",
    "diagonal_holds_eigenvalues",
    "printed_shape_of_the_output_complement",
    "time_only_in_exponentials",
    "small_starts_stay_near_zero",
    "every_balanced_start_is_overwritten",
    "any_noise_escapes",
    "swapped_nodes_reverse_everything",
)

square = printed.SQUARE
paper.corrected(
    "printed_product_of_bases",
    paper.printed(
        r"\mathbf{U}\mathbf{V}^{T} = \tilde{\mathbf{U}}\tilde{\mathbf{V}}^{T}",
        square["U"] @ square["V"].T,
        square["U_t"] @ square["V_t"].T,
        letters=square,
    ),
)

with sp.evaluate(False):
    learned = 1 - sp.exp(-2 * s * t / tau)
    sigmoid_with_coupling = (s**2 * sp.exp(-2 * s * t / tau) * a1 + s * learned * D) / (
        s**2 * sp.exp(-4 * s * t / tau) + s * sp.exp(-2 * s * t / tau) * learned * (a1 + a2) + learned**2 * D
    )
"""`peak.a1_equal` at e^(-2 s t/tau), multiplied out."""

paper.corrected(
    "printed_peak_time",
    paper.printed(r"t_{peak} = \frac{\tau}{4s} \ln \left( 1 + \frac{s(s-a_1-a_2)}{a_1a_2-b(0)^2} \right)", rest_time),
)
DETERMINANT = r"\left[a_1(0) a_2(0) - b(0)^2\right]"
FADE = r"e^{\frac{-2st}{\tau}}"
paper.corrected(
    "printed_sigmoid",
    paper.printed(
        rf"a_1(t) = \frac{{s^2 {FADE} a_1(0) + s \left(1 - {FADE}\right) {DETERMINANT}}}"
        rf"{{s^2 e^{{\frac{{-4st}}{{\tau}}}} + s {FADE} \left(1 - {FADE}\right) \left[a_1(0) + a_2(0)\right] + "
        rf"\left(1 - {FADE}\right)^2 {DETERMINANT}}}",
        sigmoid_with_coupling,
    ),
    by="decoupling_solution_equal",
)
