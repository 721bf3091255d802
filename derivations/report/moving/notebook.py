"""A page in a notebook: a widget where anywidget is installed, and else a picture of the page at rest."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from derivations.report.moving.sources import Page, PageError, page_called
from derivations.report.moving.writing import modules_of, widget
from derivations.text.doors import at_door


class Still:
    """The picture of a page at rest, which notebooks show."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def __repr__(self) -> str:
        return f"{self.page.title}: a page that moves where anywidget is installed"

    def _repr_svg_(self) -> str:
        return self.page.still


@at_door(PageError)
def show(name: str) -> Any:
    """A page in a notebook, by its name or its id: where anywidget is installed it moves, and else it stands still.

    As a widget it has the places of its sliders in `values`, by their names. The claims that its kernels rest on are
    judged first (a few seconds).

    >>> from derivations.report import moving
    >>> moving.show("nowhere")
    Traceback (most recent call last):
    derivations.report.moving.sources.PageError: no page is called nowhere; there are ...
    """
    page = page_called(name)
    return Still(page) if find_spec("anywidget") is None else _widget(page)


def _widget(page: Page) -> Any:
    """The widget, which shows the picture as well, for where the notebook is read without being run."""
    import anywidget
    import traitlets

    class Moving(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
        """A page that moves."""

        _esm = widget(page, modules_of(page))
        values = traitlets.Dict().tag(sync=True)
        __repr__ = Still.__repr__
        _repr_svg_ = Still._repr_svg_

        def _repr_mimebundle_(self, **given: Any) -> Any:
            data, *about = super()._repr_mimebundle_(**given) or ({},)
            return {**data, "image/svg+xml": self._repr_svg_()}, *about

    made = Moving()
    made.page = page
    return made
