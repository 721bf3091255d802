"""Pages that move: kernels in JavaScript with sliders around them, in one file that asks nobody for anything.

A paper keeps what is particular to a page in its folder `pages`: NAME.html names the kernels, and has the markup and
the script. What all pages share stands in `assets`: the style, and the tools for sliders, axes and integration.
NAME.svg is the page at rest, for where nothing can move.

    html(page, modules)      the page as a file
    widget(page, modules)    the same as a module for a notebook
    show("lazy_to_rich")     in a notebook: it moves where anywidget is installed, and else stands still
"""

from __future__ import annotations

from derivations.report.moving.notebook import show
from derivations.report.moving.sources import Page, page_called, pages
from derivations.report.moving.writing import POLICY, html, modules_of, of_reports, widget

__all__ = ["POLICY", "Page", "html", "modules_of", "of_reports", "page_called", "pages", "show", "widget"]
