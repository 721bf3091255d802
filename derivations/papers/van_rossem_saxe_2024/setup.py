"""The paper, its flow as printed, and the ingredients of its final distance.

Nothing here is a verdict.
"""

from derivations.author import *
from derivations.models.two_point import *
from derivations.papers.van_rossem_saxe_2024.source.vocabulary import *
from derivations.models import two_point

net = two_point
paper = Paper(
    "van_rossem_saxe_2024", title="When Representations Align: Universality in Representation Learning Dynamics",
    authors="Loek van Rossem, Andrew M. Saxe", year=2024, source="arXiv:2402.09142v1", numbered=50,
    vocabulary=VOCABULARY,
    read="The preprint of 14 February 2024 was read, main text and appendices A to C, from its LaTeX; of the figures, their captions.",
    models=[net])

def printed(where, latex, **reading):
    """A printed formula of scalars."""
    return paper.equation(where, latex, scalars=True, **reading)

QUARTER = Fraction(1, 4)
S = reals("s > 0")  # |y2 - y1|^2 of different targets
c1 = tau_h / (tau_y * X)
DOUBLED = {tau_h: 2 * tau_h, tau_y: 2 * tau_y}
X_LATEX, H_LATEX, Y_LATEX = r"||x_{2}-x_{1}||^{2}", r"||dh||^{2}", r"||dy||^{2}"
DT = r"\frac{\mathrm{d}}{\mathrm{d}t}"
LINES_21 = (rf"{DT}{H_LATEX}=-\frac{{1}}{{\tau_{{h}}}}{X_LATEX}w",
    rf"{DT}{Y_LATEX}=-w(\frac{{1}}{{\tau_{{y}}}}{H_LATEX}+\frac{{1}}{{\tau_{{h}}}}{X_LATEX}\frac{{{Y_LATEX}}}{{{H_LATEX}}})",
    (rf"{DT}w=-\frac{{1}}{{\tau_{{y}}}}\frac{{1}}{{2}}(3w-{Y_LATEX}+||y_{{2}}-y_{{1}}||^{{2}}){H_LATEX}"
        rf"-\frac{{1}}{{\tau_{{h}}}}\frac{{1}}{{2}}{X_LATEX}\frac{{({Y_LATEX}+w)w}}{{{H_LATEX}}}"))
EQ_21 = [printed((f"Eq. 21, line {k}", f"Eq. 7, line {k}"), latex) for k, latex in enumerate(LINES_21, 1)]
# Equations 7 and 21 as printed.
printed_flow = {k: equation.right for k, equation in zip((h, y, w), EQ_21, strict=True)}
EQ_11 = (printed("Eq. 11, line 1", r"A_{\text{high}}=\left(\frac{||dh(0)||^{2}}{||x_{2}-x_{1}||^{2}}"
        r"-\frac{\tau_{y}}{\tau_{h}}\frac{||dy(0)||^{2}}{||dh(0)||^{2}}\right)||x_{2}-x_{1}||^{2}",
        says="A_high is an abbreviation in terms of the start, the distance of the inputs and the time constants.",
        name="ingredient_high"),
    printed("Eq. 11, line 2", r"A_{\text{low}}=\sqrt{\frac{\tau_{y}}{\tau_{h}}}||x_{2}-x_{1}||\cdot||y_{2}-y_{1}||",
        says="A_low is an abbreviation in terms of the two distances of the data and the time constants.",
        name="ingredient_low"))
A_high, A_low = (equation.right for equation in EQ_11)  # Equations 11 and 28 as printed
final = A / 2 + sqrt(A**2 / 4 + B**2)  # Equation 10 in its two ingredients
