"""LaTeX commands in Unicode: letters, signs, accents, and letters in another style."""

from __future__ import annotations

from derivations.language.names import CAPITALS

# Signs by their normal spelling in `derivations.latex.tokens`, and by those of their synonyms that look different.
RELATIONS = {
    "=": "=", "<": "<", ">": ">", r"\ne": "≠", r"\le": "≤", r"\ge": "≥", r"\gg": "≫", r"\ll": "≪", r"\sim": "∼",
    r"\propto": "∝", r"\to": "→", r"\approx": "≈", r"\in": "∈", r"\equiv": "≡", r"\implies": "⟹",
    r"\Rightarrow": "⇒", ":=": "≔",
}  # fmt: skip
BINARY = {"+": "+", "-": "−", r"\pm": "±", r"\mp": "∓", r"\otimes": "⊗", r"\wedge": "∧", r"\vee": "∨"}
TIMES = {r"\cdot": "⋅", r"\times": "×", "*": "∗", "/": "/"}
SIGNS = {
    r"\infty": "∞", r"\partial": "∂", r"\nabla": "∇", r"\neg": "¬", r"\perp": "⊥", r"\prime": "′", r"\top": "⊤",
    r"\intercal": "⊺", ",": ",", ";": ";", ".": ".", ":": ":", "!": "!", r"\ldots": "…", r"\dots": "…", r"\cdots": "⋯",
}  # fmt: skip
LARGE = {r"\sum": "∑", r"\prod": "∏", r"\int": "∫"}
FUNCTIONS = frozenset((
    "log", "ln", "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "erf", "min", "max",
    "det", "lim", "Pr", "dim", "rank",
))  # fmt: skip
ACCENTS = {r"\hat": "ˆ", r"\widehat": "^", r"\tilde": "˜", r"\widetilde": "~", r"\bar": "¯", r"\overline": "¯",
           r"\dot": "˙", r"\ddot": "¨", r"\vec": "→"}  # fmt: skip
WIDE_ACCENTS = frozenset((r"\overline", r"\widehat", r"\widetilde"))
OPENING = {"(": "(", "[": "[", r"\{": "{", r"\langle": "⟨"}
CLOSING = {")": ")", "]": "]", r"\}": "}", r"\rangle": "⟩"}
BARS = {"|": "|", "||": "‖"}
MATRICES = {"matrix": ("", ""), "bmatrix": ("[", "]"), "pmatrix": ("(", ")"), "smallmatrix": ("", ""),
            "array": ("", "")}  # fmt: skip
SPACES = {r"\,": 0.17, r"\:": 0.22, r"\>": 0.22, r"\;": 0.28, r"\ ": 0.25, "\\\n": 0.25, "\\\t": 0.25, "~": 0.25,
          r"\quad": 1.0, r"\qquad": 2.0, r"\!": 0.0}  # fmt: skip
STYLES = {r"\mathbf": "bold", r"\boldsymbol": "bold", r"\bm": "bold", r"\mathcal": "script", r"\mathbb": "double",
          r"\mathrm": "upright", r"\mathsf": "upright", r"\mathit": "", r"\operatorname": "upright"}  # fmt: skip

_SCRIPT = {"B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ", "e": "ℯ", "g": "ℊ", "o": "ℴ"}
_DOUBLE = {"C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"}
_GREEK_SMALL = "αβγδεζηθικλμνξοπρςστυφχψω"
_STARTS = {"bold": (0x1D400, 0x1D41A, 0x1D7CE), "script": (0x1D49C, 0x1D4B6, 0), "double": (0x1D538, 0x1D552, 0x1D7D8)}


def styled(character: str, style: str) -> str:
    """A letter or digit in bold, script or double-struck form, as Unicode has it; others stay as they are."""
    special = {"script": _SCRIPT, "double": _DOUBLE}.get(style, {})
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
