"""Averages over jointly Gaussian fields: integrands, the average as an object, and closed forms proved of it."""

from derivations.language.averages.closed_forms import (
    Bell,
    Line,
    Ramp,
    conditioned,
    covariance,
    tilted,
    tilting_factor,
    zero_weight,
)
from derivations.language.averages.integrands import Integrand, Mean, field, mean

__all__ = [
    "Bell",
    "Integrand",
    "Line",
    "Mean",
    "Ramp",
    "conditioned",
    "covariance",
    "field",
    "mean",
    "tilted",
    "tilting_factor",
    "zero_weight",
]
