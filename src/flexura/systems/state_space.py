"""State space: x' = A x + B u, y = C x + D u, with the names and units of states, inputs and outputs.

>>> ss = fx.state_space(equations, inputs="F", outputs="q1")
>>> ss.A, ss.B, ss.C, ss.D, ss.states, ss.units["outputs"], ss.poles
>>> ss.to_control(), ss.to_discrete(1e-3)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Numbers, checked_methods
from flexura.display import Displayed, Table
from flexura.errors import FlexuraError
from flexura.systems.dataframes import dataframe

Array = NDArray[np.float64]
_SQUARE = 1e-5  # the product of unit vectors of A and of its transpose from which on an eigenvalue is a simple one
_METHODS = {"zoh": "zoh", "foh": "foh", "tustin": "bilinear", "bilinear": "bilinear", "impulse": "impulse"}


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class StateSpace(Displayed):
    """x' = A x + B u, y = C x + D u (with `dt`: x[k+1] = A x[k] + B u[k]).

    `states`, `inputs` and `outputs` are names, `units` their units by these three words, "" where one is not known.
    """

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    units: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    dt: float = 0.0
    notes: tuple[str, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "units": dict(self.units)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, units=MappingProxyType(state["units"]))

    def summary(self) -> str:
        """How many states, and the names of inputs and outputs."""
        when = f", sampled every {self.dt:g} s" if self.dt else ""
        ends = f"inputs {', '.join(self.inputs) or 'none'}, outputs {', '.join(self.outputs) or 'none'}"
        return f"{len(self.states)} states, {ends}{when}"

    def told(self) -> Iterator[Table | str]:
        """States, inputs and outputs with their units."""
        yield self.summary()
        kinds = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        units = {kind: self.units.get(kind) or ("",) * len(names) for kind, names in kinds.items()}
        rows = [(kind[:-1], *row) for kind in kinds for row in zip(kinds[kind], units[kind], strict=True)]
        yield Table(("", "name", "unit"), rows)
        yield from self.notes

    def to_dataframe(self) -> Any:
        """A pandas table of [A B; C D]: a row for the rate of each state and for each output, with their names."""
        table = np.block([[self.A, self.B], [self.C, self.D]])
        step = "next" if self.dt else "d/dt"
        rows = [*(f"{step} {one}" for one in self.states), *self.outputs]
        return dataframe(dict(zip((*self.states, *self.inputs), table.T, strict=True)), rows, "row")

    @property
    def poles(self) -> NDArray[np.complex128]:
        """The eigenvalues of A, by ascending size."""
        found = _eigenvalues(self.A)
        return found[np.lexsort((found.imag, np.abs(found)))]

    def frequency_response(self, omega: Numbers) -> NDArray[np.complex128]:
        """C (i omega - A)^-1 B + D at each omega in rad/s: an array (frequencies, outputs, inputs)."""
        points = np.atleast_1d(np.asarray(omega, dtype=np.float64))
        s = np.exp(1j * points * self.dt) if self.dt else 1j * points
        unit = np.eye(len(self.A))
        with np.errstate(divide="ignore", invalid="ignore"):
            found = [self.C @ _solved(one * unit - self.A, self.B) + self.D for one in s]
        return np.array(found, dtype=np.complex128).reshape(len(points), len(self.outputs), len(self.inputs))

    def to_discrete(self, dt: float, method: str = "zoh") -> StateSpace:
        """The same sampled every `dt` seconds: "zoh" (inputs held between samples), "foh", "tustin" or "impulse".

        >>> ss.to_discrete(1e-3).A
        """
        import scipy.signal

        if self.dt:
            raise FlexuraError(f"This system is sampled already, every {self.dt:g} s", advice="sample the first one")
        if method not in _METHODS:
            raise FlexuraError(f"method is {method!r}", advice=f"use one of {', '.join(_METHODS)}")
        if not (np.isfinite(dt) and dt > 0):
            raise FlexuraError(f"dt is {dt}", advice="give a positive number of seconds")
        system = (self.A, self.B, self.C, self.D)
        A, B, C, D, _ = scipy.signal.cont2discrete(system, float(dt), method=_METHODS[method])
        return replace(self, A=A, B=B, C=C, D=D, dt=float(dt))

    def to_control(self) -> Any:
        """The same as a `control.StateSpace` of python-control, with its names.

        >>> control.bode_plot(ss.to_control())
        """
        try:
            import control
        except ImportError:
            raise FlexuraError(
                "This needs python-control", advice="install it with pip install 'flexura[control]'"
            ) from None
        names = {which: [_label(one) for one in getattr(self, which)] for which in ("states", "inputs", "outputs")}
        return control.StateSpace(self.A, self.B, self.C, self.D, self.dt, remove_useless_states=False, **names)


def _eigenvalues(A: Array) -> NDArray[np.complex128]:
    """Each as the quotient y'Ax/y'x of its own vectors, which keeps slow ones from what is rounded beside fast ones.

    Where y and x are nearly square to each other (a rigid motion and its drift), it stays as it was found.
    """
    import scipy.linalg

    if not A.size:
        return np.zeros(0, np.complex128)
    balanced, _ = scipy.linalg.matrix_balance(A, permute=False)
    found, left, right = scipy.linalg.eig(balanced, left=True, right=True)
    over = np.einsum("ik,ik->k", left.conj(), balanced @ right)
    under = np.einsum("ik,ik->k", left.conj(), right)
    simple = np.abs(under) > _SQUARE
    return np.asarray(np.where(simple, over / np.where(simple, under, 1.0), found), dtype=np.complex128)


def _solved(matrix: Any, right: Array) -> Any:
    try:
        return np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        return np.full(right.shape, np.inf)


def _label(name: str) -> str:
    """A name as python-control takes it: without the dots that it reads as signals of a subsystem."""
    return name.replace(".", "_")
