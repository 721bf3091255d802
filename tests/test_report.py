"""The audited papers as pages: nothing is loaded, every link leads somewhere, formulas render, mistakes are told."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
import sympy as sp
from case_files import Cases
from each import each
from headless import browser_with, opened

from derivations import prove
from derivations.audit import ledger
from derivations.audit.mistakes import Mistakes
from derivations.audit.probe.numbers import value
from derivations.audit.verify import Report, verify
from derivations.paper.entries import Claim
from derivations.paper.files import load_file
from derivations.paper.library import library
from derivations.paper.model import Paper
from derivations.paper.naming import PaperError
from derivations.prove import Certificate, Verdict
from derivations.report import pages, write
from derivations.report.entry import article
from derivations.report.pictures.plot import curve, planned, simulated
from derivations.report.site import Site
from derivations.report.written import PAGES
from derivations.report.written.markdown import name as name_of

FAMILIES = Cases(__file__, globals())

OWN = (Path(__file__).parent / "data" / "own_paper.txt").read_text("utf-8")


def some(paper: Paper) -> Report:
    """Definitions, experiments, and what is printed and refuted, with the corrections: quick to verify."""
    wanted: set[str] = set()
    for entry in paper.entries.values():
        if not isinstance(entry, Claim):
            wanted.add(entry.id)
        elif entry.printed and entry.expect.value == "refuted":
            wanted |= {entry.id, entry.corrected_by or entry.id}
    return verify(paper, [entry for entry in paper.entries.values() if entry.id in wanted])


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own") / "mine.py"
    path.write_text(OWN, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def reports(own: Path) -> list[Report]:
    return [*map(some, library().values()), verify(load_file(own))]


@pytest.fixture(scope="module")
def site(reports: list[Report], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    write(reports, folder)
    return folder


# --- the text of the pages --------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The content of a page: ids, addresses, headings, and elements that are opened and closed in order."""

    VOID = frozenset(("meta", "input", "img", "wbr", "br", "path"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.headings: list[int] = []
        self.landmarks: list[str] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if told.get("id"):
            self.ids.append(told["id"] or "")
        if tag == "a":
            self.links.append(told.get("href") or "")
        self.loaded += [told[key] or "" for key in ("src", "data", "action") if key in told]
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag in ("main", "nav", "header"):
            self.landmarks.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture(scope="module")
def parsed(site: Path) -> dict[str, Page]:
    return {path.name: Page(path.read_text(encoding="utf-8")) for path in site.glob("*.html")}


@pytest.fixture(scope="module")
def evidence(site: Path) -> dict[str, dict[str, str]]:
    """Return what the files beside the pages hand over, by the name of the page and of the entry."""
    found: dict[str, dict[str, str]] = {}
    for path in site.glob("evidence/*/*.js"):
        section, data = re.fullmatch(r'evidence\("([\w-]+)",(.*)\);\n', path.read_text("utf-8"), re.S).groups()  # type: ignore[union-attr]
        assert section == path.stem
        found.setdefault(f"{path.parent.name}.html", {}).update(json.loads(data))
    return found


def test_every_link_leads_to_an_anchor_of_a_page(parsed: dict[str, Page], evidence: dict[str, dict[str, str]]) -> None:
    for name, page in parsed.items():
        inside = [link for shown in evidence.get(name, {}).values() for link in Page(shown).links]
        for link in [*page.links, *inside]:
            file, _, anchor = link.partition("#")
            assert (file or name) in parsed
            assert not anchor or anchor in parsed[file or name].ids, link


def test_an_anchor_is_on_a_page_once(parsed: dict[str, Page]) -> None:
    for page in parsed.values():
        assert len(page.ids) == len(set(page.ids))


def test_headings_skip_no_level_and_landmarks_are_there(parsed: dict[str, Page]) -> None:
    for page in parsed.values():
        assert page.headings[0] == 1
        assert page.headings.count(1) == 1
        assert all(after - before <= 1 for before, after in zip(page.headings, page.headings[1:], strict=False))
        assert page.landmarks.count("main") == 1
        assert "nav" in page.landmarks


def test_pages_load_nothing(site: Path, parsed: dict[str, Page]) -> None:
    for name, page in parsed.items():
        text = (site / name).read_text(encoding="utf-8")
        assert all(source.startswith("data:") for source in page.loaded)
        assert "@import" not in text
        assert "url(" not in text
        assert '<html lang="en">' in text


def test_every_numbered_equation_and_every_entry_has_an_anchor(reports: list[Report], parsed: dict[str, Page]) -> None:
    for report in reports:
        ids = parsed[f"{report.paper.key}.html"].ids
        assert {f"eq-{n}" for n in range(1, report.paper.numbered + 1)} <= set(ids)
        assert {o.entry.name for o in report.outcomes} <= set(ids)
        places = [ids.index(f"eq-{n}") for n in range(1, report.paper.numbered + 1)]
        assert places == sorted(places)


def test_no_file_is_larger_than_a_megabyte_and_evidence_lies_beside_the_pages(
    site: Path, evidence: dict[str, dict[str, str]], reports: list[Report]
) -> None:
    assert max(path.stat().st_size for path in site.rglob("*") if path.is_file()) < 1e6
    for report in reports:
        told = {o.entry.name for o in report.outcomes if o.certificate}
        assert told <= set(evidence.get(f"{report.paper.key}.html", {}))


def test_a_section_opens_with_what_is_printed_and_the_verdict(site: Path) -> None:
    text = (site / "van_rossem_saxe_2024.html").read_text(encoding="utf-8")
    opens = re.search(r'<section class="equation refuted" id="eq-7">(.*?)</section>', text, re.S)
    assert opens
    order = ["Equation 7", "refuted by inheritance", "As printed", "<math", "Instead", "Witness", "Inherits", "Changes"]
    places = [opens[1].find(part) for part in order]
    assert -1 not in places
    assert places == sorted(places)


def test_text_of_a_paper_is_never_read_as_html(
    site: Path, parsed: dict[str, Page], evidence: dict[str, dict[str, str]]
) -> None:
    told = [(site / name).read_text(encoding="utf-8") for name in ("mine.html", "index.html", "search.js")]
    for text in [*told, *evidence["mine.html"].values()]:
        for hostile in ("<script>alert", "<b>Mine", "<i>B</i>", "<sum>"):
            assert hostile not in text
    assert "A name, </p><script>alert(1)</script>" in "".join(parsed["mine.html"].words)


def test_a_refuted_formula_stands_beside_its_correction_with_witness_and_plot(site: Path) -> None:
    text = (site / "mine.html").read_text(encoding="utf-8")
    article = re.search(r'<article id="printed_sum".*?</article>', text, re.S)
    assert article
    for part in ("As printed", "Instead", "The product is right.", "<b>Witness", "as printed", "derived", "<svg"):
        assert part in article[0]


def test_evidence_names_what_rests_on_an_entry(evidence: dict[str, dict[str, str]]) -> None:
    assert "twice" in evidence["mine.html"]["product"]


def test_what_rests_on_an_argument_says_so() -> None:
    paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk", numbered=0)
    x = sp.Symbol("x")
    paper.claim("Section 1", expect="argued", name="start", says="A person says so.")(
        lambda: prove.argued("It follows.", step=prove.identity(x, x))
    )
    for name, used in (("next", "start"), ("last", "next"), ("free", ())):
        paper.claim("Section 2", name=name, says="It holds.", rests_on=used)(
            lambda: prove.identity(sp.sqrt(x**4), x**2)
        )
    report = verify(paper)
    shown = Site([report])
    told = {o.entry.name: "what a person argues" in article(o, shown, 2, "s") for o in report.outcomes}
    assert told == {"start": False, "next": True, "last": True, "free": False}


def test_the_logistic_curve_is_drawn_as_printed_and_as_derived(site: Path) -> None:
    text = (site / "van_rossem_saxe_2024.html").read_text(encoding="utf-8")
    article = re.search(r'<article id="printed_logistic_distance".*?</article>', text, re.S)
    assert article
    assert article[0].count("<path") == 3


def test_the_same_reports_give_the_same_pages(reports: list[Report], site: Path) -> None:
    texts = {str(p.relative_to(site)): p.read_text(encoding="utf-8") for p in site.rglob("*") if p.is_file()}
    assert texts == pages(reports, jobs=2)
    assert write(reports, site) == []


def test_a_refuted_formula_without_a_printed_correction_stands_beside_one_in_the_papers_letters(site: Path) -> None:
    text = (site / "braun_2022.html").read_text(encoding="utf-8")
    article = re.search(r'<article id="printed_peak_time".*?</article>', text, re.S)
    assert article
    assert article[0].count('<div class="formula"') >= 2
    assert r"\ln \left( 1 + \frac" in article[0]


@each("key", ["braun_2022", "carrasco_davis_grant_2025"])
def test_pictures_of_a_paper_show_curves_that_differ(key: str) -> None:
    pictures = [picture for chosen in library()[key].pictures.values() for picture in chosen]
    assert len(pictures) >= 4
    for plan in map(planned, pictures):
        curves = [values for _, values in (curve(name, term, plan) for name, term in plan.terms)]
        assert all(len(values) > 70 for values in curves)
        assert len({values[len(values) // 3] for values in curves}) == len(curves)


def test_a_simulation_lies_on_the_derived_curve() -> None:
    for picture in library()["braun_2022"].pictures["braun_2022:printed_sigmoid"]:
        plan = planned(picture)
        derived = dict(plan.terms)["derived"]
        for time, stepped in simulated(plan):
            assert stepped == pytest.approx(value(derived, {**plan.others, plan.along: time}), rel=1e-6)


# --- errata -----------------------------------------------------------------------------------------------------------


def page_of(report: Report, file: str) -> str:
    paper, errata = ledger.as_json([report])["papers"][0], ledger.errata(report)
    return PAGES[file](paper, Mistakes(paper["entries"], errata.premises))


def test_errata_tell_every_refuted_statement(reports: list[Report]) -> None:
    for report in reports:
        page = page_of(report, "errata.md")
        for outcome in report.outcomes:
            if outcome.verdict is Verdict.REFUTED:
                assert f"`{outcome.entry.name}`" in page


def test_the_page_of_claims_tells_every_entry_once(reports: list[Report]) -> None:
    for report in reports:
        page = page_of(report, "claims.md")
        assert sorted(re.findall(r'<a id="(\w+)"></a>', page)) == sorted(o.entry.name for o in report.outcomes)


def test_findings_tell_every_mistake_of_the_print_on_one_page(reports: list[Report]) -> None:
    for report in reports:
        page, errata = page_of(report, "findings.md"), ledger.errata(report)
        assert page.count("\n") <= 90
        for entry in [*errata.mistakes, *errata.ambiguous, *errata.sentences]:
            assert f"`{name_of(entry)}`" in page


def test_every_refuted_statement_is_in_exactly_one_class(reports: list[Report]) -> None:
    for report in reports:
        errata = ledger.errata(report)
        own = [*errata.mistakes, *errata.ambiguous, *errata.sentences, *errata.readings]
        followers = [e for group in errata.inherited.values() for e in group]
        variants = [e for formula in errata.formulas for e in errata.variants(formula)]
        assert sorted(map(name_of, [*own, *followers, *variants])) == sorted(map(name_of, errata.refuted))


def test_a_formula_that_inherits_a_mistake_stands_under_its_cause(reports: list[Report]) -> None:
    errata = ledger.errata(next(r for r in reports if r.paper.key == "van_rossem_saxe_2024"))
    own = set(map(name_of, errata.mistakes))
    inherited = {name_of(e) for group in errata.inherited.values() for e in group}
    assert {"encoder_link6", "decoder_link9", "printed_logistic_distance"} <= own
    assert {"eq21_distance", "eq21_prediction", "printed_logistic_prediction"} <= inherited
    assert not own & inherited


def printings(paper: Paper, name: str) -> Report:
    """An entry and those that print the same formula."""
    printed = paper.entries[name].printed
    latex = printed.latex if printed else ""
    return verify(paper, [e for e in paper.entries.values() if e.printed and e.printed.latex == latex])


def test_every_wrong_formula_has_a_corrected_one_or_a_hypothesis(reports: list[Report]) -> None:
    only_in_words = {
        f"van_rossem_saxe_2024:{name}"
        for name in ("large_weights", "high_is_gaussian_as_printed", "distribution_as_printed", "density_as_printed")
    }
    for report in reports[:-1]:
        wrong = {e["id"] for e in ledger.errata(report).formulas}
        assert wrong - set(report.paper.corrections) <= only_in_words


def test_a_corrected_formula_that_reads_differently_is_a_fault(own: Path) -> None:
    paper = load_file(own)
    right, wrong = (paper.equation("Eq. 2", latex).formula for latex in ("y=2xt", "y=3xt"))
    for formula_of, faults in ((right, 0), (wrong, 1)):
        paper.corrected("printed_sum", formula_of)
        assert len(verify(paper).faults) == faults


def test_only_what_is_refuted_can_be_corrected(own: Path) -> None:
    with pytest.raises(PaperError, match="no refuted claim called product"):
        load_file(own).asserts("product")


def test_what_is_open_says_what_would_help() -> None:
    x = sp.Symbol("x", real=True)
    asks = {
        "by_more": (prove.inequality(sp.sin(x) + sp.sin(sp.pi * x) < 2), "derivations verify mine:by_more --effort 30"),
        "by_hypothesis": (
            Certificate(
                prove.identity(x, x).statement, Verdict.OPEN, "none", reason="nothing was found; decided with x > 0"
            ),
            "given=[x",
        ),
    }
    paper = Paper("mine", title="Mine", authors="Me", year=2026, source="desk", numbered=0)
    for name, (certificate, _) in asks.items():
        paper.claim("Section 1", name=name, says="It is open.", expect=Verdict.OPEN)(lambda c=certificate: c)
    page = pages([verify(paper)])["mine.html"]
    for _, hint in asks.values():
        assert re.search(rf"<b>Try</b> <code>[^<]*{re.escape(hint)}", page), hint


# --- a real browser ---------------------------------------------------------------------------------------------------

PROBE = """
<script>
addEventListener("load", () => {
  document.querySelectorAll("details").forEach((fold) => { fold.open = true; });
  const formulas = [...document.querySelectorAll("math")];
  const flat = formulas.filter((m) => { const b = m.getBoundingClientRect(); return !(b.width > 0 && b.height > 0); });
  const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
  const plain = formulas.filter((m) => m.namespaceURI !== "http://www.w3.org/1998/Math/MathML");
  document.body.dataset.probe = [formulas.length, flat.length, plain.length, wide].join(" ");
});
</script>
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return browser_with(tmp_path_factory.mktemp("profile"))


@pytest.mark.parametrize("width", [1280, 500])
def test_formulas_have_a_size_and_no_page_is_wider_than_its_window(
    browser: list[str], site: Path, tmp_path: Path, width: int
) -> None:
    for page in ("van_rossem_saxe_2024", "mine", "index"):
        copy = tmp_path / f"{page}.html"
        text = (site / copy.name).read_text(encoding="utf-8")
        copy.write_text(text.replace("</body>", f"{PROBE}</body>"), encoding="utf-8")
        found = re.search('data-probe="([^"]*)"', opened(browser, copy.as_uri(), f"--window-size={width},900"))
        assert found
        formulas, flat, plain, wide = found[1].split()
        assert int(formulas) > 3 or page == "index"
        assert (flat, plain, wide) == ("0", "0", "false")


def shown(dom: str) -> list[str]:
    """Where the results of a search lead."""
    listed = re.search(r'<ol id="results">(.*?)</ol>', dom, re.S)
    return re.findall(r'<a href="([^"]*)"', listed[1]) if listed else []


def test_the_search_finds_entries_by_words_in_any_order(browser: list[str], site: Path) -> None:
    address = (site / "index.html").as_uri()
    found = opened(browser, f"{address}?q=false+SUM")
    assert shown(found) == ["mine.html#printed_sum"]
    assert ">1 place<" in found
    assert ">0 places<" in opened(browser, f"{address}?q=nothingiscalledlikethis")


@each(
    ("query", "first"),
    [("eq 7", "#eq-7"), ("Equation+(7)", "#eq-7"), ("7", "#eq-7"), ("eq 2 sum", "mine.html#printed_sum")],
    one_of=2,
)
def test_the_search_of_a_paper_finds_its_equations_first(
    browser: list[str], site: Path, query: str, first: str
) -> None:
    found = opened(browser, f"{(site / 'van_rossem_saxe_2024.html').as_uri()}?q={query.replace(' ', '+')}")
    assert shown(found)[0] == first


@each("query", ["tau_h", "τ_h", "refuted tau_h"], one_of=3)
def test_the_search_finds_letters(browser: list[str], site: Path, query: str) -> None:
    found = opened(browser, f"{(site / 'van_rossem_saxe_2024.html').as_uri()}?q={query.replace(' ', '+')}")
    assert "#eq-7" in shown(found)


def test_evidence_is_loaded_when_its_fold_is_opened(browser: list[str], site: Path) -> None:
    page = site / "mine.html"
    text = page.read_text(encoding="utf-8")
    opening = "<script>document.querySelectorAll('#product details').forEach((fold) => { fold.open = true; });</script>"
    copy = page.with_name("opened.html")
    copy.write_text(text.replace("</body>", f"{opening}</body>"), encoding="utf-8")
    try:
        assert "Steps of the certificate" not in text
        assert "results and kernels use it" in opened(browser, copy.as_uri())
    finally:
        copy.unlink()


def test_a_link_to_an_entry_opens_in_the_other_pages_without_complaint(browser: list[str], site: Path) -> None:
    for page in ("braun_2022.html#printed_peak_time", "carrasco_davis_grant_2025.html#eq-8"):
        assert "</html>" in opened(browser, f"{(site / 'index.html').parent.as_uri()}/{page}")


test_statements_have_their_verdicts = FAMILIES.verdicts()
