"""The displayed equations that only introduce names; what they assert beside that is claimed elsewhere."""

from __future__ import annotations

from derivations.models.committee import i, n, s, student_field, teacher_field
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters import network
from derivations.papers.carrasco_davis_grant_2025.setup import paper

paper.definition(
    "Eq. 1",
    "teacher_output",
    "The target is what a teacher network makes of the input, plus noise of variance sigma^2.",
    paper.printed(r"y_{s}^{u} = f^{*}(x_{s}^{u}, W^{*}) + \sigma \xi^{u},"),
)
paper.definition(
    "Eq. 2",
    "student_output",
    "The output is what a student network makes of the input.",
    paper.printed(r"\hat{y}_{s}^{u} = f(x_{s}^{u}, W),"),
)
paper.definition(
    "Eq. 3",
    "batch_loss",
    "The loss of a batch is half its mean squared error.",
    paper.printed(
        r"\mathcal{L}^{u} = \frac{1}{2B} \sum_{s=1}^{B} \left( \hat{y}_{s}^{u} - y_{s}^{u} \right)^{2},",
        network.printed_batch_loss(*network.BY_UNITS),
    ),
)
paper.definition(
    "Eq. 4",
    "gradient_descent",
    "An update goes down the gradient of the loss of its batch by the learning rate.",
    paper.printed(r"W^{u+1} = W^{u} - \eta_{W} \frac{\partial \mathcal{L}^{u}}{\partial W},"),
)
paper.definition(
    "Eq. 6",
    "mean_squared_error",
    "The generalisation error is half the mean squared error over the data.",
    paper.printed(r"\mathcal{E}(W) = \frac{1}{2} \left\langle \left( \hat{y} - y \right)^{2} \right\rangle_{x,y},"),
)
paper.definition(
    "Eq. 7",
    "soft_committee_teacher",
    "A soft committee machine as the teacher: the sum of its units and the noise.",
    paper.printed(
        r"y_{s}^{u} = \sum_{m=1}^{M} g\left( \frac{W^{*}_{m} x_{s}^{u}}{\sqrt{N}} \right) + \sigma \xi^{u}",
        network.printed_teacher_output(s),
    ),
)
paper.definition(
    "Eq. 7",
    "soft_committee_student",
    "A soft committee machine as the student: the sum of its units.",
    paper.printed(
        r"\hat{y}_{s}^{u} = \sum_{k=1}^{K} g\left( \frac{W_{k} x_{s}^{u}}{\sqrt{N}} \right),",
        network.printed_student_output(s),
    ),
)
paper.definition("Eq. 10", "student_overlaps", "The overlaps of the students with each other.", network.EQ_10_Q)
paper.definition("Eq. 10", "teacher_overlaps", "The overlaps of the teachers with each other.", network.EQ_10_T)
paper.definition(
    "Eq. 13",
    "student_field",
    "The local field of a student.",
    paper.printed(r"\lambda_{i}^{u} = \frac{W_{i}x_{s}^{u}}{\sqrt{N}}", student_field(i, s)),
)
paper.definition(
    "Eq. 13",
    "teacher_field",
    "The local field of a teacher, the transposed row read as what its product with the input needs.",
    paper.printed(r"\rho_{n}^{u} = \frac{(W_{n}^{*})^{T}x_{s}^{u}}{\sqrt{N}}.", teacher_field(n, s)),
)
for line, (name, says, printed) in enumerate(
    (
        (
            "two_values",
            "The average of two values.",
            r"I_{2}(a, b) = \left< g(\nu_{a}) g(\phi_{b}) \right>",
        ),
        (
            "slope_field_and_value",
            "The average of a slope, a field and a value.",
            r"I_{3}(a, b, c) = \left< g'(\nu_{a}) \phi_{b} g(\psi_{c}) \right>",
        ),
        (
            "two_slopes_and_two_values",
            "The average of two slopes and two values.",
            r"I_{4}(a, b, c, d) = \left< g'(\nu_{a}) g'(\phi_{b}) g(\psi_{c}) g(\gamma_{d}) \right>",
        ),
        (
            "two_slopes",
            "The average of two slopes.",
            r"J_{2}(a, b) = \left< g'(\nu_{a}) g'(\phi_{b}) \right>.",
        ),
    ),
    start=1,
):
    paper.definition(f"Eq. 17, line {line}", name, says, paper.printed(printed))
