"""What the site holds beside the pages of this folder: problems, reference, examples, pictures, fonts of mathematics.

MkDocs calls the functions called `on_...`. Everything is made from the package itself: problems from their files, the
reference from docstrings, pictures by running the code that stands above them.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("MPLBACKEND", "Agg")

from mkdocs.structure.files import File, Files  # noqa: E402

import flexura as fx  # noqa: E402
from flexura.problems import CHAPTERS, Problem, problems  # noqa: E402
from flexura.problems.shelf import chapter_title  # noqa: E402

ROOT = Path(__file__).parents[1]
PICTURED = ("start.md",)
BLOCK = re.compile(r"^```python\n([\s\S]*?)^```$", re.MULTILINE)
EXAMPLE = re.compile(r"\]\(\.\./examples/([\w/]+)\.(py|toml)\)")


def on_config(config: Any) -> Any:
    """The chapters of problems and the groups of the reference enter the navigation."""
    for part in config.nav:
        if "Problems" in part:
            pages = {chapter_title(chapter): f"problems/{chapter}.md" for chapter in CHAPTERS}
            part["Problems"] = ["problems/index.md", *({title: page} for title, page in pages.items())]
        if "API" in part:
            part["API"] = ["api/index.md", *({group: f"api/{_file(group)}.md"} for group in groups())]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Pages and files that are made, not written."""
    for uri, content in {**problem_pages(), **reference_pages(), **example_pages()}.items():
        files.append(File.generated(config, uri, content=content))
    files.append(File.generated(config, "changes.md", content=_changes()))
    katex = ROOT / "src" / "flexura" / "show" / "katex"
    for path in (*katex.glob("*.min.*"), *katex.glob("fonts/*")):
        uri = f"assets/katex/{path.relative_to(katex).as_posix()}"
        files.append(File.generated(config, uri, abs_src_path=str(path)))
    for page in PICTURED:
        for name, picture in pictures(ROOT / "docs" / page).items():
            files.append(File.generated(config, f"pictures/{name}", content=picture))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links to examples outside this folder lead to the pages that show them."""
    return EXAMPLE.sub(lambda found: f"](examples/{found[1]}_{found[2]}.md)", markdown)


def _changes() -> str:
    """The changelog, with links as this folder has them."""
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](")


# -- problems ----------------------------------------------------------------------------------------------------------


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
        pages[f"api/{_file(group)}.md"] = "\n\n".join([f"# {group}", *(_entry(word, path) for word, path in words)])
        links = ", ".join(f"[{word}]({_file(group)}.md#{path})" for word, path in sorted(words))
        listed += [f"## [{group}]({_file(group)}.md)", "", links, ""]
    return pages | {"api/index.md": "\n".join(listed)}


def _entry(word: str, path: str) -> str:
    """A word's docstring; functions that the package makes in a row are told here, as no reader of sources sees them."""
    meant = getattr(fx, word)
    if "<locals>" in getattr(meant, "__qualname__", ""):
        told = meant.__doc__ or f"The function {word.rstrip('_')}, of expressions."
        return f"## fx.{word} {{#{path}}}\n\n{told}"
    return f"::: {path}\n    options:\n      heading: fx.{word}\n      toc_label: {word}"


def _file(group: str) -> str:
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
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place), contextlib.redirect_stdout(io.StringIO()):
        for script in BLOCK.findall(page.read_text(encoding="utf-8")):
            exec(compile(script, page.name, "exec"), names)  # noqa: S102 (our own page)
        return {path.name: path.read_bytes() for path in Path(place).glob("*.svg")}
