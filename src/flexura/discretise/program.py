"""Trees compiled to numbers: one flat list with common subexpressions shared, read back as arrays.

>>> program = Program([x, y], {"value": [[x * y]], "slope": [y, x]})
>>> value, slope = program(np.array([2.0, 3.0]))

Called with symbols, a program gives trees. So a function that is written with arrays and programs can be traced: run
once on symbols, it yields the trees of all it computes, and these become one flat program (`Traced`).

Two compilers of the engine share the work. The first is ready at once and slower to run; the second (LLVM) takes a few
times longer to build and runs several times faster. The faster form is built when the time spent in calls has paid for
it, so whoever calls once never waits and whoever calls often soon runs fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.symbols.engine import Basic, Symbol

Array = NDArray[Any]
_BUILD_RATIO = 5.0  # LLVM's build time by the first compiler's, without optimisation, which does not pay for itself


class Program:
    """Arrays of trees as functions of one vector of arguments. The arrays it returns are views that calls reuse."""

    def __init__(self, arguments: Sequence[Symbol], blocks: Mapping[str, Any], often: bool = False) -> None:
        """`blocks` are (nested) lists of trees; a call returns one array for each. `often`: build the fast form now."""
        arrays = [np.array(block, dtype=object) for block in blocks.values()]
        self._trees: list[Basic] = [symengine.sympify(f) for one in arrays for f in one.ravel()]
        ends = np.cumsum([0, *(one.size for one in arrays)]).tolist()
        self._arguments = list(arguments)
        self._blocks = [(slice(a, b), one.shape) for (a, b), one in zip(pairwise(ends), arrays, strict=True)]
        self._out = np.zeros(len(self._trees))
        self._views = self._split(self._out)
        self.fast, started = often and symengine.have_llvm, perf_counter()
        self._run = self._compiled("llvm" if self.fast else "lambda")
        self._left = _BUILD_RATIO * (perf_counter() - started) if symengine.have_llvm else np.inf

    def __call__(self, arguments: Array) -> list[Array]:
        """One array for each block."""
        if arguments.dtype.hasobject:
            return self.trees(arguments)
        if self.fast:
            self._run(arguments, self._out)
            return self._views
        started = perf_counter()
        self._run(arguments, self._out)
        self._left -= perf_counter() - started
        if self._left < 0:
            self._run, self.fast = self._compiled("llvm"), True
        return self._views

    def fresh(self, arguments: Array) -> list[Array]:
        """The same in arrays of their own."""
        self._run(arguments, self._out)
        return self._split(self._out.copy())

    def trees(self, arguments: Array) -> list[Array]:
        """Trees, with these in the place of the arguments."""
        put = dict(zip(self._arguments, (symengine.sympify(one) for one in arguments), strict=True))
        found = np.empty(len(self._trees), dtype=object)
        for i, f in enumerate(self._trees):
            found[i] = f.xreplace(put)
        return self._split(found)

    def _split(self, flat: Array) -> list[Array]:
        return [flat[where].reshape(shape) for where, shape in self._blocks]

    def _compiled(self, backend: str) -> Any:
        if not self._trees:
            return lambda arguments, out: None
        more = {"opt_level": 0} if backend == "llvm" else {}
        # a flat list: nested ones would silently defeat the sharing
        return symengine.Lambdify(self._arguments, self._trees, backend=backend, cse=True, **more).unsafe_real


class Traced:
    """A function of vectors (t first, a number) that gives arrays: run as it is, and compiled flat once that pays.

    `build` is a guess, in seconds, of what tracing and compiling take; infinite for what should stay as it is.
    """

    def __init__(self, function: Callable[..., Sequence[Array]], arguments: Sequence[Array], build: float) -> None:
        self._function, self._arguments = function, [np.array(one, dtype=object) for one in arguments]
        self._left = build if symengine.have_llvm else np.inf
        ends = np.cumsum([one.size for one in self._arguments]).tolist()
        self._places = [slice(a, b) for a, b in pairwise(ends)]
        self._vector = np.zeros(ends[-1])
        self._program: Program | None = None

    def __call__(self, t: float, *vectors: Array) -> Sequence[Array]:
        """Arrays, which the caller may keep."""
        if self._program is not None:
            at = self._vector
            at[0] = t
            for where, one in zip(self._places, vectors, strict=True):
                at[where] = one
            return self._program.fresh(at)
        started = perf_counter()
        found = self._function(t, *vectors)
        self._left -= perf_counter() - started
        if self._left < 0:
            self.compile()
        return found

    def compile(self) -> None:
        """Trace and compile now."""
        t, *vectors = self._arguments
        found = self._function(t.item(), *vectors)
        arguments = [one for vector in self._arguments for one in vector.ravel()]
        self._program = Program(arguments, {str(i): one for i, one in enumerate(found)}, often=True)


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
    return symengine.Lambdify(list(arguments), list(trees), backend="lambda", cse=True)
