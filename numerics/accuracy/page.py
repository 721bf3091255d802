"""The accuracy sheet for people and for machines: ACCURACY.md, and beside it every worst point as JSON.

The page is made from the JSON alone, so that it can be written again without a search.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numerics.accuracy.criterion import Report
from numerics.accuracy.search import LARGEST, SMALLEST
from numerics.accuracy.sheet import Subject, gap_of, shown, subjects
from numerics.files import put
from numerics.kernels import UnknownKernel

PAGE, POINTS = "ACCURACY.md", "docs/accuracy.json"
Json = dict[str, Any]

HEAD = """# Accuracy of the emitted kernels

Written by `numerics accuracy --seed {seed} --budget {budget}`; never edited by hand.

Every kernel is compared with its ball twin, which encloses the exact value at the same floats. The criterion is

    |computed - exact| <= 8 ulp(exact) + 4 sum_i |df/dx_i| ulp(x_i)/2

and for vectors and matrices the same of their Euclidean norms: of the error of all entries together, beside ulps of the
norm of the result and what half an ulp of each entry of each argument changes in it. *Ratio* is the largest share of
the right side that the left side was found to take. It was found by the evaluations stated, and is no bound. *Limited
by* says which term of the right side is larger there: `rounding` of the result, or the `conditioning` of the problem.
[{points}]({points}) has, for every output, the worst point that was found, as hexadecimal floats.
"""
GAPS = """## Known gaps

These kernels miss the criterion somewhere in their domain, or are known to from another seed. Everything else is
[within the criterion](#within-the-criterion).
"""
WITHIN = "## Within the criterion\n"
HOW = """## How the points are found

A third of the points is drawn from the stated domain, with sizes of uniform logarithm, its ends included; a third lies
at and beside zeros of intermediate results, found by halving; the others are bred from the worst, with steps down to
one ulp. Arguments that are not zero have sizes from {smallest} to {largest}. Results that are subnormal floats, or that
exceed the largest float, are counted apart, in the JSON. Kernels of matrices are measured for networks of several
shapes, drawn from their singular values, which may be equal or zero, and bred from the worst. Few floats are balanced
weights or orthonormal columns exactly: such equations hold up to the rounding that the domain states, and exact is the
formula at the floats as they are.
"""
COLUMNS = ("kernel", "largest ratio", "worst output", "limited by", "evaluations")
DAMAGES = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
LONGEST_DOMAIN = 600  # characters; a longer one is left to the JSON


# --- as data ----------------------------------------------------------------------------------------------------------


def as_data(reports: Mapping[str, Report], seed: int, budget: int) -> Json:
    """Everything that a search found, by kernel and output."""
    known = subjects()
    return {
        "seed": seed,
        "budget": budget,
        "kernels": {name: _found(known[name], report) for name, report in reports.items()},
    }


def _found(subject: Subject, report: Report) -> Json:
    outputs = {
        name: {
            "ratio": shown(worst.ratio),
            "limited_by": "conditioning" if worst.conditioning else "rounding",
            "subnormal": beyond.subnormal,
            "subnormal_ratio": shown(beyond.ratio),
            "overflowing": beyond.overflowing,
            "not_infinite": beyond.missed,
            "where": dict(zip(subject.arguments, worst.point, strict=True)) if worst.point else {},
        }
        for name, worst, beyond in zip(subject.returns, report.worst, report.beyond, strict=True)
    }
    return {
        "says": subject.says,
        "domain": list(subject.domain),
        "evaluations": report.evaluations,
        "undefined": report.undefined,
        "outputs": outputs,
    }


def dumps(data: Json) -> str:
    """The text of the JSON file, with one line for each output."""
    kernels = [f"  {json.dumps(name)}: {{\n{_lines(kernel)}\n  }}" for name, kernel in data["kernels"].items()]
    joined = ",\n".join(kernels)
    return f'{{\n "seed": {data["seed"]},\n "budget": {data["budget"]},\n "kernels": {{\n{joined}\n }}\n}}\n'


def _lines(kernel: Json) -> str:
    """One kernel in the file."""
    outputs = ",\n".join(f"    {json.dumps(name)}: {json.dumps(of)}" for name, of in kernel["outputs"].items())
    others = [f"   {json.dumps(key)}: {json.dumps(value)}" for key, value in kernel.items() if key != "outputs"]
    return ",\n".join([*others, f'   "outputs": {{\n{outputs}\n   }}'])


# --- the page ---------------------------------------------------------------------------------------------------------


def page(data: Json, points: str = POINTS) -> str:
    """The sheet as Markdown: kernels with known gaps first, then all others; `points` is where the JSON lies."""
    kernels: dict[str, Json] = data["kernels"]
    gaps = {name: found for name, found in kernels.items() if gap_of(name)}
    within = {name: found for name, found in kernels.items() if name not in gaps}
    lines = [HEAD.format(seed=data["seed"], budget=data["budget"], points=points)]
    for plain in dict.fromkeys(name.partition(" ")[0] for name in gaps):
        measured = {name: found for name, found in gaps.items() if name.partition(" ")[0] == plain}
        lines += [] if len(lines) > 1 else [GAPS]
        lines += _gap(plain, measured, points)
    if within:
        lines += [WITHIN, *_table(within)]
    lines.append(HOW.format(smallest=_power(SMALLEST), largest=_power(LARGEST)).rstrip())
    return "\n".join(lines) + "\n"


def _gap(plain: str, measured: dict[str, Json], points: str) -> list[str]:
    """Why and where a kernel misses the criterion."""
    reason, conditions = gap_of(plain) or "", next(iter(measured.values()))["domain"]
    domain = ", ".join(conditions).replace("*", "\\*")
    if len(domain) > LONGEST_DOMAIN:
        domain = f"{len(conditions)} conditions, listed in [{points}]({points})"
    return [f"### {plain}", "", _sentence(reason), "", f"Domain: {domain}.", "", *_table(measured)]


def _table(kernels: dict[str, Json]) -> list[str]:
    rows = [f"| {' | '.join(COLUMNS)} |", "| --- | ---: | --- | --- | ---: |"]
    for name, kernel in kernels.items():
        output, worst = max(kernel["outputs"].items(), key=lambda pair: float(pair[1]["ratio"]))
        cells = (name, worst["ratio"], output, worst["limited_by"], str(kernel["evaluations"]))
        rows.append(f"| {' | '.join(cells)} |")
    return [*rows, ""]


def _sentence(reason: str) -> str:
    return reason[:1].upper() + reason[1:]


def _power(size: float) -> str:
    return f"2^{int(size.hex().partition('p')[2])}"


# --- files ------------------------------------------------------------------------------------------------------------


def default_page() -> Path | None:
    """Where the committed sheet lies in a source checkout."""
    here = Path(__file__).resolve().parents[2]
    return here / PAGE if (here / "pyproject.toml").is_file() else None


def points_of(target: Path) -> Path:
    """The JSON file that belongs to a page: the committed one, or one beside a page elsewhere."""
    return target.parent / POINTS if target == default_page() else target.with_suffix(".points.json")


def found_before(target: Path) -> Json:
    """The points that belong to a page, without kernels that are there no more."""
    points, known = points_of(target), subjects()
    try:
        data: Json = json.loads(points.read_text(encoding="utf-8"))
        data["kernels"] = {name: data["kernels"][name] for name in known if name in data["kernels"]}
        page(data)
    except OSError as trouble:
        raise UnknownKernel(
            f"{points} cannot be read ({trouble.strerror}): run numerics accuracy to find points"
        ) from None
    except DAMAGES:
        raise UnknownKernel(f"{points} is damaged: run numerics accuracy to find points again") from None
    return data


def write(target: Path, data: Json) -> list[Path]:
    """Write the page and its points, each whole or not at all; returns the files."""
    points = points_of(target)
    texts = {points: dumps(data), target: page(data, points.relative_to(target.parent).as_posix())}
    for path, text in texts.items():
        put(path, lambda file, text=text: file.write(text.encode()))  # type: ignore[misc]
    return list(texts)
