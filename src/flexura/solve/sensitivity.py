"""How frequencies change with parameters, from the exact shapes: d(omega)/d(EI), d(omega)/d(length), ...

    >>> found = fx.sensitivity(equations, ["EI", "l"], count=4, values={"EI": 50.0})
    >>> found["EI"], found.relative["l"]                # d(omega)/d(EI); percent per percent

For s with right and left shapes x, y of T(s) = K + s C + s^2 M: ds/dp = -y' T_p x / (y' T_s x). Where frequencies
coincide, the derivatives are those of the branches that part there: eigenvalues of the projected matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Measured, checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.derivation.family import linear_in
from flexura.derivation.routes import equations_of, small_equations_of
from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError
from flexura.solve.exact.damped import solve_damped
from flexura.solve.exact.dynamic_stiffness import DynamicStiffness
from flexura.solve.exact.kernels import settle
from flexura.solve.exact.lines import LinearSystem
from flexura.solve.exact.pencil import Pencil
from flexura.solve.exact.reading import read_linear
from flexura.solve.exact.shapes import Shape, shape_of
from flexura.solve.modes import modes
from flexura.solve.response_gradient import ResponseSensitivity, response_sensitivity
from flexura.solve.roots.found import Modes
from flexura.solve.run_gradient import RunSensitivity, run_sensitivity
from flexura.solve.slope_reader import SlopeReader
from flexura.solve.slopes import Forms, Sample
from flexura.solve.values import numbers, opens_a_loop
from flexura.systems.dataframes import dataframe

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
_SAME = 1e-8  # frequencies this close have shapes that only their group knows


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity(Displayed, Mapping[str, Array]):
    """`found["EI"]` is d(omega)/d(EI) for every mode of fx.modes; `eigenvalue_slopes` are ds/dp.

    `relative` are (p/omega) d(omega)/dp. At a zero frequency a slope is 0 or infinite.
    """

    frequencies: Array
    eigenvalues: Complex
    parameters: Mapping[str, float]
    slopes: Mapping[str, Array]
    eigenvalue_slopes: Mapping[str, Complex] = field(repr=False)

    __eq__, __hash__ = object.__eq__, object.__hash__  # never of the arrays that it holds

    @property
    def relative(self) -> dict[str, Array]:
        """(p/omega) d(omega)/dp: percent of frequency for a percent of the parameter."""
        with np.errstate(divide="ignore", invalid="ignore"):
            scaled = {name: self.parameters[name] * one for name, one in self.slopes.items()}
            return {name: np.asarray(one / self.frequencies) for name, one in scaled.items()}

    def __getitem__(self, name: str) -> Array:
        if name not in self.slopes:
            raise FlexuraError(
                f"There is no sensitivity to {name!r}", advice=f"it was asked for {', '.join(self.slopes)}"
            )
        return self.slopes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.slopes)

    def __len__(self) -> int:
        return len(self.slopes)

    def to_dataframe(self) -> Any:
        """A pandas table, a row for each mode: its frequency and d(omega)/dp by each parameter."""
        slopes = {f"d omega/d {name}": one for name, one in self.slopes.items()}
        return dataframe({"omega (rad/s)": self.frequencies, **slopes}, np.arange(len(self.frequencies)), "mode")

    def summary(self) -> str:
        """Of what, by what."""
        names = ", ".join(list(self)[:4]) + (", ..." if len(self) > 4 else "")
        return f"slopes of {counted(len(self.frequencies), 'frequency', 'frequencies')} by {names or 'no parameters'}"

    def told(self) -> Iterator[Table | str]:
        """Each mode's frequency and its slopes."""
        head = ("mode", "omega rad/s", *(f"d/d({name})" for name in self))
        rows = [
            (str(k + 1), f"{omega:.8g}", *(f"{one[k]:.6g}" for one in self.slopes.values()))
            for k, omega in enumerate(self.frequencies)
        ]
        yield Table(head, rows)


def sensitivity(
    equations: Any,
    parameters: str | Iterable[str] | None = None,
    count: int = 10,
    values: Mapping[str, Any] | None = None,
    *,
    omega: Measured | None = None,
    load: Any = None,
    output: Any = None,
    t: Measured | None = None,
    initial: Any = None,
    inputs: Mapping[str, Any] | None = None,
    order: int | None = None,
) -> Any:
    """d(omega)/d(parameter) of modes, from exact shapes; or the derivatives of a response or of a run.

    Arguments:
        `equations`: a model or equations; `parameters`: names, one or several; None is all.
        `count`: how many modes; `values`: numbers for parameters without one.
        `omega` (n,) in rad/s, `load`, `output`: the derivatives of that frequency response instead.
        `t` (n,) in s, `output`, `initial`, `inputs`, `order`: those of a run of fx.simulate, by variational equations,
            so that fits and tuning by scipy.optimize have the slopes they ask for.
    Returns fx.Sensitivity, arrays by the name of the parameter: (count,), or as the response or history is.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> slopes = fx.sensitivity(model, ["EI_beam"], count=2)["EI_beam"]
    >>> bool(abs(slopes[0] - fx.modes(model, 1).frequencies[0] / (2 * 50.0)) < 1e-9)
    True
    """
    if omega is not None or t is not None:
        return _of_answers(equations, parameters, values, omega, load, output, t, initial, inputs, order)
    stray = {"load": load, "output": output, "initial": initial, "inputs": inputs, "order": order}
    given = [name for name, one in stray.items() if one is not None]
    if given:
        raise FlexuraError(
            f"{given[0]} is given without omega or t",
            advice="give omega, load and output for a frequency response, or t and output for a run",
        )
    equations = linear_in(small_equations_of(equations), parameters, values)
    known = numbers(equations, values)
    names = _names(equations, parameters, known)
    return slopes_of(equations, known, names, modes(equations, count + 2, values), count)


def _of_answers(
    equations: Any,
    parameters: str | Iterable[str] | None,
    values: Mapping[str, Any] | None,
    omega: Any,
    load: Any,
    output: Any,
    t: Any,
    initial: Any,
    inputs: Mapping[str, Any] | None,
    order: int | None,
) -> ResponseSensitivity | RunSensitivity:
    """Of a frequency response, or of a run."""
    if output is None or (omega is None) == (t is None) or (load is None) == (t is None):
        raise FlexuraError(
            "It is not clear what the sensitivity is of",
            advice="give omega, load and output for a frequency response, or t and output for a run",
        )
    equations = equations_of(equations) if omega is None else small_equations_of(equations)
    given = {name: one for name, one in (values or {}).items() if name not in equations.lagrangian.inputs}
    known = numbers(equations, given)
    names = _names(equations, parameters, known)
    if omega is None:
        return run_sensitivity(equations, names, known, values, t, output, initial, inputs, order)
    return response_sensitivity(equations, names, known, values, omega, load, output)


def _names(equations: Equations, parameters: str | Iterable[str] | None, known: Mapping[str, float]) -> list[str]:
    held = [name for name in equations.lagrangian.parameters if name in known]
    if parameters is None:
        return [name for name in held if not opens_a_loop(equations, known, name)]
    wanted = [parameters] if isinstance(parameters, str) else list(parameters)
    for name in wanted:
        if name not in held:
            raise FlexuraError(
                f"There is no parameter {name!r} in the equations", advice=f"they hold {', '.join(held)}"
            )
        opened = opens_a_loop(equations, known, name)
        if opened:
            raise FlexuraError(
                f"If {name} alone changes, the loop closed by {opened} opens",
                advice="write the lengths and angles of the loop in names that keep it closed, and ask for these",
                part=opened,
            )
    return wanted


def slopes_of(
    equations: Equations, known: Mapping[str, float], names: Iterable[str], found: Modes, count: int
) -> Sensitivity:
    """The derivatives at modes that are known already; those beyond `count` only complete groups."""
    system = settle(read_linear(equations, known)).system
    forms = Forms(system, cells=4 + len(found))
    stiffness, symmetric = DynamicStiffness(system) if system.conservative else None, system.symmetric
    changes = {name: SlopeReader(equations.lagrangian, known, name).sample(system, forms.xi) for name in names}
    keep = slice(0, min(count, len(found)))
    s = np.asarray(found.eigenvalues, dtype=np.complex128)
    rates = {name: np.zeros(len(s), np.complex128) for name in changes}
    for group in _groups(s, keep.stop):
        shapes = _fine(stiffness, s, group, equations.coordinates) if stiffness else map(found.shape, group)
        right = [forms.shape(one) for one in shapes]
        left = right if symmetric else [forms.shape(one) for one in _left(system, s[group], equations.coordinates)]
        for name, by in changes.items():
            rates[name][group] = _parted(forms, complex(s[group[0]]), left, right, by, system.conservative)
    return Sensitivity(
        found.frequencies[keep],
        found.eigenvalues[keep],
        {name: known[name] for name in changes},
        {name: _of_frequency(s, one)[keep] for name, one in rates.items()},
        {name: one[keep] for name, one in rates.items()},
    )


def _groups(s: Complex, count: int) -> list[list[int]]:
    """Indices of eigenvalues that coincide, as far as they hold one of the first `count`."""
    left, found = list(range(len(s))), []
    size = np.abs(s).max(initial=0.0)
    while left and left[0] < count:
        near = [k for k in left if abs(s[k] - s[left[0]]) <= _SAME * max(abs(s[left[0]]), 1e-7 * size)]
        found.append(near)
        left = [k for k in left if k not in near]
    return found


def _fine(stiffness: DynamicStiffness, s: Complex, group: list[int], names: tuple[str, ...]) -> list[Shape]:
    """Undamped shapes by inverse iteration alone: a slope's error is that of its shape, unsquared.

    As many vectors as the group has and no more: a spare one that is stiff would bring its rounding in.
    """
    squares = -np.real(s**2)
    elastic = np.abs(squares[np.abs(squares) > 0]).min(initial=np.inf)
    size = float(np.abs(squares[group]).max())
    reference = size if size > 0 else float(elastic) if np.isfinite(elastic) else 1.0
    pencil = Pencil(stiffness, reference)
    solve = pencil.solver(None, -(float(squares[group].mean()) + (3e-6 * size if size > 0 else -1e-3 * reference)))
    X = np.cos(1.0 + np.outer(np.arange(pencil.size), 1.0 + np.arange(len(group)) * 0.37))
    for _ in range(7):
        X = np.linalg.qr(solve(pencil.M @ X))[0]
    return [shape_of(pencil, X[:, k], names) for k in range(len(group))]


def _left(system: LinearSystem, s: Complex, names: tuple[str, ...]) -> list[Shape]:
    """The shapes of the transposed system; those of a symmetric one are its own."""
    found = solve_damped(settle(_transposed(system)), len(s), complex(s[0]))
    return [shape_of(found.pencil, found.vectors[:, k], names) for k in range(len(s))]


def _transposed(system: LinearSystem) -> LinearSystem:
    lines = (
        replace(
            line,
            constant=line.constant.transpose(0, 2, 1),
            varying=tuple((p, j, i, f) for p, i, j, f in line.varying),
        )
        for line in system.lines
    )
    parts = tuple((power, one.T) for power, one in system.parts)
    return replace(system, rigid=system.rigid.transpose(0, 2, 1), lines=tuple(lines), parts=parts)


def _parted(forms: Forms, s: complex, left: list[Any], right: list[Any], by: Sample, conservative: bool) -> Complex:
    """ds/dp of a group of coinciding eigenvalues; where s = 0 and nothing is damped, -d(omega^2)/dp instead."""
    slopes = np.array([[forms.slopes(y, x, by) for x in right] for y in left])
    values = np.array([[forms.values(y, x) for x in right] for y in left])
    T = slopes @ np.array([1, s, s * s])
    if conservative:
        squares = -_eigenvalues(values[:, :, 2], T)  # d(s^2)/dp, since T = K + s^2 M
        return np.asarray(squares / (2 * s) if s else squares, dtype=np.complex128)
    T_s = values @ np.array([0, 1, 2 * s])
    return -_eigenvalues(T_s, T)


def _eigenvalues(B: Any, A: Any) -> Complex:
    """Of B^-1 A, in a steady order."""
    try:
        found = np.linalg.eigvals(np.linalg.solve(B, A))
    except np.linalg.LinAlgError:
        found = np.full(len(B), np.inf)
    return np.asarray(np.sort_complex(found), dtype=np.complex128)


def _of_frequency(s: Complex, rates: Complex) -> Array:
    """d|s|/dp; where s = 0 it is 0 if s^2 stays there too, else infinite."""
    size, scale = np.abs(s), np.abs(rates).max(initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        moving = np.real(np.conj(s) * rates) / size
    still = np.where(np.abs(rates) <= 1e-9 * scale, 0.0, np.inf)
    return np.asarray(np.where(size > 0, moving, still))
