"""One problem: reading its file, running it, and holding its answer to what is known."""

from __future__ import annotations

import ast
import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from importlib import resources
from typing import Any

import numpy as np

from flexura.display import Displayed, Table
from flexura.errors import FlexuraError

WITHIN = 1e-9
"""How closely a closed form is met, as a part of its largest number, unless a problem says otherwise."""
_SOURCE = "Source:"


@dataclass(frozen=True)
class Check:
    """An answer beside what it must be; `difference` may be as large as `bound`."""

    what: str
    answer: Any
    known: Any
    difference: float
    bound: float
    is_printed: bool

    @property
    def holds(self) -> bool:
        """Whether the answer is what is known; nan never is."""
        return bool(self.difference <= self.bound)


@dataclass(frozen=True, repr=False)
class Solution(Displayed):
    """What a problem's script found: `problem("two-pendulums").solve().holds`."""

    name: str
    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Whether every answer is what is known."""
        return all(check.holds for check in self.checks)

    def summary(self) -> str:
        """Which problem, and whether it holds."""
        missed = sum(not check.holds for check in self.checks)
        return f"{self.name}: {'every answer is as known' if not missed else f'{missed} answers are not as known'}"

    def told(self) -> Iterator[Table | str]:
        """Each answer beside the known value."""
        yield Table(("", "answer", "known", "difference", "allowed"), [row for c in self.checks for row in _rows(c)])


@dataclass(frozen=True)
class Problem:
    """A statement, a script, a source: `print(problem("two-pendulums").statement)`."""

    name: str
    chapter: str
    title: str
    statement: str
    source: str
    script: str

    @cached_property
    def module(self) -> str:
        """Where its file is: `flexura.problems.discrete.two_pendulums`."""
        return f"flexura.problems.{self.chapter}.{self.name.replace('-', '_')}"

    def solve(self) -> Solution:
        """Run the script anew and compare what it leaves behind."""
        left = runpy.run_module(self.module)
        answer, known, within = left["answer"], left["known"], left.get("within", WITHIN)
        if answer.keys() != known.keys() or not answer:
            raise FlexuraError(
                f"The problem {self.name} answers {sorted(answer)} and knows {sorted(known)}",
                advice="give both dicts the same names",
            )
        return Solution(self.name, tuple(compared(name, answer[name], known[name], within) for name in answer))


def read(chapter: str, stem: str) -> Problem:
    """The problem in a file of a chapter."""
    text = (resources.files("flexura.problems") / chapter / f"{stem}.py").read_text(encoding="utf-8")
    page = ast.parse(text)
    told = ast.get_docstring(page) or ""
    title, _, rest = told.partition("\n")
    statement, found, source = rest.partition(f"\n{_SOURCE}")
    if not found:
        raise FlexuraError(f"The problem {stem} names no source", advice="end its docstring with `Source: ...`")
    script = "".join(text.splitlines(keepends=True)[page.body[0].end_lineno :]).strip() + "\n"
    joined = "\n\n".join(" ".join(part.split()) for part in statement.strip().split("\n\n"))
    return Problem(stem.replace("_", "-"), chapter, title.rstrip("."), joined, " ".join(source.split()), script)


def compared(what: str, answer: Any, known: Any, within: float = WITHIN) -> Check:
    """An answer held to a closed form (numbers) or to what is printed (text, or a list of texts)."""
    is_printed = isinstance(known, str) or (isinstance(known, list | tuple) and isinstance(known[0], str))
    bounds = _last_digits(known) if is_printed else np.array(within)
    value = np.asarray(known, dtype=float) if is_printed else np.asarray(known)
    here = np.asarray(answer)
    if here.shape != value.shape:
        raise FlexuraError(f"{what!r} has the shape {here.shape}, and what is known of it {value.shape}")
    size = float(np.abs(value).max()) if value.size else 0.0
    bound = bounds if is_printed else bounds * (size or 1.0)
    apart = np.abs(here - value)
    worst = int(np.argmax(apart / bound)) if apart.size else 0
    allowed = np.broadcast_to(bound, apart.shape)
    return Check(what, here, known, float(apart.flat[worst]), float(allowed.flat[worst]), is_printed)


def _last_digits(printed: str | list[str]) -> Any:
    """Half a unit of the last digit of each printed number, and the rounding of comparing them."""
    texts = np.atleast_1d(np.asarray(printed))
    halves = [0.5 * 10.0 ** int(Decimal(text).as_tuple().exponent) + 1e-15 * abs(float(text)) for text in texts]
    return np.array(halves if isinstance(printed, list | tuple) else halves[0])


def _rows(check: Check) -> Iterator[tuple[str, ...]]:
    """A line for each number of an answer; the difference stands on the first."""
    answers, known = np.atleast_1d(check.answer).ravel(), np.atleast_1d(np.asarray(check.known)).ravel()
    for i, (value, meant) in enumerate(zip(answers, known, strict=True)):
        label = check.what if i == 0 else ""
        ends = (f"{check.difference:.1e}", f"{check.bound:.1e}") if i == 0 else ("", "")
        yield (label, _number(value), str(meant) if check.is_printed else _number(meant), *ends)


def _number(value: Any) -> str:
    return f"{complex(value):.10g}" if np.iscomplexobj(value) else f"{float(value):.10g}"
