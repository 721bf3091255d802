"""Answers of workers: the result of a chunk, or the sentence that says why there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numerics import NumericsError

DONE, REFUSED = "done", "refused"
Tell = Callable[[float], object]
Do = Callable[..., Any]
Answer = dict[str, Any]


class TasksError(NumericsError):
    """Tasks that no worker could do; the message says why in one sentence."""


def silent(_share: float) -> None:
    """Tell nobody."""


def answered(do: Do, arguments: Sequence[Any], tell: Tell) -> Answer:
    """Return what a worker answers about one chunk.

    >>> answered(lambda number, tell: number + 1, [2], silent)
    {'done': 3}
    """
    try:
        return {DONE: do(*arguments, tell=tell)}
    except NumericsError as trouble:
        return {REFUSED: str(trouble)}


def value(answer: Answer) -> Any:
    """Return what a chunk returned. Refused with `TasksError`: what was refused there."""
    if REFUSED in answer:
        raise TasksError(answer[REFUSED])
    return answer[DONE]
