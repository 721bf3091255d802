"""Flows of QQ' and of the network function: the only solution from a start, and where it ends."""

from derivations.papers.braun_2022.setup import *
from collections.abc import Mapping

Table = Mapping[Letter, Words]

def keeps_inverse(bracket, grows_by, motion, begin, *, root=None, scale=None, **options):
    """A bracket that is a square at the start, and then grows by sums of squares between the scale and its transpose.

    root: of the bracket at the start, with its inverse; without one it starts at the identity. scale: stands on both
    sides of the bracket.
    """
    one = identity(bracket.shape[0])
    first, back = root or (one, one)
    slots = {"scale": one if scale is None else scale, "first": first, "left_inverse": back}
    return prove.by(
        "bracket that grows", bracket=bracket, grows_by=grows_by, motion=motion, begin=begin, **slots, **options)

def only_solution(value, rate, start, motion, begin, *, inverses=None, through=None, drift=None, **options):
    """That a value is the only solution of a flow from its start, for all t >= 0.

    rate: of the state, as a function of it. inverses: why the inverses in the value exist, by the names of their
    letters. through, drift: parts in which the value is written, and how these move.
    """
    values, starts = list(_blocks(value)), list(_blocks(start))
    state = _state(value)
    letters = list(_blocks(state))
    steps = {f"inverse {name}": shown for name, shown in (inverses or {}).items()}
    parts = {"through": through or {}, "drift": drift or {}, "steps": steps}
    tables = {"values": values, "rates": list(_blocks(rate(state))), "starts": starts}
    slots = {key: dict(zip(letters, given, strict=True)) for key, given in tables.items()}
    return prove.by("solution of a matrix flow", **slots, motion=motion, begin=begin, **parts, **options)

def ends_at(values, ends, decays, at_the_end=None, **options):
    """That values in letters that decay go to their ends as t grows."""
    slots = {"slow": {}, "time": "t"} | options
    return prove.by("limit by decaying exponentials",
        values=[*values], ends=[*ends], decays=decays, at_the_end=at_the_end or {}, **slots)

def det(letter):
    """The determinant of a letter, as a number."""
    return Symbol(f"det_{letter}", real=True)

def determinants(products, goal, weights, supposing=(), scale=1):
    """Equations between determinants of equal products of square matrices: the goal is a combination of them."""
    slots = {"products": products, "supposing": supposing, "goal": goal}
    return prove.by("determinants multiply", **slots, weights=weights, scale=scale)

def total(terms):
    """A sum that stays as it is written."""
    return sp.Add(*terms, evaluate=False)

def product(left, right):
    """A product of matrices whose entries stay sums of products."""

    def entry(i, j):
        return total(sp.Mul(left[i, k], right[k, j], evaluate=False) for k in range(left.cols))

    return Matrix(left.rows, right.cols, entry)

def _blocks(value):
    return [value] if isinstance(value, Words) else [*value]

def _state(value):
    """A plain letter for every block of the state."""
    if isinstance(value, Words):
        return Letter("X", *value.shape)
    return Blocks(
        [[Letter(f"X_{i}{j}", *block.shape) for j, block in enumerate(row, 1)] for i, row in enumerate(value.rows, 1)])
