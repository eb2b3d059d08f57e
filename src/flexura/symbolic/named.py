"""Coordinates, their rates and fields in place of their names, where numbers are given by name.

>>> by_name({q: 0.1, q.t: 2.0, "w": "x**2"}, "initial")
{'q': 0.1, 'q_t': 2.0, 'w': 'x**2'}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flexura.errors import FlexuraError
from flexura.symbolic.engine import Symbol
from flexura.symbolic.expression import Expression


def by_name(given: Any, what: str) -> Any:
    """A mapping with names as keys; what is given under a name and under what it names is refused. Others as they are.

    A key that is neither stays: whoever reads the mapping says what may be named.
    """
    if not isinstance(given, Mapping):
        return given
    named: dict[Any, Any] = {}
    for key, value in given.items():
        name = str(key.engine) if isinstance(key, Expression) and isinstance(key.engine, Symbol) else key
        if name in named:
            raise FlexuraError(f"{what} gives {name} twice", advice="give it once")
        named[name] = value
    return named
