"""Theories of learning dynamics as functions: parameters in, trajectories out."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

__all__ = ["deep_linear", "linear_attention", "teacher_student", "two_point"]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return import_module(f"numerics.theory.{name}")
    raise AttributeError(f"module 'numerics.theory' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
