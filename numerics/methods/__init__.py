"""Integrators as sources: `numerics.specialise` joins one with a kernel into a file that Numba compiles."""
