"""A function of PyTorch whose derivatives are the emitted ones, computed by the files for NumPy."""

from __future__ import annotations

from collections.abc import Collection

HEAD = '''
"""@NAME@ for PyTorch, with derivatives that were derived and proved.

Takes numbers and tensors, which are broadcast (@TAKES@), and returns a tuple of tensors of doubles
(@RETURNS@). It is computed with NumPy on the processor, and differentiated once.
The files @NAME@.py and those of its derivatives stand beside this one.

Emitted by `derivations emit`. Edit the kernel, never this file.
"""

import numpy as np
import torch

import @NAME@ as program
'''
FUNCTION = '''
def computed(function, values):
    """Tensors by a function of NumPy, where the first of the values is."""
    found = function(*(value.detach().cpu().numpy() for value in values))
    return tuple(torch.as_tensor(np.array(value), device=values[0].device) for value in found)


class Differentiable(torch.autograd.Function):
    """The values, and what they are differentiated by."""

    @staticmethod
    def forward(*at):
        return computed(program.@NAME@, at)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)
'''
BACKWARD = """
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, *weights):
        return computed(@NAME@_vjp, (*ctx.saved_tensors, *weights))
"""
ALONG = """
    @staticmethod
    def jvp(ctx, *direction):
        at = ctx.saved_tensors
        parts = [torch.zeros_like(x) if part is None else part for x, part in zip(at, direction)]
        return computed(@NAME@_jvp, (*at, *parts))
"""
REST = '''
def @NAME@(*at):
    """@NAME@(@TAKES@) of tensors."""
    if len(at) != @ARGUMENTS@:
        raise TypeError(f"@ARGUMENTS@ arguments are needed (@TAKES@), and {len(at)} were given")
    given = [torch.as_tensor(value, dtype=torch.float64) for value in at]
    return Differentiable.apply(*torch.broadcast_tensors(*given))


@GRADIENTS@


def self_test():
    """Return faults as sentences; nothing where all is well: values, and gradients of the sum of all results."""
    found = []
    for place, (arguments, expected) in enumerate(program.POINTS):
        at = [torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in arguments]
        results = @NAME@(*at)
        found += program.compared(f"point {place}", [value.detach().numpy() for value in results], expected)
        exact = GRADIENTS[place]
        if exact is not None and BACKWARDS:
            given = np.array([float(slope) for slope in torch.autograd.grad(sum(results), at)])
            if not np.max(abs(given - np.array(exact))) <= 1e-15 + 1e-9*max(map(abs, exact)):
                found.append(f"@NAME@ at point {place}: the gradient {given.tolist()} should be {exact}")
    return found
'''


def text(ways: Collection[str], *, flow: bool) -> str:
    """The module, differentiated in the ways for which there are files."""
    imports = [f"from @NAME@_{way} import @NAME@_{way}" for way in ("jvp", "vjp") if way in ways]
    inner = [text for way, text in (("vjp", BACKWARD), ("jvp", ALONG)) if way in ways]
    function = "\n\n".join([FUNCTION.strip(), *(text.strip("\n") for text in inner)])
    definitions = REST.strip().replace("BACKWARDS", str("vjp" in ways))
    return "\n\n\n".join([HEAD.strip() + "\n" + "\n".join(imports), function, definitions])
