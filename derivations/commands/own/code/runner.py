"""The process in which a user's function runs: it reads arguments as lines of JSON, and answers each with a line.

It is started as a file, uses the standard library alone, and imports nothing of this package. What the user's code
prints goes to standard error, so that answers are not mixed with it.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

MOST_NUMBERS = 100_000  # in one result


class _Bad(Exception):
    """A sentence that says what is wrong with what the user named."""


def main() -> None:
    """Load the function that the first line names, then answer one line of arguments after the other."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(**told: Any) -> None:
        print(json.dumps(told), file=answers, flush=True)

    first = json.loads(sys.stdin.readline())
    try:
        function = loaded(first["where"], first["name"])
        by_name = taking(function, first["arguments"])
    except _Bad as bad:
        answer(bad=str(bad))
        return
    answer(ready=True)
    for line in sys.stdin:
        answer(**outcome(function, json.loads(line), first["arguments"] if by_name else None))


def loaded(where: str, name: str) -> Callable[..., Any]:
    """The function of this name in a module, or in the file at a path."""
    try:
        module = _of_file(Path(where)) if where.endswith(".py") else _of_module(where)
    except _Bad:
        raise
    except BaseException as trouble:
        raise _Bad(f"{where} cannot be imported: {said(trouble)}") from None
    part_of_module: Any = module
    for part in name.split("."):
        if not hasattr(part_of_module, part):
            raise _Bad(f"{where} has no {name}: name a function that it defines")
        part_of_module = getattr(part_of_module, part)
    if not callable(part_of_module):
        raise _Bad(f"{name} in {where} is a {type(part_of_module).__name__}, and no function")
    return part_of_module  # type: ignore[no-any-return]


def _of_file(path: Path) -> Any:
    if not path.is_file():
        raise _Bad(f"there is no file {path}")
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _of_module(name: str) -> Any:
    sys.path[0] = os.getcwd()  # instead of this file's folder
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as trouble:
        if trouble.name and (name == trouble.name or name.startswith(f"{trouble.name}.")):
            raise _Bad(f"there is no module {name}: give module:function, or path.py:function") from None
        raise


def taking(function: Callable[..., Any], names: list[str]) -> bool:
    """Check that the function takes these arguments by their names; otherwise it must take as many, in this order."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return False  # a function of another language, which does not tell
    by_name = {p.name for p in signature.parameters.values() if p.kind in {p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY}}
    try:
        if set(names) <= by_name:
            signature.bind(**dict.fromkeys(names))
            return True
        signature.bind(*names)
    except TypeError:
        raise _Bad(
            f"the function takes {signature}, and the kernel {len(names)} arguments: {', '.join(names)}; "
            "let it take these names, or as many arguments in this order"
        ) from None
    return False


def outcome(function: Callable[..., Any], values: list[Any], names: list[str] | None) -> dict[str, Any]:
    """Return what the function returns at these arguments, as numbers in rows, or what it raises."""
    given = [_given(value) for value in values]
    try:
        returned = function(**dict(zip(names, given, strict=True))) if names else function(*given)
        return {"found": as_rows(returned)}
    except _Bad as bad:
        return {"shape": str(bad)}
    except BaseException as trouble:
        return {"raised": said(trouble)}


def _given(value: Any) -> Any:
    """A float; an array of NumPy where the kernel takes one."""
    if isinstance(value, str):
        return float.fromhex(value)
    import numpy as np

    return np.array(_floats(value))


def _floats(value: Any) -> Any:
    return [_floats(part) for part in value] if isinstance(value, list) else float.fromhex(value)


def as_rows(numbers: Any) -> Any:
    """Numbers as exact text, in nested lists as they were nested; a dictionary keeps its names."""
    if isinstance(numbers, dict):
        return {str(key): as_rows(value) for key, value in numbers.items()}
    if hasattr(numbers, "detach"):
        numbers = numbers.detach()
    if getattr(numbers, "shape", ()) != () and hasattr(numbers, "tolist"):
        numbers = numbers.tolist()
    if isinstance(numbers, list | tuple):
        if len(numbers) > MOST_NUMBERS:
            raise _Bad(f"{len(numbers)} numbers")
        return [as_rows(part) for part in numbers]
    try:
        return float(numbers).hex()
    except (TypeError, ValueError):
        raise _Bad(f"a {type(numbers).__name__}") from None


def said(trouble: BaseException) -> str:
    """An exception in a line."""
    text = " ".join(str(trouble).split())
    return f"{type(trouble).__name__}: {text}"[:300] if text else type(trouble).__name__


if __name__ == "__main__":
    main()
