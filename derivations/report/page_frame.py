"""The frame that every page shares: its style and script inside, a search box, and nothing that is loaded from
elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from derivations.report.site import sign

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'self' file:; img-src data: 'self'"
SEARCH = (
    '<form role="search" id="find"><label for="query">Search every paper: an equation, letters, words</label>'
    '<input type="search" id="query" autocomplete="off" placeholder="eq 7, tau_h, refuted peak time">'
    '<p id="found" role="status" aria-live="polite"></p><ol id="results"></ol></form>'
)


@cache
def _asset(name: str) -> str:
    return (Path(__file__).parent / "assets" / name).read_text(encoding="utf-8")


def as_script(data: Any) -> str:
    """Data as they stand in a script, in which no markup can begin.

    >>> as_script("</script>")
    '"\\\\u003c/script>"'
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def page(title: str, header: str, navigation: str, content: str, key: str = "") -> str:
    """A whole page from its parts; the title is plain text, and the other parts are HTML. key: the paper's, if any."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_asset('page.css')}</style>\n</head>\n"
        f'<body data-paper="{escape(key)}">\n'
        '<a class="skip" href="#content">Skip to the content</a>\n'
        f'<header class="top">{header}</header>\n<div class="columns">\n'
        f'<nav aria-label="Contents">{navigation}</nav>\n<main id="content">\n{content}\n</main>\n</div>\n'
        f"<script>\n{_asset('page.js')}</script>\n</body>\n</html>\n"
    )


def tally(counts: Mapping[str, int]) -> str:
    """Counts with their marks, as one line without zeros."""
    return f'<p class="tally">{" ".join(f"<span>{n} {sign(word)}</span>" for word, n in counts.items() if n)}</p>'
