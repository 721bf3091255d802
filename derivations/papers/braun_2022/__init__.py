"""Braun, Dominé, Fitzgerald & Saxe (2022), Exact learning dynamics of deep linear networks with prior knowledge.

The sections follow the paper: the network and its Riccati equation, the solution and its limit, decoupling, applications;
then what goes beyond it.
"""

from derivations.papers.braun_2022 import (  # noqa: I001 (the order is the paper's)
    definitions,
    network,
    representations,
    riccati,
    theorem_31,
    theorem_32,
    long_time,
    starts,
    rich_lazy,
    figures,
    theorem_51,
    peak,
    different_modes,
    scales,
    decoupling_figures,
    continual,
    reversal,
    revising,
    shallow,
    further_statements,
    application_figures,
    balanced_starts,
    emitted,
    errata,
    pictures,
)
from derivations.papers.braun_2022.setup import paper

__all__ = [
    "application_figures",
    "balanced_starts",
    "continual",
    "decoupling_figures",
    "definitions",
    "different_modes",
    "emitted",
    "errata",
    "figures",
    "further_statements",
    "long_time",
    "network",
    "paper",
    "peak",
    "pictures",
    "representations",
    "reversal",
    "revising",
    "riccati",
    "rich_lazy",
    "scales",
    "shallow",
    "starts",
    "theorem_31",
    "theorem_32",
    "theorem_51",
]
