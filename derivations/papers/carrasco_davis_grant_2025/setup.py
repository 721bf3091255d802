"""The paper: a draft, whose displays are numbered here in their order of appearance, and those that only introduce names.

What these assert beside that is claimed elsewhere; nothing here is a verdict.
"""

from derivations.author import *
from derivations.models.committee import *
from derivations.papers.carrasco_davis_grant_2025.source.vocabulary import *
from derivations.latex import Indexed
from derivations.models import committee

net = committee
paper = Paper("carrasco_davis_grant_2025",
    title="A primer on the analytical learning dynamics of nonlinear neural networks",
    authors="Rodrigo Carrasco-Davis, Erin Grant", year=2025, source="ICLR Blogposts (2025), draft of 28 April 2025",
    read="Read was the Markdown source of the draft dated 28 April 2025, which has open TODOs and figures that are planned; the "
    "published post was not. It numbers no equations: here every display has one number, in the order of appearance, and lines are "
    "counted within a display. Section 1 is Background, 2 is Methods up to the teacher-student setup, 3 is the soft committee machine, "
    "and 4 are the replications after it.", numbered=20, vocabulary=VOCABULARY, models=[net])

paper.equation("Eq. 1", r"y_{s}^{u} = f^{*}(x_{s}^{u}, W^{*}) + \sigma \xi^{u},", name="teacher_output",
    says="The target is what a teacher network makes of the input, plus noise of variance sigma^2.")
paper.equation("Eq. 2", r"\hat{y}_{s}^{u} = f(x_{s}^{u}, W),", name="student_output",
    says="The output is what a student network makes of the input.")
paper.equation("Eq. 3",
    r"\mathcal{L}^{u} = \frac{1}{2B} \sum_{s=1}^{B} \left( \hat{y}_{s}^{u} - y_{s}^{u} \right)^{2},", name="batch_loss",
    says="The loss of a batch is half its mean squared error.")
paper.equation("Eq. 4", r"W^{u+1} = W^{u} - \eta_{W} \frac{\partial \mathcal{L}^{u}}{\partial W},",
    name="gradient_descent", says="An update goes down the gradient of the loss of its batch by the learning rate.")
paper.equation("Eq. 6",
    r"\mathcal{E}(W) = \frac{1}{2} \left\langle \left( \hat{y} - y \right)^{2} \right\rangle_{x,y},",
    name="mean_squared_error", says="The generalisation error is half the mean squared error over the data.")
paper.equation("Eq. 7",
    r"y_{s}^{u} = \sum_{m=1}^{M} g\left( \frac{W^{*}_{m} x_{s}^{u}}{\sqrt{N}} \right) + \sigma \xi^{u}",
    name="soft_committee_teacher", says="A soft committee machine as the teacher: the sum of its units and the noise.")
paper.equation("Eq. 13", r"\lambda_{i}^{u} = \frac{W_{i}x_{s}^{u}}{\sqrt{N}}", name="student_field",
    says="The local field of a student.")
paper.equation("Eq. 13", r"\rho_{n}^{u} = \frac{(W_{n}^{*})^{T}x_{s}^{u}}{\sqrt{N}}.", name="teacher_field",
    says="The local field of a teacher, the transposed row read as what its product with the input needs.")

UNITS = dict(zip("abcd", (i, j, k, l), strict=True))
FIELDS = ("nu_a", "phi_b", "psi_c", "gamma_d")
# Any four units; which of them are teachers changes the names of arrays alone.
ANY_UNITS = {**UNITS, **{name: Indexed(student_field(at, s)) for name, at in zip(FIELDS, UNITS.values(), strict=True)}}
for line, (name, says, printed) in enumerate((
        ("two_values", "two values", r"I_{2}(a, b) = \left< g(\nu_{a}) g(\phi_{b}) \right>"),
        ("slope_field_and_value", "a slope, a field and a value",
            r"I_{3}(a, b, c) = \left< g'(\nu_{a}) \phi_{b} g(\psi_{c}) \right>"),
        ("two_slopes_and_two_values", "two slopes and two values",
            r"I_{4}(a, b, c, d) = \left< g'(\nu_{a}) g'(\phi_{b}) g(\psi_{c}) g(\gamma_{d}) \right>"),
        ("two_slopes", "two slopes", r"J_{2}(a, b) = \left< g'(\nu_{a}) g'(\phi_{b}) \right>.")), start=1):
    paper.equation(f"Eq. 17, line {line}", printed, name=name, says=f"The average of {says}.", letters=ANY_UNITS)
