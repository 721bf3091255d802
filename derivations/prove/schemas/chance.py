"""Laws of random variables."""

from __future__ import annotations

from derivations.language.terms import rational
from derivations.prove.certificate import Json
from derivations.prove.schemas.schema import SCALARS, Schema, SlotError, Use, concluded, identity, positive, total


def sum_of_gaussians(slots: Json) -> Use:
    weights, means, variances = slots["weights"], slots["means"], slots["variances"]
    if not len(weights) == len(means) == len(variances) >= 1:
        raise SlotError("each independent Gaussian variable needs a weight, a mean and a variance")
    mean = total(("*", w, m) for w, m in zip(weights, means, strict=True))
    variance = total(("*", ("^", w, rational(2)), v) for w, v in zip(weights, variances, strict=True))
    needs = {"mean": identity(slots, mean, slots["mean"]), "variance": identity(slots, variance, slots["variance"])}
    for k, v in enumerate(variances, 1):
        needs[f"variance {k}"] = {**positive(slots, v), "relation": ">="}
    parts = {key: slots[key] for key in ("weights", "means", "variances", "mean", "variance")}
    return Use(needs, concluded("Gaussian sum", slots, **parts))


SCHEMAS = (
    Schema(
        "sum of independent Gaussians",
        "A linear combination of independent Gaussian variables is Gaussian; means add with the weights and variances"
        " with their squares.",
        "The variables are independent, and no variance is negative.",
        "Feller, An Introduction to Probability Theory and Its Applications, Vol. II, III.6",
        SCALARS,
        {"weights": "terms", "means": "terms", "variances": "terms", "mean": "term", "variance": "term"},
        sum_of_gaussians,
    ),
)
