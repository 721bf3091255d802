"""Theorems about laws of random variables."""

from __future__ import annotations

from derivations.recheck.errors import Rejected
from derivations.recheck.kinds.schemas.slots import Needs, Theorem, above_zero, added, conclusion, equal, squared
from derivations.recheck.load import Data


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


THEOREMS = {
    "sum of independent Gaussians": Theorem(
        "A linear combination of independent Gaussian variables is Gaussian; means add with the weights and variances"
        " with their squares.",
        {"weights": "terms", "means": "terms", "variances": "terms", "mean": "term", "variance": "term"},
        _gaussians,
    ),
}
