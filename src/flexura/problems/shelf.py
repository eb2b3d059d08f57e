"""What problems there are: the pages of the chapters are the table of contents."""

from __future__ import annotations

import ast
from functools import cache
from importlib import resources

from flexura.errors import FlexuraError
from flexura.problems.problem import Problem, read

CHAPTERS: tuple[str, ...] = ("discrete", "continuous", "forced", "approximate", "rotating", "guided", "large")


@cache
def _page(chapter: str) -> tuple[str, tuple[str, ...]]:
    """A chapter's title, and its files in order."""
    page = (resources.files("flexura.problems") / chapter / "__init__.py").read_text(encoding="utf-8")
    lines = (ast.get_docstring(ast.parse(page)) or "").splitlines()
    return lines[0].rstrip("."), tuple(line.split()[0] for line in lines if line.startswith("    "))


def chapter_title(chapter: str) -> str:
    """What a chapter is about, in one line."""
    return _page(chapter)[0]


def problems(chapter: str | None = None) -> dict[str, Problem]:
    """The problems of a chapter, or all of them, by name and in order."""
    if chapter is not None and chapter not in CHAPTERS:
        raise FlexuraError(f"There is no chapter called {chapter!r}", advice=f"the chapters are {', '.join(CHAPTERS)}")
    chapters = CHAPTERS if chapter is None else (chapter,)
    read_ones = (read(room, stem) for room in chapters for stem in _page(room)[1])
    return {problem.name: problem for problem in read_ones}


def problem(name: str) -> Problem:
    """The problem of that name: `problem("beck-column").solve()`."""
    stem = name.replace("-", "_")
    for chapter in CHAPTERS:
        if stem in _page(chapter)[1]:
            return read(chapter, stem)
    raise FlexuraError(f"There is no problem called {name!r}", advice="`flexura problems` lists them")
