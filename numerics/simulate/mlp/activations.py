"""Activations and their slopes, on arrays; a complex number takes the branch of its real part."""

from __future__ import annotations

from typing import Any

import numpy as np


def activated(name: str, z: Any) -> tuple[Any, Any]:
    """The activation and its slope."""
    positive = z.real > 0
    match name:
        case "linear":
            return z, np.ones_like(z)
        case "relu":
            return z * positive, positive.astype(z.dtype)
        case "leaky_relu":
            slope = np.where(positive, 1.0, 0.01).astype(z.dtype)
            return z * slope, slope
        case "elu":
            below = np.where(positive, 0, z)
            return np.where(positive, z, np.expm1(below)), np.exp(below)
        case "tanh":
            value = np.tanh(z)
            return value, 1 - value * value
    part = sigmoid(z)
    return z * part, part + z * part * (1 - part)


def sigmoid(z: Any) -> Any:
    """1/(1 + exp(-z)), from the exponential that does not overflow."""
    positive = z.real > 0
    small = np.exp(np.where(positive, -z, z))
    return np.where(positive, 1, small) / (1 + small)
