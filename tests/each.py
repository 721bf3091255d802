"""Families of cases inside one test: every case runs, and each that fails is told with its name or its values.

    @each(("change", "sentence"), [({"eta": -1.0}, "eta must be"), ({"K": 0}, "K must be")])
    def test_a_mistake_is_told(change: dict[str, float], sentence: str) -> None: ...

Cases are a list, or a table of them by name. A family shares its fixtures. Cases that need a folder or a patch of their
own are parameters of pytest's.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

Test = Callable[..., None]
FAILURES = (Exception, pytest.fail.Exception)  # the second where `pytest.raises` saw nothing raised


def noted(failure: BaseException, note: str) -> Exception:
    """The failure with a note of the case, as an exception that a group can have."""
    one = failure if isinstance(failure, Exception) else AssertionError(str(failure))
    one.add_note(note)
    return one


def each(names: str | Sequence[str], cases: Iterable[Any] | Mapping[str, Any]) -> Callable[[Test], Test]:
    """Make one test of all cases; a case is a value, or a row of them where there are several names."""
    keys = [names] if isinstance(names, str) else [*names]
    titles = [*cases] if isinstance(cases, Mapping) else []
    every = [*cases.values()] if isinstance(cases, Mapping) else [*cases]
    if not every or any(isinstance(case, type(pytest.param())) for case in every):
        raise ValueError("a family needs cases, and none with a mark of its own")
    rows = [dict(zip(keys, case if len(keys) > 1 else [case], strict=True)) for case in every]

    def family(test: Test) -> Test:
        fixtures = [one for name, one in inspect.signature(test).parameters.items() if name not in keys]

        @functools.wraps(test)
        def whole(**shared: Any) -> None:
            failures: list[Exception] = []
            for title, row in zip(titles or rows, rows, strict=True):
                try:
                    test(**row, **shared)
                except FAILURES as failure:
                    failures.append(noted(failure, f"with {title}"))
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(rows)} cases fail", failures)

        whole.__signature__ = inspect.Signature(fixtures)  # type: ignore[attr-defined]
        return whole

    return family
