"""The one exception of the checker: a certificate that does not show what it says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Rejected(Exception):
    """A certificate, or a file of certificates, that was not accepted; the message is one clear sentence."""


MALFORMED = (AttributeError, IndexError, KeyError, TypeError, ValueError)


@contextmanager
def well_formed(what: str) -> Iterator[None]:
    """Refuses a part of a certificate in which something else stands than what is read there."""
    try:
        yield
    except MALFORMED as error:
        raise Rejected(f"{what} is malformed, or the checker wrong: {type(error).__name__}: {error}") from error
