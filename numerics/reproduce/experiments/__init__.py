"""Experiments of each paper: one TOML file per paper, one entry per panel.

    found = experiments("braun_2022:fig_1")       # all panels of Figure 1, in the paper's order
    found[0].configuration(quick=True)

A file may begin with a `note` on all its panels. An entry has the frozen configuration, in full and as overrides for
a quick look, the seed, what is expected as a sentence and as bounds on what is measured, and the parameters that the
source does not state and that are chosen here. Where the printed result is known not to come out, `differs` says so
and by how much, and `quick_differs` where that is due to the smaller size of a quick look. Where a panel is of
images, `mnist` has what changes in a full run if LEARNING_DYNAMICS_MNIST in the environment names the folder of
MNIST's files.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from math import inf, isfinite, isinf
from pathlib import Path
from typing import Any

from numerics import NumericsError
from numerics.machine.checks import is_real

FOLDER = Path(__file__).parent
REQUIRED = {"name": str, "where": str, "expected": str, "seed": int, "full": dict, "checks": list}
OPTIONAL = {"quick": dict, "mnist": dict, "chosen_here": list, "differs": str, "quick_differs": str}
MNIST = "LEARNING_DYNAMICS_MNIST"  # a variable of the environment
NOT_STATED = "parameter not stated in the source, chosen here"


class ExperimentError(NumericsError):
    """A registry that cannot be read, or a name that no registry has; the message says what to do."""


def _is_bound(value: object) -> bool:
    """Check whether this is a number that a double can hold, or infinite."""
    return is_real(value) or (isinstance(value, float) and isinf(value))


@dataclass(frozen=True)
class Check:
    """One measured number, what it is in words, and its bounds; without any, it is only told."""

    measure: str
    says: str
    at_least: float = -inf
    at_most: float = inf

    def __post_init__(self) -> None:
        texts, bounds = (self.measure, self.says), (self.at_least, self.at_most)
        if not (all(isinstance(text, str) for text in texts) and all(map(_is_bound, bounds))):
            raise ExperimentError(f"a check has {self.measure!r} as measure: texts are texts, and bounds are numbers")

    def holds(self, value: float) -> bool:
        return self.at_least <= value <= self.at_most

    @property
    def bounds(self) -> str:
        """The bounds in words."""
        if self.at_least == self.at_most:
            return f"exactly {self.at_least:g}"
        words = [f"at least {self.at_least:g}"] if isfinite(self.at_least) else []
        return " and ".join(words + ([f"at most {self.at_most:g}"] if isfinite(self.at_most) else []))


@dataclass(frozen=True)
class Experiment:
    """One panel of a figure, as it is repeated here."""

    paper: str
    name: str
    where: str
    expected: str
    seed: int
    full: Mapping[str, Any]
    checks: tuple[Check, ...]
    chosen_here: tuple[str, ...] = ()
    quick: Mapping[str, Any] = field(default_factory=dict)
    differs: str = ""
    quick_differs: str = ""
    mnist: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"{self.paper}:{self.name}"

    def configuration(self, *, quick: bool) -> dict[str, Any]:
        """All parameters of a run."""
        if quick:
            return {**self.full, **self.quick}
        return {**self.full, **(self.mnist if mnist_folder() else {})}

    def digest(self, *, quick: bool) -> str:
        """Return what two runs share if and only if they have the same configuration and seed."""
        about = {"id": self.id, "seed": self.seed, "configuration": self.configuration(quick=quick)}
        return sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()

    def difference(self, *, quick: bool) -> str:
        """How a run is known to differ, if it is."""
        return (quick and self.quick_differs) or self.differs

    def judged(self, measured: Mapping[str, float], *, quick: bool = False) -> tuple[str, str]:
        """The outcome, and a sentence that says what was expected and what was found."""
        missed = [check for check in self.checks if not check.holds(measured[check.measure])]
        measures = [
            f"{check.says}: {measured[check.measure]:.3g}" + (f" (expected {check.bounds})" if check.bounds else "")
            for check in self.checks
        ]
        sentence = f"{self.expected} Found: {'; '.join(measures)}."
        return ("differs", f"{sentence} {self.difference(quick=quick)}".strip()) if missed else ("reproduced", sentence)


def mnist_folder() -> str:
    """The folder of MNIST's files that the environment names, or nothing."""
    return os.environ.get(MNIST, "")


def papers() -> list[str]:
    """The papers of which something is repeated."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def experiments(words: str = "") -> list[Experiment]:
    """The panels that PAPER or PAPER:FIGURE names, in the paper's order; all without a word.

    A figure is a panel's name or the part before its letter, with or without `fig_`: `fig_1b`, `1B`, `fig_1`. Refused
    with `ExperimentError`: a paper or a figure that is not repeated, and a registry that is not as it must be.

    >>> [found.name for found in experiments("braun_2022:1B")]
    ['fig_1b']
    """
    if not isinstance(words, str):
        raise ExperimentError(f"panels are named by a text such as PAPER:FIGURE, not {words!r}")
    if not words:
        return [entry for paper in papers() for entry in registry(paper)]
    paper, colon, figure = words.partition(":")
    if paper not in papers():
        raise ExperimentError(f"nothing is repeated of {paper!r}; there is {', '.join(papers())}")
    entries = [entry for entry in registry(paper) if not colon or _named(entry.name, figure)]
    if not entries:
        there = ", ".join(entry.name for entry in registry(paper))
        raise ExperimentError(f"{paper} has no figure {figure!r}; there is {there}")
    return entries


def _named(name: str, figure: str) -> bool:
    wanted = figure.lower()
    for given in (wanted, f"fig_{wanted}"):
        ending = name.removeprefix(given)
        if wanted and name.startswith(given) and (not ending or ending[0].isalpha() or ending[0] == "_"):
            return True
    return False


def registry(paper: str) -> tuple[Experiment, ...]:
    """All panels of a paper."""
    return _registered(paper)[1]


def note(paper: str) -> str:
    """Return what is said of all panels of a paper together, if anything is."""
    return _registered(paper)[0]


@cache
def _registered(paper: str) -> tuple[str, tuple[Experiment, ...]]:
    path = FOLDER / f"{paper}.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as trouble:
        raise ExperimentError(f"{path} cannot be read as TOML ({trouble})") from None
    return str(data.get("note", "")), read(paper, data)


def read(paper: str, data: Mapping[str, Any]) -> tuple[Experiment, ...]:
    """The panels of a registry that was read."""
    panels = data.get("panels")
    if not isinstance(panels, list) or not all(isinstance(panel, dict) for panel in panels):
        raise ExperimentError(f"the registry of {paper} has no [[panels]]")
    found = tuple(_experiment(paper, panel) for panel in panels)
    names = [entry.name for entry in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ExperimentError(f"the registry of {paper} has {twice} twice")
    return found


def _experiment(paper: str, panel: dict[str, Any]) -> Experiment:
    name = f"{paper}:{panel.get('name', '?')}"
    kinds = REQUIRED | OPTIONAL
    missing, foreign = REQUIRED.keys() - panel.keys(), panel.keys() - kinds.keys()
    if missing or foreign:
        wrong = f"lacks {min(missing)!r}" if missing else f"has a key {min(foreign, key=str)!r} that is not understood"
        raise ExperimentError(f"the registry's entry {name} {wrong}")
    for key, value in panel.items():
        if not isinstance(value, kinds[key]):
            raise ExperimentError(f"the registry's entry {name} has a {key!r} that is no {kinds[key].__name__}")
    if not all(isinstance(text, str) for text in panel.get("chosen_here", ())):
        raise ExperimentError(f"the registry's entry {name} has something in 'chosen_here' that is no text")
    for key, runs in (("quick", "quick runs"), ("mnist", "MNIST")):
        unknown = panel.get(key, {}).keys() - panel["full"].keys()
        if unknown:
            raise ExperimentError(
                f"the registry's entry {name} has {min(unknown, key=str)!r} for {runs} but not for full ones"
            )
    try:
        checks = tuple(Check(**check) for check in panel["checks"])
    except TypeError:
        raise ExperimentError(f"a check of {name} has other keys than measure, says, at_least and at_most") from None
    if not any(check.bounds for check in checks):
        raise ExperimentError(f"the registry's entry {name} expects nothing: give a check a bound")
    return Experiment(paper, **{**panel, "checks": checks, "chosen_here": tuple(panel.get("chosen_here", ()))})
