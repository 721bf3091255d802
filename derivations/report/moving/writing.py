"""A page as one file, and as a module for a notebook: the same markup, tools, kernels and script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from derivations.audit.verify import Report, judging
from derivations.kernels.specification import Specification
from derivations.kernels.specification.names import KernelError
from derivations.kernels.targets import files_of
from derivations.kernels.targets.facts import Facts
from derivations.paper.library import library
from derivations.paper.model import Paper
from derivations.paper.supports import VerdictOf
from derivations.paper.supports import facts as facts_of
from derivations.report.moving.sources import Page, PageError, pages
from derivations.text.doors import at_door

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
EXPORTED = re.compile(r"^export (?=function (\w+))", re.M)
SELF_TEST = re.compile(r"^if \(typeof process .*?^}\n", re.M | re.S)  # what a module does when node runs it
WIDGET = """
export default {
    render({model, el}) {
        const root = el.attachShadow({mode: "open"});
        root.innerHTML = MARKUP;
        page(root, (values) => { model.set("values", values); model.save_changes(); });
    },
};
"""


@at_door(PageError)
def modules_of(
    page: Page, papers: Mapping[str, Paper] | None = None, verdict_of: VerdictOf | None = None
) -> dict[str, str]:
    """The module of each kernel of a page by its id; refused where a claim that one rests on does not hold.

    `papers` are those that claims may belong to, by key (all of them if it is left out). `verdict_of` gives the verdict
    of an entry, say from a ledger; without it verdicts are computed now.

    >>> from derivations.prove import Verdict
    >>> from derivations.report.moving import page_called
    >>> sorted(modules_of(page_called("two_point_flow"), verdict_of=lambda entry: Verdict.PROVED))
    ['van_rossem_saxe_2024:two_point_flow']
    """
    facts = _facts(page, library() if papers is None else papers, verdict_of or judging())
    return {name: _module(page, name, told) for name, told in facts.items()}


def _facts(page: Page, papers: Mapping[str, Paper], verdict_of: VerdictOf) -> dict[str, Facts]:
    """Return what each kernel of a page rests on, by its id."""
    return {name: facts_of(page.paper, _kernel_of(page, name), papers, verdict_of) for name in page.kernels}


def _module(page: Page, name: str, facts: Facts) -> str:
    return files_of(_kernel_of(page, name), "js", facts)[f"{facts.name}.mjs"]


def _kernel_of(page: Page, name: str) -> Specification:
    return next(kernel for kernel in page.paper.kernels if name == f"{page.paper.key}:{kernel.name}")


@dataclass(frozen=True)
class Written:
    """A page as a file beside the pages of papers; what its kernels rest on is known, and the text is not yet made."""

    page: Page
    facts: Mapping[str, Facts]

    @property
    def html(self) -> str:
        return html(self.page, {name: _module(self.page, name, facts) for name, facts in self.facts.items()})

    @property
    def file(self) -> str:
        return f"pages/{self.page.paper.key}/{self.page.name}.html"


def of_reports(reports: Iterable[Report]) -> Iterator[Written]:
    """The pages of verified papers, with the verdicts of their reports.

    A page is left out where the claims that its kernels rest on are not among them, or do not hold.

    >>> list(of_reports([]))
    []
    """
    reports = list(reports)
    papers = {report.paper.key: report.paper for report in reports}
    verdicts = {outcome.entry.id: outcome.verdict for report in reports for outcome in report.outcomes}
    for paper in papers.values():
        for page in pages(paper):
            with suppress(KernelError):
                yield Written(page, _facts(page, papers, lambda entry: verdicts.get(entry.id)))


@at_door(PageError)
def html(page: Page, modules: Mapping[str, str]) -> str:
    """The page with the modules of its kernels inside, whole and alone. modules: the text of each by the kernel's id.

    >>> from derivations.report.moving import page_called
    >>> page = page_called("two_point_flow")
    >>> html(page, dict.fromkeys(page.kernels, "export function two_point_flow() {}")).splitlines()[0]
    '<!doctype html>'
    """
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(page.title)}</title>\n<style>\n{asset('page.css')}</style>\n</head>\n"
        f'<body>\n<main class="moving">\n{page.markup}\n</main>\n'
        f'<script type="module">\n{_program(page, modules)}\npage(document, () => {{}});\n</script>\n</body>\n</html>\n'
    )


@at_door(PageError)
def widget(page: Page, modules: Mapping[str, str]) -> str:
    """The page as a module that anywidget runs in a notebook; the places of its sliders go to `values`.

    modules: the text of each kernel's module by its id.

    >>> from derivations.report.moving import page_called
    >>> page = page_called("two_point_flow")
    >>> "export default" in widget(page, dict.fromkeys(page.kernels, "export function two_point_flow() {}"))
    True
    """
    markup = f'<style>{asset("page.css")}</style><main class="moving">{page.markup}</main>'
    return _program(page, modules) + WIDGET.replace("MARKUP", json.dumps(markup, ensure_ascii=False))


@cache
def asset(name: str) -> str:
    """A file that all pages share."""
    return (Path(__file__).parent / "assets" / name).read_text(encoding="utf-8")


def _program(page: Page, modules: Mapping[str, str]) -> str:
    """The tools, each kernel in a function of its own so that no two helpers meet, and the page's function."""
    if missing := [name for name in page.kernels if name not in modules]:
        raise PageError(f"no module is given for the kernel {missing[0]}: make all of a page with modules_of(page)")
    kernels = [_kernel(name.partition(":")[2], modules[name]) for name in page.kernels]
    script = (
        f"function page(root, changed) {{\nconst {{at, sliders, plot, add}} = tools(root, changed);\n{page.script}}}"
    )
    return "\n".join([asset("tools.js"), *kernels, script])


def _kernel(name: str, module: str) -> str:
    """The function of a module, with its test of itself, out of sight of other modules."""
    if not (exported := EXPORTED.findall(module)):
        raise PageError(f"the module of the kernel {name} exports no function: make it with modules_of(page)")
    text, called = SELF_TEST.sub("", EXPORTED.sub("", module)), exported[0]  # files may be renamed
    return f"const {name} = (() => {{\n{text}\nreturn Object.assign({called}, {{selfTest}});\n}})();\n"
