"""`derivations emit`: which kernels it finds, what it refuses, and that files appear whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from case_files import Cases
from command_line import Told

from derivations.paper.library import library

FAMILIES = Cases(__file__)

OWN = '''
import sympy as sp
from derivations import Paper, prove
from derivations.paper.equals import Equals

paper = Paper("mine", title="Mine", authors="Me", year=2025, source="my desk", numbered=1)
x = sp.Symbol("x", real=True)


@paper.claim("Eq. 1")
def square():
    """A square is a square."""
    return prove.identity((x + 1)**2, {side})


paper.emits("squared", says="A square.", state=[x], returns={{"a": {returned}}}, rests_on=[{claims}],
    equals=[{equals}])
'''
EQUALS = 'Equals("square", {"a": (x + 1)**2})'
BAD = FAMILIES["bad"]


SIDE = "x**2 + 2*x + 1"


def own(folder: Path, **about: str) -> Path:
    path = folder / "mine.py"
    usual = {"side": SIDE, "claims": '"square"', "equals": EQUALS, "returned": "(x + 1)**2"}
    path.write_text(OWN.format(**usual | about))
    return path


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("van_rossem_saxe_2024:two_point_flow", {"two_point_flow.c", "two_point_flow.h"}),
        ("two_point_flow", {"two_point_flow.c", "two_point_flow.h"}),
    ],
)
def test_a_kernel_is_found_by_its_id_and_by_its_name(told: Told, tmp_path: Path, word: str, expected: set[str]) -> None:
    status, out, err = told("emit", word, "--target", "c", "-o", tmp_path / "new" / "folder")
    assert (status, "derivations: " in err) == (0, False)
    assert {path.name for path in (tmp_path / "new" / "folder").iterdir()} == expected
    assert "wrote" in out
    header = (tmp_path / "new" / "folder" / "two_point_flow.h").read_text()
    assert "van_rossem_saxe_2024:flow_in_numbers  proved" in header
    assert library()["van_rossem_saxe_2024"].title in " ".join(header.replace("//", " ").split())


@pytest.mark.parametrize("word", ["van:closed_form", "van_rossem_saxe_2024:closed_form", "closed_form"])
def test_a_key_may_be_cut_short(told: Told, tmp_path: Path, word: str) -> None:
    status, out, _ = told("emit", word, "--target", "numpy", "-o", tmp_path)
    assert (status, out) == (0, f"wrote {tmp_path / 'closed_form.py'}\n")


def test_a_paper_has_files_of_all_kinds_of_kernels(told: Told, tmp_path: Path) -> None:
    status, _, err = told("emit", "braun_2022", "--target", "c", "-o", tmp_path)
    assert (status, "derivations: " in err) == (0, False)
    assert {path.stem for path in tmp_path.glob("*.c")} == {"riccati", "theorem_31", "decoupling", "decoupling_peak"}


def test_a_kernel_of_a_users_file_is_found_by_its_name(told: Told, tmp_path: Path) -> None:
    status, out, _ = told("emit", f"{own(tmp_path)}:squared", "--target", "numpy", "-o", tmp_path / "out")
    assert (status, out) == (0, f"wrote {tmp_path / 'out' / 'squared.py'}\n")


def test_a_users_file_is_emitted_with_its_own_verdicts(told: Told, tmp_path: Path) -> None:
    status, _, err = told("emit", own(tmp_path), "--target", "numpy", "-o", tmp_path / "out")
    assert (status, "derivations: " in err) == (0, False)
    assert "mine:square  proved" in (tmp_path / "out" / "squared.py").read_text()
    done = subprocess.run(
        [sys.executable, tmp_path / "out" / "squared.py"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_kernels_of_equal_name_are_told_apart_by_their_papers(told: Told, tmp_path: Path) -> None:
    renamed = own(tmp_path).read_text().replace('"squared"', '"Two_Point_Flow"')
    (tmp_path / "mine.py").write_text(renamed)
    status, _, _ = told("emit", "two_point_flow", tmp_path / "mine.py", "--target", "numba", "-o", tmp_path / "out")
    assert status == 0
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"mine_Two_Point_Flow.py", "van_rossem_saxe_2024_two_point_flow.py"}
    assert "def mine_Two_Point_Flow(x):" in (tmp_path / "out" / "mine_Two_Point_Flow.py").read_text()


MISTAKES = FAMILIES["mistakes"]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_answered_with_one_sentence_and_writes_nothing(told: Told, tmp_path: Path, mistake: str) -> None:
    (tmp_path / "file").write_text("")
    arguments, sentence = MISTAKES[mistake]
    places = {"OUT": str(tmp_path / "out")}
    status, out, err = told("emit", *(places.get(a, a.replace("FILE", str(tmp_path / "file"))) for a in arguments))
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


REFUSED = [
    *FAMILIES["refused"],
    ({"side": f"{SIDE}, [sp.Eq(sp.exp(x), 2)]"}, "rests on mine:square, whose verdict is open"),
]


@pytest.mark.parametrize(("about", "sentence"), REFUSED)
def test_a_kernel_whose_claims_do_not_hold_is_refused(
    told: Told, tmp_path: Path, about: dict[str, str], sentence: str
) -> None:
    path = own(tmp_path, **about)
    status, out, err = told("emit", "two_point_flow", path, "--target", "numpy", "-o", tmp_path / "out")
    assert (status, out) == (2, "")
    assert sentence in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("mistake", BAD)
def test_a_kernel_that_cannot_be_written_is_named_with_what_to_do(told: Told, tmp_path: Path, mistake: str) -> None:
    given, sentence = BAD[mistake]
    path = own(tmp_path)
    setup = path.read_text().partition("paper.emits(")[0]
    path.write_text(f'{setup}y = sp.Symbol("y")\npaper.emits("k", {given}, rests_on=["square"])\n')
    status, out, err = told("emit", "two_point_flow", path, "--target", "c", "-o", tmp_path / "out")
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_two_kernels_of_one_name_are_refused(told: Told, tmp_path: Path) -> None:
    path = own(tmp_path)
    text = path.read_text()
    other = (
        text[text.index("paper.emits(") :]
        .replace("(x + 1)**2", "x**2")
        .replace(EQUALS.replace("(x + 1)**2", "x**2"), "")
    )
    path.write_text(text + other)
    status, _, err = told("emit", path, "--target", "c", "-o", tmp_path / "out")
    assert status == 2
    assert "two kernels are called mine:squared: give one of them another name" in err
    assert not (tmp_path / "out").exists()


def test_a_kernel_with_sums_is_written_with_verdicts_shapes_and_formulas(told: Told, tmp_path: Path) -> None:
    status, _, err = told("emit", "generalisation_error", "--target", "numpy", "-o", tmp_path)
    assert (status, "derivations: " in err) == (0, False)
    text = (tmp_path / "generalisation_error.py").read_text()
    assert "carrasco_davis_grant_2025:error_by_integrals " in text
    assert "proved\n" in text
    assert "    Q      K x K  symmetric\n" in text
    assert "    error = sigma*sigma/2 + sum_{f0, f1}(s[f0]*s[f1]*pairs[f0, f1])/2\n" in text
    assert "[[Q, R], [R', T]] is a covariance" in text


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_write_permission_is_told_first(told: Told, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    status, _, err = told("emit", "decoupling", "--target", "c", "-o", tmp_path)
    assert status == 2
    assert "cannot be written to: give -o a folder that can" in err


def test_update_outside_a_checkout_names_emit(told: Told, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from derivations.commands import update

    monkeypatch.setattr(update, "__file__", str(tmp_path / "derivations" / "update.py"))
    status, _, err = told("update")
    assert status == 2
    assert "`emit -o DIR`" in err


def test_files_of_another_target_are_not_overwritten(told: Told, tmp_path: Path) -> None:
    arguments = ("emit", "carrasco_davis_grant_2025:erf_J2", "-o", tmp_path)
    for target in ("numpy", "c", "numpy"):
        assert told(*arguments, "--target", target)[0] == 0
    before = (tmp_path / "erf_J2.py").read_text()
    for target in ("jax", "numba"):
        code, _, said = told(*arguments, "--target", target)
        assert code == 2
        assert f"erf_J2.py was written for numpy, and {target} writes a file of the same name" in said
    assert (tmp_path / "erf_J2.py").read_text() == before
