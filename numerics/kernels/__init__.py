"""The emitted kernels: fast functions, their ball twins, and what the index says about them.

    flow = kernel("van_rossem_saxe_2024:two_point_flow")    # compiled on first call, cached on disk
    twin = ball("van_rossem_saxe_2024:two_point_flow")      # the same formulas in balls, at any precision
    module = load("van_rossem_saxe_2024")                   # every fast kernel of a paper
    plain = matrix_kernel("braun_2022:riccati")             # matrices of any size, in NumPy
    twin = matrix_ball("braun_2022:riccati")                # the same formulas in balls
    loops = indexed_kernel("p:flow")                        # arrays with sums over units, compiled like the first
    twin = indexed_ball("p:flow")                           # the same loops over nested lists of balls

The modules beside this file are written by `derivations update` and are never edited by hand.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from numerics import NumericsError


class UnknownKernel(NumericsError, LookupError):
    """Nothing is emitted under a name; the message suggests the nearest ones."""


@dataclass(frozen=True)
class Entry:
    """What the index says about one kernel; its arguments are the state and then the parameters."""

    name: str
    paper: str
    says: str
    state: tuple[str, ...]
    params: tuple[str, ...]
    returns: tuple[str, ...]
    domain: tuple[str, ...]
    rests_on: tuple[str, ...]
    cites: str
    sha256: str

    @property
    def id(self) -> str:
        return f"{self.paper}:{self.name}"

    @property
    def arguments(self) -> tuple[str, ...]:
        return self.state + self.params


@dataclass(frozen=True)
class MatrixEntry:
    """What the index says about one kernel of matrices; an input is a name with its two dimensions."""

    name: str
    paper: str
    says: str
    inputs: tuple[tuple[str, str | int, str | int], ...]
    returns: tuple[str, ...]
    domain: tuple[str, ...]
    rests_on: tuple[str, ...]
    cites: str
    sha256: str

    @property
    def id(self) -> str:
        return f"{self.paper}:{self.name}"

    @property
    def arguments(self) -> tuple[str, ...]:
        return tuple(name for name, _, _ in self.inputs)


@dataclass(frozen=True)
class IndexedEntry:
    """What the index says about one kernel with sums; an input or a result is a name with the ranges of its indices."""

    name: str
    paper: str
    says: str
    inputs: tuple[tuple[str, ...], ...]
    returns: tuple[tuple[str, ...], ...]
    domain: tuple[str, ...]
    rests_on: tuple[str, ...]
    cites: str
    sha256: str

    @property
    def id(self) -> str:
        return f"{self.paper}:{self.name}"

    @property
    def arguments(self) -> tuple[str, ...]:
        return tuple(name for name, *_ in self.inputs)


@cache
def index() -> dict[str, Entry]:
    """Every emitted kernel of numbers by its id paper:name."""
    return {entry.id: entry for entry in (Entry(**row) for row in _rows("kernels"))}


@cache
def matrix_index() -> dict[str, MatrixEntry]:
    """Every emitted kernel of matrices by its id paper:name."""
    return {entry.id: entry for entry in (MatrixEntry(**row) for row in _rows("matrix_kernels"))}


@cache
def indexed_index() -> dict[str, IndexedEntry]:
    """Every emitted kernel with sums by its id paper:name."""
    return {entry.id: entry for entry in (IndexedEntry(**row) for row in _rows("indexed_kernels"))}


def _rows(kind: str) -> list[dict[str, Any]]:
    path = Path(__file__).with_name("index.json")
    rows = json.loads(path.read_text(encoding="utf-8")).get(kind, []) if path.exists() else []
    return [{key: _frozen(value) for key, value in row.items()} for row in rows]


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def entries(word: str) -> list[Entry]:
    """The kernels that a word means: paper:name, a name that stands alone, or all those of a paper."""
    found = [entry for entry in index().values() if word in (entry.id, entry.name, entry.paper)]
    if not found:
        known = {form for entry in index().values() for form in (entry.id, entry.name, entry.paper)}
        raise UnknownKernel(f"no kernel is called {word}{nearest(word, known)}")
    return found


def load(paper: str) -> ModuleType:
    """The module of a paper's fast kernels."""
    return _module(paper, "")


def load_balls(paper: str) -> ModuleType:
    """The module of a paper's ball twins."""
    return _module(paper, "_balls")


def kernel(identifier: str) -> Callable[..., Any]:
    """The fast function of paper:name: floats in, a tuple of floats out."""
    found: Callable[..., Any] = getattr(load(_entry(identifier).paper), _entry(identifier).name)
    return found


def ball(identifier: str) -> Callable[..., Any]:
    """The ball twin of paper:name: exact numbers and `digits` in, a tuple of balls out."""
    found: Callable[..., Any] = getattr(load_balls(_entry(identifier).paper), _entry(identifier).name)
    return found


def matrix_kernel(identifier: str) -> Callable[..., Any]:
    """The NumPy function of paper:name: matrices and floats in, a tuple of matrices out."""
    return _matrix_function(identifier, "_matrices")


def matrix_ball(identifier: str) -> Callable[..., Any]:
    """The ball twin of paper:name: rows of exact numbers and `digits` in, a tuple of matrices of balls out."""
    return _matrix_function(identifier, "_matrices_balls")


def indexed_kernel(identifier: str) -> Callable[..., Any]:
    """The fast function of paper:name: arrays and floats in, a tuple of arrays and floats out."""
    return _indexed_function(identifier, "")


def indexed_ball(identifier: str) -> Callable[..., Any]:
    """The ball twin of paper:name: rows of exact numbers and `digits` in, a tuple of nested lists of balls out."""
    return _indexed_function(identifier, "_balls")


def _indexed_function(identifier: str, kind: str) -> Callable[..., Any]:
    known = indexed_index()
    if identifier not in known:
        raise UnknownKernel(f"no kernel with sums is called {identifier}{nearest(identifier, known)}")
    found: Callable[..., Any] = getattr(
        import_module(f"{__name__}.{known[identifier].paper}{kind}"), known[identifier].name
    )
    return found


def _matrix_function(identifier: str, kind: str) -> Callable[..., Any]:
    known = matrix_index()
    if identifier not in known:
        raise UnknownKernel(f"no kernel of matrices is called {identifier}{nearest(identifier, known)}")
    entry = known[identifier]
    found: Callable[..., Any] = getattr(import_module(f"{__name__}.{entry.paper}{kind}"), entry.name)
    return found


def _module(paper: str, kind: str) -> ModuleType:
    papers = {entry.paper for entry in index().values()}
    if paper not in papers:
        raise UnknownKernel(f"no kernels are emitted for {paper}{nearest(paper, papers)}")
    return import_module(f"{__name__}.{paper}{kind}")


def _entry(identifier: str) -> Entry:
    if identifier not in index():
        raise UnknownKernel(f"no kernel is called {identifier}{nearest(identifier, index())}")
    return index()[identifier]


def nearest(word: str, known: Iterable[str]) -> str:
    """How an answer to an unknown name ends."""
    close = difflib.get_close_matches(word, sorted(known), n=3, cutoff=0.55)
    return f": did you mean {' or '.join(close)}?" if close else "; `numerics kernels` lists them all"
