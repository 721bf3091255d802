"""Parts of formulas with their estimated widths, and where a wide formula may be broken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

ROOMY = 24.0  # em; a formula that is not wider stays in one piece
WIDEST = 36.0  # em; a bracket that is wider may be broken inside
TALL = 1.5  # lines; brackets around less keep the size of letters


@dataclass(frozen=True)
class Part:
    """A piece of MathML; a bracketed one can be opened, so that a line may end inside it."""

    xml: str
    width: float
    kind: str = "ordinary"  # ordinary, relation, binary, opening, closing, newline
    height: float = 1.0
    inside: tuple[Part, ...] = ()
    opening: str = ""
    closing: str = ""
    scripts: str = ""  # around the closing bracket; {} stands for it

    @property
    def breaks(self) -> bool:
        """Check whether a line may end before this part."""
        return self.kind in ("relation", "binary")


def row(parts: Sequence[Part]) -> Part:
    """Several parts side by side as one."""
    if len(parts) == 1:
        return parts[0]
    return Part(
        f"<mrow>{''.join(p.xml for p in parts)}</mrow>",
        sum(p.width for p in parts),
        height=max((p.height for p in parts), default=1.0),
    )


def mo(sign: str, **attributes: str) -> str:
    """An operator, bracket or sign as MathML."""
    written = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<mo{written}>{escape(sign)}</mo>"


def bracketed(opening: str, inside: Sequence[Part], closing: str) -> Part:
    """Parts between brackets that grow with them; an empty bracket is not drawn."""
    body = row(inside)
    grows = "true" if body.height > TALL else "false"
    left = mo(opening, form="prefix", stretchy=grows) if opening else ""
    right = mo(closing, form="postfix", stretchy=grows) if closing else ""
    return Part(
        f"<mrow>{left}{body.xml}{right}</mrow>",
        body.width + 0.8,
        height=body.height,
        inside=tuple(inside),
        opening=opening,
        closing=closing,
        scripts="{}",
    )


def opened(part: Part) -> list[Part]:
    """A bracketed part as brackets of fixed size with its contents between them."""
    size = f"{max(1.0, part.height):.1f}em"
    fixed = {"stretchy": "true", "minsize": size, "maxsize": size, "symmetric": "true"}
    first = mo(part.opening, form="prefix", **fixed)
    last = f"<mrow>{mo(part.closing, form='postfix', **fixed) if part.closing else ''}</mrow>"
    left = [Part(first, 0.4, "opening", part.height)] if part.opening else []
    return [*left, *part.inside, Part(part.scripts.replace("{}", last), 0.8, "closing", part.height)]


def in_lines(parts: Sequence[Part]) -> list[list[Part]]:
    """The pieces between which a line may end; short formulas are one piece."""
    if _width(parts) <= ROOMY:
        return [list(parts)]
    pieces: list[list[Part]] = []
    for piece in _pieces(parts):
        widest = max(range(len(piece)), key=lambda i: piece[i].width if piece[i].inside else 0.0)
        if _width(piece) > WIDEST and piece[widest].inside:
            pieces += in_lines([*piece[:widest], *opened(piece[widest]), *piece[widest + 1 :]])
        else:
            pieces.append(piece)
    return pieces


def _pieces(parts: Iterable[Part]) -> list[list[Part]]:
    """Cuts before relations and signs; a sign right after a relation or an opening bracket stays with it."""
    pieces: list[list[Part]] = [[]]
    before: Part | None = None
    for part in parts:
        if part.breaks and before and before.kind not in ("relation", "binary", "opening"):
            pieces.append([])
        pieces[-1].append(part)
        before = part
    return pieces


def _width(parts: Iterable[Part]) -> float:
    return sum(p.width for p in parts)
