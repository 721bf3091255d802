"""Online learning of finite networks: fluctuations of order 1/sqrt(N), and a mean that is 1/N from the flow."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from numerics.validate import Outcome, near
from numerics.validate.online_learning import errors_of_chain, errors_of_networks, flow

SAYS = (
    "Online learning with N inputs fluctuates like 1/sqrt(N) around a mean that is 1/N from the order-parameter flow."
)
LAW = "online_sgd"
Floats = NDArray[np.float64]

REPLICAS = 8192
OF_WEIGHTS, OF_OVERLAPS = (64, 128, 256, 512), (128, 512, 2048, 8192)
FOR_THE_MEAN = (24, 48, 96, 192)
MANY = {1: 300_000, 5: 400_000}  # replicas, by batch
SHARES = (1.14, 0.38, 0.38, 1.14)  # of them, by size: its ends decide a slope, whose error is that of equal shares
GROUPS, GROUP, LARGE = 200, 32, 20_000


def outcomes() -> Iterator[Outcome]:
    """Slopes in N of the spread and of the mean's distance from the flow, and scores of groups of replicas."""
    for batch in (1, 5):
        which = f"batches of {batch}"
        slope = _slope_of_spread(errors_of_networks, OF_WEIGHTS, batch)
        yield near(LAW, f"spread of networks, slope in N, {which}", slope, -0.5, 0.025)
        slope = _slope_of_spread(errors_of_chain, OF_OVERLAPS, batch)
        yield near(LAW, f"spread of the chain, slope in N, {which}", slope, -0.5, 0.025)
        yield near(LAW, f"distance of the mean from the flow, slope in N, {which}", *_slope_of_distance(batch))
        yield near(LAW, f"size of standard scores, {which}", *_scores(batch))


def _slope_of_spread(errors: Callable[[int, int, int], Floats], sizes: tuple[int, ...], batch: int) -> float:
    return _slope(sizes, [float(errors(inputs, REPLICAS, batch).std()) for inputs in sizes])


def _slope_of_distance(batch: int) -> tuple[float, float, float]:
    """The slope, what it should be, and four of its standard errors and what the next order bends it by."""
    exact = flow(batch)
    replicas = [round(share * MANY[batch]) for share in SHARES]
    gaps = [errors_of_chain(inputs, many, batch) for inputs, many in zip(FOR_THE_MEAN, replicas, strict=True)]
    distances = [float(errors.mean()) - exact for errors in gaps]
    relative = [
        errors.std() / np.sqrt(errors.size) / abs(distance) for errors, distance in zip(gaps, distances, strict=True)
    ]
    middle = np.log(FOR_THE_MEAN) - np.log(FOR_THE_MEAN).mean()
    error = float(np.linalg.norm(middle * relative) / (middle @ middle))
    return _slope(FOR_THE_MEAN, [abs(distance) for distance in distances]), -1.0, 4 * error + 2 / min(FOR_THE_MEAN)


def _scores(batch: int) -> tuple[float, float, float]:
    """The root mean square of the scores of groups against the flow, what normal errors give, and its tolerance."""
    groups = errors_of_chain(LARGE, GROUPS * GROUP, batch).reshape(GROUPS, GROUP)
    scores = (groups.mean(axis=1) - flow(batch)) / (groups.std(axis=1, ddof=1) / np.sqrt(GROUP))
    expected = np.sqrt((GROUP - 1) / (GROUP - 3))
    return float(np.sqrt((scores**2).mean())), float(expected), float(4 * expected / np.sqrt(2 * GROUPS))


def _slope(sizes: tuple[int, ...], values: list[float]) -> float:
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])
