"""Initial value problems, many at a time, whose rates are compiled with the integrator."""
