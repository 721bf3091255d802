"""van Rossem & Saxe (2024), When Representations Align: Universality in Representation Learning Dynamics.

arXiv:2402.09142v1. The sections follow the paper: main text, then appendix A in order, then what goes beyond it.
"""

from derivations.papers.van_rossem_saxe_2024 import (  # noqa: I001 (the order is the paper's)
    model,
    reduction,
    loss_curve,
    final_distance,
    regimes,
    equal_targets,
    lazy,
    random_features,
    measured,
    figures,
    statements,
    datasets,
    hypotheses,
    closed_form,
    reach,
    rotation,
    emitted,
    slopes_of_the_closed_form,
    errata,
)
from derivations.papers.van_rossem_saxe_2024.setup import paper

__all__ = [
    "closed_form",
    "datasets",
    "emitted",
    "equal_targets",
    "errata",
    "figures",
    "final_distance",
    "hypotheses",
    "lazy",
    "loss_curve",
    "measured",
    "model",
    "paper",
    "random_features",
    "reach",
    "reduction",
    "regimes",
    "rotation",
    "slopes_of_the_closed_form",
    "statements",
]
