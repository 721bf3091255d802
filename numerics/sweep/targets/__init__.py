"""Targets of sweeps: functions of settings and a seed, with the names and axes of their results.

    target("deep_linear").defaults["scale"]

`deep_linear` and `teacher_student` simulate and compute the theory beside it. `PAPER:PANEL` is a panel of a figure, at
its smaller size, with what is measured of it. `MODULE:NAME` is a `Target` of a user's own, in a module that Python
finds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics import NumericsError
from numerics.machine.specialise import program

Value = bool | int | float | str
Settings = Mapping[str, Value]
RECORDS = 10**6  # the most times at which something is recorded
OWN = ("deep_linear", "teacher_student")
ROOMS = ("machine", "ode", "kernels", "theory", "simulate", "sweep/targets")  # whose code decides bits
OF_PANELS = ("validate", "reproduce/figures", "reproduce/experiments")  # and those of panels


class SweepError(NumericsError):
    """A sweep that cannot be run, or a folder that is not of this sweep; the message says why in one sentence."""


@dataclass(frozen=True)
class Target:
    """One task as a function: what it is called with, and what it returns.

    `run` gets all settings and a `SeedSequence`, and returns the variables that `variables` names, as real numbers
    along the axes named there. `axes` gives the coordinates of these axes for some settings. A `NumericsError` of `run`
    is kept as the outcome of that task; its numbers are nan.

    >>> Target({"a": 1.0}, lambda settings, seed: {"b": 2 * settings["a"]}, {"b": ()}).says
    ''
    """

    defaults: Settings
    run: Callable[[Settings, np.random.SeedSequence], Mapping[str, ArrayLike]]
    variables: Mapping[str, tuple[str, ...]]
    axes: Callable[[Settings], Mapping[str, NDArray[Any]]] = lambda _settings: {}
    says: str = ""


@cache
def target(name: str) -> Target:
    """The target that has this name. Refused with `SweepError`: a name that there is not.

    >>> target("nothing")
    Traceback (most recent call last):
    numerics.sweep.targets.SweepError: there is no target 'nothing': name deep_linear, teacher_student, a panel...
    """
    if name in OWN:
        target_of_name: Target = import_module(f"{__name__}.{name}").TARGET
        return target_of_name
    first, colon, last = name.partition(":")
    if colon and _is_paper(first):
        from numerics.sweep.targets.figures import panel

        return panel(name)
    if colon and last and _is_module(first):
        own = getattr(import_module(first), last, None)
        if isinstance(own, Target):
            return own
        raise SweepError(f"{first} has no {last} that is a numerics.sweep.Target")
    raise SweepError(
        f"there is no target {name!r}: name {', '.join(OWN)}, a panel as PAPER:PANEL, or a Target of your own as "
        "MODULE:NAME"
    )


def _is_paper(name: str) -> bool:
    """Check whether figures of this paper are repeated, without loading what draws them."""
    return name.isidentifier() and (_package() / "reproduce" / "experiments" / f"{name}.toml").is_file()


def _package() -> Path:
    return Path(sys.modules["numerics"].__file__ or "").parent


def _is_module(name: str) -> bool:
    try:
        return all(part.isidentifier() for part in name.split(".")) and find_spec(name) is not None
    except (ImportError, ValueError):
        return False


@cache
def code(name: str) -> str:
    """A digest of all code that can decide what a target returns, and of the versions of the packages below it."""
    own = name.partition(":")[0]
    spec = None if name in OWN or _is_paper(own) else find_spec(own)
    beside = () if spec is None or spec.origin is None else (Path(spec.origin),)
    return program(ROOMS + (OF_PANELS if _is_paper(own) else ()), beside)
