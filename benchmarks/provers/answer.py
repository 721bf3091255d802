"""The answer of a prover to a statement."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """A verdict, or None where it is undecided, and how that was found or what stood in the way."""

    holds: bool | None
    how: str = ""
    is_fault: bool = False  # what was found was rejected when it was checked again
