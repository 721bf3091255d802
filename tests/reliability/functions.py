"""Calls of every public function, as its own example makes them, to be made again with strange arguments."""

from __future__ import annotations

import contextlib
import doctest
import functools
import importlib
import inspect
import io
import random
import warnings
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from reliability.strange import spoilt_call
from test_docstrings import Finder, with_examples

from numerics.theory.linear_attention import aligned

ROOMS = (
    "numerics.theory", "numerics.simulate", "numerics.ode", "numerics.kernels", "numerics.reproduce",
    "numerics.validate", "numerics.sweep",
)  # fmt: skip
WITHIN = (  # what other parts call with arguments that are checked already
    "numerics.theory.two_point.duals",
    "numerics.ode.implicit",
    "numerics.ode.stored",
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


@dataclass
class Call:
    """A sound call of a function."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    named: dict[str, Any]
    optional: list[str] = field(default_factory=list)


@functools.cache
def calls() -> tuple[Call, ...]:
    """The calls in all examples of the rooms that users call."""
    names = [name for name in with_examples() if name.startswith(ROOMS) and not name.startswith(WITHIN)]
    return (*(call for name in names for call in _recorded(name)), *_of_results())


def _of_results() -> Iterator[Call]:
    """What every result can do."""
    course = aligned([0.1, 0.1], np.diag([3.0, 1.0]), tokens=100, times=[0.0, 0.8, 3.0])
    yield Call("Labelled.save", course.save, ("course.nc",), {})
    yield Call("Labelled.plot", course.plot, ("values",), {}, ["axes"])


def _recorded(name: str) -> Iterator[Call]:
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for example in Finder(exclude_empty=True).find(module, name):
        title = example.name.removeprefix(f"{name}.")
        function = getattr(module, title, None)
        if (
            f"{name}.{title}" in SLOW
            or not inspect.isfunction(function)
            or title.startswith("_")
            or hasattr(function, "py_func")
        ):
            continue
        found: list[Call] = []
        example.globs[title] = _recorder(f"{name}.{title}", function, found)
        with contextlib.redirect_stdout(io.StringIO()):
            runner.run(example, out=lambda _: None)
        yield from found[:3]


def _recorder(name: str, function: Callable[..., Any], found: list[Call]) -> Callable[..., Any]:
    known = inspect.signature(function).parameters

    def record(*args: Any, **named: Any) -> Any:
        with contextlib.suppress(TypeError):  # what cannot be copied is not called again
            positional = list(known)[: len(args)]
            left = [key for key in known if key not in named and key not in positional]
            found.append(Call(name, function, deepcopy(args), deepcopy(named), left))
        return function(*args, **named)

    return record


def strange_call(call: Call, rng: random.Random) -> str:
    """What became of a call with strange arguments: "answered", or the name of its error; mistakes are raised."""
    args, named = spoilt_call(call.args, call.named, call.optional, rng)
    before = _frozen((args, named))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            call.function(*args, **named)
        finally:
            assert _frozen((args, named)) == before, f"{call.name} changed what it was given"
    return "answered"


def _frozen(value: Any) -> Any:
    """What can be compared with what it was before."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes() if value.dtype.kind != "O" else repr(value)
    if isinstance(value, list | tuple):
        return [_frozen(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _frozen(one) for key, one in value.items()}
    return repr(value) if not callable(value) and not hasattr(value, "__next__") else None
