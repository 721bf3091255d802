"""Theorems about laws of random variables."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data
from derivations.recheck.kinds.schemas.motion import equation, inner, never_negative
from derivations.recheck.kinds.schemas.slots import Needs, Theorem, above_zero, added, conclusion, equal, squared


def _gaussians(slots: Data) -> tuple[Needs, Data]:
    weights, means, variances = slots["weights"], slots["means"], slots["variances"]
    if len({len(weights), len(means), len(variances)}) != 1:
        raise Rejected("weights, means and variances must be equally many")
    mean = added([("*", weight, m) for weight, m in zip(weights, means, strict=True)])
    variance = added([("*", squared(weight), v) for weight, v in zip(weights, variances, strict=True)])
    needs = {"mean": equal(slots, mean, slots["mean"]), "variance": equal(slots, variance, slots["variance"])}
    for k, v in enumerate(variances):
        needs[f"variance {k + 1}"] = above_zero(slots, v, strict=False)
    kept = {key: slots[key] for key in ("weights", "means", "variances", "mean", "variance")}
    return needs, conclusion("Gaussian sum", slots, **kept)


def _mapped(slots: Data) -> tuple[Needs, Data]:
    by, covariance, image = inner(slots["map"]), inner(slots["covariance"]), slots["image"]
    needs = {
        "covariance": never_negative(slots, slots["covariance"]["shape"], covariance, ">="),
        "image": equation(slots, image["shape"], ("@", by, covariance, ("T", by)), inner(image)),
    }
    return needs, conclusion("Gaussian vector", slots, **{key: slots[key] for key in ("map", "covariance", "image")})


THEOREMS = {
    "sum of independent Gaussians": Theorem(
        "A linear combination of independent Gaussian variables is Gaussian; means add with the weights and variances"
        " with their squares.",
        {"weights": "terms", "means": "terms", "variances": "terms", "mean": "term", "variance": "term"},
        _gaussians,
    ),
    "linear map of a Gaussian vector": Theorem(
        "A matrix A takes a Gaussian vector of mean zero and covariance S to a Gaussian vector of mean zero and"
        " covariance A S A'.",
        dict.fromkeys(("map", "covariance", "image"), "word"),
        _mapped,
    ),
}
