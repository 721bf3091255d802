"""Panels of figures as targets: their configuration as settings, what is measured of them as variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from numerics.reproduce.experiments import Experiment, registry
from numerics.reproduce.figures import panels
from numerics.reproduce.figures.panel import LeftOut, Setting
from numerics.sweep.targets import SweepError, Target


def panel(name: str) -> Target:
    """The panel PAPER:PANEL at its smaller size; its numbers and texts can be swept, and lists stay as they are."""
    paper, _, wanted = name.partition(":")
    entries = {entry.name: entry for entry in registry(paper)}
    if wanted not in entries:
        raise SweepError(f"{paper} has no panel {wanted!r}; there is {', '.join(entries)}")
    experiment = entries[wanted]
    given = experiment.configuration(quick=True)
    return Target(
        defaults={key: value for key, value in given.items() if isinstance(value, bool | int | float | str)},
        run=lambda settings, seed: _measured(experiment, {**given, **settings}, seed),
        variables={check.measure: () for check in experiment.checks},
        says=experiment.expected,
    )


def _measured(experiment: Experiment, values: Mapping[str, Any], seed: np.random.SeedSequence) -> dict[str, float]:
    own = int(seed.generate_state(1)[0])
    try:
        return dict(panels(experiment.paper)[experiment.name].compute(Setting(values, own)).measured)
    except LeftOut as needed:
        raise SweepError(str(needed)) from None
