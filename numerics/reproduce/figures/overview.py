"""One picture of all sources: a panel of each, from saved results."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.figure import Figure

from numerics.reproduce.figures import panels
from numerics.reproduce.figures.panel import Data
from numerics.reproduce.figures.style import drawn

SHOWN = {
    "braun_2022:fig_1b": "Deep linear networks",
    "carrasco_davis_grant_2025:fig_3_four_students": "Students of teachers, online",
    "van_rossem_saxe_2024:fig_3_loss": "Two points in a network of 20 layers",
}
SIZE = (9.4, 5.4)


def overview(data: Mapping[str, Data]) -> bytes:
    """The picture as PNG, from the arrays of the panels shown."""

    def draw(figure: Figure) -> None:
        grid = figure.add_gridspec(2, 2, width_ratios=(1.0, 2.1), height_ratios=(1.1, 1.0), hspace=0.06, wspace=0.06)
        for (name, title), place in zip(SHOWN.items(), (grid[0, 0], grid[0, 1], grid[1, :]), strict=True):
            paper, _, panel = name.partition(":")
            part = figure.add_subfigure(place)
            part.suptitle(title, fontweight="bold", fontsize=9.0)
            panels(paper)[panel].draw(part, data[name])  # type: ignore[arg-type]

    return drawn(draw, SIZE)[".png"]
