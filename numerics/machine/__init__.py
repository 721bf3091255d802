"""Tools of fast computing: compiled files, lanes, random streams, checkpoints, progress."""
