"""One look for all figures: simulation solid and in colour, theory dotted and black on top, colours for all eyes.

The colours are those of Okabe and Ito (2008), which colour-blind readers can tell apart.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, cast

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from matplotlib.figure import Figure, SubFigure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PINK = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
)  # fmt: skip
COLOURS = (BLUE, RED, GREEN, ORANGE, PINK, SKY, YELLOW, "#7F7F7F", "#882255")
GREY = "#8A8A8A"
DIVERGING = LinearSegmentedColormap.from_list("blue-white-red", [BLUE, "#A9CDE6", "#FFFFFF", "#F2BE94", RED])
RISING = LinearSegmentedColormap.from_list("white-blue", ["#FFFFFF", "#9CC8E6", BLUE, "#00304D"])
DOTS: Any = (0, (1.0, 1.4))

SHEET: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8.0,
    "axes.labelsize": 8.0,
    "axes.titlesize": 8.5,
    "axes.titlelocation": "left",
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "xtick.major.size": 2.8,
    "ytick.major.size": 2.8,
    "legend.fontsize": 7.0,
    "legend.frameon": False,
    "legend.handlelength": 1.6,
    "lines.linewidth": 1.7,
    "lines.solid_capstyle": "round",
    "figure.dpi": 200.0,
    "savefig.dpi": 200.0,
    "svg.fonttype": "path",
    "svg.hashsalt": "learning dynamics",
    "mathtext.fontset": "dejavusans",
}

_drawing = Lock()  # Matplotlib's settings are those of the whole process


def drawn(draw: Callable[[Figure], None], size: tuple[float, float]) -> dict[str, bytes]:
    """A figure as PNG and SVG, by suffix; the same drawing gives the same bytes."""
    with _drawing, rc_context(cast("Any", SHEET)):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure)
        png = _saved(figure, "png", {"Software": None})
        figure.set_layout_engine("none")  # the places that were found serve both
        return {".png": png, ".svg": _saved(figure, "svg", {"Date": None, "Creator": None})}


def _saved(figure: Figure, kind: str, metadata: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format=kind, metadata=metadata)
    return file.getvalue()


# --- what the panels share --------------------------------------------------------------------------------------------


def simulated(axes: Axes, times: ArrayLike, curves: ArrayLike, colours: Sequence[str] = COLOURS, **how: Any) -> None:
    """One solid line for each row, in colours that repeat."""
    for k, curve in enumerate(np.atleast_2d(np.asarray(curves))):
        axes.plot(times, curve, color=colours[k % len(colours)], **how)


def theoretical(axes: Axes, times: ArrayLike, curves: ArrayLike, **how: Any) -> None:
    """One dotted black line for each row, over all others."""
    for curve in np.atleast_2d(np.asarray(curves)):
        axes.plot(times, curve, **{"color": BLACK, "linestyle": DOTS, "linewidth": 1.3, "zorder": 10, **how})


def key(axes: Axes, entries: Sequence[tuple[str, str]], *, theory: str = "theory", **how: Any) -> None:
    """A legend of colours with their names, and of the dotted line unless it has no name."""
    handles = [Line2D([], [], color=colour) for colour, _ in entries]
    labels = [label for _, label in entries]
    if theory:
        handles.append(Line2D([], [], color=BLACK, linestyle=DOTS, linewidth=1.3))
        labels.append(theory)
    axes.legend(handles, labels, **how)


def heat(axes: Axes, matrix: ArrayLike, *, largest: float | None = None, title: str = "") -> AxesImage:
    """A matrix in colours, blue below and red above zero, which is white."""
    values = np.asarray(matrix, dtype=float)
    top = (float(np.abs(values).max()) or 1.0) if largest is None else largest
    image = axes.imshow(values, cmap=DIVERGING, norm=TwoSlopeNorm(0.0, -top, top), interpolation="nearest")
    bare(axes)
    axes.set_title(title, loc="center")
    return image


def side_by_side(figure: Figure, widths: Sequence[float]) -> list[SubFigure]:
    """Parts of a figure in one row, of these relative widths."""
    grid = figure.add_gridspec(1, len(widths), width_ratios=widths, wspace=0.06)
    return [figure.add_subfigure(grid[0, column]) for column in range(len(widths))]


def bare(axes: Axes) -> None:
    """No ticks, and a thin frame."""
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(True)
    axes.spines[:].set_linewidth(0.5)
