"""Figures of the atlas of solvable networks: lazy and rich starts, and random starts of any width."""

from numerics.reproduce.figures.solvable_networks import regimes, widths

PANELS = {**regimes.PANELS, **widths.PANELS}
