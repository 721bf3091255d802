"""Figure 3: linear attention with separate keys and queries learns one direction of its tokens after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLACK, BLUE, GREY, ORANGE, key, simulated, theoretical
from numerics.simulate.linear_attention import Separate, learn
from numerics.theory.linear_attention import Directions, aligned, directions, staircase

MOMENTS, MANY = 501, 20_000  # recorded for the curves, and for the times of steps
LEGEND: dict[str, Any] = {"loc": "upper right", "frameon": True, "framealpha": 1.0, "edgecolor": "none"}
LATER = 1.15  # runs end so much after the last step


def steps_of_attention(setting: Setting) -> Found:
    """Losses from heads on the directions and from random ones, and how well their steps are foretold."""
    known = directions(np.diag(setting.numbers("strengths")), tokens=setting.whole("tokens"))
    on_axes, random = _on_directions(setting, known), _from_random_heads(setting, known)
    sizes, gaps = np.array(setting.numbers("sizes")), []
    for k, size in enumerate(sizes):
        gaps.append([_gap(setting, known, size, start) for start in range(setting.whole("starts"))])
        setting.tell((k + 1) / len(sizes))
    middle = np.median(gaps, axis=1)
    data = {f"on_{name}": found for name, found in on_axes.items()} | random
    measured = {
        "exact_gap": float(np.abs(data["on_loss"] - data["on_theory"]).max() / known.plateaus[0]),
        "plateau_gap": _off_plateaus(data["on_times"], data["on_loss"], data["on_steps"], known.plateaus),
        "random_plateau_gap": _off_plateaus(data["times"], data["loss"], data["steps"], known.plateaus),
        "sampled_gap": float(np.abs(data["sampled"] - data["loss"]).mean() / known.plateaus[0]),
        "power": float(np.polyfit(np.log(sizes), np.log(middle), 1)[0]),
        "smallest_gap": float(middle[np.argmin(sizes)]),
    }
    return Found(data | {"plateaus": known.plateaus, "sizes": sizes, "gaps": np.array(gaps)}, measured)


def _on_directions(setting: Setting, known: Directions) -> dict[str, Array]:
    """Equal heads, one on each direction, by gradient descent and exactly."""
    D, value, rate = known.strengths.size, setting.number("value"), setting.number("rate")
    starts, covariance = np.full(D, value), np.diag(known.strengths)
    foretold = staircase(starts, value * np.eye(D), value * np.eye(D), covariance, tokens=_tokens(setting), times=[0.0])
    steps = _evenly(LATER * foretold.times[-1] / rate)
    heads = Separate(starts, value * np.eye(D), value * np.eye(D))
    run = learn(heads, covariance, tokens=_tokens(setting), rate=rate, steps=steps)
    exact = aligned(starts, covariance, tokens=_tokens(setting), times=rate * steps)
    return {"times": rate * steps, "loss": run.loss, "theory": exact.loss, "steps": foretold.times}


def _from_random_heads(setting: Setting, known: Directions) -> dict[str, Array]:
    """Random small heads, on all contexts and on sampled ones, beside the steps that are foretold."""
    rate, covariance = setting.number("rate"), np.diag(known.strengths)
    heads = _random(setting, known, setting.number("size"), setting.whole("start"))
    steps = _evenly(LATER * _foretold(heads, covariance, setting, [0.0])[0][-1] / rate)
    asked = {"tokens": _tokens(setting), "steps": steps, "rate": rate}
    run = learn(heads, covariance, **asked)  # type: ignore[arg-type]
    sampled = learn(heads, covariance, batch=setting.whole("batch"), seed=setting.seed, **asked)  # type: ignore[arg-type]
    times, expected = _foretold(heads, covariance, setting, rate * steps)
    return {"times": rate * steps, "loss": run.loss, "sampled": sampled.loss, "theory": expected, "steps": times}


def _gap(setting: Setting, known: Directions, size: float, start: int) -> float:
    """The largest distance of a simulated step from the foretold one of some random heads, relative to its time."""
    heads, covariance, rate = _random(setting, known, size, start), np.diag(known.strengths), setting.number("rate")
    foretold = staircase(*heads, covariance, tokens=_tokens(setting), times=[0.0])
    steps = np.unique(np.geomspace(1.0, 2.0 * foretold.times[-1] / rate, MANY).astype(np.int64))
    run = learn(heads, covariance, tokens=_tokens(setting), rate=rate, steps=steps)
    order = list(foretold.directions)
    learned = np.diagonal(run.product, axis1=1, axis2=2)[:, order] > 0.5 * known.ends[order] ** 3
    times = rate * np.where(learned.any(0), steps[np.argmax(learned, axis=0)], 2 * steps[-1])
    return float(np.abs(times / foretold.times - 1.0).max())


def _random(setting: Setting, known: Directions, size: float, start: int) -> Separate:
    D, heads = known.strengths.size, setting.whole("heads")
    rng = setting.rng(start)
    value, keys, queries = (rng.standard_normal(shape) for shape in ((heads,), (heads, D), (heads, D)))
    return Separate(size * value, size * keys, size * queries)


def _foretold(heads: Separate, covariance: Array, setting: Setting, times: Array | list[float]) -> tuple[Array, Array]:
    foretold = staircase(*heads, covariance, tokens=_tokens(setting), times=times)
    return foretold.times, foretold.course.loss


def _tokens(setting: Setting) -> int:
    return setting.whole("tokens")


def _evenly(last: float) -> Array:
    return np.unique(np.linspace(0.0, last, MOMENTS).round().astype(np.int64))


def _off_plateaus(times: Array, loss: Array, steps: Array, plateaus: Array) -> float:
    """How far the loss is from its plateaus midway between steps, relative to its start."""
    middles = (steps[1:] + steps[:-1]) / 2.0
    return float(np.abs(np.interp(middles, times, loss) - plateaus[1:-1]).max() / plateaus[0])


def draw_steps(figure: Figure, data: Data) -> None:
    left, middle, right = figure.subplots(1, 3, width_ratios=(1.0, 1.0, 0.9))
    for axes, name in ((left, "on_"), (middle, "")):
        _marked(axes, data[f"{name}steps"], data["plateaus"])
        axes.set(xlabel=r"time $t/\tau$", xlim=(0.0, data[f"{name}times"][-1]), ylim=(0.0, 1.08 * data["plateaus"][0]))
    simulated(left, data["on_times"], data["on_loss"], [BLUE])
    theoretical(left, data["on_times"], data["on_theory"])
    left.set(title="heads on the directions", ylabel="loss")
    key(left, [(BLUE, "all contexts")], theory="exact", **LEGEND)
    simulated(middle, data["times"], data["sampled"], [ORANGE])
    simulated(middle, data["times"], data["loss"], [BLUE])
    theoretical(middle, data["times"], data["theory"])
    middle.set_title("small random heads")
    key(middle, [(BLUE, "all contexts"), (ORANGE, "sampled ones")], theory="foretold", **LEGEND)
    sizes, gaps = data["sizes"], data["gaps"]
    right.plot(np.repeat(sizes, gaps.shape[1]), gaps.ravel(), ".", color=BLUE, markersize=2.5, alpha=0.5)
    right.plot(sizes, np.median(gaps, axis=1), color=BLUE, label="median of the starts")
    guide = np.median(gaps[np.argmin(sizes)]) * sizes / sizes.min() / 3.0
    right.plot(sizes, guide, color=BLACK, linestyle="--", linewidth=0.8, label="as the size")
    right.set(
        xscale="log", yscale="log", xlabel="size of the random heads", title="largest relative error of a step's time"
    )
    right.legend(loc="upper left")


def _marked(axes: Axes, steps: Array, plateaus: Array) -> None:
    """Grey lines at the plateaus, and at the times at which directions are half learned in theory."""
    axes.hlines(plateaus, 0.0, 1.0, transform=axes.get_yaxis_transform(), color=GREY, linewidth=0.4)
    axes.vlines(steps, 0.0, 1.0, transform=axes.get_xaxis_transform(), color=GREY, linewidth=0.6, linestyle="--")


PANELS = {"fig_3": Panel(steps_of_attention, draw_steps, (9.0, 2.7))}
