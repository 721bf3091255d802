"""A function of JAX that is computed by the files for C, as a foreign function of XLA, on the processor."""

from __future__ import annotations

from collections.abc import Collection

from derivations.kernels.targets.bridges import jax

HANDLERS = """
// @NAME@ and its derivatives as foreign functions of XLA: each maps a function of C over the entries of arrays.
// @NAME@_through_ffi.py compiles it and hands it to JAX.
//
// Emitted by `derivations emit`. Edit the kernel, never this file.

#include "xla/ffi/api/ffi.h"

@INCLUDES@

namespace ffi = xla::ffi;

template <void (*function)(const double *, double *), size_t arguments, size_t results>
static ffi::Error mapped(ffi::RemainingArgs given, ffi::RemainingRets made)
{
    const double *in[arguments];
    double *out[results];
    size_t count = 0;
    if (given.size() != arguments || made.size() != results)
        return ffi::Error::InvalidArgument("another number of arrays than the kernel has");
    for (size_t k = 0; k < arguments; k++) {
        auto array = given.get<ffi::Buffer<ffi::F64>>(k);
        if (array.has_error()) return array.error();
        if (k > 0 && array->element_count() != count) return ffi::Error::InvalidArgument("arrays of different sizes");
        count = array->element_count();
        in[k] = array->typed_data();
    }
    for (size_t k = 0; k < results; k++) {
        auto array = made.get<ffi::Buffer<ffi::F64>>(k);
        if (array.has_error()) return array.error();
        if ((*array)->element_count() != count) return ffi::Error::InvalidArgument("arrays of different sizes");
        out[k] = (*array)->typed_data();
    }
    for (size_t n = 0; n < count; n++) {
        double at[arguments], found[results];
        for (size_t k = 0; k < arguments; k++) at[k] = in[k][n];
        function(at, found);
        for (size_t k = 0; k < results; k++) out[k][n] = found[k];
    }
    return ffi::Error::Success();
}
"""
HANDLER = """
static void at_FUNCTION(const double *at, double *found)
{
    FUNCTION(GIVEN, found);
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(FUNCTION_ffi, (mapped<at_FUNCTION, ARGUMENTS, RESULTS>),
                              ffi::Ffi::Bind().RemainingArgs().RemainingRets());
"""
MODULE = '''
"""@NAME@ for JAX, computed by the files for C through jax.ffi, with derivatives that were derived and proved.

Takes numbers and arrays of doubles, which are broadcast (@TAKES@), and returns a tuple (@RETURNS@).
It runs on the processor alone. The files @NAME@.c, @NAME@_ffi.cc and those of the derivatives stand beside this one;
the first import compiles them with `cc` and `c++` into @NAME@_ffi.so, which takes some seconds.

Emitted by `derivations emit`. Edit the kernel, never this file.
"""

import ctypes
import math
import os
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

HERE = Path(__file__).resolve().parent
SOURCES = (@SOURCES@,)  # and, of each, how many results its function has
LIBRARY = HERE/"@NAME@_ffi.so"


def built():
    """The library of these files, compiled where it is missing or older than one of them."""
    files = [HERE/"@NAME@_ffi.cc", *(HERE/f"{name}.{ending}" for name, _ in SOURCES for ending in "ch")]
    if LIBRARY.exists() and LIBRARY.stat().st_mtime > max(file.stat().st_mtime for file in files):
        return ctypes.CDLL(str(LIBRARY))
    with tempfile.TemporaryDirectory(dir=HERE) as folder:
        objects = [f"{folder}/{name}.o" for name, _ in SOURCES]
        for (name, _), made in zip(SOURCES, objects):
            subprocess.run(["cc", "-std=c11", "-O2", "-fPIC", "-c", str(HERE/f"{name}.c"), "-o", made], check=True)
        whole, given = f"{folder}/whole.so", ["-isystem", jax.ffi.include_dir(), f"-I{HERE}", str(files[0]), *objects]
        subprocess.run(["c++", "-std=c++17", "-O2", "-fPIC", "-shared", *given, "-lm", "-o", whole], check=True)
        os.replace(whole, LIBRARY)
    return ctypes.CDLL(str(LIBRARY))


def foreign(name, count):
    """A function of C as one of JAX, from numbers and arrays that are broadcast to a tuple of so many arrays."""
    jax.ffi.register_ffi_target(f"{name}_ffi", jax.ffi.pycapsule(getattr(CODE, f"{name}_ffi")), platform="cpu")

    def called(*at):
        at = jnp.broadcast_arrays(*(jnp.asarray(value, dtype=float) for value in at))
        results = (jax.ShapeDtypeStruct(at[0].shape, jnp.float64),)*count
        return tuple(jax.ffi.ffi_call(f"{name}_ffi", results, vmap_method="broadcast_all")(*at))

    return called


CODE = built()
@FOREIGN@
@POINTS@
'''


def handlers(ways: Collection[str]) -> str:
    """The source in C++ for a kernel and the derivatives that stand beside it."""
    parts = [HANDLERS.strip().replace("@INCLUDES@", "\n".join(f'#include "@NAME@{end}.h"' for end in _endings(ways)))]
    for end in _endings(ways):
        text = HANDLER.strip().replace("FUNCTION", f"@NAME@{end}").replace("ARGUMENTS", f"@TAKEN{end}@")
        parts.append(text.replace("RESULTS", f"@MADE{end}@").replace("GIVEN", f"@GIVEN{end}@"))
    return "\n\n".join(parts)


def text(ways: Collection[str], *, flow: bool) -> str:
    """The module, with a function for each way, as the one for JAX has them."""
    ends = _endings(ways)
    names = [("values" if not end else f"@NAME@{end}", f'"@NAME@{end}", @MADE{end}@') for end in ends]
    head = MODULE.strip().replace("@SOURCES@", ", ".join(f"({source})" for _, source in names))
    head = head.replace("@FOREIGN@", "\n".join(f"{name} = foreign({source})" for name, source in names))
    return "\n\n\n".join([head, *jax.parts(ways, flow=flow)])


def _endings(ways: Collection[str]) -> list[str]:
    return ["", *(f"_{way}" for way in ("jvp", "vjp") if way in ways)]
