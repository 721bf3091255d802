"""Instances of every model: what their kind declares is exactly true, and a seed gives the same numbers everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module

import pytest
from case_files import Cases
from each import each

from derivations.models import MODELS

FAMILIES = Cases(__file__, globals())

EVERY = [(model, kind) for model in MODELS for kind in import_module(f"derivations.models.{model}").KINDS]
SEEDS = range(25)

every_kind = each(("model", "kind"), EVERY)


@every_kind
def test_what_a_kind_declares_is_exactly_true(model: str, kind: str) -> None:
    m = import_module(f"derivations.models.{model}")
    for seed in SEEDS:
        assert m.holds(m.instance(kind, seed)), seed


@every_kind
def test_seeds_give_different_instances(model: str, kind: str) -> None:
    m = import_module(f"derivations.models.{model}")
    assert len({json.dumps(m.instance(kind, seed).as_json(), sort_keys=True) for seed in SEEDS}) == len(SEEDS)


def test_properties_distinguish_kinds() -> None:
    m = import_module("derivations.models.two_layer_linear")
    generic = [m.instance("generic", seed) for seed in SEEDS]
    assert sum(at.obeys(*m.BALANCED) for at in generic) < 3
    assert not any(m.KINDS["wrong_sign"].also(m.instance("aligned", seed)) for seed in SEEDS)
    at = m.instance("balanced", 0)
    assert not m.holds(at.changed({"Sigma": 2 * at["Sigma"]}))


PRINT = """
import json
from importlib import import_module
from derivations.models import MODELS
made = [import_module(f"derivations.models.{name}") for name in MODELS]
print(json.dumps([m.instance(kind, 3).as_json() for m in made for kind in m.KINDS], sort_keys=True))
"""


@pytest.mark.laws  # by default the ledger of some claims is compared so
def test_a_seed_gives_the_same_numbers_under_every_hash_seed() -> None:
    texts = {
        subprocess.run(
            [sys.executable, "-c", PRINT],
            env={**os.environ, "PYTHONHASHSEED": hashing},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashing in ("1", "2")
    }
    assert len(texts) == 1


test_statements_have_their_verdicts = FAMILIES.verdicts()
