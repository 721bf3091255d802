"""Theory against simulation, as laws that are measured and judged.

    outcomes = list(run(["two_point"]))      # or run() for all
    outcomes[0].law, outcomes[0].case, outcomes[0].measured, outcomes[0].expected, outcomes[0].holds
    measured(["two_point"]).save("outcomes.nc")   # all of them together, with names for their axes

Each law is a module of this folder with a sentence SAYS and a generator `outcomes()`. The simulators know no theory,
and the theory knows no simulator; only here do they meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from numerics import NumericsError
from numerics.labelled import Labelled
from numerics.machine.checks import listed, shown

LAWS = (
    "linear_networks",
    "shallow_networks",
    "modes",
    "linear_attention",
    "two_point",
    "online_sgd",
    "order_parameter_chain",
)


class ValidateError(NumericsError):
    """A law that there is not; the message names those that there are."""


@dataclass(frozen=True)
class Outcome:
    """A measurement in one case of a law, and whether it is what the law says."""

    law: str
    case: str
    measured: str
    expected: str
    holds: bool


@dataclass(frozen=True)
class Outcomes(Labelled, axes=dict.fromkeys(("law", "case", "measured", "expected", "holds"), ("outcome",))):
    """Measurements in all cases of some laws; the numbers have the digits that an `Outcome` shows."""

    law: tuple[str, ...]
    case: tuple[str, ...]
    measured: NDArray[np.float64]
    expected: tuple[str, ...]
    holds: NDArray[np.bool_]


def at_most(law: str, case: str, measured: float, bound: float) -> Outcome:
    """A law that something is small."""
    return Outcome(law, case, f"{measured:.1e}", f"at most {bound:.0e}", measured <= bound)


def near(law: str, case: str, measured: float, value: float, within: float) -> Outcome:
    """A law that a number has a value."""
    return Outcome(law, case, f"{measured:.4f}", f"{value:.4g}, within {within:.2g}", abs(measured - value) <= within)


def says(name: str) -> str:
    """The law in one sentence."""
    sentence: str = import_module(f"{__name__}.{name}").SAYS
    return sentence


def measured(names: Sequence[str] = LAWS) -> Outcomes:
    """All outcomes of some laws together, as `run` yields them.

    `names` are modules of this folder, all by default. Refused with `ValidateError`: a name that there is not.

    >>> measured([]).holds.size
    0
    """
    outcomes = [*run(names)]
    return Outcomes(
        tuple(outcome.law for outcome in outcomes),
        tuple(outcome.case for outcome in outcomes),
        np.array([float(outcome.measured) for outcome in outcomes]),
        tuple(outcome.expected for outcome in outcomes),
        np.array([outcome.holds for outcome in outcomes], bool),
    )


def known(names: Sequence[str]) -> list[str]:
    """Each of these laws once. Refused with `ValidateError`: a name that there is not.

    >>> known(["modes", "modes"])
    ['modes']
    """
    chosen = listed("the laws", names, ValidateError)
    for name in chosen:
        if name not in LAWS:
            raise ValidateError(f"no law is called {shown(name)}; there is {', '.join(LAWS)}")
    return [*dict.fromkeys(chosen)]


def run(names: Sequence[str] = LAWS) -> Iterator[Outcome]:
    """Measure some laws of theory and simulation, and yield an `Outcome` for each case, one after the other.

    `names` are modules of this folder, all by default. Refused with `ValidateError`: a name that there is not.

    >>> next(run(["no law"]))
    Traceback (most recent call last):
    numerics.validate.ValidateError: no law is called 'no law'; there is linear_networks, ...
    """
    for name in known(names):
        yield from import_module(f"{__name__}.{name}").outcomes()
