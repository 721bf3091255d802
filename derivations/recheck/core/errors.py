"""The one exception of the checker: a certificate that does not show what it says."""

from __future__ import annotations


class Rejected(Exception):
    """A certificate, or a file of certificates, that was not accepted; the message is one clear sentence."""
