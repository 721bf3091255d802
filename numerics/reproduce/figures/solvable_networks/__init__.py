"""Figures of the atlas of solvable networks: lazy and rich starts, random starts of any width, steps of attention."""

from numerics.reproduce.figures.solvable_networks import regimes, staircase, widths

PANELS = {**regimes.PANELS, **widths.PANELS, **staircase.PANELS}
