"""Figures of papers, repeated: what each panel computes, and how it is drawn.

A module or package per paper has `PANELS`, a panel for each entry of the paper's registry in
`numerics.reproduce.experiments`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import cast

from numerics.reproduce.figures.panel import Panel


def panels(paper: str) -> Mapping[str, Panel]:
    """The panels of a paper that has a registry, by name.

    >>> sorted(panels("braun_2022"))[:2]
    ['fig_1b', 'fig_1c']
    """
    return cast("Mapping[str, Panel]", import_module(f"numerics.reproduce.figures.{paper}").PANELS)
