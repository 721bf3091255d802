"""Rules about functions: sines, roots, logarithms, powers, known values, and functions by what they invert."""
