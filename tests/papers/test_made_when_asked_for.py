"""Importing a paper makes no kernel, no picture and no certificate; each is made once, when it is first asked for."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import sympy as sp

from derivations import Paper

IMPORTED = """
import sys
from derivations import Kernel
from derivations.paper.library import library

made, usual = [], Kernel.__init__

def counted(kernel, *given, **named):
    made.append(kernel)
    usual(kernel, *given, **named)

Kernel.__init__ = counted
papers = library()
assert not made
assert not [name for name in sys.modules if name.endswith(".pictures")]
assert not [claim for paper in papers.values() for claim in paper.claims if "certificate" in vars(claim)]
assert all(paper.kernels for paper in papers.values())
assert made
"""


def test_a_kernel_is_made_once_and_in_its_place() -> None:
    paper, made = Paper("k", title="", authors="", year=2000, source="", numbered=0), []
    x = sp.Symbol("x")

    def square() -> dict[str, Any]:
        made.append("squared")
        return {"a": x**2}

    squared = paper.emits("squared", says="A square.", state=[x], returns=square)
    cubed = paper.emits("cubed", says="A cube.", state=[x], returns={"a": x**3})
    assert not made
    assert paper.kernels == [squared(), cubed()]
    assert made == ["squared"]


def test_importing_the_papers_makes_no_kernel_no_picture_and_no_certificate() -> None:
    subprocess.run([sys.executable, "-c", IMPORTED], check=True)
