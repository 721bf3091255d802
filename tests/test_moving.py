"""Pages that move: each follows its sliders, says what the kernels say, asks nobody, and runs in a notebook as well."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from case_files import Cases
from headless import browser_with, opened
from stills_runner import picture

from derivations.__main__ import main
from derivations.audit.verify import Report, judge
from derivations.paper.library import home
from derivations.report import moving, pages
from derivations.report.moving.notebook import Still
from numerics.kernels import kernel
from numerics.theory.teacher_student import trajectory

FAMILIES = Cases(__file__, globals())

PAGES = {page.name: page for paper in home().values() for page in moving.pages(paper)}
each = pytest.mark.parametrize("name", PAGES)
LOADS = re.compile(
    r"(?<![\w-])(src|href)=|@import|fetch\(|XMLHttpRequest|import\(|url\((?!#)|https?://(?!www\.w3\.org/2000/svg)"
)
PROBE = """
<script>
addEventListener("load", () => setTimeout(() => {
  const told = () => document.getElementById("told").textContent;
  const steps = STEPS, pause = PAUSE, found = [told()];
  const next = () => {
    if (steps.length) { steps.shift()(document); setTimeout(() => { found.push(told()); next(); }, pause); return; }
    const inputs = [...document.querySelectorAll("input")];
    document.body.dataset.probe = JSON.stringify({
      found,
      paths: [...document.querySelectorAll("path.curve, path.dots")].map((path) => path.getAttribute("d")),
      named: inputs.every((input) => input.labels.length === 1 && input.labels[0].textContent.length > 0),
      spoken: inputs.map((input) => input.getAttribute("aria-valuetext")),
      pictures: [...document.querySelectorAll("svg")].every((svg) => svg.ariaLabel && svg.role),
      status: document.getElementById("told").getAttribute("role"),
      loaded: performance.getEntriesByType("resource").map((entry) => entry.name),
      over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      cells: [...document.querySelectorAll("td, text.value")].map((cell) => cell.textContent),
      extra: EXTRA,
    });
  };
  next();
}, 0));
</script>
"""
Opened = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def modules() -> dict[str, str]:
    return {name: text for page in PAGES.values() for name, text in moving.modules_of(page).items()}


@pytest.fixture
def moved(tmp_path: Path, modules: dict[str, str]) -> Opened:
    """A page after some steps in a browser: what it told after each, how it stands, and the page itself."""

    def probed(name: str, *steps: str, extra: str = "null", options: tuple[str, ...] = (), pause: int = 0) -> Any:
        probe = PROBE.replace("STEPS", f"[{', '.join(steps)}]").replace("EXTRA", extra).replace("PAUSE", str(pause))
        page = moving.html(PAGES[name], modules).replace(moving.POLICY, "script-src 'unsafe-inline'")
        (tmp_path / "page.html").write_text(page.replace("</body>", f"{probe}</body>"), encoding="utf-8")
        browser = [*browser_with(tmp_path / "profile"), *options]
        held = opened(browser, (tmp_path / "page.html").as_uri(), milliseconds=3000 + 10 * pause)
        found = re.search(r'data-probe="([^"]*)"', held)
        assert found
        return {**json.loads(unescape(found[1])), "held": held}

    return probed


def slid(name: str, place: float) -> str:
    """A step that moves a slider to a place."""
    return (
        f'(page) => {{ const input = page.getElementById("{name}"); input.value = {place};'
        ' input.dispatchEvent(new Event("input", {bubbles: true})); }'
    )


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text.replace("−", "-"))]


# --- every page -------------------------------------------------------------------------------------------------------


@each
def test_a_page_is_small_names_no_other_place_and_may_load_nothing(name: str, modules: dict[str, str]) -> None:
    text = moving.html(PAGES[name], modules)
    assert len(text.encode()) < 200_000
    assert LOADS.findall(text) == []
    assert f'content="{moving.POLICY}"' in text
    assert moving.POLICY.startswith("default-src 'none'")


@each
def test_controls_are_named_and_spoken_a_phone_shows_all_and_the_picture_at_rest_is_fresh(
    name: str, moved: Opened
) -> None:
    found = moved(name, options=("--window-size=500,900",))
    assert (found["named"], found["pictures"], found["status"], found["loaded"]) == (True, True, "status", [])
    assert all(found["spoken"])
    assert found["over"] == 0
    assert picture(found["held"], PAGES[name].title) == PAGES[name].still


@each
def test_the_kernels_in_a_page_test_themselves_and_notice_a_change(
    name: str, modules: dict[str, str], tmp_path: Path
) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed, so that no kernel was run outside a browser")
    own = {kernel: modules[kernel] for kernel in PAGES[name].kernels}
    changed = {
        key: re.sub(r"(?s)(.*)\n    return \[(\w+)", r"\1\n    return [1.001*\2", text, count=1)
        for key, text in own.items()
    }
    for texts, expected in ((own, True), (changed, False)):
        calls = ", ".join(f"{key.partition(':')[2]}.selfTest().length" for key in own)
        file = tmp_path / "page.mjs"
        file.write_text(
            f"{moving.widget(PAGES[name], texts)}\nconsole.log(JSON.stringify([{calls}]));", encoding="utf-8"
        )
        ran = subprocess.run([node, file], capture_output=True, text=True, check=True)
        told = json.loads(ran.stdout)
        assert all((count == 0) is expected for count in told), told


def test_the_command_writes_a_page_where_all_its_kernels_are_emitted(tmp_path: Path) -> None:
    words = ["solvable_networks:mode", "two_point_flow"]
    assert main(["emit", *words, "--target", "js", "-o", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"mode.mjs", "two_point_flow.mjs", "two_point_flow.html"}


def test_a_report_has_the_pages_whose_claims_hold_and_links_them() -> None:
    page = PAGES["lazy_to_rich"]
    paper = page.paper
    entries = [paper.entries[name] for name in ("mode_in_sums", "mode_time_in_sums")]
    entries += [paper.entries[paper.equalities[name].partition(":")[2]] for name in ("mode", "mode_time")]
    outcomes = [judge(entry) for entry in entries]
    written = pages([Report(paper, outcomes, whole=False)])
    assert written["pages/solvable_networks/lazy_to_rich.html"].startswith("<!doctype html>")
    assert (
        '<a href="pages/solvable_networks/lazy_to_rich.html">From lazy to rich</a>' in written["solvable_networks.html"]
    )
    assert not [name for name in pages([Report(paper, outcomes[1:], whole=False)]) if name.startswith("pages/")]


# --- what they say ----------------------------------------------------------------------------------------------------


def two_point_end(h: float, y: float) -> tuple[float, float]:
    """The end of the flow by steps of another solver, with the kernel that Numba compiles."""
    place, rate = np.array([h, y, y - 0.2 * y**0.5]), kernel("van_rossem_saxe_2024:two_point_flow")
    for _ in range(2000):
        a = np.array(rate(*place, 1.0, 1.0, 1.0, 1.0))
        b = np.array(rate(*(place + 0.01 * a), 1.0, 1.0, 1.0, 1.0))
        c = np.array(rate(*(place + 0.01 * b), 1.0, 1.0, 1.0, 1.0))
        d = np.array(rate(*(place + 0.02 * c), 1.0, 1.0, 1.0, 1.0))
        place = place + 0.02 / 6 * (a + 2 * b + 2 * c + d)
    return float(place[0]), float(place[1])


def test_the_phase_plane_follows_keys_pointer_and_sliders(moved: Opened) -> None:
    key = '(page) => page.getElementById("start").dispatchEvent(new KeyboardEvent("keydown", {key: "%s"}))'
    drag = (
        '(page) => { const box = page.getElementById("plane").getBoundingClientRect();'
        " const where = {clientX: box.left + 0.5*box.width, clientY: box.top + 0.5*box.height, buttons: 1};"
        ' page.getElementById("plane").dispatchEvent(new PointerEvent("pointermove", where)); }'
    )
    steps = [key % "ArrowRight", key % "ArrowUp", key % "ArrowUp", drag, slid("targets", 2)]
    start = 'document.getElementById("start")'
    found = moved("two_point_flow", *steps, extra=f'[{start}.getAttribute("aria-valuetext"), {start}.tabIndex]')
    told = [tuple(map(float, re.findall(r"= (-?[\d.]+\d)", text))) for text in found["found"]]
    assert [told[k][:2] for k in (0, 1, 3)] == [(0.6, 0.3), (0.65, 0.3), (0.65, 0.4)]
    assert told[4][:2] == told[5][:2] != told[3][:2]
    for h, y, h_end, y_end in (told[0], told[3]):
        assert (h_end, y_end) == pytest.approx(two_point_end(h, y), abs=1e-3)
    assert told[5][3] == pytest.approx(2.0, abs=0.01)  # the outputs learn the targets
    assert found["extra"][0].startswith("|dh|² = ")
    assert found["extra"][1] == 0


@pytest.mark.parametrize(("place", "start"), [(-0.8, -2.0), (0.0, -3.0), (0.5, -1.0)])
def test_from_lazy_to_rich_descent_and_solution_agree_and_waits_are_those_of_the_kernel(
    place: float, start: float, moved: Opened
) -> None:
    found = moved("lazy_to_rich", slid("balance", place), slid("start", start))
    balance, a0 = 0.01 * np.sinh(place * np.arcsinh(1000)), 10**start
    grown = np.hypot(1, balance / 2) / np.hypot(a0, balance / 2)
    (wait,) = kernel("solvable_networks:mode_time")(a0, 0.5, 1.0, balance, 1.0)
    assert [numbers(found["cells"][k])[0] for k in (0, 2)] == pytest.approx([grown, wait], rel=6e-3)
    learned, exact = (np.array(numbers(path)).reshape(-1, 2) for path in found["paths"][:2])
    assert np.abs(learned - exact).max() <= 1.5  # pixels


@pytest.mark.parametrize(("scale", "share"), [(-0.4, 0.7), (-2.0, 0.3)])
def test_the_peak_is_that_of_the_kernel_and_the_printed_time_is_beside_it(
    scale: float, share: float, moved: Opened
) -> None:
    found = moved("off_diagonal_peak", slid("scale", scale), slid("share", share))
    a1, a2 = 10**scale, 0.6 * 10**scale
    b = share * np.sqrt(a1 * a2)
    told = numbers(found["found"][-1].partition(": b peaks")[2])
    when, height = kernel("braun_2022:decoupling_peak")(a1, a2, b, 1.0)
    printed = np.log((1 - a1 - a2) / (a1 * a2 - b**2)) / 4
    assert told == pytest.approx([when, height, printed], abs=6e-4)


def test_large_starts_have_no_peak_and_different_modes_tell_the_largest_value(moved: Opened) -> None:
    found = moved("off_diagonal_peak", slid("scale", 0.0), slid("scale", -1.0), slid("second", 0.5))["found"]
    assert "no peak" in found[1]
    when, height = numbers(found[3].partition("largest")[2])
    times = np.linspace(0, 5, 401)
    b = 0.7 * np.sqrt(0.06) * 0.1**0.5
    course = [kernel("braun_2022:decoupling")(0.1, 0.06, b, 1.0, 0.5, t)[2] for t in times]
    assert (when, height) == pytest.approx((times[np.argmax(course)], max(course)), abs=6e-3)


def test_the_specialisation_is_that_of_the_theory_and_examples_follow_it(moved: Opened) -> None:
    run = '(page) => page.getElementById("run").click()'
    found = moved("specialisation", slid("rate", 1.0), slid("tilt", -1.0), slid("when", 45), run, pause=2000)
    R = 0.1 + 0.1 * np.array([[1, -0.3], [-0.2, 0.6]])
    start = {"Q": R @ R.T + 0.25 * np.eye(2), "R": R, "T": np.eye(2)}
    exact = trajectory(**start, eta=1.0, times=[0.0, 45.0])
    told = np.array([numbers(cell)[0] for cell in found["cells"]]).reshape(2, 2, 2)
    assert told[0] == pytest.approx(exact.R[-1], abs=6e-3)
    assert told[1] == pytest.approx(exact.Q[-1], abs=6e-3)
    assert numbers(found["found"][3])[1] == pytest.approx(exact.error[-1], rel=6e-3)
    lines, dots = ([np.array(numbers(path)).reshape(-1, 2).T for path in found["paths"][k : k + 4]] for k in (2, 6))
    for line, dotted in zip(lines, dots, strict=True):
        assert len(dotted[0]) == 101
        assert np.abs(np.interp(dotted[0], *line) - dotted[1]).max() < 25  # of 246 pixels, for 200 inputs


# --- notebooks --------------------------------------------------------------------------------------------------------


@each
def test_the_same_runs_as_a_widget_and_tells_where_its_sliders_are(
    name: str, modules: dict[str, str], tmp_path: Path
) -> None:
    module = moving.widget(PAGES[name], modules).replace("export default", "const widget =")
    page = f"""<!doctype html><meta charset="utf-8"><body><div id="here"></div><script type="module">{module}
const kept = {{}}, el = document.getElementById("here");
let saved = 0;
widget.render({{el, model: {{set: (key, value) => {{ kept[key] = value; }}, save_changes: () => {{ saved += 1; }}}}}});
const input = el.shadowRoot.querySelector("input");
input.value = input.max;
input.dispatchEvent(new Event("input", {{bubbles: true}}));
const drawn = [...el.shadowRoot.querySelectorAll("path.curve")].some((path) => path.getAttribute("d"));
document.body.dataset.probe = JSON.stringify([input.id, kept.values, saved, drawn]);
</script></body>"""
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    held = opened(browser_with(tmp_path / "profile"), (tmp_path / "page.html").as_uri())
    first, values, saved, drawn = json.loads(unescape(re.search(r'data-probe="([^"]*)"', held)[1]))  # type: ignore[index]
    assert first in values
    assert (saved, drawn) == (2, True)


@each
def test_a_notebook_without_the_extra_shows_the_picture(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("derivations.report.moving.notebook.find_spec", lambda _: None)
    shown = moving.show(name)
    assert isinstance(shown, Still)
    assert shown._repr_svg_().startswith("<svg ")
    assert repr(shown) == f"{PAGES[name].title}: a page that moves where anywidget is installed"


@pytest.mark.skipif(find_spec("anywidget") is None, reason="anywidget is not installed: pip install -e '.[notebooks]'")
def test_a_live_notebook_gets_a_widget_that_carries_its_picture() -> None:
    shown = moving.show("lazy_to_rich")
    data, *_ = shown._repr_mimebundle_()
    assert {"application/vnd.jupyter.widget-view+json", "image/svg+xml"} <= set(data)
    assert "export default" in shown._esm
    assert repr(shown) == repr(Still(PAGES["lazy_to_rich"]))


test_statements_have_their_verdicts = FAMILIES.verdicts()
