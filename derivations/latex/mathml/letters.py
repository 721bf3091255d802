"""LaTeX commands in Unicode: letters, signs, accents, and letters in another style."""

from __future__ import annotations

from derivations.language.names import CAPITALS
from derivations.latex.tokens import TABLE

LOOKS: dict[str, dict[str, str]] = TABLE["looks"]
RELATIONS, BINARY, TIMES, SIGNS, LARGE, ACCENTS = (
    LOOKS[kind] for kind in ("relations", "binary", "times", "signs", "large", "accents")
)
OPENING, CLOSING, BARS, STYLES = (LOOKS[kind] for kind in ("opening", "closing", "bars", "styles"))
SPACES: dict[str, float] = TABLE["looks"]["spaces"]
MATRICES: dict[str, tuple[str, str]] = {
    name: (left, right) for name, (left, right) in TABLE["looks"]["matrices"].items()
}
NAMES: dict[str, list[str]] = TABLE["looks"]["names"]
FUNCTIONS, WIDE_ACCENTS = NAMES["functions"], NAMES["wide_accents"]
_GREEK_SMALL = "αβγδεζηθικλμνξοπρςστυφχψω"
_STARTS = {"bold": (0x1D400, 0x1D41A, 0x1D7CE), "script": (0x1D49C, 0x1D4B6, 0), "double": (0x1D538, 0x1D552, 0x1D7D8)}


def styled(character: str, style: str) -> str:
    """A letter or digit in bold, script or double-struck form, as Unicode has it; others stay as they are."""
    special = LOOKS.get(style, {})
    if character in special:
        return special[character]
    if style == "bold" and character in _GREEK_SMALL:
        return chr(0x1D6C2 + _GREEK_SMALL.index(character))
    if style == "bold" and character in CAPITALS.values():
        return chr(0x1D6A8 + ord(character) - ord("Α"))
    if style in _STARTS and character.isascii():
        capital, small, digit = _STARTS[style]
        for first, start in (("A", capital), ("a", small), ("0", digit)):
            end = 10 if first == "0" else 26
            if start and 0 <= ord(character) - ord(first) < end:
                return chr(start + ord(character) - ord(first))
    return character
