"""The outcome of an export: a statement in the language of Rocq, and its proof."""

from __future__ import annotations

from dataclasses import dataclass

from derivations.text import DerivationError


class NotExported(DerivationError):
    """A certificate that no exporter writes in the language of Rocq, with the reason."""


@dataclass(frozen=True)
class Exported:
    """A theorem: `statement` is a closed term of type Prop, and `proof` the tactics that show it.

    imports: the sentences at the head of its file; theorems that share them share a file.
    lemmas: what the proof defines before it begins; each theorem stands in a module of its own, so no names clash.
    """

    statement: str
    proof: str
    imports: tuple[str, ...]
    lemmas: str = ""
