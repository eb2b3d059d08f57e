"""One random case and what became of it.

    >>> for outcome in run(Trial("frames", 17, script, {"Pin"}, {"modes": check})): print(outcome)

A check returns None where answers agree, or the word flexura gave where they do not; it raises `Disagreement` where
they do not and nothing was said. What flexura refuses, in a sentence, is counted as refused; anything else is a crash.
"""

from __future__ import annotations

import re
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import flexura as fx

SECONDS = 60.0  # of CPU for each verb
_DOUBT = re.compile(
    r"misses|may be off|accura|digits|estimate|expected error|beyond|left out|finest|theory|stopped|ended|limit"
    r"|resonance|rounding|certif|ROUGH"
)


class Disagreement(AssertionError):
    """Two answers differ and nothing was said."""


class Skipped(Exception):
    """The other side has no answer to compare with."""


class OverTime(Exception):
    """A verb took longer than it may."""


@dataclass(frozen=True)
class Trial:
    """A case: where it comes from, a script that makes it, what kinds of parts it holds, and what is asked of it."""

    family: str
    number: int
    script: str
    kinds: frozenset[str]
    checks: Mapping[str, Callable[[], str | None]] = field(repr=False)


@dataclass(frozen=True)
class Outcome:
    """What one verb did: "agreed", "noted", "refused", "skipped", "disagreed", "crashed" or "over time".

    `problem` is what a refusal finds wrong, without its advice.
    """

    verb: str
    result: str
    words: str = ""
    seconds: float = 0.0
    problem: str = ""

    @property
    def bad(self) -> bool:
        return self.result in ("disagreed", "crashed", "over time")


def run(trial: Trial) -> Iterator[Outcome]:
    """Every check of a trial, each with its own limit."""
    for verb, check in trial.checks.items():
        began = time.process_time()
        result, words, *problem = _result(check)
        yield Outcome(verb, result, words, time.process_time() - began, *problem)


def _result(check: Callable[[], str | None]) -> tuple[str, ...]:
    try:
        with limited(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            words = check()
    except Disagreement as error:
        return "disagreed", str(error)
    except Skipped as error:
        return "skipped", str(error)
    except OverTime:
        return "over time", f"more than {SECONDS:g} s of CPU"
    except fx.FlexuraError as error:
        return "refused", str(error), error.problem
    except Exception:
        return "crashed", traceback.format_exc(limit=-6)
    return ("noted", words) if words else ("agreed", "")


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop what takes more CPU than this."""

    def stop(*_: Any) -> None:
        raise OverTime

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def heard() -> Iterator[list[str]]:
    """What is said while something runs: warnings, as sentences."""
    words: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield words
    words += [str(one.message) for one in caught]


def agree(what: str, found: Any, expected: Any, within: Any, words: Iterable[str] = ()) -> str | None:
    """None where two answers agree to `within` (absolute); else the word of doubt that was given, or a Disagreement."""
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape == expected.shape and np.all(np.abs(found - expected) <= within):
        return None
    doubt = [one for one in words if _DOUBT.search(one)]
    if doubt:
        return f"{what}: {doubt[0]}"
    raise Disagreement(f"{what}: {_shown(found)} against {_shown(expected)}, more than {np.max(within):.1e} apart")


def _shown(values: Any) -> str:
    return np.array2string(values, precision=9, threshold=12, max_line_width=10_000)
