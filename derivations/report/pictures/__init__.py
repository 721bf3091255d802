"""Small pictures for pages: curves beside what is refuted, and the boxes of a trajectory."""
