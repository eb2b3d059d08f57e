"""Whether a function remembers what it was asked before: a counter, a filter in a closure, random numbers.

>>> remembers(lambda t: next(counter), [0.0, 0.5, 1.0])
True
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from flexura.errors import FlexuraError

_TIMES = 5
_SAME = 1e-9  # of a value, by which it may differ when it is asked again: sums taken in another order


def remembers(function: Callable[[Any], Any], places: Iterable[Any]) -> bool:
    """Whether it answers otherwise at a place when it was asked at another one before: each after each is tried.

    What it does not answer tells nothing here: whoever needs the answer says what is wrong.
    """
    asked = list(places)
    first = [_answer(function, one) for one in asked]
    for before in asked:
        for answer, place in zip(first, asked, strict=True):
            _answer(function, before)
            again = _answer(function, place)
            if answer is not None and again is not None and not _same(answer, again):
                return True
    return False


def refuse_memory(what: str, function: Callable[[float], Any], start: float, end: float) -> None:
    """Refuse a function of time that gives two values at one time: steps are tried, cut and taken again."""
    if remembers(function, np.linspace(start, end, _TIMES).tolist()):
        raise FlexuraError(
            f"{what} gives other values when it is asked again at the same time: it remembers, or draws by lot",
            advice="write it as a function of t alone, or give an array on t",
        )


def _answer(function: Callable[[Any], Any], place: Any) -> Any:
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.array(function(place), dtype=np.float64)
    except Exception:  # whatever a user's function may raise where it is not meant to be asked
        return None


def _same(a: Any, b: Any) -> bool:
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=_SAME, atol=0.0, equal_nan=True))
