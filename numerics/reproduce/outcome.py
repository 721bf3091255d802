"""The outcome of one panel of a paper."""

from __future__ import annotations

from dataclasses import dataclass

from numerics.reproduce.experiments import Experiment
from numerics.reproduce.figures import panels
from numerics.reproduce.figures.panel import Panel
from numerics.reproduce.results import Result


@dataclass(frozen=True)
class Outcome:
    """The outcome of one panel."""

    experiment: Experiment
    result: Result
    quick: bool
    anew: bool = True

    @property
    def verdict(self) -> str:
        """Check whether it was `reproduced`, or `differs`."""
        return self.experiment.judged(self.result.measured, quick=self.quick)[0]

    @property
    def sentence(self) -> str:
        return self.experiment.judged(self.result.measured, quick=self.quick)[1]

    @property
    def run(self) -> str:
        return "quick" if self.quick else "full"

    @property
    def panel(self) -> Panel:
        """How it is computed and shown."""
        return panels(self.experiment.paper)[self.experiment.name]

    @property
    def unexpected(self) -> bool:
        """Check whether the registry expects another verdict; small sizes need not show a difference at full size."""
        if self.verdict == "differs":
            return not self.experiment.difference(quick=self.quick)
        return bool(self.experiment.differs) and not self.quick
