"""Models that papers and theories share, each an object of its own.

    two_layer_linear  a linear network with two layers of weights (and `deep`, with any number of layers)
    committee         a student and a teacher whose outputs are sums over units (its data: committee.population)
    two_point         an encoder and a decoder, linear around the middle of two data points

A model says which symbols there are and what is true of them; its loss is written down, and its flow is computed from
the loss. Nothing in a model is a verdict. Every model also draws instances, exact numbers for its symbols:

    from derivations.models import two_layer_linear as m
    at = m.instance("balanced", seed=3)     # m.KINDS says which kinds there are
    m.rates(at)                             # how its weights move, from the loss alone
    m.reduced(at)                           # the quantities in which papers describe it
"""

from __future__ import annotations

import tomllib
from pathlib import Path

MODELS = ("two_layer_linear", "committee", "committee.population", "two_point")


def quantities(model: str) -> frozenset[str]:
    """Return the letters that stand for quantities of a model in statements.

    >>> "tau_h" in quantities("two_point")
    True
    """
    return frozenset(_QUANTITIES[model].split())


_QUANTITIES = tomllib.loads(Path(__file__).with_name("quantities.toml").read_text(encoding="utf-8"))
