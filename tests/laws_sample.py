"""A seeded part of the laws, so that every change is held against another tenth of them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection
from fractions import Fraction


def fraction_from(text: str) -> Fraction:
    """The fraction that LAWS_FRACTION asks for; anything outside (0, 1] is refused with one sentence."""
    try:
        fraction = Fraction(text)
    except (ValueError, ZeroDivisionError):
        fraction = Fraction(0)
    if not 0 < fraction <= 1:
        raise ValueError(f"LAWS_FRACTION must be a number above 0 and at most 1, such as 0.1, not {text!r}")
    return fraction


def chosen(names: Collection[str], fraction: Fraction, seed: str) -> set[str]:
    """The part of the names that comes first when they are shuffled by the seed: never empty unless names is."""
    shuffled = sorted(names, key=lambda name: hashlib.sha256(f"{seed}\n{name}".encode()).digest())
    return set(shuffled[: math.ceil(fraction * len(shuffled))])
