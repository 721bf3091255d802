"""What a source says, entry by entry, and how papers are found."""
