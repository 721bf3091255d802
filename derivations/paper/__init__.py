"""Papers: their entries, one for each thing that a source says, and how papers are found."""
