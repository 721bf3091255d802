"""Learning by gradient descent, run step by step: no theory inside."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

__all__ = ["datasets", "linear_attention", "linear_network", "mlp", "teacher_student"]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return import_module(f"numerics.simulate.{name}")
    raise AttributeError(f"module 'numerics.simulate' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
