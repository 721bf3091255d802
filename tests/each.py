"""Families of cases inside one test: every case runs, and each that fails is told with its name or its values.

    @each(("change", "sentence"), [({"eta": -1.0}, "eta must be"), ({"K": 0}, "K must be")])
    def test_a_mistake_is_told(change: dict[str, float], sentence: str) -> None: ...

Cases are a list, or a table of them by name. A family shares its fixtures. Cases that need a folder or a patch of their
own are parameters of pytest's. Of a family with `one_of=3` a third is run, drawn by the test's name, and all of it in
`make laws`.
"""

from __future__ import annotations

import functools
import inspect
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest
from drawn import ALL, settings

Test = Callable[..., None]
FAILURES = (Exception, pytest.fail.Exception)  # the second where `pytest.raises` saw nothing raised


def noted(failure: BaseException, note: str) -> Exception:
    """The failure with a note of the case, as an exception that a group can have."""
    one = failure if isinstance(failure, Exception) else AssertionError(str(failure))
    one.add_note(note)
    return one


Row = tuple[Any, dict[str, Any]]  # a title, and what a test is given


def share(rows: list[Row], one_of: int, name: str) -> list[Row]:
    """So many of the rows, at least one, in their order."""
    kept = random.Random(name).sample(range(len(rows)), -(-len(rows) // one_of))
    return [rows[k] for k in sorted(kept)]


def each(
    names: str | Sequence[str], cases: Iterable[Any] | Mapping[str, Any], *, one_of: int = 1
) -> Callable[[Test], Test]:
    """Make one test of all cases; a case is a value, or a row of them where there are several names."""
    keys = [names] if isinstance(names, str) else [*names]
    titles = [*cases] if isinstance(cases, Mapping) else []
    every = [*cases.values()] if isinstance(cases, Mapping) else [*cases]
    if not every or any(isinstance(case, type(pytest.param())) for case in every):
        raise ValueError("a family needs cases, and none with a mark of its own")
    given = [dict(zip(keys, case if len(keys) > 1 else [case], strict=True)) for case in every]
    rows = list(zip(titles or given, given, strict=True))

    def family(test: Test) -> Test:
        fixtures = [one for name, one in inspect.signature(test).parameters.items() if name not in keys]

        @functools.wraps(test)
        def whole(**shared: Any) -> None:
            failures: list[Exception] = []
            chosen = rows if settings().max_examples >= ALL else share(rows, one_of, test.__name__)
            for title, row in chosen:
                try:
                    test(**row, **shared)
                except FAILURES as failure:
                    failures.append(noted(failure, f"with {title}"))
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(chosen)} cases fail", failures)

        whole.__signature__ = inspect.Signature(fixtures)  # type: ignore[attr-defined]
        return whole if one_of == 1 else pytest.mark.drawn(whole)

    return family
