"""Floats at full speed: emitted kernels and what is computed with them."""


class NumericsError(ValueError):
    """What every error for a user of this package derives from: its message says what was given, and what to do."""
