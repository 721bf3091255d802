"""Floats at full speed: emitted kernels and what is computed with them."""
