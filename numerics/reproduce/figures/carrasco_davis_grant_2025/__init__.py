"""The replications that Carrasco-Davis & Grant (2025), A primer on analytical learning dynamics, plan."""

from numerics.reproduce.figures.carrasco_davis_grant_2025 import (
    committee,
    individuals,
    limits,
    second_layer,
    transition,
)

PANELS = {**committee.PANELS, **transition.PANELS, **individuals.PANELS, **second_layer.PANELS, **limits.PANELS}
