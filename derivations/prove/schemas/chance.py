"""Laws of random variables."""

from __future__ import annotations

from derivations.language.terms import rational
from derivations.prove.certificate import Json
from derivations.prove.schemas.motion import equation, of
from derivations.prove.schemas.schema import (
    MATRICES,
    SCALARS,
    Schema,
    SlotError,
    Use,
    concluded,
    identity,
    ordered,
    positive,
    total,
)


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


def linear_map(slots: Json) -> Use:
    """Of a vector of mean zero: what it becomes by a matrix of any size."""
    by, covariance, image = of(slots["map"]), of(slots["covariance"]), slots["image"]
    needs = {
        "covariance": ordered(slots, ">=", slots["covariance"]),
        "image": equation(slots, image["shape"], ("@", by, covariance, ("T", by)), of(image)),
    }
    parts = {key: slots[key] for key in ("map", "covariance", "image")}
    return Use(needs, concluded("Gaussian vector", slots, **parts))


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
    Schema(
        "linear map of a Gaussian vector",
        "A matrix A takes a Gaussian vector of mean zero and covariance S to a Gaussian vector of mean zero and"
        " covariance A S A'.",
        "S is symmetric and positive semidefinite; the matrix is fixed, or drawn apart from the vector.",
        "Anderson, An Introduction to Multivariate Statistical Analysis, Theorem 2.4.4",
        MATRICES,
        {"map": "word", "covariance": "word", "image": "word"},
        linear_map,
    ),
)
