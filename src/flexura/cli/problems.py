"""`flexura problems` and `flexura problem`: the book, and one page of it."""

from __future__ import annotations

import textwrap
from typing import Annotated, Any

import numpy as np
import typer

from flexura.cli.output import Json, document, heading, told, width
from flexura.problems import CHAPTERS, Check, Problem, Solution
from flexura.problems import problem as by_name
from flexura.problems import problems as listed
from flexura.problems.shelf import chapter_title


def problems(
    chapter: Annotated[str | None, typer.Option(help="Only this chapter.", show_default=False)] = None,
    check: Annotated[bool, typer.Option("--check", help="Solve each and say whether it holds.")] = False,
    json: Json = False,
) -> None:
    """List the problems, or check them all; leaves with 1 where an answer is not as known."""
    shelf = listed(chapter)
    holds = {name: one.solve().holds if check else None for name, one in shelf.items()} if json else {}
    if json:
        document([_entry(one) | ({"holds": holds[name]} if check else {}) for name, one in shelf.items()])
    else:
        holds = {name: _line(one, max(map(len, shelf)), check, chapter is None) for name, one in shelf.items()}
    if check and not all(holds.values()):
        raise typer.Exit(1)


def problem(
    name: Annotated[str, typer.Argument(help="A problem's name; `flexura problems` lists them.", show_default=False)],
    json: Json = False,
) -> None:
    """Solve a problem: statement, model, answer and check; leaves with 1 where an answer is not as known."""
    one = by_name(name)
    solution = one.solve()
    if json:
        document(
            _entry(one) | {"statement": one.statement, "source": one.source, "script": one.script} | _data(solution)
        )
    else:
        _page(one, solution)
    if not solution.holds:
        raise typer.Exit(1)


def _page(one: Problem, solution: Solution) -> None:
    heading(f"{one.title} ({one.chapter})")
    for part in (*one.statement.split("\n\n"), f"Source: {one.source}"):
        typer.echo("\n" + textwrap.fill(part, width()))
    typer.echo("\n" + textwrap.indent(one.script, "    "))
    told(solution)
    typer.echo("\n" + solution.summary())


def _line(one: Problem, column: int, check: bool, with_chapters: bool) -> bool | None:
    """Print a problem's line, below its chapter's where it is the first of it."""
    first = next(iter(listed(one.chapter)))
    if with_chapters and one.name == first:
        heading(f"{'' if one.chapter == CHAPTERS[0] else chr(10)}{one.chapter}: {chapter_title(one.chapter)}")
    holds = one.solve().holds if check else None
    mark = "" if holds is None else ("holds  " if holds else "WRONG  ")
    typer.echo(f"  {mark}{one.name.ljust(column)}  {one.title}")
    return holds


def _entry(one: Problem) -> dict[str, Any]:
    return {"name": one.name, "chapter": one.chapter, "title": one.title}


def _data(solution: Solution) -> dict[str, Any]:
    return {"holds": solution.holds, "checks": [_check(check) for check in solution.checks]}


def _check(check: Check) -> dict[str, Any]:
    return {
        "what": check.what,
        "answer": _numbers(check.answer),
        "known": _numbers(check.known),
        "difference": check.difference,
        "allowed": check.bound,
        "holds": check.holds,
    }


def _numbers(value: Any) -> Any:
    """Numbers for JSON: complex ones by their parts."""
    here = np.asarray(value)
    return {"re": here.real.tolist(), "im": here.imag.tolist()} if np.iscomplexobj(here) else here.tolist()
