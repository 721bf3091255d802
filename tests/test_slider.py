"""The page of the specialisation transition: one file that needs no other, with a slider that moves what it shows."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from headless import browser_with, opened

from numerics import reproduce as reproducing
from numerics.reproduce import outcome, reproduce
from numerics.reproduce.experiments import experiments
from numerics.reproduce.figures import panels
from numerics.reproduce.figures.carrasco_davis_grant_2025.slider import page
from numerics.reproduce.figures.panel import Data, Panel

STEPS, UNITS = 7, 3

PROBE = """
<script>
addEventListener("load", () => {
  const when = document.getElementById("when"), point = document.getElementById("point");
  const seen = () => ({
    x: Number(point.getAttribute("cx")),
    Q: [...document.querySelectorAll("#Q .value:not(.other)")].map((text) => text.textContent),
    R: [...document.querySelectorAll("#R .value:not(.other)")].map((text) => text.textContent),
    theory: [...document.querySelectorAll("#R .value.other")].map((text) => text.textContent),
    bar: Number(document.querySelector("#bars rect").getAttribute("height")),
    spoken: when.getAttribute("aria-valuetext"),
    label: when.labels[0].textContent,
    told: document.getElementById("told").textContent,
  });
  const found = [seen()];
  when.value = when.max;
  when.dispatchEvent(new Event("input"));
  found.push(seen());
  document.getElementById("play").click();
  setTimeout(() => {
    found.push({ ...seen(), loaded: performance.getEntriesByType("resource").map((entry) => entry.name) });
    document.body.dataset.probe = JSON.stringify(found);
  }, 1000);
});
</script>
"""


@pytest.fixture(scope="module")
def data() -> Data:
    share = np.linspace(0.0, 1.0, STEPS)[:, None, None]
    R = share * np.eye(UNITS) + (1.0 - share) * np.linspace(-0.1, 0.3, UNITS**2).reshape(UNITS, UNITS)
    error = np.geomspace(1.0, 1e-4, STEPS)
    plain = {"plateau": np.array(0.02), "rate": np.array(0.2), "inputs": np.array(800)}
    course = {"times": np.arange(STEPS) * 100.0, "error": error, "error_theory": error * 1.1}
    return {
        **plain,
        **course,
        "R": R,
        "R_theory": R + 0.01,
        "Q": R @ R.swapaxes(1, 2),
        "Q_theory": R @ R.swapaxes(1, 2),
    }


def test_the_page_names_no_address_but_that_of_svg(data: Data) -> None:
    text = page(data)
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(src|href|action)=|@import|url\(|fetch\(|XMLHttpRequest|import\(", text)
    assert "/* data */" not in text


def test_the_page_carries_the_numbers_that_it_was_given(data: Data) -> None:
    found = re.search(r"const data = (\{.*\});", page(data))
    assert found
    told = json.loads(found[1])
    assert np.array(told["R"]) == pytest.approx(np.array(data["R"]), abs=1e-4)
    assert np.array(told["errorTheory"]) == pytest.approx(np.array(data["error_theory"]), rel=1e-3)
    assert told["inputs"] == 800


def test_a_panel_with_a_page_writes_it_beside_the_pictures_and_links_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_page(paper: str) -> Mapping[str, Panel]:
        return {
            name: panel._replace(page=lambda data: f"<p>{sorted(data)[0]}</p>") for name, panel in panels(paper).items()
        }

    for module in (reproducing, outcome):  # one computes and draws, the other judges and knows the page
        monkeypatch.setattr(module, "panels", with_page)
    reproduce(experiments("braun_2022:4C"), tmp_path, quick=True)
    assert (tmp_path / "braun_2022" / "fig_4c.html").read_text(encoding="utf-8").startswith("<p>")
    assert "(braun_2022/fig_4c.html)" in (tmp_path / "RESULTS.md").read_text(encoding="utf-8")


def test_the_slider_moves_the_marker_the_matrices_and_the_bars(data: Data, tmp_path: Path) -> None:
    browser = browser_with(tmp_path / "profile")
    copy = tmp_path / "page.html"
    copy.write_text(page(data).replace("</body>", f"{PROBE}</body>"), encoding="utf-8")
    found = opened(browser, copy.as_uri(), milliseconds=3000)
    probe = re.search(r'data-probe="([^"]*)"', found)
    assert probe
    first, last, played = json.loads(unescape(probe[1]))
    assert last["x"] > first["x"]
    assert first["R"][0] == "−0.10"
    assert last["R"] == ["1.00" if i == j else "0.00" for i in range(UNITS) for j in range(UNITS)]
    assert last["theory"][0] == "1.01"
    assert first["Q"] != last["Q"]
    assert last["bar"] > first["bar"]
    assert (first["told"], last["told"]) == ("t = 0", "t = 600")
    assert last["spoken"] == "t = 600, error 1.00·10⁻⁴"
    assert last["label"] == "Time t"
    assert (played["told"], played["loaded"]) == ("t = 600", [])
