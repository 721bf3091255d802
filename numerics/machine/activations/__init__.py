"""Activations and their slopes for eight numbers at once, as parts for `numerics.machine.specialise`.

Every module defines `value_and_slope` of lanes. Any other activation is a module of its own with jitted functions `g`
and `slope` of a number, which `scalars` calls for one lane after the other.
"""

from __future__ import annotations

from importlib import import_module

from numba.extending import is_jitted
from numba.np.ufunc.dufunc import DUFunc

from numerics import NumericsError

NAMES = ("erf", "relu", "linear", "tanh")
COMMON = ("numerics.machine.lanes", "numerics.machine.lanes.functions")


class ActivationError(NumericsError):
    """A name that is not that of an activation; the message says why in one sentence."""


def parts(activation: str) -> tuple[str, ...]:
    """The modules that define an activation for `numerics.machine.specialise`, in the order in which they are compiled.

    `activation` is "erf", "relu", "linear", "tanh", or the dotted name of a module with functions `g` and `slope` of a
    number, jitted by Numba. Refused with `ActivationError`: everything else.

    >>> parts("relu")[-1]
    'numerics.machine.activations.relu'
    """
    if activation in NAMES:
        return (*COMMON, f"{__name__}.{activation}")
    try:
        module = import_module(activation)
    except (ImportError, TypeError, ValueError, AttributeError):
        raise ActivationError(
            f"the activation {activation!r} is neither one of {', '.join(NAMES)} nor a module that can be imported;"
            " give one of these names, or the dotted name of a module with jitted functions g and slope"
        ) from None
    for name in ("g", "slope"):
        function = getattr(module, name, None)
        if not (isinstance(function, DUFunc) or (callable(function) and is_jitted(function))):
            raise ActivationError(f"the module {activation} must define a function {name} of a number, jitted by Numba")
    return (*COMMON, activation, f"{__name__}.scalars")
