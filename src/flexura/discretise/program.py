"""Trees compiled to numbers: one flat list with common subexpressions shared, read back as arrays.

>>> program = Program([x, y], {"value": [[x * y]], "slope": [y, x]})
>>> value, slope = program(np.array([2.0, 3.0]))

Called with symbols, a program gives trees. So a function that is written with arrays and programs can be traced: run
once on symbols, it yields the trees of all it computes, and these become one flat program (`Traced`).

Two compilers of the engine share the work. The first is ready at once and slower to run; the second (LLVM) takes a few
times longer to build and runs several times faster. The faster form is built when the time spent in calls has paid for
it, so whoever calls once never waits and whoever calls often soon runs fast. A function that was compiled before, in
this process or another, is taken from disk at once (`cache.py`).

bench/bench_compile.py is the reason for LLVM, without its optimisation: with building counted it needs the least time,
or nearly, from a thousand calls to a hundred thousand. Optimisation takes four to five times as long to build and
gains little, since most of a call is the way into it; C takes longer still, and numba seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.discretise import cache
from flexura.symbols.engine import Basic, Symbol
from flexura.symbols.walk import flattened

Array = NDArray[Any]
_ROOF = symengine.Function("$all")
_WITHIN = 1.5  # a traced function by the programs within it: time to compile, where these are large
_STACK_GAIN = 0.5  # the share of a stack's time that compiling it saves; of a single state it is nearly all
_BUILD_RATIO = 5.0  # LLVM's build time by the first compiler's, without optimisation, which does not pay for itself


class Blocks:
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


class Compiled:
    """A flat list of trees as the engine compiled it, for one vector of arguments or a stack of them."""

    def __init__(self, shapes: Sequence[tuple[int, ...]], made: Any) -> None:
        """`made` is None where there is nothing in any block."""
        self._blocks, self._made = Blocks(shapes), made
        self._run = made.unsafe_real if made is not None else lambda arguments, out: None
        self._out = np.zeros(self._blocks.size)
        self._views = self._blocks.split(self._out)

    def __reduce__(self) -> tuple[Any, ...]:
        return Compiled, (self._blocks.shapes, self._made)

    def __call__(self, arguments: Array) -> list[Array]:
        """One array for each block, which the next call fills again; a stack gives stacks, in arrays of their own."""
        if arguments.ndim == 1:
            self._run(arguments, self._out)
            return self._views
        if self._made is None:
            return self._blocks.split(np.zeros((len(arguments), 0)))
        return self._blocks.split(np.asarray(self._made(arguments)).reshape(len(arguments), -1))

    def fresh(self, arguments: Array) -> list[Array]:
        """Those of one vector in arrays of their own."""
        self._run(arguments, out := np.empty(self._blocks.size))
        return self._blocks.split(out)


class Program:
    """Arrays of trees as functions of one vector of arguments. The arrays it returns are views that calls reuse."""

    building: ClassVar[float] = 0.0
    """Seconds that went into compiling any of them, so far."""

    def __init__(self, arguments: Sequence[Symbol], blocks: Mapping[str, Any]) -> None:
        """`blocks` are (nested) lists of trees; a call returns one array for each."""
        arrays = [np.array(block, dtype=object) for block in blocks.values()]
        self._trees: list[Basic] = [symengine.sympify(f) for one in arrays for f in one.ravel()]
        self._arguments, self._blocks = list(arguments), Blocks([one.shape for one in arrays])
        self._compiled: Compiled | None = None
        self._left = np.inf
        self.fast = False

    def __call__(self, arguments: Array) -> list[Array]:
        """One array for each block; a stack of arguments (states, arguments) gives stacks, in arrays of their own."""
        if arguments.dtype.hasobject:
            return self.trees(arguments)
        started = perf_counter()
        if self._compiled is None:
            self._compiled = self.compiled("lambda")
            self._left = (1 + _BUILD_RATIO) * (perf_counter() - started) if symengine.have_llvm else np.inf
        found = self._compiled(arguments)
        if not self.fast:
            self._left -= perf_counter() - started
            if self._left < 0:
                self._compiled, self.fast = self.compiled("llvm"), True
        return found

    def trees(self, arguments: Array) -> list[Array]:
        """Trees, with these in the place of the arguments."""
        put = dict(zip(self._arguments, (symengine.sympify(one) for one in arguments), strict=True))
        found = np.empty(len(self._trees), dtype=object)
        # all under one roof, so that what they share is replaced once
        for i, f in enumerate(_ROOF(*self._trees).xreplace(put).args):
            found[i] = f
        return self._blocks.split(found)

    def compiled(self, backend: str, opt_level: int = 0) -> Compiled:
        """The list as one of the engine's compilers makes it: "lambda" or "llvm"."""
        if not self._trees:
            return Compiled(self._blocks.shapes, None)
        more, started = {"opt_level": opt_level} if backend == "llvm" else {}, perf_counter()
        # a flat list: nested ones would silently defeat the sharing
        made = symengine.Lambdify(self._arguments, flattened(self._trees), backend=backend, cse=True, **more)
        Program.building += perf_counter() - started
        return Compiled(self._blocks.shapes, made)


class Traced:
    """A function of vectors (t first, a number) that gives arrays: run as it is, and compiled flat once that pays.

    `build` is a guess, in seconds, of what tracing and compiling take beside the programs within; infinite for what
    should stay as it is. `key` names what the function is made of: under that name the compiled form is kept on disk,
    and taken from there at once.
    """

    def __init__(
        self,
        function: Callable[..., Sequence[Array]],
        arguments: Sequence[Array],
        build: float,
        key: Callable[[], str] | None = None,
    ) -> None:
        self._function, self._arguments = function, [np.array(one, dtype=object) for one in arguments]
        self._left = build if symengine.have_llvm else np.inf
        ends = np.cumsum([one.size for one in self._arguments]).tolist()
        self._places = [slice(a, b) for a, b in pairwise(ends)]
        self._vector = np.zeros(ends[-1])
        self._program: Compiled | None = None
        self._key, self._name = key, ""
        self._sought = key is None or self._left == np.inf

    def __call__(self, t: Any, *vectors: Array) -> Sequence[Array]:
        """Arrays, which the caller may keep; times and stacks of vectors give stacks."""
        if not self._sought:
            self._seek()
        if self._program is not None:
            if isinstance(t, np.ndarray) and t.ndim:
                return self._program(np.concatenate((t[:, None], *vectors), axis=-1))
            at = self._vector
            at[0] = t
            for where, one in zip(self._places, vectors, strict=True):
                at[where] = one
            return self._program.fresh(at)
        started, built = perf_counter(), Program.building
        found = self._function(t, *vectors)
        share = _STACK_GAIN if isinstance(t, np.ndarray) and t.ndim else 1.0
        self._count(share * (perf_counter() - started), Program.building - built)
        return found

    def _count(self, seconds: float, building: float) -> None:
        """Compile, if calls have paid for it: `building` programs within, in the first, tells how large they are."""
        saved = 2 * seconds if self._name else seconds - building  # what is kept serves one more run, from its start
        self._left += _WITHIN * building - saved
        if self._left < 0:
            self.compile()

    def _seek(self) -> None:
        """Look on disk, at the first call."""
        self._sought = True
        if self._key is not None and cache.folder() is not None:
            self._name = self._key()
            self._program = cache.load(self._name) if self._name else None

    def compile(self) -> None:
        """Trace and compile now, unless it is on disk."""
        if not self._sought:
            self._seek()
        if self._program is not None:
            return
        self._program = self.traced().compiled("llvm" if symengine.have_llvm else "lambda")
        if self._name:
            cache.save(self._name, self._program)

    def traced(self) -> Program:
        """All that the function computes, as trees of its arguments."""
        t, *vectors = self._arguments
        found = self._function(t.item(), *vectors)
        arguments = [one for vector in self._arguments for one in vector.ravel()]
        return Program(arguments, {str(i): one for i, one in enumerate(found)})


def symbolic(values: Any) -> Array:
    """Numbers as objects for tracing: what is zero, or lost in rounding beside the largest, is an exact zero."""
    values = np.asarray(values, dtype=np.float64)
    found = np.empty(values.shape, dtype=object)
    largest = np.abs(values).max(initial=0.0)
    for i, one in np.ndenumerate(values):
        found[i] = float(one) if abs(one) > 1e-16 * largest else 0
    return found


def over_points(arguments: Sequence[Symbol], trees: Sequence[Basic]) -> Any:
    """A function of an array (points, arguments) that gives (points, trees)."""
    return symengine.Lambdify(list(arguments), flattened(trees), backend="lambda", cse=True)
