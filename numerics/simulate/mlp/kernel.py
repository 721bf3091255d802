"""Full-batch training of a fully connected network on a few points, by one thread of a team."""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from numba import njit

from numerics.machine.activations.smooth import BENT, smooth
from numerics.simulate.mlp.panels import POINTS, ROWS, SUMS, bent, collected, met, moved_back, weighted

PARTS = 8  # a layer's panels are divided into so many parts, so that sums have one order on any number of threads
WEIGHTS, PANELS, VECTORS, INPUTS, STRIDE, OUTPUTS, WIDE, SLOPES, GRADIENTS, DELTAS, UNITS, MASKS = range(12)


@njit(cache=True, nogil=True)
def descend(
    thread,
    threads,
    first,
    end,
    total,
    until,
    layers,
    kind,
    bends,
    bias,
    skip,
    weights,
    moments,
    state,
    targets,
    shares,
    spare,
    scales,
    masks,
    losses,
    record_at,
    chosen,
    hidden,
    outputs,
    meeting,
):
    """Epochs from `first` to before `end`; the one after `total` steps only looks, and so does the last one.

    The last one is the next after that of a loss below `until`, and makes the records of all later ones.

    Rows of `layers` tell where a layer's numbers are. `targets` is the place of the targets and of the weights of their
    errors; at `shares` there is room for the shares of slopes, twice `spare` numbers. A loss is written for each epoch,
    and the outputs of the chosen layers at those of `record_at`. Where units are left out, a row of `masks` for each
    epoch has the inputs that are left, and what each unit is multiplied by; the last one has all inputs.
    """
    depth, met_before, saved = layers.shape[0], 0, 0
    begin, stop = PARTS * thread // threads, PARTS * (thread + 1) // threads
    while saved < record_at.size and record_at[saved] < first:
        saved += 1
    for epoch in range(first, end):
        if masks.size > 0:
            met_before += 1
            met(meeting, met_before * threads)  # nobody uses the inputs any longer, and the last loss is known
        last = masks.size > 0 and _ends(epoch, total, until, losses)
        whole = masks.size == 0 or last or (saved < record_at.size and record_at[saved] == epoch)
        for masked in range(0 if whole else 1, 1 if masks.size == 0 or last else 2):  # with all units, with some
            if masks.size > 0:
                met_before += 1
                met(meeting, met_before * threads)
                if thread == 0:
                    row = epoch - first if masked else masks.shape[0] - 1
                    _entered(state, layers[0, INPUTS], masks[row], layers[0, MASKS])
                met_before += 1
                met(meeting, met_before * threads)
            for l in range(depth):
                panels = layers[l, PANELS]
                low, high = panels * begin // PARTS, panels * stop // PARTS
                _forward(weights, state, layers, l, low, high, kind, bends, bias, skip)
                if l == depth - 1:
                    _missed(state, layers, l, low, high, targets)
                else:
                    if masked:
                        _left_out(state, layers, l, low, high, masks[epoch - first])
                    met_before += 1
                    met(meeting, met_before * threads)
            if masked:
                break
            last = _ends(epoch, total, until, losses)
            while saved < record_at.size and (last or record_at[saved] == epoch):
                for k in range(chosen.size):
                    _copied(state, layers, chosen[k], begin, stop, hidden[saved, k])
                _copied(state, layers, depth - 1, begin, stop, outputs[saved])
                saved += 1
        if last:
            met_before += 1
            met(meeting, met_before * threads)
            if thread == 0:
                losses[epoch] = _loss(state, layers, targets)
            break
        for l in range(depth - 1, -1, -1):
            into = shares + l % 2 * spare
            _backward(weights, moments, state, layers, l, begin, stop, into, scales, epoch - first)
            if l > 0:
                met_before += 1
                met(meeting, met_before * threads)
                _sent_back(state, layers, l, begin, stop, into, skip)
            if l == depth - 1 and thread == 0:
                losses[epoch] = _loss(state, layers, targets)


@njit(cache=True, forceinline=True)
def _ends(epoch, total, until, losses):
    """Check whether this epoch only looks."""
    return epoch == total or (epoch > 0 and losses[epoch - 1] < until)


@njit(cache=True, forceinline=True)
def _entered(state, inputs, masks, size):
    """The inputs of all points, those that are left or all."""
    for k in range(size):
        state[inputs + k] = masks[k]


@njit(cache=True, forceinline=True)
def _left_out(state, layers, l, low, high, masks):
    """Multiply outputs of some panels, and the slopes of the activation there."""
    for panel in range(low, high):
        for p in range(POINTS):
            for r in range(ROWS):
                k = panel * SUMS + p * ROWS + r
                state[layers[l, OUTPUTS] + p * layers[l, WIDE] + panel * ROWS + r] *= masks[layers[l, MASKS] + k]
                state[layers[l, SLOPES] + k] *= masks[layers[l, MASKS] + k]


@njit(cache=True, forceinline=True)
def _forward(weights, state, layers, l, low, high, kind, bends, bias, skip):
    """Outputs of some panels of a layer, and the slopes of its activation there."""
    stride, wide, units, vectors = layers[l, STRIDE], layers[l, WIDE], layers[l, UNITS], layers[l, VECTORS]
    last = l == layers.shape[0] - 1
    for panel in range(low, high):
        sums = layers[l, SLOPES] + panel * SUMS
        weighted(
            weights,
            layers[l, WEIGHTS] + panel * ROWS * stride,
            state,
            layers[l, INPUTS],
            stride,
            vectors,
            sums,
        )
        out = layers[l, OUTPUTS] + panel * ROWS
        if last or kind == BENT:
            bent(state, sums, out, wide, bends[0 if last else 1])
        else:
            for p in range(POINTS):
                for r in range(ROWS):
                    value, slope = smooth(kind, state[sums + p * ROWS + r])
                    state[out + p * wide + r], state[sums + p * ROWS + r] = value, slope
        if skip > 0 and l >= skip and not last:
            behind = layers[l - skip, OUTPUTS] + panel * ROWS
            for p in range(POINTS):
                for r in range(ROWS):
                    state[out + p * wide + r] += state[behind + p * wide + r]
    if low < high == layers[l, PANELS]:
        for p in range(POINTS):
            for r in range(units - (high - 1) * ROWS, ROWS):  # rows that only fill up the last panel
                state[layers[l, SLOPES] + (high - 1) * SUMS + p * ROWS + r] = 0
            if not last:
                state[layers[l, OUTPUTS] + p * wide + units] = bias


@njit(cache=True, forceinline=True)
def _missed(state, layers, l, low, high, targets):
    """The slopes of the loss with respect to some outputs."""
    for panel in range(low, high):
        for p in range(POINTS):
            for r in range(ROWS):
                k = panel * SUMS + p * ROWS + r
                error = state[layers[l, OUTPUTS] + p * layers[l, WIDE] + panel * ROWS + r] - state[targets + k]
                state[layers[l, DELTAS] + k] = error * state[targets + layers[l, PANELS] * SUMS + k]


@njit(cache=True, forceinline=True)
def _loss(state, layers, targets):
    """Half the mean over points of the squared error."""
    last, total = layers.shape[0] - 1, 0.0
    size = layers[last, PANELS] * SUMS
    for k in range(size):
        share = state[targets + size + k]
        if share > 0:
            total += 0.5 * state[layers[last, DELTAS] + k] ** 2 / share
    return total


@njit(cache=True, forceinline=True)
def _backward(weights, moments, state, layers, l, begin, stop, into, scales, epoch):
    """Move some panels, from the last one back, after adding up their shares of the slopes behind the layer."""
    stride, panels, length = layers[l, STRIDE], layers[l, PANELS], POINTS * layers[l, STRIDE]
    for part in range(stop - 1, begin - 1, -1):
        low, high = panels * part // PARTS, panels * (part + 1) // PARTS
        back = into + part * length
        state[back : back + length] = 0
        for panel in range(high - 1, low - 1, -1):
            moved_back(
                weights,
                layers[l, WEIGHTS] + panel * ROWS * stride,
                moments,
                weights.size,
                state,
                layers[l, INPUTS],
                stride,
                layers[l, VECTORS],
                layers[l, DELTAS] + panel * SUMS,
                back,
                scales,
                2 * epoch,
            )


@njit(cache=True, forceinline=True)
def _sent_back(state, layers, l, begin, stop, into, skip):
    """The slopes behind a layer, for the panels of this thread, from the shares of all parts of the layer."""
    stride, behind = layers[l, STRIDE], layers[l - 1, PANELS]
    over = skip > 0 and l - 1 + skip < layers.shape[0] - 1
    step = POINTS * stride
    for panel in range(behind * begin // PARTS, behind * stop // PARTS):
        at = panel * SUMS
        collected(
            state,
            into + panel * ROWS,
            step,
            PARTS,
            stride,
            layers[l - 1 + skip, GRADIENTS] + at if over else -1,
            layers[l - 1, SLOPES] + at,
            layers[l - 1, GRADIENTS] + at,
            layers[l - 1, DELTAS] + at,
        )


@njit(cache=True, forceinline=True)
def _copied(state, layers, l, begin, stop, out):
    """The outputs of a layer's units (point, unit)."""
    panels, units, wide = layers[l, PANELS], layers[l, UNITS], layers[l, WIDE]
    for i in range(panels * begin // PARTS * ROWS, min(units, panels * stop // PARTS * ROWS)):
        for p in range(out.shape[0]):
            out[p, i] = state[layers[l, OUTPUTS] + p * wide + i]
