"""`python -m derivations` and the command `derivations`."""

from derivations.commands.main import main

__all__ = ["main"]

if __name__ == "__main__":
    raise SystemExit(main())
