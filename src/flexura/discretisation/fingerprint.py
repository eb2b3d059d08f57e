"""What a discretised system is made of, as one short text: systems with the same text have the same equations.

>>> fingerprint(gathered)        # "9f2c...": energies, numbers, and the integrals of the functions of x

Cheap beside the equations themselves: it reads the energies as they were given, before anything is expanded. Functions
of x that a user gives cannot be compared; their integrals can.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
import symengine

from flexura.discretisation.gather import Gathered
from flexura.energy.lagrangian import Spine
from flexura.symbolic.engine import Basic
from flexura.symbolic.walk import branches
from flexura.systems.nonlinear import InputSlot

_GIVEN = ("coordinates", "spines", "kinetic", "potential", "dissipation", "density", "dissipation_density", "work",
          "work_density", "boundary", "constraints", "prescribed", "inputs")  # fmt: skip


def fingerprint(gathered: Gathered, T: Any = None) -> str:
    """One hash of all that the functions of a system depend on; T leads from its unknowns to those of the layout."""
    layout, found = gathered.layout, blake2b(digest_size=32)
    given = [getattr(layout.energies, name) for name in _GIVEN]
    forms = [(one.columns, one.H, one.d, one.loads, one.spread) for one in gathered.spines]
    for part in _parts(
        (given, layout.numbers.known, layout.names, gathered.averages, forms, tuple(gathered.slots.values()), T),
        Trees(),
    ):
        found.update(part + b"\0")
    return found.hexdigest()


def _parts(one: Any, trees: Trees) -> Iterator[bytes]:
    """Bytes that differ wherever the values do."""
    if isinstance(one, np.ndarray):
        yield str((one.dtype.str, one.shape)).encode() + np.ascontiguousarray(one).tobytes()
    elif isinstance(one, Mapping):
        yield from _parts([part for pair in one.items() for part in pair], trees)
    elif isinstance(one, frozenset):
        yield from _parts(sorted(one), trees)
    elif isinstance(one, list | tuple):
        yield str(len(one)).encode()
        for part in one:
            yield from _parts(part, trees)
    elif isinstance(one, Spine):
        yield from _parts((one.name, one.start, one.end, one.fields), trees)
    elif isinstance(one, InputSlot):
        yield from _parts((one.name, one.start, one.derivative, one.points), trees)
    elif one is None or isinstance(one, str | int | float):
        yield repr(one).encode()
    else:
        yield trees.hash(one)


class Trees:
    """Hashes of trees, branch by branch: what they share is hashed once, which their text would write out each time."""

    def __init__(self) -> None:
        self._known: dict[Basic, bytes] = {}

    def hash(self, f: Basic) -> bytes:
        """Of a tree; the order of sums and products does not count, and numbers do to the last bit."""
        for one in branches([f], self._known):
            self._known[one] = blake2b(b"\0".join(self._branch(one)), digest_size=16).digest()
        return self._known[f]

    def _branch(self, one: Basic) -> list[bytes]:
        if not one.args:
            exact = float(one).hex() if isinstance(one, symengine.RealDouble) else str(one)
            return [type(one).__name__.encode(), exact.encode()]
        parts = [self._known[part] for part in one.args]
        named = one.get_name() if isinstance(one, symengine.FunctionSymbol) else ""
        return [type(one).__name__.encode(), named.encode(), *(sorted(parts) if one.is_Add or one.is_Mul else parts)]
