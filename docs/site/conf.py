"""The documentation site: what Sphinx is told. `make docs` stages the sources, and this file lies beside them."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes

from derivations.latex.mathml import formula, inline

project = "Learning dynamics, derived"
author = "The authors of learning-dynamics-derivations"
extensions = ["myst_nb", "sphinx_design"]
html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_css_files = ["formulas.css"]
html_extra_path = ["_extra"]  # the audited papers, which are pages of their own, and what a browser loads as it is
html_copy_source = False
nb_execution_mode = "off"  # notebooks are committed with what they found, and tested to be fresh
nb_merge_streams = True
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
html_math_renderer = "mathml"
suppress_warnings = ["misc.highlighting_failure"]  # blocks of a terminal are no Python


def setup(app: Any) -> None:
    """Formulas become MathML while the site is built, so that no page loads a script for them."""
    app.add_html_math_renderer("mathml", (_inside, None), (_displayed, None))


def _inside(writer: Any, node: Any) -> None:
    writer.body.append(inline(_plain(node)))
    raise nodes.SkipNode


def _displayed(writer: Any, node: Any) -> None:
    writer.body.append(formula(_plain(node)))
    raise nodes.SkipNode


def _plain(node: Any) -> str:
    return re.sub(r"\\displaystyle\s*", "", node.astext())
