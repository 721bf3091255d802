"""Initial value problems, many at a time: integration of user rates and of emitted Taylor series."""
