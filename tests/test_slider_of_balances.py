"""The page with a slider for the balance of one mode: alone in its file, and moved in a browser."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from headless import browser_with, opened

from numerics.reproduce.experiments import experiments
from numerics.reproduce.figures.panel import Setting
from numerics.reproduce.figures.solvable_networks.regimes import changes
from numerics.reproduce.figures.solvable_networks.slider import courses, page

BALANCES, SCALE = np.array([-4.0, 0.0, 4.0]), 0.1
PROBE = """<script>
const slider = document.getElementById("which"), seen = [];
for (const place of [0, 1, 2]) {
  slider.value = place;
  slider.dispatchEvent(new Event("input"));
  seen.push({
    told: document.getElementById("told").textContent,
    numbers: Array.from(document.querySelectorAll("td"), (cell) => Number(cell.textContent)),
    paths: Array.from(document.querySelectorAll("path.curve, path.dots"), (path) => path.getAttribute("d")),
  });
}
document.body.dataset.probe = JSON.stringify(seen);
</script>"""


@pytest.fixture(scope="module")
def text() -> str:
    (entry,) = experiments("solvable_networks:fig_1")
    return page(courses(BALANCES, SCALE, Setting(entry.configuration(quick=True), entry.seed)))


def test_the_page_loads_nothing_and_has_its_data(text: str) -> None:
    assert not re.search(r"""(src|href)\s*=|url\(|@import|fetch\(""", text)
    assert "/* data */" not in text
    assert f'"a0":{SCALE}' in text


def test_moving_the_slider_shows_the_course_and_the_growths_of_each_balance(text: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(text.replace("</body>", f"{PROBE}</body>"), encoding="utf-8")
    probe = re.search(r'data-probe="([^"]*)"', opened(browser_with(tmp_path / "profile"), file.as_uri()))
    assert probe
    lazy, none, rich = json.loads(unescape(probe[1]))
    assert [seen["told"] for seen in (lazy, none, rich)] == ["λ = −4.0", "λ = 0", "λ = 4.0"]
    expected = changes(BALANCES, np.full(3, SCALE))
    for k, seen in enumerate((lazy, none, rich)):
        assert seen["numbers"][:2] == pytest.approx([expected["kernel"][k], expected["hidden"][k]], rel=1e-3)
        assert all(re.fullmatch(r"M[0-9.\sL-]+", path) for path in seen["paths"])
    assert lazy["paths"][0] == rich["paths"][0] != none["paths"][0]
    assert lazy["paths"][2:4] == rich["paths"][4:6]
