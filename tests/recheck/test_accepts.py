"""The checker accepts certificates of every kind that were written by hand, and needs nothing but python-flint."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from each import each
from recheck.handmade import ALL

import derivations
from derivations.recheck import check


@each("name", sorted(ALL))
def test_a_correct_certificate_is_accepted(name: str) -> None:
    check(json.loads(json.dumps(ALL[name])))


def test_every_kind_and_verdict_is_among_the_certificates_written_by_hand() -> None:
    seen = {(c["statement"]["kind"], c["verdict"]) for c in ALL.values()}
    scalar = {(kind, verdict) for kind in ("identity", "sign", "limit", "solves") for verdict in ("proved", "refuted")}
    assert seen >= scalar | {("enclosure", "certified"), ("enclosure", "refuted"), ("all", "refuted")}
    assert seen >= {
        ("all", "certified"),
        ("by", "proved"),
        ("argued", "argued"),
        ("not", "refuted"),
        ("identity", "open"),
    }


def test_tuples_are_read_like_lists() -> None:
    def tuples(data: object) -> object:
        if isinstance(data, dict):
            return {key: tuples(value) for key, value in data.items()}
        return tuple(map(tuples, data)) if isinstance(data, list) else data

    for certificate in ALL.values():
        check(tuples(certificate))  # type: ignore[arg-type]


def test_checking_loads_neither_sympy_nor_a_prover() -> None:
    program = (
        "import json, sys; from derivations.recheck import check; check(json.load(sys.stdin));"
        "strange = ('sympy', 'derivations.prove', 'derivations.language.terms');"
        "bad = [m for m in sys.modules if m.startswith(strange)];"
        "sys.exit(' '.join(bad) or 0)"
    )
    root = Path(derivations.__file__ or ".").parent.parent
    command, data = [sys.executable, "-c", program], json.dumps(ALL["stable"])
    done = subprocess.run(command, input=data, cwd=root, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
