"""Random statements of every kind, each with what numbers say of it: what makes one, and how often it is drawn."""

from __future__ import annotations

from fuzz import motion, orders, scalars

MAKERS = scalars.MAKERS | motion.MAKERS | orders.MAKERS
