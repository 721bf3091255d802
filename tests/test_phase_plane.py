"""The phase plane of two points: a page around the emitted kernel, moved by keys, pointer and sliders."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

from headless import browser_with, opened

from derivations.__main__ import main
from numerics.kernels.van_rossem_saxe_2024 import two_point_flow

PROBE = """
<script>
addEventListener("load", () => {
  const start = document.getElementById("start"), told = () => document.getElementById("told").textContent;
  const found = [told()];
  for (const key of ["ArrowRight", "ArrowUp", "ArrowUp"]) start.dispatchEvent(new KeyboardEvent("keydown", {key}));
  found.push(told());
  const box = document.getElementById("plane").getBoundingClientRect();
  const where = {clientX: box.left + 0.5*box.width, clientY: box.top + 0.5*box.height, buttons: 1, bubbles: true};
  document.getElementById("plane").dispatchEvent(new PointerEvent("pointermove", where));
  found.push(told());
  const targets = document.getElementById("targets");
  targets.value = "2";
  targets.dispatchEvent(new Event("input", {bubbles: true}));
  found.push(told());
  document.body.dataset.probe = JSON.stringify({
    found, spoken: start.getAttribute("aria-valuetext"), focus: start.tabIndex,
    named: [...document.querySelectorAll("input")].every((input) => input.labels.length === 1),
    loaded: performance.getEntriesByType("resource").map((entry) => entry.name),
  });
});
</script>
"""


def flow(h: float, y: float, s: float) -> tuple[float, float]:
    """The end of the same steps, by the kernel that Numba compiles."""
    place = [h, y, y - 0.2 * (y * s) ** 0.5]
    for _ in range(2000):
        a = two_point_flow(*place, 1.0, s, 1.0, 1.0)
        b = two_point_flow(*(v + 0.01 * r for v, r in zip(place, a, strict=True)), 1.0, s, 1.0, 1.0)
        c = two_point_flow(*(v + 0.01 * r for v, r in zip(place, b, strict=True)), 1.0, s, 1.0, 1.0)
        d = two_point_flow(*(v + 0.02 * r for v, r in zip(place, c, strict=True)), 1.0, s, 1.0, 1.0)
        rates = zip(place, a, b, c, d, strict=True)
        place = [v + 0.02 / 6 * (k + 2 * m + 2 * n + q) for v, k, m, n, q in rates]
    return place[0], place[1]


def test_the_page_follows_keys_pointer_and_sliders_and_asks_nobody(tmp_path: Path) -> None:
    assert main(["emit", "van_rossem_saxe_2024:two_point_flow", "--target", "js", "-o", str(tmp_path)]) == 0
    page = (tmp_path / "two_point_flow.html").read_text(encoding="utf-8")
    assert len(page) < 200_000
    assert not re.search(r"(src|href)=|@import|fetch\(|url\(|https?://(?!www\.w3\.org/2000/svg)", page)
    (tmp_path / "probed.html").write_text(page.replace("</body>", PROBE + "</body>"), encoding="utf-8")
    held = opened(browser_with(tmp_path / "profile"), (tmp_path / "probed.html").as_uri())
    told = json.loads(unescape(re.search(r'data-probe="([^"]*)"', held)[1]))  # type: ignore[index]
    numbers = [tuple(map(float, re.findall(r"= (-?[\d.]+\d)", text))) for text in told["found"]]
    assert [row[:2] for row in numbers[:2]] == [(0.6, 0.3), (0.65, 0.4)]
    assert numbers[2][:2] == numbers[3][:2] != numbers[1][:2]
    for (h, y, h_end, y_end), s in zip([numbers[0], numbers[1]], (1.0, 1.0), strict=True):
        exact = flow(h, y, s)
        assert (abs(h_end - exact[0]) < 1e-3, abs(y_end - exact[1]) < 1e-3) == (True, True)
    assert abs(numbers[3][3] - 2.0) < 0.01  # the outputs learn the targets
    assert (told["named"], told["focus"], told["loaded"]) == (True, 0, [])
    assert told["spoken"].startswith("|dh|² = ")
