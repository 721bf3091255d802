"""Arguments that make no sense to public functions of `derivations` are refused in one sentence, and texts are never
run.
"""

from __future__ import annotations

import contextlib
import random
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from reliability import functions
from reliability.mathematics import CODE, RUN

from derivations import Kernel, prove, recheck
from derivations.language import sums, words
from derivations.language.averages import Bell, Ramp, covariance, mean
from derivations.text import DerivationError
from derivations.text.doors import at_door, kind_of

FAMILIES = Cases(__file__, globals())

x, a = sp.symbols("x a", real=True)
A, K = words.Letter("A", "n", "n"), sums.Range("K")
KERNEL = Kernel("square", state=[x], returns={"a": x**2})
FOREIGN = {
    **FAMILIES["foreign"],
    "a statement with something else": lambda: prove.decide({**prove.identity(x, x).statement, "more": 1}),
    "a hypothesis that is no pair": lambda: prove.words(A, A, assuming=iter([3])),
    "seconds that are none": lambda: contextlib.ExitStack().enter_context(prove.allowing("x")),
    "a rate that returns nothing": lambda: sums.derivative(
        sums.Array("g", K)[K.index("k")], {sums.Array("g", K): print}
    ),
}


@each("asked", FOREIGN.values())
def test_what_makes_no_sense_is_refused_in_one_sentence(asked: Callable[[], Any]) -> None:
    with pytest.raises(DerivationError) as refused:
        asked()
    told = str(refused.value)
    assert told
    assert "\n" not in told
    assert len(told) < 1000


def test_texts_are_never_run() -> None:
    for ask in (
        lambda: prove.identity(CODE, 0),
        lambda: prove.solves({x: -x}, {x: CODE}, {x: 1}, sp.Symbol("t", nonnegative=True)),
        lambda: prove.limit(x, {x: CODE}, 0),
        lambda: prove.leading_order(CODE, a, {a: 1}),
        lambda: prove.trajectory({x: CODE}, {x: 1}, until=1),
        lambda: prove.trajectory({x: -x * a}, {x: 1}, until=1, parameters={a: CODE}),
        lambda: mean(Ramp().value(0), [[CODE]]),
        lambda: Bell(CODE, CODE).slope(0),
        lambda: Kernel("square", state=[x], returns={"a": CODE}),
        lambda: KERNEL.jacobian("slopes", [x], known={(x, x): CODE}),
    ):
        with pytest.raises(DerivationError):
            ask()
    assert not RUN


@each("command", ["derivations theorems", "numerics kernels"])
@each("stream", [">/dev/full", ">&-", "| head -0", ">/dev/null 2>&-", "PYTHONIOENCODING=ascii"], one_of=3)
def test_streams_that_are_full_closed_or_narrow_end_in_no_traceback(command: str, stream: str) -> None:
    words = f"{shlex.quote(sys.executable)} -m {command}"
    line = f"{stream} {words}" if "=" in stream else f"{words} {stream}"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, cwd=Path(__file__).parents[1], check=False
    )
    assert "Traceback" not in done.stderr + done.stdout


@pytest.mark.drawn
@pytest.mark.filterwarnings("ignore")
def test_strange_arguments_of_every_function_are_refused_or_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for k, call in enumerate(random.Random(0).choices(functions.calls(("derivations",)), k=drawn(600))):
        with contextlib.suppress(DerivationError):
            functions.strange_call(call, random.Random(k))


@each(
    ("hint", "fitting", "others"),
    [
        (int, [0, -1], [True, 1.5, "1", None]),
        (float, [1, 0.5], [True, "1", None]),
        (int | None, [1, None], ["1"]),
        *FAMILIES["a type says what an argument may be"],
        (Iterable[int], [{1}, [1], range(2)], ["1", ["1"], 3]),
        (Mapping[str, int], [{"a": 1}, {}], [{1: 1}, {"a": "1"}, [("a", 1)]]),
        (tuple[int, str], [(1, "a"), [1, "a"]], [(1,), ("a", 1), "1a"]),
        (Callable[[int], int], [abs], [1]),
    ],
)
def test_a_type_says_what_an_argument_may_be(hint: Any, fitting: list[Any], others: list[Any]) -> None:
    kind = kind_of(hint)
    assert all(map(kind.holds, fitting))
    assert not any(map(kind.holds, others))


def test_a_door_leaves_an_iterator_whole_and_hides_no_signature() -> None:
    @at_door(DerivationError)
    def total(numbers: Iterable[int], *more: int, **named: int) -> int:
        return sum(numbers) + sum(more) + sum(named.values())

    assert total(iter([1, 2]), 3, four=4) == 10
    for wrong in (lambda: total([1], "2"), lambda: total([1], two="2"), lambda: total(["1"])):  # type: ignore[arg-type, list-item]
        with pytest.raises(DerivationError, match="must be a"):
            wrong()


def test_refutations_of_unusual_statements_are_accepted_or_open() -> None:
    integral = prove.integral(sp.Integral(x**2, (x, 0, 1)), sp.Rational(1, 3) - a)
    assert integral.verdict is prove.Verdict.REFUTED
    recheck.check(integral.as_json())
    more = integral.as_json()
    more["statement"] = {**more["statement"], "assuming": [(">", ("s", "a"), ("q", "0"))]}
    with pytest.raises(recheck.Rejected):
        recheck.check(more)
    C, t = covariance("a", "b"), sp.Symbol("t", real=True)
    average = prove.average(mean(Ramp().value(0) * Ramp().value(1), C, (0, 1)), sp.Derivative(t**2, t))
    assert average.verdict is prove.Verdict.REFUTED
    recheck.check(average.as_json())


test_statements_have_their_verdicts = FAMILIES.verdicts()
