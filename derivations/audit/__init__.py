"""Judging whole papers: verdicts, false variants, ledgers, errata and who inherits a mistake."""
