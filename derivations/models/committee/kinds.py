"""The kinds of random instances of the model, and what is true of each."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from derivations.language.sums import size, total
from derivations.models.committee import instances as draw
from derivations.models.committee.definitions import RECIPROCALS, K, N, W, a, by_weight, i, j, loss, s, sigma, x
from derivations.models.sampling import Instance, Kind, Model, Rule

SPHERE: Rule = (total(x[s, a] * x[s, a], a), size(N))


def _kind(says: str, activation: str = "cubic", rules: list[Rule] | None = None, **drawn: Any) -> Kind:
    """A kind of committee with an activation; what is true of its sizes or weights may be said by `also`."""
    also = drawn.pop("also", lambda _: True)
    has = draw.has_activation(activation)
    says = f"{NAMES[activation]}; {says}" if says else NAMES[activation]
    return Kind(says, draw.drawn(activation, **drawn), rules or (), lambda at: has(at) and also(at))


NAMES = {"linear": "g(x) = x", "relu": "g(x) = max(x, 0)", "cubic": "g(x) = x - x^3/10"}
KINDS: dict[str, Kind] = {
    "free": Kind("values and slopes of the activation are any numbers", draw.drawn()),
    "linear": _kind("", "linear"),
    "relu": _kind("", "relu"),
    "cubic": _kind(""),
    "sphere": _kind("|x|^2 = N for every input", rules=[SPHERE], inputs=draw.sphere),
    "learned": _kind(
        "the students are the teachers, and there is no noise", rules=[(sigma, 0)], change=draw.learned,
        also=lambda at: at["W"] == at["W_teacher"],
    ),
    "symmetric": _kind(
        "all students have the same weights", rules=[(size(K) * W[i, a], total(W[j, a], j))], change=draw.all_alike
    ),
    "overrealizable": _kind(
        "more students than teachers", sizes_of=draw.few_teachers, also=lambda at: at.sizes["K"] > at.sizes["M"]
    ),
    "unrealizable": _kind(
        "fewer students than teachers", sizes_of=draw.many_teachers, also=lambda at: at.sizes["K"] < at.sizes["M"]
    ),
    "size_one": _kind(
        "at least one of the numbers of students, teachers, inputs and samples is one", sizes_of=draw.size_one,
        also=lambda at: 1 in at.sizes.values(),
    ),
}  # fmt: skip
"""The kinds of instances, and what is true of each."""

MODEL = Model("committee", KINDS, RECIPROCALS, loss)
instance, holds, loss_at = MODEL.instance, MODEL.holds, MODEL.loss_at


def rates(at: Instance) -> dict[tuple[int, int], Fraction]:
    """Minus the derivatives of the loss by the weights of the students: what an update adds, over eta."""
    slope_of = by_weight(loss, i, a)
    places = product(range(at.sizes["K"]), range(at.sizes["N"]))
    return {(unit, place): -at.value(slope_of, i=unit, a=place) for unit, place in places}
