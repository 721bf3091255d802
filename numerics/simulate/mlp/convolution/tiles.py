"""Sums of products over windows, in tiles that stay in vector registers.

Rows of numbers lie in one array, with zeros behind them. A tile has some rows of a result and, abreast, two vectors of
places of each: every turn loads two vectors from a row that is looked at, and adds them times one weight for each row.
Where to look and which weights to take is read from a table with two offsets for each turn, so that one instruction
serves both ways through a layer. Slopes with respect to weights are sums over places: a tile has those of some rows
and of four neighbouring weights. Sums have one order. Nothing checks bounds.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from llvmlite import ir
from numba.core import types
from numba.core.extending import intrinsic

from numerics.simulate.mlp.panels import LANES, Code, lane_sums

TALL = 10  # rows of a tile: with its two vectors each, 20 of 32 registers
BROAD = 5  # rows of a tile of slopes, with four registers each
ABREAST = 2  # vectors of a row
TAPS = 4  # neighbouring weights
INDEX = ir.IntType(32)


def _tile(rows):
    """The instruction for tiles of so many rows."""

    @intrinsic
    def tile(typing_context, room, seen, out, stride, weights, at, apart, before, table, turns):
        """Write `before` and the sums of all turns of the table: rows lie `stride`, their weights `apart`."""

        def lowered(context, builder, signature, values):
            code = Code(context, builder, signature)
            room, seen, out, stride, weights, at, apart, before, table, turns = values
            room, weights, table = code.data(0, room), code.data(4, weights), code.data(8, table)
            starts = [builder.add(at, builder.mul(apart, code.whole(r))) for r in range(rows)]

            def weight(place):
                return code.spread(builder.load(code.at(weights, place, kind=None)))

            def body(k, totals):
                entry = builder.mul(k, code.whole(2))
                look, take = (builder.load(code.at(table, code.moved(entry, i), kind=None)) for i in range(2))
                x = [code.load(room, code.moved(builder.add(seen, look), LANES * v)) for v in range(ABREAST)]
                w = [weight(builder.add(start, take)) for start in starts]
                return [code.added(totals[r * ABREAST + v], w[r], x[v]) for r in range(rows) for v in range(ABREAST)]

            first = [weight(code.moved(before, r)) for r in range(rows) for _ in range(ABREAST)]
            for k, total in enumerate(code.counted(turns, first, body)):
                r, v = divmod(k, ABREAST)
                place = builder.add(out, builder.mul(stride, code.whole(r)))
                code.store(total, room, code.moved(place, LANES * v))
            return context.get_dummy_value()

        whole = types.intp
        kinds = (room, whole, whole, whole, weights, whole, whole, whole, table, whole)
        return types.none(*kinds), lowered

    return tile


def _slopes(rows):
    """The instruction for slopes with respect to four neighbouring weights of each of so many rows."""

    @intrinsic
    def slopes(typing_context, room, deltas, stride, seen, out, at, apart, table, turns):
        """Write sums over all turns of a row's deltas times what the weights saw; rows of weights lie `apart`."""

        def lowered(context, builder, signature, values):
            code = Code(context, builder, signature)
            room, deltas, stride, seen, out, at, apart, table, turns = values
            room, out, table = code.data(0, room), code.data(4, out), code.data(7, table)
            starts = [builder.add(deltas, builder.mul(stride, code.whole(r))) for r in range(rows)]

            def body(k, totals):
                entry = builder.mul(k, code.whole(2))
                here, there = (builder.load(code.at(table, code.moved(entry, i), kind=None)) for i in range(2))
                place = builder.add(seen, there)
                x = [code.load(room, code.moved(place, tap)) for tap in range(TAPS)]
                d = [code.load(room, builder.add(start, here)) for start in starts]
                return [code.added(totals[r * TAPS + i], d[r], x[i]) for r in range(rows) for i in range(TAPS)]

            totals = lane_sums(code, code.counted(turns, [code.same(0.0)] * (rows * TAPS), body))
            for r in range(rows):
                whole, first = divmod(r * TAPS, LANES)
                lanes = ir.Constant(ir.VectorType(INDEX, TAPS), [first + i for i in range(TAPS)])
                four = builder.shuffle_vector(totals[whole], totals[whole], lanes)
                code.store(four, out, builder.add(at, builder.mul(apart, code.whole(r))))
            return context.get_dummy_value()

        whole = types.intp
        kinds = (room, whole, whole, whole, out, whole, whole, table, whole)
        return types.none(*kinds), lowered

    return slopes


HALF = TALL // 2
tall = _tile(TALL)
half = _tile(HALF)
single = _tile(1)
broad = _slopes(BROAD)
narrow = _slopes(1)
