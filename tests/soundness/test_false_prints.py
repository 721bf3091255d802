"""Prints as an author would write them who wants to break the tool: none of the false ones is proved in silence."""

from __future__ import annotations

from typing import Any

import sympy as sp
from case_files import Cases
from each import each

from derivations import Paper, Verdict, prove
from derivations.audit import ledger
from derivations.audit.verify import Report, verify
from derivations.language.sums import Array, Range, size
from derivations.language.words import Letter, norm2
from derivations.latex import Indexed, Notation, OverPrintedIndices, declared, settled
from derivations.latex.printed import Vocabulary, symbols_of
from derivations.recheck.reader.agree import MEANT
from derivations.report.written import written
from derivations.text import DerivationError

FAMILIES = Cases(__file__, globals())

STRONG = (Verdict.PROVED, Verdict.CERTIFIED)
a, b, c, d, x, y, z = sp.symbols("a b c d x y z", real=True)
p, q = sp.symbols("p q", positive=True)
NUMBERS = Vocabulary(Notation(letters="a b c d x y z p q"), meanings=symbols_of(a, b, c, d, x, y, z, p, q))

A, B, v = Letter("A", "n", "n"), Letter("B", "n", "n"), Letter("v", "n", 1)
A_inv, B_inv = Letter("A_inv", "n", "n", inverse_of=A), Letter("B_inv", "n", "n", inverse_of=B)
MATRICES = Vocabulary(
    Notation(),
    Notation(letters="A B v"),
    {"A": A, "B": B, "v": v},
    {"inverse": declared("inverse", [(A, A_inv), (B, B_inv), (A @ B, B_inv @ A_inv)]), "norm2": norm2},
)

PRIMED = Vocabulary(Notation(), Notation(letters="A v", transposes=(r"\prime",)), {"A": A, "v": v})

K, M = Range("K"), Range("M")
k, m, w, u = K.index("k"), M.index("m"), Array("w", K), Array("u", K)
SUMS = Vocabulary(
    Notation(),
    Notation({"w_{k}": "w_k", "u_{k}": "u_k"}, letters="K M"),
    {"w_k": Indexed(w[k]), "u_k": Indexed(u[k]), "K": Indexed(size(K)), "M": Indexed(size(M))},
    {"sum": OverPrintedIndices({"k": k, "m": m}, [K, M]), "index": lambda *parts: parts, "none": lambda: None},
    settled,
)

FALSE_NUMBERS = r"""
one function, two factors           | \sin x y = y\sin x
a slash and two factors             | a/bc = \frac{ac}{b}
two digits in an exponent           | x^10 = 0
a tower without braces              | 2^3^2 = 64
a decimal power                     | 1e-3 = e-3
digits in groups                    | 10,000 = 10
a power of a bare argument          | \log x^2 = (\log x)^2
an inverse that is a reciprocal     | \cos^{-1} x = \frac{1}{\cos x}
a square that is a second function  | \sin^{2} x = \sin(\sin x)
a mixed number                      | 2\frac{1}{2} = \frac{5}{2}
a minus before a power              | -x^{2} = (-x)^{2}
a minus before a bracket            | a-b+c = a-(b+c)
three bars                          | |x|y|z| = |x||yz|
a root without braces               | \sqrt x+y = \sqrt{x+y}
a fraction without braces           | \frac12x = \frac{1}{2x}
a slash beside a fraction           | \frac{1}{2}x/y = \frac{1}{2xy}
a letter with an index              | x_{1} = x
a letter with a prime               | x' = x
a letter with a star                | x^{*} = x
a transposed number                 | x^{T} = x
a letter outside the vocabulary     | i^{2} = -1
differentials that cancel           | \frac{da}{db} = \frac{a}{b}
a derivative by another letter      | \frac{d}{dx}y = \frac{y}{x}
a function that is no function      | f(x) = fx
a bracket after a letter            | x(y+1) = xy+1
a bare left letter                  | y = x^{2}
a letter that is itself a part      | x = x+1
a chain with one false link         | (a+b)^{2} = a^{2}+2ab+b^{2} = a^{2}+b^{2}
a chain that comes back             | a = b = a
a chain that denies itself          | a+b = b+a \neq a+b
a chain of numbers                  | 1 < 2 < 3 < 2
a chain of orders                   | x^{2}+1 > x^{2} > x^{2}-1 > x^{2}
a chain reversed in the middle      | -1 \leq 0 \geq x^{2} \geq -1
an order where one end can meet     | 0 \le x^{2} \le x^{4}
a strict order where both can meet  | x^{2}+y^{2} > 2xy
a reversed order                    | |x+y| \geq |x|+|y|
a list with one false member        | x^{2}, x^{3}, x^{4} \geq 0
two lines, of which one is false    | \begin{aligned} a&=a+0\\ b&=2b \end{aligned}
a line that goes on falsely         | \begin{aligned} a+b&=b+a\\ &=a-b \end{aligned}
a condition in words                | \sqrt{x^{2}} = x \text{ for } x>0
a condition that makes it false     | \frac{x}{x} = 1 \text{ where } x=0
a case for every sign               | |x| = \begin{cases} x & x>0\\ x & x<0 \end{cases}
one root of two                     | x^{2} = 1 \implies x = 1
squares keep no order               | x > y \implies x^{2} > y^{2}
one factor of two                   | xy = 0 \implies x = 0
what follows from nothing           | x^{2} = -1 \implies x = 5
a root of a square                  | (x^{2})^{1/2} = x
a root of a square, as a fraction   | x^{\frac{2}{2}} = \sqrt{x^{2}}
a sum of exponents                  | x^{a+b} = x^{a}+x^{b}
an exponent of an exponent          | (x^{a})^{2} = x^{a^{2}}
a negative exponent                 | x^{-1} = -x
an exponent zero                    | x^{0} = 0
an exponential of a sum             | e^{x+y} = e^{x}+e^{y}
a logarithm of a sum                | \log(p+q) = \log p+\log q
a root of a sum                     | \sqrt{p+q} = \sqrt{p}+\sqrt{q}
a reciprocal of a sum               | \frac{1}{p+q} = \frac{1}{p}+\frac{1}{q}
nearly equal                        | \frac{22}{7} = \pi
a constant to ten digits            | e = 2.7182818284
a chain of implications             | x=y\implies y=a\implies x=a
the first of two implications       | x=y\implies a=b\\ a=b\implies x^{2}=y^{2}
a condition of another line         | a=b\\ a=b\implies a^{2}=b^{2}
either sign supposed                | x=\pm y\implies x=y
a function of a multiple            | a(2x) = 2xa
a function of a sum                 | \pi(x+y) = \pi x+\pi y
a function that is put together     | (a+b)(x) = ax+bx
a mixed number in braces            | 2{\frac12} = 1
a power of a fraction               | \frac{x}{2}^{2} = \frac{x^{2}}{4}
three absolute values or two        | |x|y-1|a| = |x|y-|a|
two exponents                       | e^{x}^{2} = e^{2x}
a line of a multline                | \begin{multline} x \\ x=x\end{multline}
the number of a step                | x^{(1)} = x
a part that is zero                 | x+\underbrace{y}_{0} = x
an integer part                     | [x] = x
a convolution                       | a*b = ab
digits of another script            | ١ = 1
a bar that opens inside of bars     | \left|p\left|y\right|p\right| = p^{2}y
a left bar inside of bars           | \lvert p\lvert y\rvert p\rvert = p^{2}y
a large bar inside of bars          | \bigl|p\bigl|y\bigr|p\bigr| = p^{2}y
a left bar inside of plain ones     | |p\left|y\right|p| = p^{2}y
a low dot between a number and more | 2.p = 2
a low dot between letters           | x.y = y
two low dots in a number            | 1.5.2 = 3
a power of a function               | a^{2}(x)-a^{2}x = 0
a bracket behind an argument        | \log(p+q)(a+b) = (a+b)\log(p+q)
a function behind a logarithm       | \log p\exp q = (\exp q)\log p
"""
FALSE_SIGNS = r"""
the upper sign alone                | a\pm b = a+b
a square of either sign             | (a\pm b)^{2} = a^{2}+2ab+b^{2}
opposite signs                      | a\mp b = a\mp b+2b
a product of either sign            | (a\pm b)(a\mp b) = a^{2}\pm b^{2}
a root of either sign               | \sqrt{x^{2}} = \pm x
"""
FALSE_MATRICES = r"""
factors that trade places           | AB = BA
a transpose in the same order       | (AB)^{T} = A^{T}B^{T}
an inverse in the same order        | (AB)^{-1} = A^{-1}B^{-1}
a transpose of one factor           | AB^{T} = (AB)^{T}
a matrix and its transpose          | A^{T}A = AA^{T}
a difference of squares             | A^{2}-B^{2} = (A-B)(A+B)
a binomial                          | (A+B)^{2} = A^{2}+2AB+B^{2}
an inverse transpose                | A^{-T} = A^{T}
a division by a matrix              | \frac{A}{B}B = A
a norm of a product                 | ||Av||^{2} = ||A||^{2}||v||^{2}
a norm of a sum                     | ||A+B||^{2} = ||A||^{2}+||B||^{2}
an outer for an inner product       | vv^{T} = v^{T}v
"""
FALSE_SUMS = r"""
the end of another range            | \sum_{k=1}^{K}w_{k} = \sum_{k=1}^{M}w_{k}
a sum that begins at zero           | \sum_{k=0}^{K}w_{k} = \sum_{k=1}^{K}w_{k}
a sum that ends earlier             | \sum_{k=1}^{K-1}w_{k} = \sum_{k=1}^{K}w_{k}
a sum of ones                       | \sum_{k=1}^{K}1 = K-1
a constant behind a sum             | \sum_{k=1}^{K}(w_{k}+1) = \sum_{k=1}^{K}w_{k}+1
a square of a sum                   | \left(\sum_{k=1}^{K}w_{k}\right)^{2} = \sum_{k=1}^{K}w_{k}^{2}
a sum of products                   | \sum_{k=1}^{K}w_{k}u_{k} = \sum_{k=1}^{K}w_{k}\sum_{k=1}^{K}u_{k}
a summed index outside of its sum   | \sum_{k=1}^{K}w_{k} = Kw_{k}
a sum in a sum over one index       | \sum_{k=1}^{K}\sum_{k=1}^{K}w_{k} = K\sum_{k=1}^{K}w_{k}
one index of a sum twice            | \sum_{k,k}w_{k} = K\sum_{k=1}^{K}w_{k}
an index behind its sum             | \sum_{k=1}^{K}w_{k}+u_{k} = u_{k}+\sum_{k=1}^{K}w_{k}
a sum without an end                | \sum_{k=1}w_{k} = \sum_{k=1}^{K}w_{k}
"""
TRUE = r"""
a square of a sum                   | (a+b)^{2} = a^{2}+2ab+b^{2}
a chain                             | (a-b)(a+b) = a^{2}-b^{2} = -(b-a)(b+a)
two lines                           | \begin{aligned} (a+b)c&=ca+cb\\ 2b&=b+b \end{aligned}
a chain of orders                   | x^{2}+1 > x^{2} \geq 0
a condition                         | x > 0 \implies x^{2}+x > 0
a condition with either sign        | x = \pm 1 \implies x^{2} = 1
absolute values beside each other   | |x||y| = |xy|
a bar that opens inside of bars     | \left|p\left|y\right|+1\right| = p|y|+1
two bars that open                  | \left|\left|y\right|p\right| = p|y|
a root of a positive square         | \sqrt{p^{2}} = p
an exponential of a sum             | e^{x+y} = e^{x}e^{y}
means of positive numbers           | \frac{p+q}{2} \geq \sqrt{pq}
a line that is moved in             | \begin{aligned} (a+b)^{2}&=a^{2}+2ab\\&\quad+b^{2} \end{aligned}
a label and the number of a line    | (a+b)^{2} = a^{2}+2ab+b^{2}\tag{1}\label{eq:square}
a brace below a part                | (a+b)^{2} = \underbrace{a^{2}+b^{2}}_{\text{squares}}+2ab
a bracket that is not seen          | (a+b)^{2} = \left.\frac{a^{2}+b^{2}}{1}\right.+2ab
a condition between wide spaces     | x > 1\quad\Rightarrow\quad x^{2} > 1
a fraction                          | \frac{1}{p}+\frac{1}{q} = \frac{p+q}{pq}
"""
TRUE_OBJECTS = {
    r"(AB)^{T} = B^{T}A^{T}": MATRICES,
    r"(A+B)^{2} = A^{2}+AB+BA+B^{2}": MATRICES,
    r"v'Av-v'A'v = 0": PRIMED,
    r"||A+B||_F^{2}+||A-B||_F^{2} = 2||A||_F^{2}+2||B||_F^{2}": MATRICES,
    r"\sum_{k=1}^{K}(w_{k}+1) = \sum_{k=1}^{K}w_{k}+K": SUMS,
    r"\left(\sum_{k=1}^{K}w_{k}\right)^{2} = \sum_{k=1}^{K}w_{k}\sum_{k=1}^{K}w_{k}": SUMS,
}


def listed(text: str) -> list[tuple[str, str]]:
    rows = [line.split("|", 1) for line in text.strip().splitlines()]
    return [(name.strip(), latex.strip()) for name, latex in rows]


def reported(latex: str, words: Vocabulary, body: Any = None) -> Report:
    paper = Paper("notes", title="T", authors="A", year=1838, source="S", vocabulary=words)

    @paper.equation("Eq. A", latex).claim()
    def said(eq: Any) -> Any:
        """Return what is printed."""
        return body(eq) if body else None

    return verify(paper)


def verdict(latex: str, words: Vocabulary, body: Any = None) -> tuple[Verdict | None, tuple[str, ...], list[str]]:
    """Return what becomes of a print, what its page tells, and its faults; no verdict where it is refused."""
    try:
        report = reported(latex, words, body)
    except DerivationError as refusal:
        return None, (str(refusal),), []
    outcome = report.outcomes[0]
    return outcome.verdict, outcome.notes, list(report.faults)


def page(latex: str, words: Vocabulary, body: Any) -> str:
    return written(ledger.as_json([reported(latex, words, body)])["papers"])["docs/papers/notes/claims.md"]


LISTS = ((FALSE_NUMBERS, NUMBERS), (FALSE_MATRICES, MATRICES), (FALSE_SUMS, SUMS))
FALSE = [(name, latex, words) for text, words in LISTS for name, latex in listed(text)]


def test_there_are_many_false_prints() -> None:
    assert len({latex for _, latex, _ in FALSE}) + len(listed(FALSE_SIGNS)) + len(BODIES) >= 90


@each(("name", "latex", "words"), FALSE)
def test_a_false_print_is_not_proved(name: str, latex: str, words: Vocabulary) -> None:
    assert verdict(latex, words)[0] not in STRONG


def both_signs(eq: Any) -> Any:
    return prove.every(*(branch.judged() for branch in eq.branches()))


@each(("name", "latex"), listed(FALSE_SIGNS))
def test_a_print_of_two_signs_is_not_proved_by_one(name: str, latex: str) -> None:
    assert verdict(latex, NUMBERS)[0] not in STRONG
    assert verdict(latex, NUMBERS, both_signs)[0] not in STRONG
    for sign in (0, 1):
        proved, _, faults = verdict(latex, NUMBERS, lambda eq, sign=sign: eq.branches()[sign].judged())
        assert proved not in STRONG or faults


@each("latex", [r"|x| = \pm x", r"x^{2} = y^{2} \implies x = \pm y", r"\sqrt{x^{2}} = \pm x"])
def test_a_plus_minus_on_one_side_is_not_refuted(latex: str) -> None:
    """One of the signs may be meant, and each may be the right one somewhere."""
    proved, told, _ = verdict(latex, NUMBERS)
    assert proved is None
    assert "may be read as with both signs or as with one of them" in told[0]
    assert any("with one of them" in fault for fault in verdict(latex, NUMBERS, both_signs)[2])


BESIDE = {  # false prints beside what differs from them for some numbers alone, or has values for some alone
    r"|b| = b": lambda: prove.identity((b**3 + b) / (b**2 + 1), b),
    r"b \geq 0": lambda: prove.inequality("abs(b) >= 0"),
    r"\sqrt{b^{2}c^{2}} = bc": lambda: prove.identity((b**3 * c + b * c) / (b**2 + 1), b * c),
    r"|x-5| = 5-x": lambda: prove.identity((5 + 5 * x**2 - x - x**3) / (1 + x**2), 5 - x),
    r"x \geq -5": lambda: prove.inequality("abs(x+5)-5 >= -5"),
    r"|xy| = xy": lambda: prove.identity((x * y + x**3 * y) / (1 + x**2), x * y),
    r"x = 5-|5-x|": lambda: prove.identity(x, 5 - (5 + 5 * x**2 - x - x**3) / (1 + x**2)),
    r"x \geq 0": lambda: prove.inequality("sqrt(x)^2 >= 0"),
    r"x > 1": lambda: prove.inequality("exp(log(x-1))+1 > 1"),
    r"|x-5000| = 5000-x": lambda: prove.identity((5000 + 5000 * x**2 - x - x**3) / (1 + x**2), 5000 - x),
    r"(x-1)(x-1.01) \geq 0": lambda: prove.inequality("abs((x-1)*(x-101/100)) >= 0"),
    r"x+10^{-70} = x": lambda: prove.identity((x**3 + x) / (x**2 + 1), x),
    r"x+\sqrt{2} \cdot 10^{-400} = x": lambda: prove.identity((x**3 + x) / (x**2 + 1), x),
    r"(p+1)^{2} = p^{2}+2p+1+e^{-1000000000000p}": lambda: prove.identity((p + 1) ** 2, p**2 + 2 * p + 1),
    r"\tanh(1000000000p) = (p+1)^{2}-p^{2}-2p": lambda: prove.identity((p + 1) ** 2 - p**2 - 2 * p, 1),
}


@each("latex", [*BESIDE])
def test_a_print_that_differs_for_some_signs_or_sizes_is_not_what_was_judged(latex: str) -> None:
    proved, _, faults = verdict(latex, NUMBERS, lambda _: BESIDE[latex]())
    assert proved in STRONG
    assert any("does not speak of its printed formula" in fault for fault in faults)


def test_what_is_put_in_is_told_to_be_supposed() -> None:
    proved, notes, faults = verdict("x = 5", NUMBERS, lambda _: prove.identity(sp.Subs(x**2, x, 5), 25))
    assert (proved, faults) == (Verdict.PROVED, [])
    assert notes == ("the left side, x, is supposed to be the right one",)


@each("latex", [r"A = B", r"B = A"])
def test_matrices_that_a_theorem_speaks_of_are_not_equal_for_that(latex: str) -> None:
    claim = prove.by("equal Gram matrices", left=A, right=B, assuming=[(A @ A.T, B @ B.T)])
    proved, _, faults = verdict(latex, MATRICES, lambda _: claim)
    assert proved in STRONG
    assert faults


def test_a_true_print_is_not_refuted_by_what_denies_it() -> None:
    denied = prove.denied(prove.identity((x + 1) ** 2, x**2 + 2 * x + 1))
    proved, _, faults = verdict(r"(x+1)^{2} = x^{2}+2x+1", NUMBERS, lambda _: denied)
    assert proved is Verdict.REFUTED
    assert any("does not speak of its printed formula" in fault for fault in faults)


SPELLINGS = {  # what means something of itself, and a false print that a letter in its place would make true
    "2": (r"2+1 = 4", sp.Integer(3)),
    r"\pi": (r"\pi+1 = 4", sp.Integer(3)),
    r"\frac{1}{2}": (r"\frac{1}{2}+1 = \frac{4}{3}", sp.Rational(1, 3)),
    "e^{x}": (r"e^{x}+1 = x+1+0", x),
    "x^{2}+1": (r"(x+1)^{2} = x^{2}+1", x**2 + 2 * x + 1),
    r"\sqrt{x^{2}}": (r"\sqrt{x^{2}}+1 = x+1+0", x),
    "y": (r"x+1 = y+1", x),
    "x'": (r"x'+1 = x+1", x),
}


@each("spelling", [*SPELLINGS])
def test_no_letter_stands_for_what_means_something_of_itself(spelling: str) -> None:
    latex, meaning = SPELLINGS[spelling]
    words = Vocabulary(Notation({spelling: "other"}, letters="x"), meanings={"x": x, "other": meaning})
    proved, notes, faults = verdict(latex, words, lambda eq: prove.identity(eq.left + 1 - 1, eq.right))
    assert proved not in STRONG or faults, notes


WITH_A_WORD = {  # spellings that a person may let mean something, and a false print that is true then
    "(x+1)^{2}": (r"(x+1)^{2} = x^{2}+1", x**2 + 1),
    r"\frac{x}{y}": (r"\frac{x}{y} = x+1", x + 1),
    "x^{-1}": ("x^{-1} = x+1", x + 1),
    "|x-y|": ("|x-y| = x-y", x - y),
    "x^{n}": ("x^{n} = x", x),
    "x(0)": ("x(0) = x", x),
    "x(2y)": ("x(2y) = x", x),
    r"\infty": (r"\infty = x", x),
    r"\max(x,y)": (r"\max(x,y) = x", x),
}


@each("spelling", [*WITH_A_WORD])
def test_what_a_spelling_means_that_is_no_letter_is_told(spelling: str) -> None:
    latex, meaning = WITH_A_WORD[spelling]
    words = Vocabulary(Notation({spelling: "other"}, letters="x y"), meanings={"x": x, "y": y, "other": meaning})
    proved, notes, faults = verdict(latex, words, lambda eq: prove.identity(eq.left + 1 - 1, eq.right))
    assert proved not in STRONG or faults or any(note.startswith(MEANT) for note in notes)


@each("name", [r"\tan", r"\arctan", r"\max", r"\operatorname{sign}", r"\Gamma", r"\mathbf{E}"])
def test_what_a_function_means_is_told(name: str) -> None:
    words = Vocabulary(Notation(letters="x", functions={name: "f"}), meanings={"x": x, "f": lambda s: s})
    proved, notes, faults = verdict(f"{name}(x) = x", words, lambda eq: prove.identity(eq.left + 1 - 1, eq.right))
    assert proved not in STRONG or faults or any(note.startswith(MEANT) for note in notes)


def test_a_matrix_that_does_not_fit_is_no_number() -> None:
    wide = Letter("A", "n", "m")
    words = Vocabulary(Notation(letters="A x"), Notation(letters="A"), {"A": wide}, meanings={"A": x, "x": y})
    assert verdict(r"(A+A)^{2} = 4A^{2}", words)[0] is None
    assert verdict(r"x(A+A) = 2xA", words)[0] is None


BODIES = FAMILIES["bodies"]  # false prints, and what an author proves beside them


@each("latex", [*BODIES])
def test_what_an_author_proves_beside_a_false_print_is_a_fault(latex: str) -> None:
    proved, notes, faults = verdict(latex, NUMBERS, BODIES[latex])
    assert proved not in STRONG or faults, notes


TOLD = FAMILIES["told"]  # what the page tells beside a print that is proved, and would be false without it


@each("latex", [*TOLD])
def test_a_print_that_holds_for_some_numbers_says_for_which(latex: str) -> None:
    told, body = TOLD[latex]
    assert told in page(latex, NUMBERS, body)


@each(("latex", "words"), [*((latex, NUMBERS) for _, latex in listed(TRUE)), *TRUE_OBJECTS.items()])
def test_a_true_print_is_proved(latex: str, words: Vocabulary) -> None:
    proved, notes, faults = verdict(latex, words)
    assert (proved, faults) == (Verdict.PROVED, [])
    assert notes == (("a superscript \\prime is a transpose",) if words is PRIMED else ())


test_statements_have_their_verdicts = FAMILIES.verdicts()
