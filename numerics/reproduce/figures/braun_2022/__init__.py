"""The figures of Braun et al. (2022), Exact learning dynamics of deep linear networks with prior knowledge."""

from numerics.reproduce.figures.braun_2022 import continual, decoupling, exact, revision, rich_lazy

PANELS = {**exact.PANELS, **rich_lazy.PANELS, **decoupling.PANELS, **continual.PANELS, **revision.PANELS}
