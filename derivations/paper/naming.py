"""Names of entries, and the error of a paper file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from derivations.text import DerivationError


class PaperError(DerivationError):
    """A paper file that breaks a rule; the message says which entry, which rule, and what to do."""


def named(name: str, about: Mapping[str, Any]) -> dict[str, Any]:
    """Return a name and what else is told of a claim, where entries that it uses may follow its name and a colon."""
    title, colon, uses = name.partition(":")
    if colon and "rests_on" in about:
        raise PaperError(f"the claim {title} names what it uses after its name and in rests_on=: leave one of them")
    return {"name": title, **({"rests_on": uses} if colon else {}), **about}
