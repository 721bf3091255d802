"""A user's function in a process of its own: asked point by point, each answer within a time limit."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from derivations.text import DerivationError

RUNNER = Path(__file__).with_name("runner.py")
LARGEST_ANSWER = 50_000_000  # characters


class CodeError(DerivationError):
    """A function that cannot be compared with a kernel, in one sentence."""


class Stopped(DerivationError):
    """The process does not answer any more; the message says why."""


class Function:
    """The function that a word such as `module:function` or `path.py:function` names, in a process of its own."""

    def __init__(self, word: str, arguments: Sequence[str], seconds: float) -> None:
        where, colon, name = word.rpartition(":")
        if not colon or not where or not name:
            raise CodeError(f"{word} names no function: give module:function, or path.py:function")
        self.word, self.seconds = word, seconds
        self._first = {"where": where, "name": name, "arguments": list(arguments)}
        self._read = b""

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def at(self, point: Sequence[Any]) -> Mapping[str, Any]:
        """Return what the function does at a point: {"found": rows}, {"raised": ...}, {"shape": ...} or {"stopped":
        ...}.
        """
        try:
            return self._asked(_exact(point))
        except Stopped as stopped:
            self._end()
            self._start()
            return {"stopped": str(stopped)}

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(RUNNER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that whatever it starts can be ended with it
        )
        self._read = b""
        try:
            answer = self._asked(self._first)
        except Stopped as stopped:
            self._end()
            raise CodeError(f"{self.word} {stopped} while it is imported") from None
        if "bad" in answer:
            self._end()
            raise CodeError(f"{self.word}: {answer['bad']}")

    def _asked(self, line: Any) -> Mapping[str, Any]:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # a process that has ended is told by its answer
            self._process.stdin.write(json.dumps(line).encode() + b"\n")
            self._process.stdin.flush()
        answer: Mapping[str, Any] = json.loads(self._line())
        return answer

    def _line(self) -> bytes:
        assert self._process.stdout is not None
        source, until = self._process.stdout.fileno(), time.monotonic() + self.seconds
        while b"\n" not in self._read:
            ready, _, _ = select.select([source], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise Stopped(f"does not answer within {self.seconds:g} s")
            part = os.read(source, 1 << 16)
            if not part:
                raise Stopped(_ended(self._process.wait()))
            self._read += part
            if len(self._read) > LARGEST_ANSWER:
                raise Stopped("returns more numbers than can be compared")
        line, _, self._read = self._read.partition(b"\n")
        return line

    def _end(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(BrokenPipeError):
                stream.close()  # type: ignore[union-attr]


def _ended(status: int) -> str:
    return f"ends its process with {signal.Signals(-status).name if status < 0 else f'status {status}'}"


def _exact(value: Any) -> Any:
    return [_exact(part) for part in value] if isinstance(value, list | tuple) else float(value).hex()
