"""Functions that emitted programs carry with them, as text."""
