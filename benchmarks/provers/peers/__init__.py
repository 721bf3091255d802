"""Other provers, each told the same statements: SymPy, and Z3 for what is polynomial."""
