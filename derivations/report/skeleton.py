"""What every page shares: one HTML file that loads nothing, with its style and script inside."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

from derivations.report.site import sign

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


@cache
def _asset(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def page(title: str, header: str, navigation: str, content: str, script: str) -> str:
    """A whole page from its parts; the title is plain text, and the other parts are HTML."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_asset('page.css')}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#content">Skip to the content</a>\n'
        f'<header class="top">{header}</header>\n<div class="columns">\n'
        f'<nav aria-label="Contents">{navigation}</nav>\n<main id="content">\n{content}\n</main>\n</div>\n'
        f"<script>\n{_asset(script)}</script>\n</body>\n</html>\n"
    )


def tally(counts: Mapping[str, int]) -> str:
    """Counts with their marks, as one line without zeros."""
    return f'<p class="tally">{" ".join(f"<span>{n} {sign(word)}</span>" for word, n in counts.items() if n)}</p>'
