"""How much each mode takes part in a motion of the base, or in a load: factors and effective masses.

>>> found = fx.participation(fx.modes(equations, 6), "y")
>>> found.factors, found.effective_masses, found.sum / found.total_mass
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.display import Displayed, Table, counted
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.exact.reading import Reader
from flexura.solve.exact.shapes import Shape
from flexura.solve.matrix_response import named_vectors
from flexura.solve.named_loads import NamedLoads
from flexura.solve.roots.found import Modes
from flexura.solve.values import numbers, real
from flexura.symbolic.engine import SPINE, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.axes import direction
from flexura.symbolic.kinematics.motion import Carried, ModelMotion
from flexura.symbolic.kinematics.vectors import Vector, dot, turn
from flexura.symbolic.machine import machine_function
from flexura.systems.dataframes import dataframe
from flexura.systems.second_order import as_dense

Array = NDArray[np.float64]
_LARGEST = 3000  # degrees of freedom of matrices
_GAUSS = np.polynomial.legendre.leggauss(24)


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Participation(Displayed):
    """For each mode of unit modal mass its factor, and the mass that takes part, factor^2; `total_mass` is all of it.

    `sum` of the effective masses grows to the mass that can move in that direction. For a load the factors are its
    modal forces per unit, and there are no masses (nan).
    """

    frequencies: Array
    factors: Array
    effective_masses: Array
    total_mass: float

    @property
    def sum(self) -> float:
        """Of the effective masses."""
        return float(self.effective_masses.sum())

    def summary(self) -> str:
        """How many modes, and how much of the mass takes part."""
        mass = "" if np.isnan(self.sum) else f", {self.sum:.6g} of the mass {self.total_mass:.6g} takes part"
        return f"{counted(len(self.factors), 'mode')}{mass}"

    def told(self) -> Iterator[Table | str]:
        """A row for each mode."""
        columns = zip(self.frequencies, self.factors, self.effective_masses, strict=True)
        rows = [(str(k + 1), *(f"{value:.9g}" for value in row)) for k, row in enumerate(columns)]
        yield Table(("mode", "rad/s", "factor", "effective mass"), rows)
        yield self.summary()

    def to_dataframe(self) -> Any:
        """A pandas table, one row for each mode."""
        columns = {
            "omega (rad/s)": self.frequencies,
            "factor": self.factors,
            "effective mass (kg)": self.effective_masses,
        }
        return dataframe(columns, np.arange(len(self.factors)), "mode")


def participation(modes: Modes, direction_or_load: Any) -> Participation:
    """Participation factors of undamped modes.

    Arguments:
        `modes`: what fx.modes gives.
        `direction_or_load`: "x", "-y" or a vector in ground's axes, or the name of a load; of matrices a vector (n,).
    Returns fx.Participation: `.factors` (count,), `.effective_masses`, which for all modes add up to the mass that
    moves. A factor is the momentum of the mode, of unit modal mass, along the direction: what a unit acceleration of
    the base does to it.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> shares = fx.participation(fx.modes(model, 3), "y").effective_masses / (1.2 * 1.3)
    >>> shares.round(4).tolist()
    [0.6131, 0.1883, 0.0647]
    """
    equations = modes.equations
    if equations is None:
        return _of_matrices(modes, direction_or_load)
    if np.any(np.abs(modes.eigenvalues.real) > 1e-9 * np.abs(modes.eigenvalues)):
        energies = equations.lagrangian
        lossy = (energies.dissipation, *energies.dissipation_density.values())
        losses = {one.name for f in lossy for one in f.free_symbols}
        off = ", ".join(f"{name!r}: 0" for name in energies.parameters if name in losses)
        raise FlexuraError(
            "Participation factors are those of undamped modes, and these are damped or unstable",
            advice=f"ask for modes without damping: fx.modes(equations, values={{{off or '...'}}})",
        )
    shapes = [modes.shape(k) for k in range(len(modes))]
    energies = equations.lagrangian
    known = numbers(equations, modes.values)
    if isinstance(direction_or_load, str) and direction_or_load.lstrip("+-") not in ("x", "y", "z"):
        factors = _of_load(energies, known, modes, direction_or_load, shapes)
        nothing = np.full(len(shapes), np.nan)
        return Participation(modes.frequencies, factors, nothing, float("nan"))
    along = direction(direction_or_load, "participation", "direction_or_load")
    carried = _carried(energies)
    factors = np.array([sum(_momentum(one, along, energies, known, shape) for one in carried) for shape in shapes])
    total = sum(_mass(one, energies, known) for one in carried)
    return Participation(modes.frequencies, factors, factors**2, float(total))


def _of_matrices(modes: Modes, direction_or_load: Any) -> Participation:
    """Along a vector of the displacements that a unit motion of the base gives, or of a load by its name."""
    system = modes.system
    if system is None or system.n > _LARGEST:
        raise FlexuraError(
            "Participation factors are those of modes of a model, of equations, or of matrices up to"
            f" {_LARGEST} degrees of freedom",
            advice="ask fx.modes(equations), or fx.modes(system) of a reduced system",
        )
    if np.any(np.abs(modes.eigenvalues.real) > 1e-9 * np.abs(modes.eigenvalues)):
        raise FlexuraError(
            "Participation factors are those of undamped modes, and these are damped or unstable",
            advice="ask for modes of the system without D",
        )
    M = np.asarray(as_dense(system.M))
    X = np.array([[modes.shape(k)[name] for name in system.names] for k in range(len(modes))]).real
    X /= np.sqrt(np.einsum("ki,ij,kj->k", X, M, X))[:, None]
    named = isinstance(direction_or_load, str)
    if isinstance(direction_or_load, str) and direction_or_load.lstrip("+-") in ("x", "y", "z"):
        raise FlexuraError(
            f"These modes are of matrices, which do not know the direction {direction_or_load!r}",
            advice=f"give a vector of {system.n} numbers, what a unit motion of the base does to each coordinate",
        )
    (vector,) = named_vectors(system, direction_or_load)[0].T
    if named:
        nothing = np.full(len(modes), np.nan)
        return Participation(modes.frequencies, X @ vector, nothing, float("nan"))
    factors = X @ M @ vector
    return Participation(modes.frequencies, factors, factors**2, float(vector @ M @ vector))


def _carried(energies: Lagrangian) -> tuple[Carried, ...]:
    source = energies if energies.origin is None else energies.origin.energies
    if energies.origin is not None and any(energies.origin.about.values()):
        raise FlexuraError(
            "These modes are about a state away from the reference configuration", advice="ask for modes about zero"
        )
    motion: ModelMotion | None = source.motion
    if motion is None:
        raise FlexuraError(
            "These equations do not tell directions, because they were written as energies or read from a file",
            advice="describe the system by parts with fx.Model, or name a load",
        )
    return motion.carried


def _momentum(part: Carried, along: Vector, energies: Lagrangian, known: dict[str, float], shape: Shape) -> float:
    f = dot(along, turn(part.rotation, part.velocity))
    jets = [jet for jet in energies.jets.unknowns(f) if jet.t == 1]
    still = {jet.symbol: ZERO for jet in energies.jets.unknowns(f)}
    total = 0.0
    for jet in jets:
        c = (part.mass * partial(f, jet.symbol).xreplace(still)).xreplace(_numbers(known))
        moved = Jet(jet.name, jet.x, 0, jet.end)
        if part.spine:
            total += _along(
                c, part.spine, energies, known, lambda x, moved=moved: _value(shape, moved, energies, known, x)
            )
        else:
            total += real(c, f"The mass of {part.name}") * float(_value(shape, moved, energies, known, None))
    return total


def _mass(part: Carried, energies: Lagrangian, known: dict[str, float]) -> float:
    c = part.mass.xreplace(_numbers(known))
    if not part.spine:
        return real(c, f"The mass of {part.name}")
    return _along(c, part.spine, energies, known, lambda x: np.ones(len(x)))


def _value(shape: Shape, jet: Jet, energies: Lagrangian, known: dict[str, float], x: Any) -> Any:
    if jet.name in shape.fields:
        field = shape.fields[jet.name]
        return field(field.span[jet.end == "b"] if jet.end else x, jet.x)
    return shape.coordinates.get(jet.name, 0.0)


def _along(c: Basic, spine: str, energies: Lagrangian, known: dict[str, float], f: Any) -> float:
    """The integral of c(x) f(x) along a spine."""
    line = energies.spine_of(spine)
    start, end = (real(one.xreplace(_numbers(known)), f"The length of {spine}") for one in (line.start, line.end))
    edges = np.linspace(start, end, 17)
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    x = (middle[:, None] + half[:, None] * _GAUSS[0]).ravel()
    weights = (half[:, None] * _GAUSS[1]).ravel()
    amount = np.asarray(machine_function([SPINE], [c + ZERO], backend="lambda")(x[:, None])).ravel()
    return float(weights @ (amount * np.real(f(x))))


def _numbers(known: dict[str, float]) -> dict[Symbol, Basic]:
    return {Symbol(name): exact(value) for name, value in known.items()}


def _of_load(energies: Lagrangian, known: dict[str, float], modes: Modes, name: str, shapes: list[Shape]) -> Array:
    """Modal forces per unit of a load."""
    reader = Reader(energies, known)
    system = reader.system()
    load = NamedLoads(reader, modes.values).find(name, system)
    jets = [energies.jets.find(Symbol(label)) for label in system.names]
    found = []
    for shape in shapes:
        total = sum(
            f * float(np.real(_value(shape, jet, energies, known, None)))
            for f, jet in zip(load.forces, jets, strict=False)
            if f and jet is not None
        )
        for one in load.along:
            line = system.lines[one.line]
            field, _ = one.slot
            if field < 0:
                jet = jets[one.slot[1]]
                assert jet is not None
                value = float(np.real(_value(shape, jet, energies, known, None)))
                total += _spread(one.amount, line, lambda x, value=value: np.full(len(x), value))
            else:
                total += _spread(one.amount, line, shape.fields[line.fields[field]])
        found.append(total)
    return np.array(found, dtype=np.float64)


def _spread(amount: Any, line: Any, f: Any) -> float:
    edges = np.unique(np.concatenate([np.linspace(line.start, line.end, 17), np.asarray(line.breaks)]))
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    x = (middle[:, None] + half[:, None] * _GAUSS[0]).ravel()
    weights = (half[:, None] * _GAUSS[1]).ravel()
    return float(weights @ ((amount(x) if callable(amount) else amount) * np.real(f(x))))
