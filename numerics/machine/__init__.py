"""What computing on this machine takes: compiled files, lanes, random streams, checkpoints, progress."""
