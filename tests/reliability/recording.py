"""Calls of public functions, as the examples of their docstrings make them, to be made again with strange arguments."""

from __future__ import annotations

import contextlib
import doctest
import functools
import importlib
import inspect
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from unittest.mock import patch

from reliability.strange import copied
from test_docstrings import Finder

STARRED = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass
class Call:
    """A sound call of a function; of a method, the object is never strange."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    named: dict[str, Any]
    optional: list[str] = field(default_factory=list)
    of: Any = None


@dataclass(frozen=True)
class Door:
    """Where a public function is found, and called from: a module, or the class of a method."""

    name: str
    holder: Any
    attribute: str


def is_called(thing: Any) -> bool:
    """Check whether one calls it: functions, and classes that are no words for verdicts."""
    return inspect.isfunction(inspect.unwrap(thing)) or (inspect.isclass(thing) and not issubclass(thing, Enum))


def doors(module: str, listed: dict[str, Any]) -> Iterator[Door]:
    """The doors of a module, of which these functions, classes and methods are public, by name."""
    for name, thing in listed.items():
        if not is_called(thing):
            continue
        owner, _, attribute = name.rpartition(".")
        if inspect.isclass(thing):
            yield Door(f"{module}.{name}", thing, "__init__")
        elif owner:
            yield Door(
                f"{module}.{name}", listed.get(owner) or getattr(importlib.import_module(module), owner), attribute
            )
        else:
            for place in {module, thing.__module__}:
                yield Door(f"{module}.{name}", importlib.import_module(place), attribute)


class Recorder:
    """Keeps what examples call, and not what these calls call in turn."""

    def __init__(self) -> None:
        self.calls: dict[str, list[Call]] = {}
        self.depth = 0

    @contextlib.contextmanager
    def watching(self, found: Iterable[Door]) -> Iterator[None]:
        """Every call through one of these doors is kept."""
        with contextlib.ExitStack() as stack:
            for door in found:
                function = getattr(door.holder, door.attribute)
                stack.enter_context(patch.object(door.holder, door.attribute, self._kept(door, function)))
            yield

    def _kept(self, door: Door, function: Callable[..., Any]) -> Callable[..., Any]:
        is_method = inspect.isclass(door.holder)

        @functools.wraps(function)
        def called(*args: Any, **named: Any) -> Any:
            if self.depth == 0:
                self._keep(door, function, args, named, is_method)
            self.depth += 1
            try:
                return function(*args, **named)
            finally:
                self.depth -= 1

        return called

    def _keep(self, door: Door, function: Any, args: tuple[Any, ...], named: dict[str, Any], is_method: bool) -> None:
        known = [
            p.name
            for p in inspect.signature(function).parameters.values()
            if p.kind not in STARRED and p.name != "self"
        ]
        given = args[is_method:]
        left = [name for name in known[len(given) :] if name not in named]
        made = door.holder if door.attribute == "__init__" else function
        with contextlib.suppress(TypeError):  # what cannot be copied is not called again
            of = args[0] if is_method and door.attribute != "__init__" else None
            call = Call(door.name, made, copied(given), copied(named), left, of)
            self.calls.setdefault(door.name, []).append(call)

    def run(self, modules: Iterable[str]) -> None:
        """Run the examples of these modules, as a reader types them."""
        for name in modules:
            module = importlib.import_module(name)
            runner = doctest.DocTestRunner(verbose=False, optionflags=LENIENT)
            for example in Finder(exclude_empty=True).find(module, name):
                with contextlib.redirect_stdout(io.StringIO()):
                    runner.run(example, out=lambda _: None, clear_globs=False)
