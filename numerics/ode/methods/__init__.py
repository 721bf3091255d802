"""Integrators as sources: `numerics.machine.specialise` joins one with a kernel into a file that Numba compiles."""
