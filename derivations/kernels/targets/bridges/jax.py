"""A function of JAX that is differentiated by the emitted derivatives, and not through its own operations."""

from __future__ import annotations

from collections.abc import Collection

HEAD = '''
"""@NAME@ for JAX, with derivatives that were derived and proved: it does not differentiate the program itself.

Takes numbers and arrays of doubles, which are broadcast (@TAKES@), and returns a tuple (@RETURNS@).
The files @NAME@.py and those of its derivatives stand beside this one.

Emitted by `derivations emit`. Edit the kernel, never this file.
"""

import jax
import jax.numpy as jnp
import numpy as np

from @NAME@ import POINTS, compared
from @NAME@ import @NAME@ as values
'''
ALONG = '''
@jax.custom_jvp
def along(*at):
    """The values; differentiated along a direction."""
    return tuple(jnp.broadcast_to(value, at[0].shape) for value in values(*at))


@along.defjvp
def _(at, direction):
    """Columns of the Jacobian by the emitted derivative, each times a part of the direction: linear in it."""
    columns = [@NAME@_jvp(*at, *row) for row in np.eye(@ARGUMENTS@)]
    rows = zip(*columns)
    return along(*at), tuple(sum(slope*part for slope, part in zip(row, direction)) for row in rows)
'''
AGAINST = '''
@jax.custom_vjp
def against(*at):
    """The values; differentiated against the results only."""
    return tuple(jnp.broadcast_to(value, at[0].shape) for value in values(*at))


def forward(*at):
    """The values, and what the derivative needs."""
    return against(*at), at


def backward(at, weights):
    """The derivatives of the weighted sum of the results."""
    return tuple(jnp.broadcast_to(slope, at[0].shape) for slope in @NAME@_vjp(*at, *weights))


against.defvjp(forward, backward)
'''
FUNCTION = '''
def FUNCTION(*at):
    """@NAME@(@TAKES@), SAYS."""
    if len(at) != @ARGUMENTS@:
        raise TypeError(f"@ARGUMENTS@ arguments are needed (@TAKES@), and {len(at)} were given")
    return INNER(*jnp.broadcast_arrays(*(jnp.asarray(value, dtype=float) for value in at)))
'''
TERM = '''
def term():
    """The flow of (@STATE@) as a diffrax.ODETerm: a state is a tuple in this order, and `args` are (@PARAMETERS@)."""
    import diffrax

    return diffrax.ODETerm(lambda time, state, args: @NAME@(*state, *args))
'''
TEST = '''
@GRADIENTS@


def self_test():
    """Return faults as sentences; nothing where all is well: values, and gradients of the sum of all results."""
    found = []
    for function in (FUNCTIONS,):
        gradient = jax.jit(jax.grad(lambda at, function=function: sum(function(*at))))
        for place, (arguments, expected) in enumerate(POINTS):
            found += compared(f"point {place}", jax.jit(function)(*arguments), expected)
            exact = GRADIENTS[place]
            if exact is not None:
                given = np.asarray(gradient(tuple(map(float, arguments))))
                if not np.max(abs(given - np.asarray(exact))) <= 1e-15 + 1e-9*max(map(abs, exact)):
                    found.append(f"@NAME@ at point {place}: the gradient {given.tolist()} should be {exact}")
    return found
'''


def text(ways: Collection[str], *, flow: bool) -> str:
    """The module, with a function for each way; the first is called like the kernel."""
    imports = [f"from @NAME@_{way} import @NAME@_{way}" for way in ("jvp", "vjp") if way in ways]
    return "\n\n\n".join(["\n".join([HEAD.strip(), *imports]), *parts(ways, flow=flow)])


def parts(ways: Collection[str], *, flow: bool) -> list[str]:
    """The text below the head, which uses `values`, the derivatives, POINTS and `compared`; a flow has a term."""
    texts, functions = [], []
    if "jvp" in ways:
        texts += [ALONG, _function("@NAME@", "along", "differentiated in both directions")]
        functions.append("@NAME@")
    if "vjp" in ways:
        name = "@NAME@_reverse" if functions else "@NAME@"
        texts += [AGAINST, _function(name, "against", "differentiated against its results only")]
        functions.append(name)
    test = TEST.replace("FUNCTIONS", ", ".join(functions))
    return [part.strip() for part in (*texts, *[TERM] * flow, test)]


def _function(name: str, inner: str, says: str) -> str:
    return FUNCTION.replace("FUNCTION", name).replace("INNER", inner).replace("SAYS", says)
