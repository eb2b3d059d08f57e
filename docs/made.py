"""What the site holds beside the pages of this folder: problems, reference, examples, pictures, changes.

Everything is made from the package itself: problems from their files, the reference from the list of public words,
pictures by running the code that stands above them.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import tempfile
import warnings
from pathlib import Path

import flexura as fx
from flexura.problems import CHAPTERS, Problem, problems
from flexura.problems.shelf import chapter_title

ROOT = Path(__file__).parents[1]
KATEX = ROOT / "src" / "flexura" / "show" / "katex"
PICTURED = (ROOT / "docs" / "start.md",)
BLOCK = re.compile(r"^```python\n([\s\S]*?)^```$", re.MULTILINE)
EXAMPLE = re.compile(r"\]\(\.\./examples/([\w/]+)\.(py|toml)\)")
PARTS, OPENED = "Parts", {"Member", "materials", "sections"}
"""What parts are made of is told in words; what their classes define is for those who write new ones."""


def changes() -> str:
    """The changelog, with links as this folder has them."""
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](")


# -- problems ----------------------------------------------------------------------------------------------------------


def chapters() -> dict[str, str]:
    """The page of each chapter, by its title."""
    return {chapter_title(chapter): f"problems/{chapter}.md" for chapter in CHAPTERS}


def problem_pages() -> dict[str, str]:
    """A page for each chapter, and one that lists them; every problem is solved for its answer."""
    shelf = problems()
    listed = ["# Problems", "", (ROOT / "docs" / "problems.txt").read_text(encoding="utf-8")]
    pages = {}
    for chapter in CHAPTERS:
        title, here = chapter_title(chapter), [one for one in shelf.values() if one.chapter == chapter]
        listed += [f"## [{title}]({chapter}.md)", ""]
        listed += [f"- [{one.title}]({chapter}.md#{one.name})" for one in here] + [""]
        pages[f"problems/{chapter}.md"] = "\n".join([f"# {title}", "", *map(problem_text, here)])
    return pages | {"problems/index.md": "\n".join(listed)}


def problem_text(one: Problem) -> str:
    """A problem as a part of a page."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        solution = one.solve()
    if not solution.holds:
        raise RuntimeError(f"The problem {one.name} does not hold:\n{solution}")
    parts = [f"## {one.title} {{#{one.name}}}", _plain(one.statement), f"```python\n{one.script}```"]
    parts += [f"```text\n{solution}\n```", f"Source: {_plain(one.source)}", f"`flexura problem {one.name}`", ""]
    return "\n\n".join(parts)


def _plain(text: str) -> str:
    """Text whose signs mean nothing in Markdown."""
    return re.sub(r"([*_\[\]<>|$])", r"\\\1", text)


# -- reference ---------------------------------------------------------------------------------------------------------


def groups() -> dict[str, list[tuple[str, str]]]:
    """The public words and where each lives, in the groups of the facade's own list."""
    text = (ROOT / "src" / "flexura" / "__init__.py").read_text(encoding="utf-8")
    body, found, group = text[text.index("_WORDS = {") : text.index("\n}\n")], {}, ""
    for line in re.sub(r'"\n\s+"', "", body).splitlines():
        if heading := re.match(r"\s+# (.*)", line):
            group = heading[1].capitalize()
            found[group] = []
        elif entry := re.match(r'\s+"([\w.]+)": "(.*)",', line):
            found[group] += [(word, f"flexura.{entry[1]}.{word}") for word in entry[2].split()]
    return found


def reference_pages() -> dict[str, str]:
    """A page for each group, and one that lists every word."""
    listed = ["# API", "", "Every public word of `import flexura as fx`, from its docstring.", ""]
    pages = {}
    for group, words in groups().items():
        pages[f"api/{file_of(group)}.md"] = "\n\n".join(
            [f"# {group}", *(_entry(group, word, path) for word, path in words)]
        )
        links = ", ".join(f"[{word}]({file_of(group)}.md#{path})" for word, path in sorted(words))
        listed += [f"## [{group}]({file_of(group)}.md)", "", links, ""]
    return pages | {"api/index.md": "\n".join(listed)}


def _entry(group: str, word: str, path: str) -> str:
    """A word's docstring; those made in a row (`sin, cos = ...`) are told here, as readers of sources miss them."""
    source = ROOT / "src" / Path(*path.split(".")[:-1]).with_suffix(".py")
    source = source if source.exists() else source.with_suffix("") / "__init__.py"
    assigned = (node for node in ast.parse(source.read_text(encoding="utf-8")).body if isinstance(node, ast.Assign))
    rows = [target for node in assigned for target in node.targets if isinstance(target, ast.Tuple)]
    if word in {name.id for row in rows for name in row.elts if isinstance(name, ast.Name)}:
        told = getattr(fx, word).__doc__ or f"The function {word.rstrip('_')}, of expressions."
        return f"## fx.{word} {{#{path}}}\n\n{told}"
    own = "" if group != PARTS or word in OPENED else "\n      members: false"
    return f"::: {path}\n    options:\n      heading: fx.{word}\n      toc_label: {word}{own}"


def file_of(group: str) -> str:
    return group.lower().replace(" ", "_")


# -- examples and pictures ---------------------------------------------------------------------------------------------


def example_pages() -> dict[str, str]:
    """Each example as a page."""
    pages = {}
    for path in sorted((ROOT / "examples").rglob("*")):
        kind = {".py": "python", ".toml": "toml"}.get(path.suffix)
        if kind and path.is_file():
            name, text = path.relative_to(ROOT).with_suffix("").as_posix(), path.read_text(encoding="utf-8")
            pages[f"{name}_{path.suffix[1:]}.md"] = f"# {path.name}\n\n```{kind}\n{text}```\n"
    return pages


def pictures(page: Path) -> dict[str, bytes]:
    """What the Python blocks of a page draw into files, by name."""
    names: dict[str, object] = {}
    import matplotlib as mpl

    mpl.use("Agg")
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place), contextlib.redirect_stdout(io.StringIO()):
        for script in BLOCK.findall(page.read_text(encoding="utf-8")):
            exec(compile(script, page.name, "exec"), names)  # noqa: S102 (our own page)
        return {path.name: path.read_bytes() for path in Path(place).glob("*.svg")}
