"""What ledgers and pages show, and whether their certificates say so."""
