"""Curves and dots as a small SVG figure with two axes, a key, and the numbers at which other symbols are held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from derivations.language.names import spelled
from derivations.latex.mathml import symbol

WIDTH, HEIGHT, MARGIN = 360, 190, 34
NEAR_ZERO = 1e-3  # of the height
KINDS = ("first", "second", "third", "fourth")
Points = list[tuple[float, float]]
Curve = tuple[str, Points]
Box = tuple[float, float, float, float]
Band = list[tuple[float, float, float, float]]  # from a time, to a time, from a value, to a value


def figure(curves: Sequence[Curve], dots: Points, along: str, constants: Mapping[str, float], says: str = "") -> str:
    """Draw curves, each in the style of its kind: dashed for what is claimed, solid for what is derived, and dots."""
    points = [point for _, curve in curves for point in curve] + dots
    xs, ys = [x for x, _ in points], [y for _, y in points]
    box = (min(xs), max(xs), min(ys), max(ys) if max(ys) > min(ys) else min(ys) + 1)
    paths = "".join(
        f'<path class="{kind}" d="{_path(curve, box)}"/>' for kind, (_, curve) in zip(KINDS, curves, strict=False)
    )
    circles = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4"/>' for x, y in (_place(p, box) for p in dots))
    label = f'role="img" aria-label="{_description(curves, along, constants)}"'
    return (
        f'<figure class="plot"><svg viewBox="0 0 {WIDTH} {HEIGHT}" {label}>'
        f"{_axes(box, _letter(along))}{paths}{circles}</svg>"
        f"<figcaption>{_key(curves, dots)}{_caption(constants, says)}</figcaption></figure>"
    )


def tubes(bands: Mapping[str, Band], along: str) -> str:
    """Draw boxes side by side along the time, of as many states as there are styles."""
    shown = list(zip(KINDS, bands.items(), strict=False))
    every = [piece for _, (_, band) in shown for piece in band]
    low, high = min(piece[2] for piece in every), max(piece[3] for piece in every)
    box = (every[0][0], max(piece[1] for piece in every), low, high if high > low else low + 1)
    paths = "".join(f'<path class="tube {kind}" d="{_path(_outline(band), box)}Z"/>' for kind, (_, band) in shown)
    key = _key([(name, []) for _, (name, _) in shown], [])
    names = ", ".join(name for _, (name, _) in shown)
    label = f'role="img" aria-label="{escape(f"a tube of {names} along {along}")}"'
    return (
        f'<figure class="plot"><svg viewBox="0 0 {WIDTH} {HEIGHT}" {label}>{_axes(box, _letter(along))}{paths}</svg>'
        f"<figcaption>{key} Boxes that no solution leaves; the checker computes narrower ones inside them."
        "</figcaption></figure>"
    )


def _outline(band: Band) -> Points:
    """Along the upper sides of the boxes, and back along the lower ones."""
    above = [point for begin, end, _, high in band for point in ((begin, high), (end, high))]
    below = [point for begin, end, low, _ in reversed(band) for point in ((end, low), (begin, low))]
    return above + below


def _description(curves: Sequence[Curve], along: str, constants: Mapping[str, float]) -> str:
    fixed = ", ".join(f"{name} = {_short(number)}" for name, number in sorted(constants.items()))
    return escape(f"{' and '.join(name for name, _ in curves)} along {along}" + (f", for {fixed}" if fixed else ""))


def _key(curves: Sequence[Curve], dots: Points) -> str:
    entries = [
        f'<span class="key {kind}"></span> {escape(name)}' for kind, (name, _) in zip(KINDS, curves, strict=False)
    ]
    entries += ['<span class="key dots"></span> simulated'] if dots else []
    return " ".join(f'<span class="entry-of-key">{entry}</span>' for entry in entries)


def _caption(constants: Mapping[str, float], says: str) -> str:
    fixed = ", ".join(f"{symbol(name)} = {_short(number)}" for name, number in sorted(constants.items()))
    text = " ".join(filter(None, (escape(says), f"Here {fixed}." if fixed else "")))
    return f" {text} Drawn from floats; the exact witness decides."


def _axes(box: Box, along: str) -> str:
    left, right, low, high = box
    start, bottom, end = MARGIN + 14, HEIGHT - MARGIN + 14, WIDTH - 8
    return (
        f'<path class="axis" d="M{start},8V{HEIGHT - MARGIN}H{end}"/>'
        f'<text x="{start}" y="{bottom}">{_short(left)}</text>'
        f'<text x="{end}" y="{bottom}" text-anchor="end">{_short(right)}</text>'
        f'<text class="name" x="{(start + end) / 2:.0f}" y="{bottom + 6}" text-anchor="middle">{along}</text>'
        f'<text x="{start - 4}" y="{HEIGHT - MARGIN}" text-anchor="end">{_short(_round(low, high))}</text>'
        f'<text x="{start - 4}" y="16" text-anchor="end">{_short(high)}</text>'
    )


def _letter(name: str) -> str:
    """A symbol's name in a picture, with its index below."""
    letter, index = spelled(name)
    below = f'<tspan dy="3" font-size="9">{escape(index)}</tspan>' if index else ""
    return f"{escape(letter)}{below}"


def _round(low: float, high: float) -> float:
    """The lower end of an axis, or zero where the two cannot be told apart."""
    return 0.0 if abs(low) < NEAR_ZERO * (high - low) else low


def _path(points: Points, box: Box) -> str:
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in (_place(p, box) for p in points)) if points else ""


def _place(point: tuple[float, float], box: Box) -> tuple[float, float]:
    left, right, low, high = box
    start, wide, tall = MARGIN + 14, WIDTH - MARGIN - 22, HEIGHT - MARGIN - 8
    x, y = point
    return start + wide * (x - left) / (right - left), HEIGHT - MARGIN - tall * (y - low) / (high - low)


def _short(number: float) -> str:
    return f"{number:.3g}".replace("-", "−")
