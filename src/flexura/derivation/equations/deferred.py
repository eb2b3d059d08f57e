"""A tuple that is made when it is first looked at.

>>> rows = Deferred(lambda: (row for row in long_derivation()))
>>> len(rows), rows[0]        # now it is made

Discretising reads the Lagrangian alone; the equations of long chains, which nobody could read, are then never written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, TypeVar, overload

T = TypeVar("T")


class Deferred(Sequence[T]):
    """Behaves as the tuple it will be."""

    def __init__(self, make: Callable[[], Iterable[T]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> tuple[T, ...]:
        return tuple(self._make())

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self._made[index]

    def __len__(self) -> int:
        return len(self._made)

    def __add__(self, other: Sequence[T]) -> tuple[T, ...]:
        return (*self._made, *other)

    def __eq__(self, other: object) -> bool:
        return self._made == (other._made if isinstance(other, Deferred) else other)

    def __hash__(self) -> int:
        return hash(self._made)

    def __repr__(self) -> str:
        return repr(self._made)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self._made,)
