"""How formulas that build on the paper's system are judged: as its consequences, and for descent on the loss.

Equation 21 differs from what the loss gives by a factor two in both time constants. Every formula after it is judged
as a consequence of equation 21 as printed. One that depends on the ratio of the constants alone holds for the loss as
well, and its claim shows both; another one inherits the mistake, and a second claim shows what it should read.
"""

from derivations.papers.van_rossem_saxe_2024.setup import *
import re
from dataclasses import replace
from derivations.paper.equation import Equation, Reading, call

SYSTEM = ("eq21_distance", "eq21_prediction", "eq21_alignment")

PRINTED = Reading(printed_flow, {})
FROM_LOSS = Reading(derived_flow, {})
REPAIRED = Reading(derived_flow, DOUBLED)
RATIOS = re.compile(r"\\frac\{\\tau_\{h\}\}\{(\{?)\\tau_\{y\}(\}?)\^\{2\}\}")
HALVED = re.compile(r"(\\frac\{1\}\{\\tau_\{[hy]\}\})(\\frac\{1\}\{2\})?")

def doubled(latex):
    r"""A formula with 2 tau_h and 2 tau_y for tau_h and tau_y; ratios of the two constants stay.

    >>> doubled(r"-\frac{1}{\tau_{h}}X w+\frac{\tau_{h}}{\tau_{y}}")
    '-\\frac{1}{2\\tau_{h}}X w+\\frac{\\tau_{h}}{\\tau_{y}}'
    """
    latex = re.compile(r"\\frac\{(\d)\}\{\\tau_\{y\}\^\{2\}\}").sub(r"\\frac{\1}{4\\tau_{y}^{2}}", latex)
    latex = RATIOS.sub(r"\\frac{\\tau_{h}}{2\1\\tau_{y}\2^{2}}", latex)
    return re.compile(r"\\frac\{(\d)\}\{(\\tau_\{[hy]\})\}").sub(r"\\frac{\1}{2\2}", latex)

def halved(latex):
    """A rate of matrices with half of every 1/tau, which is linear in them; the left side stays."""
    rate, equals, right = latex.rpartition("=")
    quarter = {None: r"\frac{1}{2}", r"\frac{1}{2}": r"\frac{1}{4}"}
    return rate + equals + HALVED.sub(lambda m: m[1] + quarter[m[2]], right)

def true_to_the_loss(name):
    """The claim that says it along the gradient flow of the loss, where the named one speaks of equation 21."""
    known = (f"{name}_{kind}" for kind in ("doubled", "corrected"))
    return next((n for n in known if n in paper.entries), name)

def follows(where, *, affected=True, rests_on=(), name="", says="", **about):
    """Register a check along the printed system and along the flow of the loss, in one claim if the factor two does not matter.

    where: the equation, or the place of a sentence. The check takes a Reading and decides the equation; without a body
    its two sides are equal, rates put in. about: what `claim` takes beside that.
    """
    from_system, true = (*SYSTEM, *rests_on), ("derived_system", *map(true_to_the_loss, rests_on))
    equation = where if isinstance(where, Equation) else None
    claim = PRINTED.put(equation).claim if equation else lambda **more: paper.claim(where, **more)  # type: ignore[arg-type]
    place = equation.where[0] if equation else str(where)

    def register(check):
        title, sentence = name or check.__name__, " ".join((says or check.__doc__ or "").split()).rstrip(".")

        def stated(reading):
            """Return what the check states under a reading: the equation, where it states nothing."""
            put = reading.put(equation) if equation else None
            made = call(check, r=reading, eq=put)
            return put if made is None else made

        if not affected:
            both = f"{sentence}, along the gradient flow of the loss and along equation 21 as printed."
            return claim(name=title, says=both, rests_on=true, **about)(lambda: [stated(FROM_LOSS), stated(PRINTED)])
        as_printed = f"{sentence}, as a consequence of equation 21 as printed."
        first = claim(name=title, says=as_printed, rests_on=from_system, **about)(lambda: stated(PRINTED))
        if not about.get("corrected") and not about.get("corrected_by"):
            repaired = f"{sentence}, along the gradient flow of the loss once tau_h and tau_y are doubled."
            mended = f"{title}_doubled"
            paper.claim(f"{place}, from the loss", name=mended, says=repaired, rests_on=true)(lambda: stated(REPAIRED))
            if equation and doubled(equation.latex) != equation.latex:
                better = FROM_LOSS.put(equation.instead("", doubled(equation.latex))).with_left(about.get("left", ""))
                paper.corrected(title, better.formula, mended)
        return first

    return register

def follow(name, where, says, check=lambda: None, **about):
    """Register such claims in one call, where the check needs no names of its own."""
    return follows(where, name=name, says=says, **about)(check)

def links(where, prefix, latex, says, *, first=1, wrong=None, known=None, rests_on=()):
    """Register the links of a chain of matrix formulas, each with its sentence.

    first: the number of the first link. wrong: the sentences that correct links whose rates should be half as large.
    known: hypotheses of links; those that have names are shown to be needed.
    """
    chain, rests_on = paper.equation(where, latex), list(rests_on)
    true = list(map(true_to_the_loss, rests_on))
    for number, sentence in enumerate(says, first):
        link = replace(chain.link(number - first + 1), where=(f"{where}, link {number}",))
        name, hypotheses = f"{prefix}_link{number}", (known or {}).get(number, ())
        about = {"needs" if isinstance(hypotheses, dict) else "given": hypotheses}
        because = (wrong or {}).get(number)
        link.claim(name=name, says=sentence, rests_on=rests_on if because else true,
            **(about | ({"corrected_by": f"{name}_corrected"} if because else {})))(lambda: None)
        if because:
            mend(link, name, halved(link.latex), says=because, rests_on=true, **about)

def mend(equation, name, latex, *, says, rests_on, given=()):
    """Register what a wrong formula should read, resting on what is right."""
    better = equation.instead("corrected", latex)
    paper.claim(better.where, name=f"{name}_corrected", says=says, rests_on=rests_on, given=given)(lambda: better)
    paper.corrected(name, better.formula, f"{name}_corrected")
