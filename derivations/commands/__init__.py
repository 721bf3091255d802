"""The command line: what its words mean, what it runs, and what it prints."""
