"""Matrix-vector products of a few points at once, on weights that stream through vector registers once.

A panel is ROWS rows of a layer's weights, laid out so that its entries lie in memory in the order in which they are
needed: a vector of the first row, the same columns of the next row, and so on, and then the next columns. SUMS = ROWS
times POINTS numbers are summed in registers side by side. Products and sums fuse, in one order whatever the number of
threads. Nothing checks bounds.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.extending import intrinsic
from numba.np.arrayobj import make_array

BITS = 64  # of a number
POINTS = 2
SUMS = 16
BYTES = 64  # of a vector
ADAM = 0  # 1: steps of Adam
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8  # Adam's, as Kingma & Ba recommend

LANES = 8 * BYTES // BITS
ROWS = SUMS // POINTS
REAL = ir.DoubleType() if BITS == 64 else ir.FloatType()
VECTOR, COLUMN = ir.VectorType(REAL, LANES), ir.VectorType(REAL, ROWS)
WORD, PLACE = ir.IntType(64), ir.IntType(32)
FUSING = ("contract",)
PATIENCE = 2000  # looks at the others before the processor is offered to somebody else
number = types.float64 if BITS == 64 else types.float32


class Code:
    """The builder, and short names for what the instructions below do often."""

    def __init__(self, context, builder, signature):
        self.context, self.builder, self.signature = context, builder, signature

    def data(self, k, array):
        return make_array(self.signature.args[k])(self.context, self.builder, array).data

    def whole(self, value):
        return ir.Constant(WORD, value)

    def at(self, data, place, *, kind=VECTOR):
        address = self.builder.gep(data, [place])
        return address if kind is None else self.builder.bitcast(address, kind.as_pointer())

    def load(self, data, place, kind=VECTOR):
        return self.builder.load(self.at(data, place, kind=kind), align=BITS // 8)

    def store(self, value, data, place):
        self.builder.store(value, self.at(data, place, kind=value.type), align=BITS // 8)

    def moved(self, place, distance):
        return self.builder.add(place, self.whole(distance))

    def times(self, left, right):
        return self.builder.fmul(left, right, flags=FUSING)

    def plus(self, left, right):
        return self.builder.fadd(left, right, flags=FUSING)

    def added(self, total, left, right):
        return self.plus(total, self.times(left, right))

    def spread(self, scalar, kind=VECTOR):
        one = self.builder.insert_element(ir.Constant(kind, ir.Undefined), scalar, ir.Constant(PLACE, 0))
        mask = ir.Constant(ir.VectorType(PLACE, kind.count), [0] * kind.count)
        return self.builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), mask)

    def same(self, value, kind=VECTOR):
        return ir.Constant(kind, [value] * kind.count)

    def points(self, place, stride):
        """The places of all points."""
        return [self.builder.add(place, self.builder.mul(stride, self.whole(p))) for p in range(POINTS)]

    def counted(self, count, sums, body):
        """`body(k, sums)` for k from 0 on, at least once; what becomes of the sums."""
        builder, before = self.builder, self.builder.block
        inside, after = builder.append_basic_block("columns"), builder.append_basic_block("done")
        builder.branch(inside)
        builder.position_at_end(inside)
        k = builder.phi(WORD)
        running = [builder.phi(total.type) for total in sums]
        new = body(k, running)
        later = self.moved(k, 1)
        for phi, first, value in ((k, self.whole(0), later), *zip(running, sums, new, strict=True)):
            phi.add_incoming(first, before)
            phi.add_incoming(value, builder.block)
        builder.cbranch(builder.icmp_signed("<", later, count), inside, after)
        builder.position_at_end(after)
        return new


def lane_sums(code, vectors):
    """Vectors whose lanes are the sums of the lanes of the given ones, in their order."""
    lower, upper = (ir.Constant(ir.VectorType(PLACE, LANES), list(range(first, 2 * LANES, 2))) for first in range(2))
    result = []
    for begin in range(0, len(vectors), LANES):
        group = vectors[begin : begin + LANES]
        for _ in range(LANES.bit_length() - 1):
            pairs = zip(group[::2], group[1::2] or group, strict=True)
            group = [
                code.plus(code.builder.shuffle_vector(a, b, lower), code.builder.shuffle_vector(a, b, upper))
                for a, b in pairs
            ]
        result += group
    return result


@intrinsic
def weighted(typing_context, weights, at, state, inputs, stride, vectors, sums):
    """Write the products of a panel with all points: point after point, a number for each row."""

    def lowered(context, builder, signature, values):
        code = Code(context, builder, signature)
        weights, at, state, inputs, stride, vectors, sums = values
        weights, state = code.data(0, weights), code.data(2, state)
        starts = code.points(inputs, stride)

        def body(k, totals):
            along = builder.mul(k, code.whole(LANES))
            x = [code.load(state, builder.add(start, along)) for start in starts]
            row = builder.add(at, builder.mul(k, code.whole(LANES * ROWS)))
            w = [code.load(weights, code.moved(row, LANES * r)) for r in range(ROWS)]
            return [code.added(totals[p * ROWS + r], w[r], x[p]) for p in range(POINTS) for r in range(ROWS)]

        totals = code.counted(vectors, [code.same(0.0)] * SUMS, body)
        for k, total in enumerate(lane_sums(code, totals)):
            code.store(total, state, code.moved(sums, LANES * k))
        return context.get_dummy_value()

    whole = types.intp
    return types.none(weights, whole, state, whole, whole, whole, whole), lowered


@intrinsic
def moved_back(
    typing_context, weights, at, moments, shift, state, inputs, stride, vectors, deltas, back, scales, scale
):
    """Add a panel's share of the slopes with respect to its inputs, and move the panel by one step."""

    def lowered(context, builder, signature, values):
        code = Code(context, builder, signature)
        weights, at, moments, shift, state, inputs, stride, vectors, deltas, back, scales, scale = values
        weights, moments, state = code.data(0, weights), code.data(2, moments), code.data(4, state)
        scales = code.data(10, scales)
        starts, backs = code.points(inputs, stride), code.points(back, stride)
        rate, size = (code.spread(builder.load(code.at(scales, code.moved(scale, k), kind=None))) for k in range(2))
        slope = [code.spread(builder.load(code.at(state, code.moved(deltas, k), kind=None))) for k in range(SUMS)]

        def body(k, _):
            along = builder.mul(k, code.whole(LANES))
            x = [code.load(state, builder.add(start, along)) for start in starts]
            if not ADAM:
                x = [code.times(rate, part) for part in x]
            total = [code.load(state, builder.add(start, along)) for start in backs]
            row = builder.add(at, builder.mul(k, code.whole(LANES * ROWS)))
            for r in range(ROWS):
                place = code.moved(row, LANES * r)
                w = code.load(weights, place)
                total = [code.added(total[p], w, slope[p * ROWS + r]) for p in range(POINTS)]
                if ADAM:
                    w = _adam(
                        code,
                        w,
                        [(x[p], slope[p * ROWS + r]) for p in range(POINTS)],
                        (moments, place, shift),
                        rate,
                        size,
                    )
                else:
                    for p in range(POINTS):
                        w = code.added(w, x[p], slope[p * ROWS + r])
                code.store(w, weights, place)
            for start, part in zip(backs, total, strict=True):
                code.store(part, state, builder.add(start, along))
            return []

        code.counted(vectors, [], body)
        return context.get_dummy_value()

    whole = types.intp
    kinds = (weights, whole, moments, whole, state, whole, whole, whole, whole, whole, scales, whole)
    return types.none(*kinds), lowered


def _adam(code, w, products, where, rate, size):
    """w + rate m/(size sqrt(v) + epsilon), with the means m of slopes and v of their squares moved on."""
    builder, (moments, place, shift) = code.builder, where
    beside = builder.add(place, shift)
    gradient = code.times(*products[0])
    for left, right in products[1:]:
        gradient = code.added(gradient, left, right)
    m = code.added(code.times(code.same(1.0 - BETA_1), gradient), code.same(BETA_1), code.load(moments, place))
    square = code.times(code.same(1.0 - BETA_2), code.times(gradient, gradient))
    v = code.added(square, code.same(BETA_2), code.load(moments, beside))
    code.store(m, moments, place)
    code.store(v, moments, beside)
    kind = ir.FunctionType(VECTOR, [VECTOR])
    name = f"llvm.sqrt.v{LANES}f{BITS}"
    root = builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [v])
    return code.plus(w, builder.fdiv(code.times(rate, m), code.added(code.same(EPSILON), size, root)))


@intrinsic
def bent(typing_context, state, sums, outputs, stride, below):
    """Turn a panel's sums into outputs of a function that bends at 0, and the sums into its slopes."""

    def lowered(context, builder, signature, values):
        code = Code(context, builder, signature)
        state, sums, outputs, stride, below = values
        state, lower = code.data(0, state), code.spread(below, COLUMN)
        for p, place in enumerate(code.points(outputs, stride)):
            at = code.moved(sums, p * ROWS)
            z = code.load(state, at, COLUMN)
            positive = builder.fcmp_ordered(">", z, code.same(0.0, COLUMN))
            slope = builder.select(positive, code.same(1.0, COLUMN), lower)
            code.store(code.times(z, slope), state, place)
            code.store(slope, state, at)
        return context.get_dummy_value()

    return types.none(state, types.intp, types.intp, types.intp, number), lowered


@intrinsic
def collected(typing_context, state, shares, step, count, stride, ahead, slopes, gradients, deltas):
    """Sum the shares of the slopes with respect to a panel's outputs, and take them through the activation.

    What comes over a skip connection (`ahead`, where it is not negative) is added.
    """

    def lowered(context, builder, signature, values):
        code = Code(context, builder, signature)
        state, shares, step, count, stride, ahead, slopes, gradients, deltas = values
        state = code.data(0, state)
        over = builder.icmp_signed(">=", ahead, code.whole(0))
        for p, start in enumerate(code.points(shares, stride)):

            def body(k, totals, start=start):
                share = code.load(state, builder.add(start, builder.mul(k, step)), COLUMN)
                return [code.plus(totals[0], share)]

            (total,) = code.counted(count, [code.same(0.0, COLUMN)], body)
            part = code.whole(p * ROWS)
            skipped = code.load(state, builder.select(over, builder.add(ahead, part), code.whole(0)), COLUMN)
            skipped = builder.select(over, skipped, code.same(0.0, COLUMN))
            total = code.plus(total, skipped)
            slope = code.load(state, builder.add(slopes, part), COLUMN)
            code.store(total, state, builder.add(gradients, part))
            code.store(code.times(total, slope), state, builder.add(deltas, part))
        return context.get_dummy_value()

    return types.none(state, *(types.intp,) * 8), lowered


@intrinsic
def met(typing_context, meeting, expected):
    """Wait until so many arrivals were counted, this one included."""

    def lowered(context, builder, signature, values):
        code = Code(context, builder, signature)
        data = code.data(0, values[0])
        builder.atomic_rmw("add", data, code.whole(1), "seq_cst")
        look, wait, rest = (builder.append_basic_block(name) for name in ("look", "wait", "rest"))
        after = builder.append_basic_block("met")
        before = builder.block
        builder.branch(look)
        builder.position_at_end(look)
        looks = builder.phi(WORD)
        seen = builder.load_atomic(data, "seq_cst", 8)
        builder.cbranch(builder.icmp_signed(">=", seen, values[1]), after, wait)
        builder.position_at_end(wait)
        later = code.moved(looks, 1)
        builder.cbranch(builder.icmp_signed("<", later, code.whole(PATIENCE)), look, rest)
        builder.position_at_end(rest)
        offer = cgutils.get_or_insert_function(builder.module, ir.FunctionType(PLACE, []), "sched_yield")
        builder.call(offer, [])
        builder.branch(look)
        looks.add_incoming(code.whole(0), before)
        looks.add_incoming(later, wait)
        looks.add_incoming(code.whole(0), rest)
        builder.position_at_end(after)
        return context.get_dummy_value()

    return types.none(meeting, types.intp), lowered
