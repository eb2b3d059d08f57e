"""The site can be built: every page has its place, every link leads somewhere, every public word is in the reference.

`make site` builds it and stops at any warning; these checks need no builder.
"""

import re
import sys
from pathlib import Path

import pytest

import flexura as fx
from flexura.problems import problem

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
import made

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
LINK = re.compile(r"\]\(([^)\s]+)\)")
MADE = {"changes.md", "problems/index.md", "api/index.md"}


def outside_of_code(page: Path) -> str:
    text = re.sub(r"^```[\s\S]*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip()) for heading in headings}


def test_every_page_has_its_place_in_the_navigation() -> None:
    told = set(re.findall(r": (\w[\w/]*\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert told == {page.name for page in PAGES} | {"changes.md"}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    drawn = {f"pictures/{name}" for one in made.PICTURED if one == page for name in made.pictures(one)}
    for link in LINK.findall(outside_of_code(page)):
        if link.startswith("http"):
            continue
        path, _, anchor = link.partition("#")
        assert path in MADE | drawn or not path or (page.parent / path).exists(), f"{page.name}: {link}"
        if anchor:
            assert anchor in anchors(page.parent / path if path else page), f"{page.name}: {link}"


def test_every_public_word_is_in_the_reference() -> None:
    words = {word: path for group in made.groups().values() for word, path in group}
    assert set(words) == set(fx.__all__)
    assert words["Mass"] == "flexura.parts.bodies.Mass"
    pages = "\n".join(made.reference_pages().values())
    for word, path in words.items():
        assert f"::: {path}\n" in pages or f"## fx.{word} {{#{path}}}" in pages


def test_every_example_that_pages_show_has_a_page() -> None:
    shown = made.example_pages()
    linked = {
        f"examples/{a}_{b}.md" for page in PAGES for a, b in made.EXAMPLE.findall(page.read_text(encoding="utf-8"))
    }
    assert linked
    assert linked <= set(shown)


def test_a_problem_as_a_part_of_a_page() -> None:
    text = made.problem_text(problem("pinned-bar"))
    assert text.startswith("## A bar swings from a pin at its end {#pinned-bar}")
    assert "```python\nimport numpy as np" in text
    assert "Source: C. M. Krousgrill" in text


def test_versions_agree() -> None:
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited
    assert cited[1] == fx.__version__
    assert f'version = "{fx.__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
