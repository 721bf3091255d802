"""Beyond the draft: a learned second layer, finite dimensions, the plateau, specialisation, critical learning rates."""
