"""Mutants that mean the same as the original, each with the reason: nothing could notice them."""

from __future__ import annotations

EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "derivations.models.two_point",
        "loss_on_line = HALF * mean([norm2(side * (_along_unit * signed - aim)) for side in (HALF, -HALF)])",
        "a minus sign is lost",
    ): "the squared error of one side is that of the other",
}
"""By module, line of source, and what is changed."""
