"""Long lists of trees compiled piece by piece, for systems whose trees are too many for one flat program.

    >>> tape = Tape([x, y], {"value": [[x * y]], "slope": [y, x]})
    >>> value, slope = tape(np.array([2.0, 3.0]))

The engine searches a list for common subexpressions in time that grows with its square, and code is fast only if it is
compiled. So all branches are laid out in order and cut into pieces of bounded length, each compiled by itself; branches
that later pieces need are kept in one working array. Build and run are then proportional to the number of branches.

Some arguments may be `late`, as the entries of a direction are: what does not hold them is then computed once for each
state, and only the rest for each state and direction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.discretisation.program import ArrayBlocks
from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.machine import Backend, machine_function
from flexura.symbolic.walk import branches, machine_number, remade
from flexura.systems.deadline import between_pieces

Array = NDArray[Any]
_PIECE = 1000  # branches in a piece
_ROWS = 256  # of a stack at a time, so that the working array stays in the cache


@dataclass(frozen=True, eq=False)
class _CompiledPiece:
    """Compiled branches: they read `inputs` of the working array and fill `outputs`."""

    inputs: NDArray[np.intp]
    outputs: slice
    made: Any

    def run(self, work: Array) -> None:
        """For every row of a working array (rows, entries)."""
        found = self.made(np.ascontiguousarray(work[:, self.inputs]))
        work[:, self.outputs] = np.asarray(found).reshape(len(work), -1)


class Tape:
    """Arrays of trees as functions of one vector of arguments, or of a stack of them; like a `Program`."""

    def __init__(self, arguments: Sequence[Symbol], blocks: Mapping[str, Any], late: Sequence[Symbol] = ()) -> None:
        """`blocks` are (nested) lists of trees, `arguments` one or more; nothing is compiled before the first call."""
        arrays = [np.array(block, dtype=object) for block in blocks.values()]
        self._trees: list[Basic] = [symengine.sympify(f) for one in arrays for f in one.ravel()]
        self._arguments, self._late = list(arguments), list(late)
        self._blocks = ArrayBlocks([one.shape for one in arrays])

    def __call__(self, arguments: Array) -> list[Array]:
        """One array for each block, of their own; stacks for a stack (states, arguments)."""
        stack = arguments.reshape(-1, len(self._arguments))
        flat = self.along(stack, np.zeros((1, 0)))[:, 0]
        return self._blocks.split(flat.reshape(*arguments.shape[:-1], -1))

    def columns(self, arguments: Array, directions: Array) -> list[Array]:
        """For each state and each row of values for the late arguments: stacks (..., directions, block)."""
        stack = arguments.reshape(-1, len(self._arguments))
        flat = self.along(stack, directions)
        return self._blocks.split(flat.reshape(*arguments.shape[:-1], len(directions), -1))

    def along(self, states: Array, directions: Array) -> Array:
        """(states, directions, trees)."""
        few = max(1, _ROWS // max(1, len(directions)))
        found = [self._some(states[i : i + few], directions) for i in range(0, len(states), few)]
        return np.concatenate(found) if found else np.zeros((0, len(directions), len(self._trees)))

    def _some(self, states: Array, directions: Array) -> Array:
        compiled = self._compiled
        rows, many = len(states), len(directions)
        early = np.empty((rows, compiled.early))
        early[:, : states.shape[1]] = states
        for piece in compiled.first:
            piece.run(early)
        work = np.empty((rows * many, compiled.size))
        work[:, : compiled.early] = np.repeat(early, many, axis=0)
        work[:, compiled.early : compiled.early + directions.shape[1]] = np.tile(directions, (rows, 1))
        for piece in compiled.then:
            piece.run(work)
        return work[:, compiled.results].reshape(rows, many, -1)

    @cached_property
    def _compiled(self) -> _CompiledTape:
        return _CompiledTape(self._arguments, self._late, self._trees)


class _CompiledTape:
    """The pieces, and where everything lies in the working array: arguments, early branches, late arguments, others."""

    def __init__(self, arguments: list[Symbol], late: list[Symbol], trees: list[Basic]) -> None:
        order = branches([*trees, *arguments, *late])
        depends: set[Basic] = set(late)
        known = {*arguments, *late}
        plain = [one for one in order if one not in known and one.args]
        for one in plain:
            if any(part in depends for part in one.args):
                depends.add(one)
        wanted = set(trees)
        self._place: dict[Basic, int] = {one: i for i, one in enumerate(arguments)}
        self._next, self._first = len(arguments), arguments[0]
        first, then = [one for one in plain if one not in depends], [one for one in plain if one in depends]
        uses = _uses(first, then)
        self.first = self._pieces(first, uses, wanted)
        self.early = self._next
        for one in late:
            self._place[one] = self._next
            self._next += 1
        self.then = self._pieces(then, uses, wanted)
        numbers = [one for one in dict.fromkeys(trees) if one not in self._place]
        if numbers:
            self.then.append(self._piece(numbers, numbers))
        self.size = self._next
        self.results = np.array([self._place[f] for f in trees], dtype=np.intp)

    def _pieces(self, order: list[Basic], uses: dict[Basic, int], wanted: set[Basic]) -> list[_CompiledPiece]:
        """Cut a list of branches; what is used beyond a piece, or wanted, is kept."""
        found = []
        for start in range(0, len(order), _PIECE):
            between_pieces()
            piece = order[start : start + _PIECE]
            last = start + len(piece)
            kept = [one for one in piece if one in wanted or uses.get(one, -1) >= last]
            found.append(self._piece(piece, kept))
        return found

    def _piece(self, piece: list[Basic], kept: list[Basic]) -> _CompiledPiece:
        """Write branches in those of the same piece and in symbols for what was kept before, and compile them."""
        read: dict[Basic, Symbol] = {}
        local: dict[Basic, Basic] = {}
        for one in piece:
            parts = [self._part(part, local, read) for part in one.args]
            local[one] = machine_number(remade(one, parts))
        if not read:  # numbers alone; the engine wants an argument
            read[self._first] = Symbol("$y0")
        inputs = np.array([self._place[one] for one in read], dtype=np.intp)
        start = self._next
        for one in kept:
            self._place[one] = self._next
            self._next += 1
        made = _compile(list(read.values()), [local[one] for one in kept])
        return _CompiledPiece(inputs, slice(start, self._next), made)

    def _part(self, part: Basic, local: dict[Basic, Basic], read: dict[Basic, Symbol]) -> Basic:
        if part in local:
            return local[part]
        if part in self._place:
            return read.setdefault(part, Symbol(f"$y{self._place[part]}"))
        return machine_number(part)


def _uses(first: list[Basic], then: list[Basic]) -> dict[Basic, int]:
    """The last place in its list where a branch is used; what the second list uses of the first lies beyond its end."""
    found: dict[Basic, int] = {}
    for i, one in enumerate(first):
        for part in one.args:
            found[part] = i
    early = set(first)
    for i, one in enumerate(then):
        for part in one.args:
            found[part] = len(first) if part in early else i
    return found


def _compile(arguments: list[Symbol], trees: list[Basic]) -> Any:
    backend: Backend = "llvm" if symengine.have_llvm else "lambda"
    return machine_function(arguments, trees, backend, cse=True, opt_level=0, flat=True)
