"""The emitted kernels: fast functions, the same in balls, and what the index says about them.

    flow = kernel("van_rossem_saxe_2024:two_point_flow")    # compiled on first call, cached on disk
    twin = ball("van_rossem_saxe_2024:two_point_flow")      # the same formulas in balls, at any precision
    plain = kernel("riccati")                               # a name that only one paper uses stands for itself
    entry = index()["braun_2022:riccati"]                   # inputs and results with their shapes, domain, claims

A kernel takes numbers, arrays with sums over their indices (both compiled by Numba), or matrices of any size (in
NumPy). Its program is data of the index, which `numerics.kernels.balls` carries out in intervals.

The modules beside this file are written by `derivations update` and are never edited by hand.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .balls import Twin

from numerics import NumericsError
from numerics.machine.checks import shown


class UnknownKernel(NumericsError, LookupError):
    """Nothing is emitted under a name; the message suggests the nearest ones."""


@dataclass(frozen=True)
class Value:
    """An argument or a result of a kernel: a `number`, an `array` over named ranges, a `symmetric` one, or a `matrix`.

    The axes name the ranges of an array, or the rows and columns of a matrix; a number has none.
    """

    name: str
    kind: str
    axes: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """One kernel, as the index describes it.

    >>> entry = index()["van_rossem_saxe_2024:two_point_flow"]
    >>> entry.returns
    ('h_rate', 'y_rate', 'w_rate')
    >>> index()["braun_2022:riccati"].inputs[0]
    Value(name='W1_0', kind='matrix', axes=('N_h', 'N_i'))
    """

    name: str
    paper: str
    says: str
    inputs: tuple[Value, ...]
    results: tuple[Value, ...]
    domain: tuple[str, ...]
    rests_on: tuple[str, ...]
    cites: str
    sha256: str
    program: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def id(self) -> str:
        return f"{self.paper}:{self.name}"

    @property
    def arguments(self) -> tuple[str, ...]:
        return tuple(value.name for value in self.inputs)

    @property
    def returns(self) -> tuple[str, ...]:
        return tuple(value.name for value in self.results)

    @property
    def kind(self) -> str:
        """Return what the kernel takes: `numbers` alone, `matrices`, or `arrays` with sums over their indices."""
        kinds = {value.kind for value in self.inputs}
        return "matrices" if "matrix" in kinds else "arrays" if kinds & {"array", "symmetric"} else "numbers"


@cache
def index() -> dict[str, Entry]:
    """Every emitted kernel by its id paper:name, in the order of the papers and in theirs.

    >>> index()["carrasco_davis_grant_2025:erf_J2"].returns
    ('J2',)
    """
    path = Path(__file__).with_name("index.json")
    rows = json.loads(path.read_text(encoding="utf-8"))["kernels"] if path.exists() else []
    return {entry.id: entry for entry in map(_read, rows)}


def _read(row: Mapping[str, Any]) -> Entry:
    return Entry(
        row["name"],
        row["paper"],
        row["says"],
        _values(row["inputs"]),
        _values(row["returns"]),
        tuple(row["domain"]),
        tuple(row["rests_on"]),
        row["cites"],
        row["sha256"],
        row["program"],
    )


def _values(rows: Iterable[list[str]]) -> tuple[Value, ...]:
    return tuple(Value(name, kind, tuple(axes)) for name, kind, *axes in rows)


def numbers() -> dict[str, Entry]:
    """The kernels that take and return numbers alone, by their ids.

    >>> "van_rossem_saxe_2024:closed_form" in numbers()
    True
    """
    return {name: entry for name, entry in index().items() if entry.kind == "numbers"}


def entries(word: str) -> list[Entry]:
    """The kernels that a word means: paper:name, a name that stands alone, or all those of a paper.

    A word that means none is refused, with those that are like it (`UnknownKernel`).

    >>> [entry.id for entry in entries("erf_J2")]
    ['carrasco_davis_grant_2025:erf_J2']
    """
    _text(word)
    matching = [entry for entry in index().values() if word in (entry.id, entry.name, entry.paper)]
    if not matching:
        known = {form for entry in index().values() for form in (entry.id, entry.name, entry.paper)}
        raise UnknownKernel(f"no kernel is called {word}{nearest(word, known)}")
    return matching


def entry_of(identifier: str) -> Entry:
    """The one kernel that an identifier stands for: paper:name, or a name that only one paper uses.

    Refuses any other identifier with `UnknownKernel`.

    >>> entry_of("erf_J2").paper
    'carrasco_davis_grant_2025'
    """
    _text(identifier)
    if identifier in index():
        return index()[identifier]
    named = [entry for entry in index().values() if entry.name == identifier]
    if len(named) == 1:
        return named[0]
    if named:
        raise UnknownKernel(
            f"{identifier} is a kernel of several papers: give {' or '.join(entry.id for entry in named)}"
        )
    known = {form for entry in index().values() for form in (entry.id, entry.name)}
    raise UnknownKernel(f"no kernel is called {identifier}{nearest(identifier, known)}")


def load(paper: str) -> ModuleType:
    """The module of a paper's fast kernels; a paper without kernels is refused with `UnknownKernel`.

    >>> load("braun_2022").__name__
    'numerics.kernels.braun_2022'
    """
    _text(paper)
    papers = {entry.paper for entry in index().values()}
    if paper not in papers:
        raise UnknownKernel(f"no kernels are emitted for {paper}{nearest(paper, papers)}")
    from numerics.machine.code_cache import seal  # with Numba, which the index does without

    module = import_module(f"{__name__}.{paper}")
    seal(vars(module).values())
    return module


def kernel(identifier: str) -> Callable[..., Any]:
    """The fast function of a kernel; the identifier is paper:name, or a name that only one paper uses.

    It takes its arguments in the order of the index (`index()[...].inputs`) and returns a tuple: floats and arrays of
    doubles where Numba compiled it, on the first call; matrices as rows of numbers and NumPy arrays otherwise. Sizes
    that do not fit together are refused with a ValueError, and unknown names with an UnknownKernel.

    >>> (J2,) = kernel("erf_J2")(1.0, 1.0, 0.0)
    >>> round(J2, 12)
    0.318309886184
    """
    entry = entry_of(identifier)
    function: Callable[..., Any] = getattr(load(entry.paper), entry.name)
    return function


def ball(identifier: str) -> Callable[..., Any]:
    """The kernel of an identifier in balls of python-flint, intervals that surely hold the values.

    Numbers are taken exactly as written: a float's binary value, a fraction, or text such as 0.1 or 1/3; a ball as it
    is. Arrays and matrices are nested rows of such numbers. `digits` is the working precision. It returns a tuple of
    balls, of nested lists of balls, or of matrices of balls. Where a branch is not decided, the ball holds both sides;
    a ZeroDivisionError says that the digits are too few to tell a matrix from one without an inverse.

    >>> (J2,) = ball("erf_J2")("1", "1", "0", digits=20)
    >>> print(J2.str(15, radius=False))
    0.318309886183791
    """
    return _twin(entry_of(identifier).id)


@cache
def _twin(identifier: str) -> Twin:
    from .balls import Twin  # with python-flint, which the fast functions do without

    entry = index()[identifier]
    rows = [(value.name, value.kind, *value.axes) for value in entry.inputs]
    called = {name: _twin(f"{entry.paper}:{name}") for name in _called(entry.program["body"])}
    return Twin(rows, entry.program, entry.returns, called)


def _called(body: Iterable[Any]) -> set[str]:
    """The names of the kernels that statements call."""
    names: set[str] = set()
    for head, *rest in body:
        if head == "call":
            names.add(rest[0])
        elif head in ("for", "if"):
            names |= _called(rest[1])
    return names


def _text(name: object) -> None:
    if not isinstance(name, str):
        raise UnknownKernel(f"a kernel is named by a text such as paper:name, not {shown(name)}")


def nearest(word: str, known: Iterable[str]) -> str:
    """How an answer to an unknown word ends: with the known names that are like it.

    Refused with `UnknownKernel`: words and names that are no texts.

    >>> nearest("sigmoit", ["sigmoid"])
    ': did you mean sigmoid?'
    """
    _text(word)
    try:
        names = sorted(known)
    except TypeError:
        raise UnknownKernel("the known names must be a list of texts") from None
    for name in names:
        _text(name)
    close = difflib.get_close_matches(word, names, n=3, cutoff=0.55)
    return f": did you mean {' or '.join(close)}?" if close else "; `numerics kernels` lists them all"
