"""The forms of one spine in numbers, and its motion at one instant, or at many at once.

Arrays may hold symbols instead of numbers: everything that computes with them can so be traced (`program.py`). They may
also be stacks: states along a first axis, so that NumPy's overhead is shared by all of them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.discretisation.gather import SpineForms
from flexura.discretisation.program import symbolic
from flexura.discretisation.tables import PointTable
from flexura.symbolic.values import real_value

Array = NDArray[Any]


def on_subspace(forms: SpineForms, T: Array) -> SpineForms:
    """The forms over the unknowns that combine to the whole vector by T."""
    rows = T[forms.columns]
    columns = np.flatnonzero(np.any(rows != 0, axis=0))
    rows = rows[:, columns]
    both = np.kron(np.eye(2), rows)
    return replace(
        forms,
        columns=columns,
        H=both.T @ forms.H @ both,
        d=forms.d @ both,
        loads=tuple((c, rows.T @ D @ both, rows.T @ d) for c, D, d in forms.loads),
        spread=tuple((c, rows.T @ E, slot) for c, E, slot in forms.spread),
    )


class SpineNumbers:
    """H, d of the moments and D, d, E of the loads, cut up for quick products; `first` is its first moment of all."""

    def __init__(self, forms: SpineForms, first: int, load: int, spread: int, sloped: bool) -> None:
        self.forms, self.sloped = forms, sloped  # sloped: some c_k holds a rate
        self.m, self.K = len(forms.columns), len(forms.symbols)
        self.columns = _contiguous(forms.columns)
        self.moments = slice(first, first + self.K)
        self.loads = slice(load, load + len(forms.loads))
        self.spread = slice(spread, spread + len(forms.spread))
        inert = [k for k in range(self.K) if np.any(forms.H[k, self.m :, self.m :])]
        self.varying = [k for k in inert if forms.energy[k].free_symbols]
        self.steady = [k for k in inert if k not in self.varying]
        self._cut(forms.H, forms.d, [(D, d) for _, D, d in forms.loads], [E for _, E, _ in forms.spread])

    def _cut(self, H: Array, d: Array, loads: list[tuple[Array, Array]], spread: list[Array]) -> None:
        m, K = self.m, self.K
        self.H, self.d = H, d
        self._slopes = PointTable(H.reshape(K * 2 * m, 2 * m), 1)
        self.rows_z = np.ascontiguousarray(H[:, :m]).reshape(K, 2 * m * m)
        self.rows_v = np.ascontiguousarray(H[:, m:]).reshape(K, 2 * m * m)
        self.mass = np.ascontiguousarray(H[:, m:, m:]).reshape(K, m * m)
        self.turning = np.ascontiguousarray(H[:, m:, :m]).reshape(K, m * m)
        self.varying_mass = self.mass[self.varying]
        self.turns = bool(np.any(self.turning != 0))
        self.D, self.load_d = [D for D, _ in loads], [d for _, d in loads]
        slots = [slot for _, _, slot in self.forms.spread]
        self.E = list(zip(spread, slots, strict=True))

    def sloping(self, X: Array) -> Array:
        """H X of all moments, one after the other."""
        return self._slopes.of(X)

    @property
    def constant_mass(self) -> Array:
        """The share of the mass matrix that never changes."""
        c = [real_value(self.forms.energy[k]) for k in self.steady]
        stack = [self.forms.H[k, self.m :, self.m :] for k in self.steady]
        return sum((one * H for one, H in zip(c, stack, strict=True)), np.zeros((self.m, self.m)))

    @cached_property
    def traced(self) -> SpineNumbers:
        """The same with objects in place of numbers."""
        forms = self.forms
        found = SpineNumbers(forms, self.moments.start, self.loads.start, self.spread.start, self.sloped)
        loads = [(symbolic(D), symbolic(d)) for _, D, d in forms.loads]
        found._cut(_each(forms.H), _each(forms.d), loads, [symbolic(E) for _, E, _ in forms.spread])
        return found


class SpineMotion:
    """One spine at one instant (or a stack): X = (z, v), the slopes G = H X + d of its moments, and their values mu."""

    __slots__ = ("G", "X", "mu", "spine")

    def __init__(self, spine: SpineNumbers, z: Array, v: Array) -> None:
        spine = spine.traced if z.dtype.hasobject else spine
        self.spine = spine
        self.X = np.concatenate((z[..., spine.columns], v[..., spine.columns]), axis=-1)
        self.G = spine.sloping(self.X).reshape(*z.shape[:-1], spine.K, 2 * spine.m) + spine.d
        self.mu = dot(self.G + spine.d, self.X) / 2

    def mixed(self, coefficients: Array, forms: Array) -> Array:
        """sum_k c_k times a matrix of the unknowns, from forms as rows."""
        return (coefficients @ forms).reshape(*coefficients.shape[:-1], self.spine.m, -1)


def add(M: Array, rows: Any, columns: Any, block: Array) -> None:
    """M[rows, columns] += block; through a view where there is one, which is far quicker than assigning it back."""
    if isinstance(rows, slice) and isinstance(columns, slice):
        view = M[..., rows, columns]
        view += block
    else:
        both = not isinstance(rows, slice) and not isinstance(columns, slice)
        M[..., rows[:, None] if both else rows, columns] += block


def dot(A: Array, x: Array) -> Array:
    """A x, of stacks too."""
    return A @ x if x.ndim == 1 else (A @ x[..., None])[..., 0]


def turned(A: Array) -> Array:
    """The transpose, of stacks too."""
    return A.swapaxes(-1, -2)


def _each(stack: Array) -> Array:
    """Objects for each of a stack of forms, so that rounding is judged beside its own largest entry."""
    return np.array([symbolic(one) for one in stack], dtype=object).reshape(stack.shape)


def _contiguous(columns: NDArray[np.intp]) -> Any:
    """A slice where the columns follow one another: NumPy takes views then."""
    if len(columns) and columns[-1] - columns[0] == len(columns) - 1:
        return slice(int(columns[0]), int(columns[-1]) + 1)
    return columns
