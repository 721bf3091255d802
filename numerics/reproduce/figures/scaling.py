"""Multidimensional scaling: points in the plane whose distances are as close as can be to given ones."""

from __future__ import annotations

import numpy as np

from numerics.reproduce.figures.panel import Array

TURNS = 300


def distances(points: Array) -> Array:
    """Distances of all rows from one another."""
    squares = np.sum(points**2, axis=1)
    return np.asarray(np.sqrt(np.maximum(squares[:, None] + squares - 2.0 * points @ points.T, 0.0)))


def scaled(wanted: Array) -> Array:
    """Places (point, 2): classical scaling, then the majorisation that lowers the sum of squared errors (SMACOF).

    The sign of each axis is such that its largest coordinate is positive.
    """
    count = len(wanted)
    centring = np.eye(count) - 1.0 / count
    values, vectors = np.linalg.eigh(-0.5 * centring @ wanted**2 @ centring)
    places = vectors[:, :-3:-1] * np.sqrt(np.maximum(values[:-3:-1], 0.0))
    for _ in range(TURNS):
        lengths = distances(places)
        ratio = np.divide(wanted, lengths, out=np.zeros_like(wanted), where=lengths > 1e-12)
        places = (np.diag(ratio.sum(axis=1)) - ratio) @ places / count
    largest = places[np.abs(places).argmax(axis=0), [0, 1]]
    return np.asarray(places * np.where(largest < 0.0, -1.0, 1.0))


def stress(wanted: Array, places: Array) -> float:
    """The root of the squared errors of all distances over the squared distances."""
    return float(np.linalg.norm(distances(places) - wanted) / np.linalg.norm(wanted))
