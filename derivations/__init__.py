"""Exact mathematics behind papers on learning dynamics: claims, computed verdicts, certificates.

Names are loaded on first use, so that the checker of certificates can be imported without SymPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.2.0"

_HOMES = {
    "Paper": "derivations.paper.model",
    "Claim": "derivations.paper.entries",
    "PaperError": "derivations.paper.entries",
    "Verdict": "derivations.prove.certificate",
    "Certificate": "derivations.prove.certificate",
    "Kernel": "derivations.kernels.kernel",
    "DerivationError": "derivations.text",
    "library": "derivations.paper.library",
    "find": "derivations.paper.library",
}

__all__ = [
    "Certificate",
    "Claim",
    "DerivationError",
    "Kernel",
    "Paper",
    "PaperError",
    "Verdict",
    "__version__",
    "find",
    "library",
    "prove",
]


def __getattr__(name: str) -> Any:
    if name == "prove":
        return import_module("derivations.prove")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'derivations' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
