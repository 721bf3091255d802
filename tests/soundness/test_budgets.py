"""Hostile certificates are refused with one sentence, within ten seconds and a gigabyte."""

from __future__ import annotations

import multiprocessing
import resource
from typing import Any

from each import each
from soundness.bombs import BOMBS

from derivations.recheck import Rejected, check

SECONDS, MEGABYTES = 10, 1000


def refused(certificate: Any, answer: Any) -> None:
    """In a process of its own: the sentence, the seconds, and the memory that it took.

    Seconds are the program's own: those in which the system hands memory out and takes it back depend on how full the
    process was that was forked, and were once sixteen where the check takes one.
    """
    resource.setrlimit(resource.RLIMIT_CPU, (6 * SECONDS, 6 * SECONDS))
    before = resource.getrusage(resource.RUSAGE_SELF)
    try:
        check(certificate)
        sentence = ""
    except Rejected as reason:
        sentence = str(reason)
    after = resource.getrusage(resource.RUSAGE_SELF)
    answer.send((sentence, after.ru_utime - before.ru_utime, (after.ru_maxrss - before.ru_maxrss) / 1024))


@each("name", [*BOMBS], one_of=3)
def test_a_hostile_certificate_ends_soon_with_a_sentence(name: str) -> None:
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=refused, args=(BOMBS[name], there))
    process.start()
    there.close()
    process.join()
    assert here.poll(), "the process was ended"
    sentence, seconds, megabytes = here.recv()
    assert len(sentence) > 20
    assert "\n" not in sentence
    assert seconds < SECONDS
    assert megabytes < MEGABYTES
