"""Argument checks for public functions: an argument of a wrong type raises an error of one sentence.

    @at_door(NotExact)
    def limit(expression: Any, to: Iterable[Any], ...) -> Certificate: ...

What a class or `Any` cannot say of an argument, `Annotated[Any, Kind("a symbol of SymPy", test)]` does, and
`Annotated[tuple[int, int], "a row and a column"]` says what is long in fewer words. Only what people
call has a door; what the package calls within itself is not checked.
"""

from __future__ import annotations

import builtins
import inspect
import types
import typing
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast

from derivations.text import DerivationError

F = TypeVar("F", bound=Callable[..., Any])
MOST_SHOWN = 80  # signs of a value in a sentence


@dataclass(frozen=True)
class Kind:
    """A kind of argument, in words and as a test."""

    says: str
    holds: Callable[[Any], bool]


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


ANYTHING = Kind("anything", lambda _: True)
PLAIN: dict[Any, Kind] = {
    Any: ANYTHING,
    object: ANYTHING,
    bool: Kind("True or False", lambda value: isinstance(value, bool)),
    int: Kind("a whole number", _is_whole),
    float: Kind("a number", lambda value: _is_whole(value) or isinstance(value, float)),
    str: Kind("text", lambda value: isinstance(value, str)),
    Path: Kind("a pathlib.Path", lambda value: isinstance(value, Path)),
    type(None): Kind("None", lambda value: value is None),
}


def at_door(error: type[DerivationError]) -> Callable[[F], F]:
    """Refuse arguments that the signature of a function excludes, by this error.

    >>> @at_door(DerivationError)
    ... def twice(number: int) -> int:
    ...     return 2 * number
    >>> twice(3)
    6
    >>> twice("3")
    Traceback (most recent call last):
    derivations.text.DerivationError: twice: number must be a whole number, not '3'
    """

    def with_door(function: F) -> F:
        @wraps(function)
        def checked(*args: Any, **named: Any) -> Any:
            for name, kind, value in _held(_kinds(function), args, named):
                if not kind.holds(value):
                    raise error(f"{_title(function, args)}: {name} must be {kind.says}, not {shown(value)}")
            try:
                return function(*args, **named)
            except RecursionError:
                raise error(
                    f"{_title(function, args)}: what it is given nests too deeply: give smaller parts"
                ) from None

        return cast(F, checked)

    return with_door


def require_fields(made: Any, error: type[DerivationError]) -> None:
    """Check the fields of a dataclass that people make, from its `__post_init__`."""
    kinds = _kinds_of_fields(cast(Hashable, type(made)))
    for name, kind in kinds.items():
        if not kind.holds(value := getattr(made, name)):
            raise error(f"{type(made).__name__}: {name} must be {kind.says}, not {shown(value)}")


def shown(value: Any) -> str:
    """A value in a sentence: on one line, and not too long.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
    """
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a number of more digits than Python writes, or an object of a user's that cannot be shown
        text = f"something of class {type(value).__name__}"
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


def _title(function: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """The name of what a user calls: a function, a method, or a class."""
    return type(args[0]).__name__ if function.__name__ == "__init__" else function.__qualname__.split("<locals>.")[-1]


@dataclass(frozen=True)
class _Kinds:
    """The arguments of a function: by place, by name, and further ones."""

    by_place: tuple[tuple[str, Kind], ...]
    by_name: Mapping[str, Kind]
    places: Kind | None
    names: Kind | None


@cache
def _kinds(function: Callable[..., Any]) -> _Kinds:
    hints = typing.get_type_hints(function, localns=_Names(function.__globals__), include_extras=True)
    parameters = inspect.signature(function).parameters.values()
    every = {p.name: kind_of(hints.get(p.name, Any)) for p in parameters}
    of = {p.kind: every[p.name] for p in parameters if p.kind in {p.VAR_POSITIONAL, p.VAR_KEYWORD}}
    places = [p.name for p in parameters if p.kind in {p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD}]
    return _Kinds(
        tuple((name, every[name]) for name in places),
        {p.name: every[p.name] for p in parameters if p.kind in {p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY}},
        of.get(inspect.Parameter.VAR_POSITIONAL),
        of.get(inspect.Parameter.VAR_KEYWORD),
    )


@cache
def _kinds_of_fields(made: Any) -> dict[str, Kind]:
    names = _Names(vars(inspect.getmodule(made)))
    hints = typing.get_type_hints(made, localns=names, include_extras=True)
    return {field.name: kind_of(hints[field.name]) for field in fields(made) if field.init}


class _Names(dict[str, Any]):
    """The names of a module; what it imports for annotations alone is told by the name of its class."""

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            return getattr(builtins, name)
        return Annotated[Any, Kind(f"a {name}", lambda value: any(c.__name__ == name for c in type(value).__mro__))]


def _held(kinds: _Kinds, args: tuple[Any, ...], named: Mapping[str, Any]) -> Iterator[tuple[str, Kind, Any]]:
    """Each argument with its name and its kind; what the function does not take, Python refuses."""
    for (name, kind), value in zip(kinds.by_place, args, strict=False):
        yield name, kind, value
    if kinds.places is not None:
        for value in args[len(kinds.by_place) :]:
            yield "each argument", kinds.places, value
    for name, value in named.items():
        kind_by_name = kinds.by_name.get(name, kinds.names)
        if kind_by_name is not None:
            yield name, kind_by_name, value


def kind_of(hint: Any) -> Kind:
    """A type's meaning in words and as a test; None for a type of another sort.

    >>> kind_of(dict[str, int]).says, kind_of(dict[str, int]).holds({"a": "b"})
    ('a dict from text to a whole number', False)
    """
    if (plain := PLAIN.get(hint) if hint.__hash__ else None) is not None:
        return plain
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        told = next((told for told in args[1:] if isinstance(told, Kind | str)), ANYTHING)
        return Kind(told, kind_of(args[0]).holds) if isinstance(told, str) else told
    if origin in {typing.Union, types.UnionType}:
        return _any_of([kind_of(arg) for arg in args])
    if inspect.isclass(origin) and issubclass(origin, Mapping):
        return _table(*map(kind_of, args))
    if origin is tuple and args[-1:] != (...,):
        return _row([kind_of(arg) for arg in args])
    if origin is Callable:
        return Kind("a function", callable)
    if inspect.isclass(origin) and issubclass(origin, Iterable):
        return _list(kind_of(args[0]), issubclass(origin, Sequence))
    if inspect.isclass(hint) and not typing.is_typeddict(hint):
        return Kind(f"{'an' if hint.__name__[0] in 'AEIOU' else 'a'} {hint.__name__}", lambda v: isinstance(v, hint))
    return ANYTHING


def can_be_gone_through(given: Any) -> bool:
    """Return whether this has members; an array of NumPy without axes only looks as if it had."""
    try:
        iter(given)
    except TypeError:
        return False
    return True


def _any_of(kinds: Sequence[Kind]) -> Kind:
    return Kind(" or ".join(dict.fromkeys(k.says for k in kinds)), lambda value: any(k.holds(value) for k in kinds))


def _table(key: Kind, value: Kind) -> Kind:
    def holds(given: Any) -> bool:
        return isinstance(given, Mapping) and all(key.holds(k) and value.holds(v) for k, v in given.items())

    return Kind(f"a dict from {key.says} to {value.says}".replace(" from anything to anything", ""), holds)


def _row(kinds: Sequence[Kind]) -> Kind:
    def holds(given: Any) -> bool:
        fits = isinstance(given, tuple | list) and len(given) == len(kinds)
        return fits and all(kind.holds(v) for kind, v in zip(kinds, given, strict=True))

    return Kind(f"({', '.join(kind.says for kind in kinds)})", holds)


def _list(member: Kind, is_sequence: bool) -> Kind:
    """A list or tuple, or anything that can be gone through; a text is none, and an iterator is not used up."""

    def holds(given: Any) -> bool:
        wanted = Sequence if is_sequence else Iterable
        if isinstance(given, str | bytes) or not isinstance(given, wanted) or not can_be_gone_through(given):
            return False
        return member is ANYTHING or not isinstance(given, Collection) or all(map(member.holds, given))

    return Kind(f"a list of {member.says}" if member is not ANYTHING else "a list", holds)
