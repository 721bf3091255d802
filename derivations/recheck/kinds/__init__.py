"""One file for each kind of statement: what its evidence must show."""
