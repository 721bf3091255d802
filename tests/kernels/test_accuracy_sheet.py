"""The sheet tells what the search finds: its points reproduce, part of it is searched again, none is left out."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from drawn import drawn
from each import each
from kernels.accuracy_page import SHEET, Row, committed, data

from numerics.__main__ import main
from numerics.accuracy.covariances import inner_products, is_covariance
from numerics.accuracy.criterion import merged, ratio_of_norms, reference
from numerics.accuracy.matrices import OfNetworks, measured
from numerics.accuracy.page import as_data, dumps, page
from numerics.accuracy.sheet import KNOWN_GAPS, Search, gap_of, searched, subjects
from numerics.kernels import index

QUICK = [name for name, subject in subjects().items() if not gap_of(name) and subject.costly == 1]


def ratios(row: Row) -> dict[str, float]:
    """Return the ratio of every output at a point of the sheet, as it is now."""
    subject = subjects()[row.subject]
    assert subject.region.holds(row.point)
    exact, computed = reference(subject.twin, row.point, sizes=subject.sizes), subject.fast(*row.point)
    ends = np.cumsum(subject.sizes).tolist()
    parts = [slice(end - size, end) for end, size in zip(ends, subject.sizes, strict=True)]
    return {
        name: ratio_of_norms(computed[part], exact.values[part], allowance)
        for name, part, allowance in zip(subject.returns, parts, exact.allowances, strict=True)
    }


def test_the_sheet_names_every_kernel_and_output() -> None:
    found = data()["kernels"]
    assert list(found) == list(subjects())
    every = set(index())
    assert {name.partition(" ")[0] for name in subjects()} == every
    for name, subject in subjects().items():
        assert tuple(found[name]["outputs"]) == subject.returns
        assert (found[name]["says"], tuple(found[name]["domain"])) == (subject.says, subject.domain)


def test_the_page_is_the_one_that_its_points_give_with_known_gaps_first() -> None:
    text = SHEET.read_text(encoding="utf-8")
    assert text == page(data())
    gaps, within = text.split("## Within the criterion")
    for name in subjects():
        assert f"| {name} |" in (gaps if gap_of(name) else within)


@pytest.mark.drawn
def test_the_points_of_the_sheet_reproduce() -> None:
    """With another library of elementary functions, results differ by an ulp or two, and ratios by their share.

    A known gap comes from terms that cancel, so that another processor's order of additions moves it by one unit.
    """
    rows = list(committed())
    assert len(rows) > 40
    for row in random.Random("points").sample(rows, drawn(len(rows))):
        found = ratios(row)[row.output]
        if gap_of(row.subject):
            assert found > 1 or row.ratio < 1 or abs(found - row.ratio) < 1
        else:
            assert found <= 1
            assert abs(found - row.ratio) < 0.25


def test_only_known_gaps_are_gaps_and_all_are_kernels() -> None:
    """A gap may be known from another seed than that of the sheet."""
    assert {row.subject.partition(" ")[0] for row in committed() if row.ratio > 1} <= set(KNOWN_GAPS)
    assert set(KNOWN_GAPS) <= {name.partition(" ")[0] for name in subjects()}


@pytest.mark.drawn
@each("name", QUICK)
def test_a_part_of_the_search_finds_no_point_beyond_the_criterion(name: str) -> None:
    report = Search(name, drawn(120), 0, 0).run()
    assert report.passed, report.worst[report.output]
    assert report.undefined == 0


def test_a_part_of_the_search_for_a_kernel_of_matrices_finds_about_what_the_sheet_says() -> None:
    name = "braun_2022:riccati (N_i, N_h, N_o = 2, 2, 3; short times)"
    stated = next(row.ratio for row in committed() if row.subject == name)
    report = Search(name, 40, 0, 0).run()
    assert 0 < report.largest < 2 * stated
    assert report.undefined == 0


def test_the_same_seed_gives_the_same_page_on_one_process_and_on_two() -> None:
    names = ["van_rossem_saxe_2024:training_loss", "carrasco_davis_grant_2025:generalisation_error (K = M = 2)"]
    chosen = [subjects()[name] for name in names]
    texts = [dumps(as_data(searched(chosen, 3, 60, workers), 3, 60)) for workers in (1, 2)]
    assert texts[0] == texts[1]
    assert texts[0] != dumps(as_data(searched(chosen, 4, 60), 3, 60))


def test_a_search_in_parts_tells_the_worst_of_all_and_counts_all() -> None:
    parts = [Search("van_rossem_saxe_2024:final_distance", 30, 0, part).run() for part in range(3)]
    whole = merged(parts)
    assert whole.evaluations == 90
    assert whole.largest == max(part.largest for part in parts)
    assert merged([parts[0], replace(parts[0], undefined=2)]).undefined == 2


def test_drawn_inner_products_are_covariances_up_to_the_boundary() -> None:
    rng = np.random.default_rng(0)
    drawn = [inner_products(rng, 2, 3) for _ in range(60)]
    assert all(map(is_covariance, drawn))
    nudged = [[[x * (1 - 1e-15) if i == j else x for j, x in enumerate(row)] for i, row in enumerate(m)] for m in drawn]
    assert 0 < sum(map(is_covariance, nudged)) < len(nudged)


@each("flat", list(measured()))
def test_drawn_networks_are_in_the_domain_and_at_its_corners(flat: OfNetworks) -> None:
    rng = np.random.default_rng(0)
    points = [flat.region.draw(rng) for _ in range(40)]
    assert all(flat.region.holds(tuple(point)) for point in points)
    assert not flat.region.holds((points[0][0] + 1e-3, *points[0][1:]))
    networks = [flat.inputs(point) for point in points]
    assert {network["t"] == 0 for network in networks} == {True, False}
    if flat.entry.name == "riccati":
        assert {np.linalg.matrix_rank(n["Sigma"], tol=1e-12) for n in networks} >= {1, 2}
        assert {n["balance"] == 0 for n in networks} == {True, "2, 3, 2" in flat.which}


def test_the_command_writes_the_sheet_where_it_is_told_and_for_some_kernels_only_then(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    words = ["accuracy", "--kernel", "training_loss", "--budget", "20", "--seed", "7", "--workers", "1"]
    assert main(words) == 0
    assert not list(tmp_path.iterdir())
    assert "training_loss" in capsys.readouterr().out
    assert main([*words, "-o", str(tmp_path / "sheet.md")]) == 0
    text = (tmp_path / "sheet.md").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sheet.md", "sheet.points.json"]
    assert "--seed 7 --budget 20" in text
    assert "[sheet.points.json](sheet.points.json)" in text
    assert '"y": "0x1.' in (tmp_path / "sheet.points.json").read_text()
    (tmp_path / "sheet.md").unlink()
    assert main(["accuracy", "--page", "-o", str(tmp_path / "sheet.md")]) == 0
    assert (tmp_path / "sheet.md").read_text() == text
    assert main(["accuracy", "--page", "-o", str(tmp_path / "other.md")]) == 2
    assert "other.points.json cannot be read" in capsys.readouterr().err
