"""Trees compiled to numbers: one flat list with common subexpressions shared, read back as arrays.

>>> program = Program([x, y], {"value": [[x * y]], "slope": [y, x]})
>>> value, slope = program(np.array([2.0, 3.0]))

Called with symbols, a program gives trees. So a function that is written with arrays and programs can be traced: run
once on symbols, it yields the trees of all it computes, and these become one flat program (`Traced`).

Two compilers of the engine share the work. The first is ready at once and slower to run, and serves short programs; the
second (LLVM) takes longer to build and runs several times faster. A traced function is compiled when its calls have
paid for it, so whoever calls once never waits and whoever calls often soon runs fast. What was compiled before, in this
process or another, is then taken from disk (`cache.py`).

The two round differently, and so do arrays. So nothing here looks at a clock: which form a call takes follows from the
sizes and from the calls before it in the same run, and identical runs give identical bits, on a busy machine, in a
thread, and whatever is on disk. Nothing is shared between calls either: what they return is the caller's.

bench/bench_compile.py is the reason for LLVM, without its optimisation: with building counted it needs the least time,
or nearly, from a thousand calls to a hundred thousand. Optimisation takes four to five times as long to build and
gains little, since most of a call is the way into it; C takes longer still, and numba seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.discretisation import cache
from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.machine import Backend, machine_function
from flexura.symbolic.walk import branches, flattened

Array = NDArray[Any]
_ROOF = symengine.Function("$all")
_COMPILED = 3000  # branches up to which trees over points are compiled
_SHORT = 50  # branches of a program up to which the first compiler serves it
_CALL, _STATE = 200e-6, 5e-6  # seconds that a compiled form saves in a call, and more for each state of a stack


class Beside(Protocol):
    """Numbers that follow from t, and the symbols that stand for them in trees."""

    symbols: list[Symbol]

    def __call__(self, t: Any) -> Array:
        """(..., symbols)."""


class ArrayBlocks:
    """Arrays laid out one after another in a flat list."""

    def __init__(self, shapes: Sequence[tuple[int, ...]]) -> None:
        ends = np.cumsum([0, *(math.prod(shape) for shape in shapes)]).tolist()
        self.shapes, self.size = tuple(shapes), int(ends[-1])
        self._places = [(slice(a, b), shape) for (a, b), shape in zip(pairwise(ends), shapes, strict=True)]

    def split(self, flat: Array) -> list[Array]:
        """The list cut into its arrays; a stack of lists into stacks."""
        if flat.ndim == 1:
            return [flat[where].reshape(shape) for where, shape in self._places]
        return [flat[..., where].reshape(*flat.shape[:-1], *shape) for where, shape in self._places]


class CompiledProgram:
    """A flat list of trees as the engine compiled it, for one vector of arguments or a stack of them."""

    def __init__(self, shapes: Sequence[tuple[int, ...]], made: Any) -> None:
        """`made` is None where there is nothing in any block."""
        self._blocks, self._made = ArrayBlocks(shapes), made
        self._run = made.unsafe_real if made is not None else lambda arguments, out: None

    def __reduce__(self) -> tuple[Any, ...]:
        return CompiledProgram, (self._blocks.shapes, self._made)

    def __call__(self, arguments: Array) -> list[Array]:
        """One array for each block; a stack gives stacks."""
        if arguments.ndim == 1:
            self._run(arguments, out := np.empty(self._blocks.size))
            return self._blocks.split(out)
        if self._made is None:
            return self._blocks.split(np.zeros((len(arguments), 0)))
        return self._blocks.split(np.asarray(self._made(arguments)).reshape(len(arguments), -1))


class Program:
    """Arrays of trees as functions of one vector of arguments."""

    def __init__(self, arguments: Sequence[Symbol], blocks: Mapping[str, Any]) -> None:
        """`blocks` are (nested) lists of trees; a call returns one array for each."""
        arrays = [np.array(block, dtype=object) for block in blocks.values()]
        self._trees: list[Basic] = [symengine.sympify(f) for one in arrays for f in one.ravel()]
        self._arguments, self._blocks = list(arguments), ArrayBlocks([one.shape for one in arrays])
        self._compiled: CompiledProgram | None = None

    def __call__(self, arguments: Array) -> list[Array]:
        """One array for each block; a stack of arguments (states, arguments) gives stacks."""
        if arguments.dtype.hasobject:
            return self.trees(arguments)
        if self._compiled is None:
            self._compiled = self.compiled(self.backend)
        return self._compiled(arguments)

    @property
    def backend(self) -> Backend:
        """The compiler that suits it."""
        return "llvm" if symengine.have_llvm and len(branches(self._trees)) > _SHORT else "lambda"

    def trees(self, arguments: Array) -> list[Array]:
        """Trees, with these in the place of the arguments."""
        given = [symengine.sympify(one) for one in arguments]
        put = {own: one for own, one in zip(self._arguments, given, strict=True) if own != one}
        found = np.empty(len(self._trees), dtype=object)
        if not put:  # as they are, sharing what they share
            found[:] = self._trees
            return self._blocks.split(found)
        # all under one roof, so that what they share is replaced once
        for i, f in enumerate(_ROOF(*self._trees).xreplace(put).args):
            found[i] = f
        return self._blocks.split(found)

    def compiled(self, backend: Backend, opt_level: int = 0) -> CompiledProgram:
        """The list as one of the engine's compilers makes it: "lambda" or "llvm"."""
        if not self._trees:
            return CompiledProgram(self._blocks.shapes, None)
        # a flat list: nested ones would silently defeat the sharing
        made = machine_function(self._arguments, self._trees, backend, cse=True, opt_level=opt_level)
        return CompiledProgram(self._blocks.shapes, made)


class Traced:
    """A function of vectors (t first, a number) that gives arrays: run as it is, and compiled flat once that pays.

    `build` is a guess, in seconds, of what tracing and compiling take; infinite for what should stay as it is. `key`
    names what the function is made of: under that name the compiled form is kept on disk, and taken from there when
    its time comes, not before, since its results differ from those of arrays in the last digits. `beside` are numbers
    that follow from t outside of trees: the function finds them by itself, compiled forms are given them.
    """

    def __init__(
        self,
        function: Callable[..., Sequence[Array]],
        arguments: Sequence[Array],
        build: float,
        key: Callable[[], str] | None = None,
        beside: Beside | None = None,
    ) -> None:
        self._function, self._arguments = function, [np.array(one, dtype=object) for one in arguments]
        self._build = self._left = build if symengine.have_llvm else np.inf
        ends = np.cumsum([one.size for one in self._arguments]).tolist()
        self._places = [slice(a, b) for a, b in pairwise(ends)]
        self._size = ends[-1]
        self._program: CompiledProgram | None = None
        self._made: list[CompiledProgram] = []  # compiled in this process; shared with those that `anew` gives
        self._key = key
        self._beside = beside if beside is not None and beside.symbols else None

    def anew(self) -> Traced:
        """The same function as if it had not been called yet."""
        other = copy(self)
        other._left, other._program = self._build, None
        return other

    def __call__(self, t: Any, *vectors: Array) -> Sequence[Array]:
        """Arrays, which the caller may keep; times and stacks of vectors give stacks."""
        stack = isinstance(t, np.ndarray) and t.ndim > 0
        if self._program is not None:
            if self._beside is not None:
                vectors = (*vectors, self._beside(t))
            if stack:
                return self._program(np.concatenate((t[:, None], *vectors), axis=-1))
            if self._beside is not None:
                return self._program(np.concatenate(([t], *vectors)))
            at = np.empty(self._size)
            at[0] = t
            for where, one in zip(self._places, vectors, strict=True):
                at[where] = one
            return self._program(at)
        found = self._function(t, *vectors)
        self._left -= _CALL + (_STATE * len(t) if stack else 0.0)
        if self._left < 0:
            self.compile()
        return found

    def compile(self) -> None:
        """Trace and compile now, unless that was done before."""
        if not self._made:
            name = self._key() if self._key is not None and cache.folder() is not None else ""
            found = cache.load(name) if name else None
            if found is None:
                found = self.traced().compiled("llvm" if symengine.have_llvm else "lambda")
                if name:
                    cache.save(name, found)
            self._made.append(found)
        self._program = self._made[0]

    def traced(self) -> Program:
        """All that the function computes, as trees of its arguments."""
        t, *vectors = self._arguments
        found = self._function(t.item(), *vectors)
        arguments = [one for vector in self._arguments for one in vector.ravel()]
        arguments += self._beside.symbols if self._beside is not None else []
        return Program(arguments, {str(i): one for i, one in enumerate(found)})


def symbolic(values: Any) -> Array:
    """Numbers as objects for tracing: what is zero, or lost in rounding beside the largest, is an exact zero."""
    values = np.asarray(values, dtype=np.float64)
    found = np.empty(values.shape, dtype=object)
    largest = np.abs(values).max(initial=0.0)
    for i, one in np.ndenumerate(values):
        found[i] = float(one) if abs(one) > 1e-16 * largest else 0
    return found


def over_points(arguments: Sequence[Symbol], trees: Sequence[Basic]) -> PointProgram:
    """A function of an array (points, arguments) that gives (points, trees)."""
    return _over_points(tuple(arguments), tuple(symengine.sympify(f) for f in trees))


class PointProgram:
    """Trees evaluated row by row: short ones by the engine's compiler, which is worth a few milliseconds there."""

    def __init__(self, arguments: Sequence[Symbol], trees: Sequence[Basic]) -> None:
        trees, self._count = flattened(trees), len(trees)
        backend: Backend = "llvm" if symengine.have_llvm and len(branches(trees)) <= _COMPILED else "lambda"
        made: Any = machine_function(arguments, trees, backend, cse=True, flat=True)
        self._run = made.unsafe_eval

    def __call__(self, rows: Array) -> Array:
        """(points, trees)."""
        found = np.empty((len(rows), self._count))
        self._run(np.ascontiguousarray(rows, dtype=np.float64).ravel(), found.ravel(), len(rows))
        return found


@lru_cache(maxsize=256)
def _over_points(arguments: tuple[Symbol, ...], trees: tuple[Basic, ...]) -> PointProgram:
    """The same trees are asked for on every mesh."""
    return PointProgram(arguments, trees)
