"""Every public function of both packages, called as its example calls it, with strange arguments."""

from __future__ import annotations

import functools
import importlib
import inspect
import random
import sys
import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from reliability.mathematics import RUN, is_mathematics
from reliability.recording import Call, Door, Recorder, doors
from reliability.strange import spoilt_call
from test_docstrings import with_examples

from derivations import Paper, recheck
from derivations.language.averages import Line, covariance
from derivations.language.sums import Sums
from derivations.language.words import Words
from derivations.prove import Certificate, Verdict, allowing
from numerics.theory.linear_attention import aligned

sys.path.append(str(Path(__file__).parents[2] / "docs" / "site"))
import reference

PACKAGES = ("derivations", "numerics")  # examples of the second one compile
ROOMS = (
    "numerics.theory", "numerics.simulate", "numerics.ode", "numerics.kernels", "numerics.reproduce",
    "numerics.validate", "numerics.sweep",
)  # fmt: skip
WITHIN = (  # what other parts call with arguments that are checked already
    "numerics.ode.implicit",
    "numerics.reproduce.figures",
    "numerics.reproduce.page",
    "numerics.simulate.linear_network.double_double",
    "numerics.sweep.files",
    "numerics.sweep.grid",
    "numerics.sweep.plan",
    "numerics.sweep.targets",
    "numerics.theory.linear_attention.implicit",
    "numerics.theory.linear_attention.small",
    "numerics.theory.teacher_student.flows",
    "numerics.theory.teacher_student.setting",
)
SLOW = {"numerics.reproduce.reproduce"}  # takes a second where it answers: the command is called instead
MADE_INSIDE = {  # what other functions make, and nobody else
    "derivations.language.words.Words",
    "derivations.language.sums.Sums",
    "derivations.language.averages.Line",
    "derivations.Certificate",
    "derivations.prove.Certificate",
    "derivations.paper.equation.Equation",
    "derivations.paper.equals.Equals",
    "derivations.report.Panel",
    "derivations.report.moving.Page",
    "derivations.report.moving.of_reports",
}
AT_MOST = 3  # calls of one function
PATIENCE = 0.3  # seconds for the rules of the provers


@functools.cache
def calls(packages: tuple[str, ...] = PACKAGES) -> tuple[Call, ...]:
    """The calls in the examples of every public function of these packages."""
    recorder, found = Recorder(), list(all_doors(packages))
    modules = {*map(_module, found)} & {*with_examples()}
    with recorder.watching({(id(door.holder), door.attribute): door for door in found}.values()):
        recorder.run(sorted(modules))
    every = [call for of_one in recorder.calls.values() for call in of_one[:AT_MOST]]
    return (*every, *_of_results()) if packages == PACKAGES else tuple(every)


def all_doors(packages: tuple[str, ...] = PACKAGES) -> Iterator[Door]:
    """The functions of derivations that the reference lists, and those of numerics that have an example."""
    for module in reference.MODULES if "derivations" in packages else ():
        if module.startswith("derivations"):
            yield from (d for d in doors(module, reference.public(module)) if d.name not in MADE_INSIDE)
    for name in with_examples() if "numerics" in packages else ():
        if name.startswith(ROOMS) and not name.startswith(WITHIN):
            module = importlib.import_module(name)
            shown = {key: thing for key, thing in vars(module).items() if _has_example(name, key, thing)}
            yield from doors(name, shown)


def _has_example(module: str, name: str, thing: Any) -> bool:
    is_own = inspect.isfunction(thing) and inspect.unwrap(thing).__module__ == module and not name.startswith("_")
    return (
        is_own and f"{module}.{name}" not in SLOW and not hasattr(thing, "py_func") and ">>>" in (thing.__doc__ or "")
    )


def _module(door: Door) -> str:
    return str(door.holder.__module__ if inspect.isclass(door.holder) else door.holder.__name__)


def _of_results() -> Iterator[Call]:
    """Calls of methods of results, and of methods without an example."""
    course = aligned([0.1, 0.1], np.diag([3.0, 1.0]), tokens=100, times=[0.0, 0.8, 3.0])
    yield Call("Labelled.save", course.save, ("course.nc",), {})
    yield Call("Labelled.plot", course.plot, ("values",), {}, ["axes"])
    C = covariance("a", "b")
    yield Call("Line.slopes", Line.slopes, (C, 0, 1), {}, of=Line())
    yield Call("Line.values", Line.values, (C, 0, 1), {}, of=Line())
    yield Call("allowing", _allowed, (0.5,), {})


def _allowed(seconds: Any) -> None:
    with allowing(seconds):
        pass


def strange_call(call: Call, rng: random.Random) -> str:
    """Return "answered" for a call with strange arguments, or the name of its error; mistakes are raised."""
    args, named = spoilt_call(call.args, call.named, call.optional, rng)
    before = _frozen((args, named))
    of = () if call.of is None else (_afresh(call.of),)
    with warnings.catch_warnings(), np.errstate(all="ignore"), allowing(PATIENCE):
        warnings.simplefilter("ignore")
        try:
            _used(
                call.function(*of, *args, **named), is_evidence_strange=any(map(_is_evidence, (*args, *named.values())))
            )
        finally:
            assert _frozen((args, named)) == before, f"{call.name} changed what it was given"
            assert not RUN, f"{call.name} evaluated a text"
    return "answered"


def _afresh(of: Any) -> Any:
    """An object that a method may change."""
    return Paper("mine", title="Mine", authors="Me", year=2026, source="my desk") if isinstance(of, Paper) else of


def _is_evidence(value: Any) -> bool:
    """Check whether this is evidence that a user brings, which is not checked before it is used."""
    return isinstance(value, Certificate) or (isinstance(value, dict) and any(map(_is_evidence, value.values())))


def _used(answer: Any, *, is_evidence_strange: bool = False) -> None:
    """Do what a user does next: look at it; and every certificate is accepted, unless its evidence was brought."""
    if isinstance(answer, Certificate):
        if answer.verdict is not Verdict.OPEN and not is_evidence_strange:
            recheck.check(answer.as_json())
    elif hasattr(answer, "__next__"):
        list(islice(answer, 3))
    elif isinstance(answer, Words | Sums):
        repr(answer)


def _frozen(value: Any) -> Any:
    """Return something that can be compared with what it was before."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes() if value.dtype.kind != "O" else repr(value)
    if isinstance(value, list | tuple):
        return [_frozen(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _frozen(one) for key, one in value.items()}
    is_still = callable(value) or hasattr(value, "__next__") or is_mathematics(value)  # SymPy's objects never change
    return None if is_still else repr(value)
