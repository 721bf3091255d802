"""The names that a reader finds who types a package's name and a dot: the public names, all of them there, and no
others.
"""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest
from case_files import Cases
from each import each

FAMILIES = Cases(__file__, globals())

FACES = ("derivations", "derivations.prove", "numerics", "numerics.theory", "numerics.simulate")
PROMISED = FAMILIES["promised"]  # names that documents and notebooks use


@each("name", FACES)
def test_a_face_shows_its_public_names_and_nothing_else(name: str) -> None:
    face = importlib.import_module(name)
    shown = dir(face)
    assert shown == sorted(set(face.__all__))
    assert set(shown) >= PROMISED[name]
    assert all(public == "__version__" or not public.startswith("_") for public in shown)
    for public in shown:
        assert getattr(face, public) is not None
    with pytest.raises(AttributeError):
        face.nothing_of_that_name  # noqa: B018


@each("name", FACES)
def test_a_module_that_is_public_is_a_part_and_no_library(name: str) -> None:
    face = importlib.import_module(name)
    modules = [m for m in (getattr(face, public) for public in dir(face)) if isinstance(m, ModuleType)]
    assert all(module.__name__.startswith(f"{name.split('.', maxsplit=1)[0]}.") for module in modules)


test_statements_have_their_verdicts = FAMILIES.verdicts()
