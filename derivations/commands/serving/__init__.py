"""`derivations serve`: answers questions of agents over standard input and output, by the Model Context Protocol."""
