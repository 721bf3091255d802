"""Families of cases inside one test: every case runs, and each that fails is told with its values.

    @each(("change", "sentence"), [({"eta": -1.0}, "eta must be"), ({"K": 0}, "K must be")])
    def test_a_mistake_is_told(change: dict[str, float], sentence: str) -> None: ...

A family shares its fixtures. Cases that need a folder or a patch of their own are parameters of pytest's.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]


def each(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Make one test of all cases; a case is a value, or a row of them where there are several names."""
    keys = [names] if isinstance(names, str) else [*names]
    every = list(cases)
    if not every or any(isinstance(case, type(pytest.param())) for case in every):
        raise ValueError("a family needs cases, and none with a mark of its own")
    rows = [dict(zip(keys, case if len(keys) > 1 else [case], strict=True)) for case in every]

    def family(test: Test) -> Test:
        fixtures = [one for name, one in inspect.signature(test).parameters.items() if name not in keys]

        @functools.wraps(test)
        def whole(**shared: Any) -> None:
            failures: list[Exception] = []
            for row in rows:
                try:
                    test(**row, **shared)
                except Exception as failure:
                    failure.add_note(f"with {row}")
                    failures.append(failure)
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(rows)} cases fail", failures)

        whole.__signature__ = inspect.Signature(fixtures)  # type: ignore[attr-defined]
        return whole

    return family
