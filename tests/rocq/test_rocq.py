"""Files for Rocq are a function of the certificate, and Rocq refuses those of a corrupted one."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from case_files import Cases

from derivations import prove
from derivations.rocq.certificates import is_drawn
from derivations.rocq.compiling import Answer, Compiler
from derivations.rocq.exported import Exported
from derivations.rocq.exporters import exported

FAMILIES = Cases(__file__, globals())

x, y = sp.symbols("x y", positive=True)
NEEDS_ROCQ = pytest.mark.skipif(shutil.which("coqtop") is None, reason="Rocq is not installed")


def certificate(made: Any) -> dict[str, Any]:
    data: dict[str, Any] = made.as_json()
    return data


def test_an_export_says_what_has_a_value_and_is_the_same_each_time() -> None:
    made = certificate(prove.identity(sp.sqrt(x) * sp.exp(y) / x, sp.exp(y) / sp.sqrt(x)))
    first, second = exported(made), exported(copy.deepcopy(made))
    assert first == second
    assert first.statement.startswith("forall x y : R,\n  0 < x ->\n  ")


def test_a_word_chooses_a_tenth_of_all_names() -> None:
    names = [f"paper:{k}" for k in range(2000)]
    drawn = {word: [name for name in names if is_drawn(word, name)] for word in ("one", "other")}
    assert all(120 < len(some) < 280 for some in drawn.values())
    assert drawn["one"] != drawn["other"]


@NEEDS_ROCQ
def test_rocq_confirms_a_certificate_and_refuses_its_corruptions(tmp_path: Path) -> None:
    slope = sp.Derivative(y * sp.exp(x) / (1 + x), x)
    true = exported(certificate(prove.identity(slope, x * y * sp.exp(x) / (1 + x) ** 2)))
    assert "(Derive (fun" in true.statement
    odd = exported(certificate(prove.identity("asin(x - y)", "-asin(y - x)")))
    power = exported(certificate(prove.identity(x ** (2 * y), (x**y) ** 2)))
    assert "(Rpower x (" in power.statement
    even = odd.statement.replace("((-1) * (asin (y", "(1 * (asin (y")
    assert even != odd.statement
    lies = {
        "c_even": Exported(even, odd.proof, odd.imports, odd.lemmas),
        "c_statement": Exported(true.statement.replace("^ 2", "^ 3"), true.proof, true.imports, true.lemmas),
        "c_proof": Exported(true.statement, "admit.", true.imports, true.lemmas),
        "c_axiom": Exported("1 = 2", "exact wrong.", true.imports, "Axiom wrong : 1 = 2."),
    }
    answers = dict[str, Answer]()
    Compiler(tmp_path, 1).answers({"c_true": true, "c_odd": odd, "c_power": power, **lies}, answers.update)
    assert {name for name, answer in answers.items() if answer.confirmed} == {"c_true", "c_odd", "c_power"}
    assert answers["c_axiom"].reason.startswith("rests on")


@NEEDS_ROCQ
def test_rocq_confirms_limits_and_refuses_other_ones(tmp_path: Path) -> None:
    far = prove.limit((x * y + 1) / (x + y), {x: sp.oo}, y)
    wrong = prove.limit(sp.sqrt(x) / y + 2, [x], 3)
    infinite = prove.limit(1 / (x * y + x**2), [x], sp.oo)
    decaying = prove.limit(y / (3 - sp.exp(-x * y)), {x: sp.oo}, y / 3)
    true = {f"c_{k}": exported(certificate(made)) for k, made in enumerate((far, wrong, infinite, decaying))}
    assert " epsilon <= Rabs (" in true["c_1"].statement.replace("\n", " ")
    false = ((" - y)", " - x)"), (" - 3)", " - 2)"), ("bound < (/", "bound < (-1 * /"), ("1 / 3) * y", "1 / 2) * y"))
    lies = dict[str, Exported]()
    for name, (old, new) in zip(true, false, strict=True):
        assert old in true[name].statement
        made = true[name]
        lies[f"l_{name}"] = Exported(made.statement.replace(old, new), made.proof, made.imports, made.lemmas)
    answers = dict[str, Answer]()
    Compiler(tmp_path, 1).answers({**true, **lies}, answers.update)
    assert {name for name, answer in answers.items() if answer.confirmed} == {*true}


test_statements_have_their_verdicts = FAMILIES.verdicts()
