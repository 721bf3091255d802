"""A random statement, with what would contradict it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from derivations.prove import Certificate


@dataclass(frozen=True)
class Drawn:
    """A statement: how it is proved, and what contradicts it, or nothing."""

    kind: str
    says: str
    prove: Callable[[], Certificate]
    contradiction: Callable[[random.Random], Any]  # a point at which it is false, None where none was found
    false_at: Callable[[dict[Any, Any]], bool] | None = None  # whether numbers contradict it at a point, if it has one
