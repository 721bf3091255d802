"""The figures of van Rossem & Saxe (2024), When representations align."""

from numerics.reproduce.figures.van_rossem_saxe_2024 import blobs, depth, dynamics, final_distances, images, xor

PANELS = {**dynamics.PANELS, **depth.PANELS, **final_distances.PANELS, **images.PANELS, **xor.PANELS, **blobs.PANELS}
