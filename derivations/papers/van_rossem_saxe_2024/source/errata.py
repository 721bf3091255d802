"""What the paper should read where a formula of it does not hold, and which refuted sentences are its own."""

from __future__ import annotations

import re

from derivations.language.words import Words
from derivations.latex.printed import Transcription
from derivations.models.two_point import HALF, h, y
from derivations.papers.van_rossem_saxe_2024.appendix_initial_weights import lazy, random_features
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance import equal_targets
from derivations.papers.van_rossem_saxe_2024.setup import DOUBLED, A, paper
from derivations.papers.van_rossem_saxe_2024.source.readings import PRINTED
from derivations.prove import Verdict

paper.letters = (
    "In witnesses h, y, X and s are |dh|^2, |dy|^2, |x2 - x1|^2 and |y2 - y1|^2; h0, y0 and w0 are values at the start, p = h0/X, "
    "q = y0/h0 and r = tau_y/tau_h; gap and epsilon are positive numbers, the latter going to zero; hp, yp and wp are the primed "
    "variables of equation 42, and level is the h of appendix A.6. dx is x2 - x1, dy_target is y2 - y1, and rate_h, rate_y and "
    "inv_h are 1/tau_h, 1/tau_y and 1/|dh|^2. K = |dh(0)|^2/(4 tau_y) - |x2 - x1|^2 |dy(0)|^2/(4 tau_h |dh(0)|^2), which gradient "
    "descent keeps under equation 19, rho = sqrt(K^2/4 + |x2 - x1|^2 |y2 - y1|^2/(16 tau_h tau_y)), and g = K/2 + "
    "|x2 - x1|^2 (|dy(0)|^2 - w(0))/(4 tau_h |dh(0)|^2). Matrices are written row by row."
)

RATE = re.compile(r"(\\frac\{1\}\{\\tau_\{[hy]\}\})")
DIVISOR = re.compile(r"\\frac\{(\d)\}\{(\\tau_\{[hy]\}(?:\^\{2\})?)\}")
QUARTERED = r"\frac{1}{2}\frac{1}{2}"


def with_doubled_constants(name: str) -> Transcription | None:
    """A printed equation whose last side has 2 tau_h and 2 tau_y for tau_h and tau_y; nothing where it has neither.

    Ratios of the two constants stay. Rates of matrices are linear in 1/tau_h and 1/tau_y, so that they halve.
    """
    printed = paper.entries[name].printed
    if printed is None or not printed.sides or any(isinstance(side, tuple) for side in printed.sides):
        return None
    left, equals, right = printed.latex.rpartition("=")
    last = printed.sides[-1]
    if isinstance(last, Words):
        latex, side = RATE.sub(r"\1\\frac{1}{2}", right).replace(QUARTERED, r"\frac{1}{4}"), HALF * last
    else:
        latex, side = DIVISOR.sub(r"\\frac{\1}{2\2}", right), last.subs(DOUBLED)
        latex = latex.replace(r"2\tau_{y}^{2}", r"4\tau_{y}^{2}").replace(r"{{\tau_{y}}^{2}}", r"{2{\tau_{y}}^{2}}")
    if latex == right:
        return None
    return paper.printed(f"{left}{equals}{latex}", *printed.sides[:-1], side)


for entry in list(paper.claims):
    mended = entry.corrected_by if entry.expect is Verdict.REFUTED else f"{paper.key}:{entry.name}_doubled"
    if mended in (f"{entry.id}_corrected", f"{entry.id}_doubled") and (formula := with_doubled_constants(entry.name)):
        paper.corrected(entry.name, formula, mended)

EXPONENT = r"e^{-A_{\text{high}}t}"
IN_UNITS = r"e^{-A_{\text{high}}t/\tau_{y}}"


def printed_latex(name: str) -> str:
    printed = paper.entries[name].printed
    return printed.latex if printed else ""


level = equal_targets.logistic(PRINTED)
paper.corrected(
    "printed_logistic_distance",
    paper.printed(printed_latex("printed_logistic_distance").replace(EXPONENT, IN_UNITS), h, level),
)
paper.corrected(
    "printed_logistic_prediction",
    paper.printed(
        printed_latex("printed_logistic_prediction").replace(EXPONENT, IN_UNITS), y, equal_targets.on_level(level)
    ),
)
paper.corrected("primed_variables", paper.printed(lazy.TURNED_LATEX))
paper.corrected(
    "high_without_constants",
    paper.printed(
        printed_latex("high_without_constants").replace(r"-\frac", r"-\frac{\tau_{y}}{\tau_{h}}\frac"),
        A,
        random_features.true_high,
    ),
)
