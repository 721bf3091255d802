"""Appendix A.4, equations 37-40, and what equation 10 says for equal targets in the XOR and blob tasks."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from functools import partial
from derivations.papers.van_rossem_saxe_2024.source.readings import (
    FROM_LOSS, PRINTED, REPAIRED, SYSTEM, follow, follows, true_to_the_loss)

EQUAL = {w: y, s: 0}
follow("alignment_is_prediction", "Section A.4, w for equal targets",
    "For equal targets w = |dy|^2 is preserved: both change at the same rate",
    lambda r: same(r.flow[w], r.flow[y], given=[Eq(w, y), Eq(s, 0)]), affected=False)

def both(r):
    """The rates of |dh|^2 and |dy|^2 for equal targets."""
    return {k: as_expression(r.flow[k].subs(EQUAL)) for k in (h, y)}

def on_level(distance):
    return c1 * distance**2 - c1 * A * distance

def along_level(r):
    """The rate of |dh|^2 with |dy|^2 from its distance."""
    return as_expression(both(r)[h].subs(y, on_level(h)))

def for_equal_targets(r, eq):
    """A printed rate is that of the flow where targets are equal."""
    equal = [Eq(name, value) for name, value in EQUAL.items()]
    return eq.put({"dh_dt": r.flow[h], "dy_dt": r.flow[y]}).judged(equal)

follow("equal_line1",
    printed("Eq. 37, line 1", rf"{DT}||dh||^{{2}}=-\frac{{1}}{{\tau_{{h}}}}||x_{{2}}-x_{{1}}||^{{2}}||dy||^{{2}}"),
    "For equal targets the rate of |dh|^2 is the printed one.", for_equal_targets)
follow("equal_line2", printed("Eq. 37, line 2", rf"{DT}||dy||^{{2}}=-||dy||^{{2}}(\frac{{1}}{{\tau_{{y}}}}||dh||^{{2}}"
        r"+\frac{1}{\tau_{h}}||x_{2}-x_{1}||^{2}\frac{||dy||^{2}}{||dh||^{2}})"),
    "For equal targets the rate of |dy|^2 is the printed one.", for_equal_targets)
@follows(printed("Eq. 38",
        rf"{DT}||dh||^{{2}}=-\frac{{1}}{{\tau_{{y}}}}||dh||^{{4}}+\frac{{1}}{{\tau_{{y}}}}A_{{\text{{high}}}}||dh||^{{2}}",
    ), left="the rate of |dh|^2 where |dy|^2 is what equation 24 says",
    rests_on=["prediction_from_distance", "equal_line1"])
def equal_targets_bernoulli(r, eq):
    """For equal targets |dh|^2 obeys the printed equation of its own."""
    yield eq.put({"dh_dt": along_level(r)})

LOGISTIC = r"1+(\frac{A_{\text{high}}}{||dh(0)||^{2}}-1)e^{-A_{\text{high}}t}"
EQ_39 = printed("Eq. 39", rf"||dh(t)||^{{2}}=\frac{{A_{{\text{{high}}}}}}{{{LOGISTIC}}}")
EQ_40 = printed("Eq. 40", r"||dy||^{2}=\frac{\tau_{h}}{\tau_{y}}\frac{A_{\text{high}}^{2}}{||x_{2}-x_{1}||^{2}}"
    rf"\frac{{(1-\frac{{A_{{\text{{high}}}}}}{{||dh(0)||^{{2}}}})e^{{-A_{{\text{{high}}}}t}}}}{{({LOGISTIC})^{{2}}}}")
possible = h0 > A  # as |dy(0)|^2 is positive

def with_rate(equation, unit):
    """The equation with the exponent over a time constant."""
    return equation.instead("corrected", equation.latex.replace(r"_{\text{high}}t}", rf"_{{\text{{high}}}}t/{unit}}}"))

TO_TAU, TO_TWO_TAU = r"\tau_{y}", r"(2\tau_{y})"

def logistic(r):
    """The right curve of |dh|^2 along a flow."""
    return with_rate(EQ_39, TO_TWO_TAU if r is REPAIRED else TO_TAU).right

def distance_follows(r, curve):
    return solves(*moving({h: along_level(r)}, {h: curve}, {h: h0}), t, given=[possible])

def prediction_follows(r, curve):
    start, distance = {h: h0, y: on_level(h0)}, as_expression(logistic(r)).doit()
    return solves(*moving(both(r), {h: distance, y: curve}, start), t, given=[possible])

EQ_39.states("printed_logistic_distance",
    "For equal targets the distance is logistic, exponent A_high t, as a consequence of equation 21 as printed.",
    lambda eq: distance_follows(PRINTED, eq.right), corrected_by="logistic_distance",
    rests_on=[*SYSTEM, "equal_targets_bernoulli"])
EQ_40.states("printed_logistic_prediction",
    "For equal targets |dy|^2 has the printed course with A_high t, as a consequence of equation 21 as printed.",
    lambda eq: prediction_follows(PRINTED, eq.right), corrected_by="logistic_prediction",
    rests_on=[*SYSTEM, "printed_logistic_distance"])

CURVES = {"distance": (EQ_39, distance_follows, ["equal_targets_bernoulli"], "the distance follows the logistic curve"),
    "prediction": (EQ_40, prediction_follows, ["logistic_distance"], "|dy|^2 follows the curve of equation 40")}
for what, (equation, check, uses, says) in CURVES.items():
    for reading, unit, kind, system in ((PRINTED, TO_TAU, "", "as a consequence of equation 21 as printed"),
        (REPAIRED, TO_TWO_TAU, "_doubled", "along the gradient flow of the loss")):
        better, spelled = with_rate(equation, unit), unit.replace("\\", "").replace("{", "").replace("}", "")
        paper.claim(f"{equation.where[0]}, {'from the loss' if kind else 'corrected'}", name=f"logistic_{what}{kind}",
            says=f"For equal targets {says} with A_high t/{spelled} in the exponent, {system}.",
            rests_on=["derived_system", *map(true_to_the_loss, uses)] if kind else [*SYSTEM, *uses],
        )(partial(check, reading, better.right))
    paper.corrected(f"printed_logistic_{what}", with_rate(equation, TO_TAU).formula, f"logistic_{what}")

paper.picture("printed_logistic_distance",
    Picture("|dh|^2 over time, for equal targets.", t, 4, (("as printed", EQ_39.right), ("derived", logistic(PRINTED))),
    held=((A, 1), (h0, 4), (X, 1), (tau_h, 1), (tau_y, 2)), flow=((h, along_level(PRINTED), 4),)))

decayed = h0 / (1 + h0 * t / (2 * tau_y))
course, start = {h: decayed, y: c1 * decayed**2}, {h: h0, y: c1 * h0**2}
paper.states("algebraic_distance: derived_system", "Eq. 39, A_high = 0",
    "For equal targets and A_high = 0 the distance decays algebraically, as |dh(0)|^2/(1 + |dh(0)|^2 t/(2 tau_y)).",
    lambda: solves(*moving(both(FROM_LOSS), course, start), t))
EQ_40.part("from Eq. 39 and 24", EQ_40.latex).states("prediction_from_printed_logistic: printed_logistic_distance "
    "prediction_from_distance",
    "Put into equation 24, the printed equation 39 gives the printed equation 40.",
    lambda eq: same(on_level(EQ_39.right), eq.right))

@paper.claim("Eq. 36, equal targets", rests_on="logistic_distance_doubled algebraic_distance")
def equal_targets_arrive():
    """For equal targets every start ends at max(A_high, 0): at A_high if it is positive, and at zero otherwise."""
    course = as_expression(logistic(REPAIRED)).doit()
    yield tends(course, {t: oo}, A, given=A > 0)
    yield tends(course, {t: oo}, 0, given=A < 0)
    yield tends(decayed, {t: oo}, 0)

merged = A / 2 + sqrt(A**2 / 4)
p, q, gap, small, ratio = reals("p q gap epsilon r > 0")
paper.states("equal_targets_merge: final_rest_distance", ("Appendix C.2, equal targets", "Section 4.4, equal targets"),
    "By equation 10 the distance of two points with equal targets ends at zero, whatever the start.",
    lambda: same(merged, 0),
    quote="Therefore, by Equation 10 their representational distance should also end up at zero.",
    corrected_by="equal_targets_distance")
paper.states("equal_targets_distance: final_rest_distance", "Section 4.4, equal targets, corrected",
    "For equal targets equation 10 gives max(A_high, 0) = (A_high + |A_high|)/2.",
    lambda: same(Subs(final.xreplace(without_signs(B)), without_signs(B)[B], 0), (A + Abs(A)) / 2))

level = small * X * (p - ratio * q)
paper.states("equal_targets_merge_at_small_weights: equal_targets_distance",
    "Section 4.4, equal targets, small weights",
    "For equal targets the final distance goes to zero as p and q go to zero together.",
    lambda: tends(level / 2 + sqrt(level**2 / 4), [small], 0))
paper.states("equal_targets_merge_relatively: equal_targets_distance", "Section 4.4, merging relative to the start",
    "For equal targets, p > (tau_y/tau_h) q, the final distance over the initial one goes to zero with p and q.",
    lambda: tends(((small * X * gap) / 2 + sqrt((small * X * gap)**2 / 4)) / (small * X * (ratio * q + gap)), [small],
        0), corrected_by="merging_is_only_partial")
paper.states("merging_is_only_partial: equal_targets_distance", "Section 4.4, merging relative to the start, corrected",
    "A_high, where equal targets with p > (tau_y/tau_h) q end, is 1 - (tau_y/tau_h) q/p of the start.",
    lambda: same(small * X * (p - ratio * q) / (small * X * p), 1 - ratio * q / p))
paper.states("equal_targets_never_part: equal_line1", "Section 4.2, equal targets approach",
    "For equal targets the distance falls as long as the predictions differ.",
    lambda: positive(-FROM_LOSS.flow[h].subs(EQUAL), given=y > 0))

speed = X * gap / (2 * tau_y)  # of the decay to zero, where (tau_y/tau_h) q - p = gap
paper.states("farther_inputs_decay_faster: logistic_distance_doubled", "Appendix C.2, time to merge, decay rate",
    "At fixed p and q with (tau_y/tau_h) q - p = gap > 0, |A_high|/(2 tau_y) grows with the distance of the inputs.",
    lambda: positive(Derivative(speed, X)))
paper.states("farther_inputs_stay_farther: algebraic_distance", "Appendix C.2, time to merge, distance left",
    "At fixed p and A_high = 0, the distance that remains at any time grows with the distance of the inputs.",
    lambda: positive(Derivative(p * X / (1 + p * X * reals("t > 0") / (2 * tau_y)), X)))
