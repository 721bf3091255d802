"""What the draft should read where a formula of it does not hold, and which refuted sentences are its own."""

from __future__ import annotations

import sympy as sp

from derivations.latex import Indexed
from derivations.models.committee import j, s_other, student_field
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import C, a, b
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.expanded_flow import (
    printed_linear_flow,
    quadratic_flow,
)
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.flow import student_rate
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.network import (
    BY_UNITS,
    MATRICES,
    corrected_loss_over_samples,
    students,
    teachers,
)
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.overlaps import (
    printed_linear_terms,
    quadratic_term,
)
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source.vocabulary import TIME_STEP, over_inputs

paper.letters = (
    "In witnesses g_student, g_teacher and slope have g(lambda_k), g(rho_m) and g'(lambda_k), a row for each unit and a "
    "column for each sample or value of the input; x has a row for each of these. Averages are over finitely many values: "
    "chance has the probabilities of D values of the input, and noise_chance those of E values of the noise. W_teacher is "
    "W*; per_input, per_sample and root_per_input are 1/N, 1/B and 1/sqrt(N). Indices count from 1."
)

paper.asserts(
    "output_is_an_average_of_units",
    "printed_R_has_a_row_for_each_student",
    "different_samples_average_to_zero",
    "mean_update_has_no_closed_form",
    "error_is_the_first_closed_average",
)

paper.corrected(
    "loss_is_summed_over_i",
    paper.printed(
        r"\mathcal{L^{u}} = \frac{1}{2B} \sum_{s=1}^{B} \left( y_{s}^{u} - \hat{y}_{s}^{u} \right)^{2}",
        corrected_loss_over_samples(*BY_UNITS),
    ),
)
paper.corrected(
    "printed_R_has_students_first",
    paper.printed(r"R = \frac{W(W^{*})^{T}}{N}", students @ teachers.T * over_inputs, letters=MATRICES),
)
paper.corrected(
    "printed_flow_in_time_of_inputs",
    paper.printed(
        r"\frac{dW}{dt} = - \eta_{W} N \left\langle \frac{\partial \mathcal{L}^{u}}{\partial W} \right\rangle_{x,y},"
    ),
)
paper.corrected(
    "overlap_expanded_as_printed",
    paper.printed(
        r"Q^{u+1}_{ij} = Q^{u}_{ij} + \frac{\eta_{W}dt}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
        r"g'\left( \lambda_{j}^ {u} \right) \lambda_{i}^{u} + \frac{\eta_{W}dt}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
        r"g'\left( \lambda_{i}^{u} \right) \lambda_{j}^{u} + \frac{\eta_{W}^{2}dt}{B^{2}}\sum_{s=1}^{B}\sum_{s'=1}^{B} "
        r"\Delta_{s}^{u} \Delta_{s'}^{u}g'\left( \lambda_{i,s}^{u} \right)g'\left( \lambda_{j,s'}^{u} \right) "
        r"\frac{x_{s}^{u}(x_{s'}^{u})^{T}}{N}.",
        printed_linear_terms + quadratic_term,
        symbols={
            **TIME_STEP,
            r"x_{s'}^{u}": "x_s_other",
            r"\lambda_{i,s}^{u}": "lambda_i",
            r"\lambda_{j,s'}^{u}": "lambda_j_other",
        },
        letters={"lambda_j_other": Indexed(student_field(j, s_other))},
    ),
)
paper.corrected(
    "student_overlap_rate_as_printed",
    paper.printed(
        r"\frac{dQ_{ij}}{dt} = \eta_{W} \left< \Delta_{s}^{u} g'(\lambda_{j}^{u}) \lambda_{i}^{u} \right> + "
        r"\eta_{W} \left<\Delta_{s}^{u} g'(\lambda_{i}^{u}) \lambda_{j}^{u} \right> + \frac{\eta_{W}^{2}}{B} "
        r"\left< (\Delta_{s}^{u})^{2} g'(\lambda_{i}^{u}) g'(\lambda_{j}^{u}) \right>.",
        student_rate,
    ),
)
paper.corrected(
    "quadratic_flow_as_printed",
    paper.printed(
        r"\frac{dQ_{ik}}{dt} = \eta_{W} \left[ \sum_{m=1}^{M} I_{3}(i,k,m) - \sum_{j=1}^{K} I_{3}(i, k, j) \right] "
        r"+ \eta_{W} \left[ \sum_{m=1}^{M} I_{3}(k, i, m) - \sum_{j=1}^{K} I_{3}(k, i, j) \right] "
        r"+ \frac{\eta_{W}^{2}}{B} \left[ \sum_{m, n}^{M} I_{4}(i, k, n, m) - 2 \sum_{j, n} I_{4}(i, k, j, n) "
        r"+ \sum_{j, l} I_{4}(i, k, j, l) + \sigma^{2} J_{2}(i, k) \right].",
        printed_linear_flow + quadratic_flow,
    ),
)
paper.corrected(
    "printed_average_for_erf",
    paper.printed(
        r"I_{2}(a, b) = \frac{2}{\pi} \text{arcsin}\left( \frac{2C_{ab}}{\sqrt{1 + 2C_{aa}} \sqrt{1+2C_{bb}}} \right)",
        2 / sp.pi * sp.asin(2 * C[a, b] / (sp.sqrt(1 + 2 * C[a, a]) * sp.sqrt(1 + 2 * C[b, b]))),
    ),
)
