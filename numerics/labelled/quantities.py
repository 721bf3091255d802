"""Names and units of the axes and arrays of results: the only place that has them.

There are two kinds of clocks. Simulations count: steps of gradient descent, updates, or epochs. Theories have a time;
`rate * steps` is the time of a flow with tau = 1, and `updates / inputs` that of online learning.
"""

from __future__ import annotations

CLOCKS = ("time", "step", "weights_step", "update", "epoch", "recorded_epoch", "record")
"""The axes that curves are drawn along, where an array has one of them."""
FIRST = ("losses", "loss", "error", "theory", "states")  # what is drawn where nothing is named


def of_students(*front: str) -> dict[str, tuple[str, ...]]:
    """The axes of order parameters, second layers and errors, behind some in front.

    >>> of_students("time")["R"]
    ('time', 'student', 'teacher')
    """
    overlaps = {"Q": (*front, "student", "other_student"), "R": (*front, "student", "teacher")}
    return {**overlaps, "v": (*front, "student"), "error": front}


QUANTITIES: dict[str, tuple[str, str]] = {  # by the name of an axis or an array: what it is, and its unit
    "time": ("time", "unit of tau"),
    "step": ("steps of gradient descent", "1"),
    "weights_step": ("steps of gradient descent", "1"),
    "update": ("updates", "1"),
    "epoch": ("epochs", "1"),
    "recorded_epoch": ("epochs", "1"),
    "losses": ("loss", "1"),
    "loss": ("loss", "1"),
    "error": ("generalisation error", "1"),
    "weights": ("weights", "1"),
    "hidden": ("activity of hidden units", "1"),
    "outputs": ("outputs", "1"),
    "states": ("states", "1"),
    "calls": ("evaluations of the rates", "1"),
    "Q": ("overlaps of students", "1"),
    "R": ("overlaps of students and teachers", "1"),
    "v": ("second layer of the students", "1"),
    "values": ("values of the heads", "1"),
    "heads": ("heads", "1"),
    "product": ("sum of the heads", "1"),
    "theory": ("fitted curves", "1"),
    "constants": ("time constants", "unit of the data's times"),
    "errors": ("standard errors of the constants", "unit of the data's times"),
    "r_squared": ("share of the variance that is explained", "1"),
    "measured": ("measured", "1"),
}


def described(name: str, units: dict[str, str]) -> dict[str, str]:
    """The attributes of an axis or an array, as NetCDF calls them; a part such as weights_2 is described by weights.

    >>> described("weights_2", {})
    {'long_name': 'weights, 2', 'units': '1'}
    >>> described("time", {"time": "updates per input dimension"})["units"]
    'updates per input dimension'
    """
    whole, _, part = name.partition("_") if name not in QUANTITIES else (name, "", "")
    if whole not in QUANTITIES:
        return {}
    words, unit = QUANTITIES[whole]
    return {"long_name": f"{words}, {part}" if part else words, "units": units.get(whole, unit)}
