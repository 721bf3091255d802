"""One table: which exporter writes a certificate of a kind, a verdict and a method in the language of Rocq."""

from __future__ import annotations

import re
from collections.abc import Callable

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, normal
from derivations.rocq.arrays import sums, words
from derivations.rocq.exported import Exported, NotExported
from derivations.rocq.scalars import balls, limits, points, ring

Exporter = Callable[[Data], Exported]

EXPORTERS: tuple[tuple[str, str, str, Exporter], ...] = (
    ("identity", "proved", f"normal form|{ring.EXPONENTIAL}", ring.export_proof),
    ("sign", "proved", f"positive combination|{ring.EXPONENTIAL}", ring.export_proof),
    ("enclosure", "certified", "ball enclosure", balls.export_enclosure),
    ("identity|sign", "refuted", "exact point", points.export_refutation),
    ("limit", "proved", "small quantities", limits.export_limit),
    ("limit", "refuted", "another limit", limits.export_other_limit),
    ("words", "proved", "rewriting", words.export_equation),
    ("words", "refuted", "exact matrices", words.export_refutation),
    ("sums", "proved", "normal form", sums.export_equation),
    ("sums", "refuted", "exact arrays", sums.export_refutation),
)
"""The kind, verdict and method of certificates, as patterns, and what exports them."""


def exported(certificate: Data) -> Exported:
    """The theorem of a certificate, or NotExported with the reason."""
    key = certificate["statement"]["kind"], certificate["verdict"], certificate["method"]
    for *patterns, exporter in EXPORTERS:
        if all(re.fullmatch(pattern, word) for pattern, word in zip(patterns, key, strict=True)):
            try:
                return exporter(normal(certificate))
            except Rejected as refusal:
                raise NotExported(str(refusal)) from None
    raise NotExported(f"no exporter for the kind {key[0]}")
