"""Floats at full speed: emitted kernels and what is computed with them.

The parts, such as `numerics.theory` and `numerics.simulate`, are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

__all__ = [
    "NumericsError",
    "accuracy",
    "kernels",
    "labelled",
    "ode",
    "reproduce",
    "simulate",
    "sweep",
    "theory",
    "validate",
]


class NumericsError(ValueError):
    """The base class of errors for users of this package: a message says what was given, and what to do.

    It is told on one line, whatever was given.

    >>> str(NumericsError("there is no [1 0]\\n[0 1]"))
    'there is no [1 0] [0 1]'
    """

    def __str__(self) -> str:
        return " ".join(map(str.strip, super().__str__().split("\n")))


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return import_module(f"numerics.{name}")
    raise AttributeError(f"module 'numerics' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
