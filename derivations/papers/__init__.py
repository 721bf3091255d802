"""One module, or one folder, per source; found by scanning."""
