"""Proofs of inequalities: each method by its own checker."""

from __future__ import annotations

from collections.abc import Callable

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, part, shown
from derivations.recheck.kinds import sign
from derivations.recheck.kinds.sign import boxes, real_roots

PROOFS: dict[str, Callable[[Data, Data], None]] = {
    "positive combination": sign.check_proof_of_sign,
    "real roots": real_roots.check_real_roots,
    "boxes": boxes.check_boxes,
}


def check_inequality(certificate: Data) -> None:
    """Accept a certificate that an inequality is proved, by the method that it names."""
    method = part(certificate, "method", str, "the certificate of an inequality")
    if certificate.get("verdict") != "proved" or method not in PROOFS:
        raise Rejected(f"an inequality is proved by {' or '.join(PROOFS)}, got {shown(method)}")
    payload = part(certificate, "payload", dict, "the certificate of an inequality")
    PROOFS[method](part(certificate, "statement", dict, "the certificate of an inequality"), payload)
