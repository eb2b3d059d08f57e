"""Reports: every formula arrives in every format, and the HTML file needs nothing but itself."""

import html as html_module
import re
from importlib.resources import files
from itertools import pairwise

import pytest

from flexura.derivation.equations.certificate import Certificate, Comparison
from flexura.derivation.equations.latex import row_latex
from flexura.derivation.routes import derive
from flexura.derivation.verify import verify
from flexura.energy.field import Field
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.gallery import EXAMPLES, example
from flexura.show.lines import PAGE, displayed, lines, wide
from flexura.show.report import write_report
from flexura.symbolic.expression import Parameter

KATEX = files("flexura.show") / "katex"
IN_LATEX = (".html", ".tex", ".md")
ODD = 'A_b <c> & 50% of "θ" | $x$ \\ {#1} ^~'


@pytest.fixture(scope="module")
def proved():
    """Equations and certificate of every example, each derived once."""
    made = {}

    def get(name):
        if name not in made:
            equations = derive(example(name))
            made[name] = equations, verify(equations)
        return made[name]

    return get


def _written(proved, name, suffix, tmp_path, title=None):
    return write_report(*proved(name), tmp_path / f"report{suffix}", title).read_text(encoding="utf-8")


def _squeezed(latex):
    """LaTeX without what only breaks lines."""
    return re.sub(r"\\(?:begin|end)\{aligned\}|\\\\\n& \\quad \{\}|[&\s]", "", latex)


@pytest.mark.parametrize("suffix", IN_LATEX)
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_formula_and_every_step_is_there(proved, name, suffix, tmp_path):
    equations, _ = proved(name)
    text = _written(proved, name, suffix, tmp_path)
    bare = _squeezed(html_module.unescape(text))
    for row in (*equations.shown, *(row for step in equations.steps for row in step.content)):
        assert _squeezed(row_latex(row, equations.lagrangian)) in bare
    places = [text.index(step.title) for step in equations.steps]
    assert all(a < b for a, b in pairwise(places))


def test_results_come_before_the_derivation_and_the_certificate_last(proved, tmp_path):
    text = _written(proved, "example-one", ".md", tmp_path)
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert heads == ["The system", "Result", "Derivation", "Certificate"]
    assert "0 < x < l" in text[: text.index("## Derivation")]
    certificate = text[text.index("## Certificate") :]
    assert "are verified by independent derivation" in certificate
    assert "newton\\_euler: skipped." in certificate


def test_the_page_refers_to_nothing_outside_itself(proved, tmp_path):
    text = _written(proved, "rotating-arm", ".html", tmp_path)
    namespaces = {"http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg"}
    assert set(re.findall(r"https?://[^\"'`\s)<]+", text)) <= namespaces
    assert not re.search(r"url\((?!data:)", text)
    page = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r'<(?:link|iframe|script)\b|@import|<img (?!src="data:image/svg\+xml;base64,)', page)
    assert "default-src 'none'" in text
    assert text.count("<script>") == text.count("</script>") == 2
    assert len(text.encode()) < 1_200_000


def test_the_page_carries_the_fonts_and_the_licence(proved, tmp_path):
    text = _written(proved, "cantilever", ".html", tmp_path)
    fonts = [one.name for one in (KATEX / "fonts").iterdir()]
    assert text.count("data:font/woff2;base64,") == len(fonts)
    assert "The MIT License" in text


def test_katex_is_part_of_the_package():
    names = {one.name for one in KATEX.iterdir()}
    assert names == {"katex.min.js", "katex.min.css", "LICENSE", "README.md", "fonts"}
    version = re.search(r"KaTeX (\d+\.\d+\.\d+)", (KATEX / "README.md").read_text(encoding="utf-8"))
    assert version
    assert f'"{version[1]}"' in (KATEX / "katex.min.js").read_text(encoding="utf-8")
    fonts = {one.name for one in (KATEX / "fonts").iterdir()}
    styles = (KATEX / "katex.min.css").read_text(encoding="utf-8")
    assert {f"KaTeX_{one}.woff2" for one in ("Main-Regular", "Math-Italic", "Size1-Regular", "AMS-Regular")} <= fonts
    assert all(f"fonts/{font}" in styles for font in fonts)
    assert {one.name for one in (files("flexura.show") / "page").iterdir()} == {"film.html", "page.css", "page.js"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_tex_is_balanced_and_fits_the_page(proved, name, tmp_path):
    text = _written(proved, name, ".tex", tmp_path, ODD)
    _check_tex(text)
    assert text.startswith(r"\documentclass")
    for formula in re.findall(r"\n\\\[\n(.*?)\n\\\]", text, re.DOTALL):
        bare = re.sub(r"\\(?:begin|end)\{aligned\}|\\quad", "", formula)
        assert max(map(wide, bare.split("\\\\\n"))) <= PAGE


def _check_tex(text):
    open_ones = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if kind == "begin":
            open_ones.append(name)
        else:
            assert open_ones.pop() == name
    assert not open_ones
    bare = re.sub(r"\\[\\{}$]", "", text)
    assert bare.count("{") == bare.count("}")
    assert text.count(r"\left") == text.count(r"\right")
    assert len(re.findall(r"^\\\[|\}?\\\[$", text, re.MULTILINE)) == len(re.findall(r"^\\\]", text, re.MULTILINE))
    assert bare.count("$") % 2 == 0


@pytest.mark.parametrize("suffix", IN_LATEX)
def test_a_title_may_hold_any_sign(proved, suffix, tmp_path):
    text = _written(proved, "appendix-b", suffix, tmp_path, ODD)
    shown = {
        ".html": html_module.escape(ODD),
        ".tex": r"A\_b $<$c$>$ \& 50\% of ''$\theta$'' $|$ \$x\$ \textbackslash{} \{\#1\} \textasciicircum{}",
        ".md": r'# A\_b \<c\> & 50% of "θ" \| \$x\$ \\ {\#1} \^\~',
    }
    assert shown[suffix] in text


@pytest.mark.parametrize("suffix", IN_LATEX)
def test_known_values_stand_in_a_table(suffix, tmp_path):
    w = Field("w", length=("l", 1.3))
    EI, rho = Parameter("EI", 50.0, "N m**2", ("beam",)), Parameter("rho", 1.2)
    equations = derive(Lagrangian(density={w: rho * w.t**2 / 2 - EI * w.xx**2 / 2}))
    text = write_report(equations, verify(equations), tmp_path / f"r{suffix}").read_text(encoding="utf-8")
    row = {
        ".html": r'<td><span class="inline">\mathit{EI}</span></td><td>50</td><td>N m²</td><td>beam</td>',
        ".tex": r"$\mathit{EI}$ & 50 & N m² & beam \\",
        ".md": r"| $\mathit{EI}$ | 50 | N m² | beam |",
    }
    assert row[suffix] in text


@pytest.mark.parametrize("suffix", IN_LATEX)
def test_a_failed_proof_is_seen(proved, suffix, tmp_path):
    equations, _ = proved("cantilever")
    doubt = Certificate("surrogate", (Comparison("variational", False, ("w",), "normal form", {"w": "a_1 < b"}),), {})
    text = write_report(equations, doubt, tmp_path / f"r{suffix}").read_text(encoding="utf-8")
    assert "are not verified" in text
    assert {".html": "a_1 &lt; b", ".tex": r"a\_1 $<$ b", ".md": r"a\_1 \< b"}[suffix] in text
    assert ('class="verdict fails"' in text) == (suffix == ".html")


def test_what_cannot_be_written_is_said(proved, tmp_path):
    with pytest.raises(FlexuraError, match=r"must end in \.html, \.pdf, \.typ, \.tex, \.md, \.docx\."):
        write_report(*proved("cantilever"), tmp_path / "report.doc")
    with pytest.raises(FlexuraError, match=r"The folder .*missing does not exist; make it first"):
        write_report(*proved("cantilever"), tmp_path / "missing" / "report.md")


def test_long_equations_are_broken_into_lines_the_page_holds(proved):
    equations, _ = proved("double-pendulum")
    for row in equations.shown:
        broken = lines(row, equations.lagrangian)
        assert max(map(wide, broken)) <= PAGE
        assert " ".join(broken) == row_latex(row, equations.lagrangian)
        assert displayed(broken).count(r"\\") == len(broken) - 1
    assert any(len(lines(row, equations.lagrangian)) > 1 for row in equations.shown)


def test_widths_count_fractions_once_and_indices_small():
    assert wide("a + b") < wide(r"\frac{a + b}{c}") + 1 < wide("a + b + c")
    assert wide("q_{1}") < wide("q 1")
    assert wide(r"\left(a\right)") == wide("(a)")
