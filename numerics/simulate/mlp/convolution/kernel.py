"""Full-batch training of a network of convolutions on a few points, by one thread.

A layer's outputs, and the slopes of the loss with respect to what its activation saw, lie in rows: point after point,
channel after channel, each with zeros behind it, and the latter with zeros before it too. So a window that
reaches over the end of a row adds nothing.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from numba import njit

from numerics.machine.activations.smooth import BENT, smooth
from numerics.simulate.mlp.convolution.tiles import ABREAST, BROAD, HALF, TALL, TAPS, broad, half, narrow, single, tall
from numerics.simulate.mlp.panels import LANES

WEIGHTS, BIASES, ROWS_OUT, ROWS_IN, LENGTH, LEFT, DELTAS = range(7)  # columns that tell of a layer
FORWARD, BACKWARD, SUMMED, TURNS_FORWARD, TURNS_BACKWARD, TURNS_SUMMED = range(6)  # columns that tell of its tables


@njit(cache=True, nogil=True)
def descend(
    first,
    end,
    total,
    until,
    rate,
    points,
    stride,
    taps,
    wide,
    layers,
    tables,
    offsets,
    kind,
    below,
    bias,
    weights,
    zeros,
    slopes,
    room,
    spare,
    inputs,
    targets,
    answers,
    losses,
    record_at,
    chosen,
    hidden,
    outputs,
):
    """Epochs from `first` to before `end`; the one after `total` steps only looks, and so does the one after a loss
    below `until`, which makes the records of all later ones.

    Convolutions have `taps` weights from channel to channel, with room for `wide`. Rows of `layers` and `tables` tell
    where a layer's numbers are, and the parts of `offsets` that the tiles need. `zeros` is a place in `weights`, and
    `spare` one in `room`, as large as a layer.
    """
    depth, saved, before = layers.shape[0], 0, taps - 1
    while saved < record_at.size and record_at[saved] < first:
        saved += 1
    for epoch in range(first, end):
        _entered(inputs, weights, layers, room, points, stride)
        _activated(layers, 0, kind, below, room, points, stride)
        for l in range(1, depth - 1):
            rows, under = layers[l, ROWS_OUT], layers[l, ROWS_IN]
            table = offsets[tables[l, FORWARD] :]
            for p in range(points):
                _windows(
                    room,
                    layers[l - 1, LEFT] + p * under * stride,
                    layers[l, LEFT] + p * rows * stride,
                    stride,
                    layers[l, LENGTH],
                    rows,
                    weights,
                    layers[l, WEIGHTS],
                    under * wide,
                    layers[l, BIASES],
                    1,
                    table,
                    tables[l, TURNS_FORWARD],
                )
            _activated(layers, l, kind, below, room, points, stride)
        _answered(weights, layers, room, stride, answers)
        last = epoch == total or (epoch > 0 and losses[epoch - 1] < until)
        while saved < record_at.size and (last or record_at[saved] == epoch):
            for k in range(chosen.size):
                _copied(layers, chosen[k], room, stride, hidden[saved, k])
            outputs[saved] = answers
            saved += 1
        losses[epoch] = _missed(answers, targets)
        if last:
            break
        _sent_back(weights, layers, room, stride, answers, rate, bias)
        for l in range(depth - 2, 0, -1):
            rows, under = layers[l, ROWS_OUT], layers[l, ROWS_IN]
            table = offsets[tables[l, BACKWARD] :]
            for p in range(points):
                _windows(
                    room,
                    layers[l, DELTAS] + p * rows * stride - before,
                    spare + p * under * stride,
                    stride,
                    layers[l - 1, LENGTH],
                    under,
                    weights,
                    layers[l, WEIGHTS],
                    wide,
                    zeros,
                    0,
                    table,
                    tables[l, TURNS_BACKWARD],
                )
            _summed(layers, l, wide, room, stride, offsets[tables[l, SUMMED] :], tables[l, TURNS_SUMMED], slopes)
            size, at = rows * under * wide, layers[l, WEIGHTS]
            _moved(weights[at : at + size], slopes[:size], rate)
            if bias:
                _biases_moved(weights, layers, l, room, points, stride, rate)
            for row in range(points * under):
                at, length = layers[l - 1, DELTAS] + row * stride, layers[l - 1, LENGTH]
                _multiplied(room[at : at + length], room[spare + row * stride : spare + row * stride + length])
        _entrance_moved(inputs, weights, layers, room, points, stride, rate, bias)


@njit(cache=True, forceinline=True)
def _windows(room, seen, out, stride, length, rows, weights, at, apart, before, step, table, turns):
    """Rows of sums over windows; `step` is 1 where each row begins with a number of its own, else 0."""
    for block in range(0, length, ABREAST * LANES):
        row = 0
        while row < rows:
            to, take, begin = out + row * stride + block, at + row * apart, before + step * row
            if rows - row >= TALL:
                tall(room, seen + block, to, stride, weights, take, apart, begin, table, turns)
                row += TALL
            elif rows - row >= HALF:
                half(room, seen + block, to, stride, weights, take, apart, begin, table, turns)
                row += HALF
            else:
                single(room, seen + block, to, stride, weights, take, apart, begin, table, turns)
                row += 1


@njit(cache=True, forceinline=True)
def _summed(layers, l, wide, room, stride, table, turns, slopes):
    """The slopes with respect to a layer's weights."""
    rows, under = layers[l, ROWS_OUT], layers[l, ROWS_IN]
    apart = under * wide
    for channel in range(under):
        for tap in range(0, wide, TAPS):
            seen = layers[l - 1, LEFT] + channel * stride + tap
            row = 0
            while row < rows:
                deltas, at = layers[l, DELTAS] + row * stride, row * apart + channel * wide + tap
                if rows - row >= BROAD:
                    broad(room, deltas, stride, seen, slopes, at, apart, table, turns)
                    row += BROAD
                else:
                    narrow(room, deltas, stride, seen, slopes, at, apart, table, turns)
                    row += 1


@njit(cache=True)
def _activated(layers, l, kind, below, room, points, stride):
    """Outputs of a layer from what its activation sees, and the activation's slopes; zeros behind both."""
    length = layers[l, LENGTH]
    for row in range(points * layers[l, ROWS_OUT]):
        at, to = layers[l, LEFT] + row * stride, layers[l, DELTAS] + row * stride
        values, steep = room[at : at + length], room[to : to + length]
        if kind == BENT:
            _bent(values, steep, below[0])
        else:
            for t in range(length):
                values[t], steep[t] = smooth(kind, values[t])
        room[at + length : layers[l, LEFT] + (row + 1) * stride] = 0


@njit(cache=True)
def _bent(values, steep, below):
    for t in range(values.size):
        slope = values.dtype.type(1) if values[t] > 0 else below
        values[t] *= slope
        steep[t] = slope


@njit(cache=True)
def _multiplied(left, right):
    for t in range(left.size):
        left[t] *= right[t]


@njit(cache=True)
def _moved(part, slope, rate):
    for k in range(part.size):
        part[k] -= rate[0] * slope[k]


@njit(cache=True)
def _biases_moved(weights, layers, l, room, points, stride, rate):
    rows, length = layers[l, ROWS_OUT], layers[l, LENGTH]
    for row in range(rows):
        slope = rate[0] * 0
        for p in range(points):
            at = layers[l, DELTAS] + (p * rows + row) * stride
            slope += _total(room[at : at + length])
        weights[layers[l, BIASES] + row] -= rate[0] * slope


@njit(cache=True, fastmath={"reassoc", "nsz"})
def _total(values):
    total = values[0]
    for t in range(1, values.size):
        total += values[t]
    return total


# --- the layers at both ends, which are dense -------------------------------------------------------------------------


@njit(cache=True)
def _entered(inputs, weights, layers, room, points, stride):
    """Return what the first layer's activation sees; its weights lie input after input."""
    units = layers[0, LENGTH]
    for p in range(points):
        at = layers[0, LEFT] + p * stride
        values = room[at : at + units]
        values[:] = weights[layers[0, BIASES] : layers[0, BIASES] + units]
        for i in range(inputs.shape[1]):
            begin = layers[0, WEIGHTS] + i * units
            _added(values, weights[begin : begin + units], inputs[p, i])


@njit(cache=True)
def _added(values, others, factor):
    for t in range(values.size):
        values[t] += factor * others[t]


@njit(cache=True)
def _entrance_moved(inputs, weights, layers, room, points, stride, rate, bias):
    units = layers[0, LENGTH]
    for p in range(points):
        at = layers[0, DELTAS] + p * stride
        slope = room[at : at + units]
        for i in range(inputs.shape[1]):
            begin = layers[0, WEIGHTS] + i * units
            _added(weights[begin : begin + units], slope, -rate[0] * inputs[p, i])
        if bias:
            _added(weights[layers[0, BIASES] : layers[0, BIASES] + units], slope, -rate[0])


@njit(cache=True)
def _answered(weights, layers, room, stride, answers):
    """The answers of the last layer."""
    last = layers.shape[0] - 1
    length = layers[last - 1, LENGTH]
    for p in range(answers.shape[0]):
        at = layers[last - 1, LEFT] + p * stride
        for j in range(answers.shape[1]):
            begin = layers[last, WEIGHTS] + j * length
            answers[p, j] = weights[layers[last, BIASES] + j] + _along(
                room[at : at + length], weights[begin : begin + length]
            )


@njit(cache=True, fastmath={"reassoc", "contract", "nsz"})
def _along(left, right):
    total = left[0] * right[0]
    for t in range(1, left.size):
        total += left[t] * right[t]
    return total


@njit(cache=True)
def _missed(answers, targets):
    """Half the mean over points of the squared error, and in the place of the answers its slopes."""
    total = 0.0
    for p in range(targets.shape[0]):
        for j in range(targets.shape[1]):
            error = answers[p, j] - targets[p, j]
            total += 0.5 * float(error) ** 2 / targets.shape[0]
            answers[p, j] = error / targets.shape[0]
    return total


@njit(cache=True)
def _sent_back(weights, layers, room, stride, errors, rate, bias):
    """Take the slopes through the last layer, and move it."""
    last = layers.shape[0] - 1
    length, outputs = layers[last - 1, LENGTH], errors.shape[1]
    for p in range(errors.shape[0]):
        at = layers[last - 1, DELTAS] + p * stride
        for t in range(length):
            slope = errors[p, 0] * weights[layers[last, WEIGHTS] + t]
            for j in range(1, outputs):
                slope += errors[p, j] * weights[layers[last, WEIGHTS] + j * length + t]
            room[at + t] *= slope
    for j in range(outputs):
        begin = layers[last, WEIGHTS] + j * length
        for p in range(errors.shape[0]):
            at = layers[last - 1, LEFT] + p * stride
            _added(weights[begin : begin + length], room[at : at + length], -rate[0] * errors[p, j])
            if bias:
                weights[layers[last, BIASES] + j] -= rate[0] * errors[p, j]


@njit(cache=True)
def _copied(layers, l, room, stride, out):
    """The outputs of a layer (point, unit)."""
    rows, length = layers[l, ROWS_OUT], layers[l, LENGTH]
    for p in range(out.shape[0]):
        for row in range(rows):
            at = layers[l, LEFT] + (p * rows + row) * stride
            out[p, row * length : (row + 1) * length] = room[at : at + length]
