"""The documentation site: what it lists is documented in full, its pages are staged with links that lead somewhere."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from case_files import Cases
from headless import browser_with
from numpy.typing import ArrayLike

FAMILIES = Cases(__file__, globals())

ROOT = Path(__file__).parents[1]
SITE = ROOT / "docs" / "site"


def tool(name: str) -> ModuleType:
    """A module of the site's own, which is no part of a package."""
    if str(SITE) not in sys.path:
        sys.path.insert(0, str(SITE))
    return importlib.import_module(name)


def test_every_public_function_of_the_reference_is_documented_in_full() -> None:
    reference = tool("reference")
    found = {}
    for module in reference.MODULES:
        beside = reference.public(module)
        assert beside, module
        found |= {f"{module}.{name}": reference.lacking(thing, beside) for name, thing in beside.items()}
    assert {name: lacks for name, lacks in found.items() if lacks} == {}


def test_what_a_docstring_lacks_is_found() -> None:
    def half(told: int, untold: int) -> int:
        """Add what is told."""
        if told > untold:
            raise ValueError
        return told + untold

    def curve(weights: ArrayLike, times: ArrayLike) -> Any:
        """The loss for `weights` (..., N) at all `times`.

        >>> curve([1.0], [2.0])
        """
        return weights, times

    lacking = tool("reference").lacking
    assert lacking(half, {}) == ["an example", "the argument untold", "what comes back", "what is refused"]
    assert lacking(curve, {}) == ["the shape of times"]


@pytest.mark.parametrize(
    ("link", "leads"),
    [
        ("[g](guide.md#kernels)", '<a href="../how-to/kernels.html">g</a>'),
        ("[c](papers/braun_2022/claims.md#eq-7)", '<a href="../audited/braun_2022.html#eq-7">c</a>'),
        ("[`f`](../derivations/text/doors.py)", "`f`"),
        ("[r](../README.md#anywhere)", '<a href="../index.html">r</a>'),
        ("$`\\displaystyle x`$ [e](https://example.org)", "$x$ [e](https://example.org)"),
        ("```\n[g](guide.md)\n```", "```\n[g](guide.md)\n```"),
    ],
)
def test_links_lead_to_where_things_stand_on_the_site(link: str, leads: str, tmp_path: Path) -> None:
    staging = tool("stage").Staging(tmp_path)
    assert staging.converted(link, "docs/page.md", "explanation/page") == leads


def test_every_figure_that_was_repeated_has_a_card() -> None:
    results = (ROOT / "RESULTS.md").read_text(encoding="utf-8")
    cards = list(tool("cards").cards(results))
    assert len({card.id for card in cards}) == len(cards) == results.count("\n<!-- ")
    assert all(card.found and len(tool("cards").LINES.splitlines()) <= 15 for card in cards)


def test_dead_links_and_what_is_loaded_from_elsewhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<p id="x"></p><a href="b.html">1</a><a href="#x">2</a><a href="#y">3</a>')
    (tmp_path / "c.html").write_text('<img src="https://example.org/p.png"><a href="a.html#x">1</a>')
    found = tool("stage").dead(tmp_path)
    assert sorted(found) == [
        "a.html: #y is no anchor",
        "a.html: b.html is no file",
        "c.html loads https://example.org/p.png",
    ]


@pytest.mark.laws
def test_the_site_is_built_without_a_warning_and_without_a_dead_link(tmp_path: Path) -> None:
    if not all(importlib.util.find_spec(name) for name in ("sphinx", "myst_nb", "furo", "sphinx_design")):
        pytest.skip("Sphinx, MyST-NB, Furo or sphinx-design is not installed: `make docs` installs them")
    run = subprocess.run([sys.executable, SITE / "stage.py", tmp_path], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(("told", "raised"), [("", "Skipped"), ("required", "Failed")])
def test_a_browser_that_is_missing_is_told_and_where_required_it_fails(
    told: str, raised: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGES_IN_A_BROWSER", told)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BaseException, match="no page was opened") as caught:
        browser_with(tmp_path)
    assert type(caught.value).__name__ == raised


test_statements_have_their_verdicts = FAMILIES.verdicts()
