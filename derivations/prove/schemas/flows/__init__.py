"""What moves: functions of time and solutions compared, sets that are not left, and points where a flow rests."""

from __future__ import annotations

from derivations.prove.schemas.flows import comparison, distance, invariance, rest_points
from derivations.prove.schemas.schema import Schema

SCHEMAS: tuple[Schema, ...] = (
    *comparison.SCHEMAS,
    *distance.SCHEMAS,
    *invariance.SCHEMAS,
    *rest_points.SCHEMAS,
)
