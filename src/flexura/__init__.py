"""flexura: exact equations of motion for machines that bend, derived step by step and proved by independent routes.

>>> import flexura as fx
>>> w = fx.Field("w", length="l")
>>> beam = fx.Lagrangian(density={w: "rho*w_t**2/2 - EI*w_xx**2/2"}, boundary={w.at(0): 0, w.slope(0): 0})
>>> print(fx.derive(beam))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexura.arguments import Numbers as _Numbers
from flexura.arguments import checked as _checked
from flexura.arguments import public as _public
from flexura.derivation.equations.certificate import Certificate
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.steps import Step
from flexura.derivation.equivalence import Equivalence, equivalent
from flexura.derivation.family import is_speed as _is_speed
from flexura.derivation.family import linear_family as _linear_family
from flexura.derivation.family import linear_in as _linear_in
from flexura.derivation.generalized import generalized_forces, generalized_masses
from flexura.derivation.linearise import linearise
from flexura.derivation.newton_euler import joint_reactions
from flexura.derivation.routes import derive
from flexura.derivation.surrogate import boundary_load as _boundary_load
from flexura.derivation.verify import verify
from flexura.energy.field import Field
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.model.model import Model
from flexura.parts.bodies import Mass, RigidBody, ground
from flexura.parts.joints import Fixed, Free, Pin, Revolute, Roller, Slide
from flexura.parts.loads import Constraint, DistributedForce, Force, Gravity, Torque
from flexura.parts.members import MemberTable as _MemberTable
from flexura.parts.members import member_table as _member_table
from flexura.parts.members.euler_bernoulli import EulerBernoulliBeam
from flexura.parts.members.member import Member
from flexura.parts.members.rayleigh import RayleighBeam
from flexura.parts.members.rod import Rod
from flexura.parts.members.shaft import Shaft
from flexura.parts.members.spatial import SpatialBeam
from flexura.parts.members.string import String
from flexura.parts.members.timoshenko import TimoshenkoBeam
from flexura.parts.springs import Damper, Spring, TorsionDamper, TorsionSpring
from flexura.symbolic.expression import (
    Coordinate,
    Input,
    Parameter,
    abs_,
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    exp,
    log,
    pi,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    time,
    x,
)

if TYPE_CHECKING:
    from flexura.exports.vtu import write_vtu
    from flexura.show.animate_frame import animate_frame
    from flexura.solve.accelerations import accelerations
    from flexura.solve.buckling import Buckling
    from flexura.solve.campbell import Campbell
    from flexura.solve.critical_speed import critical_speed, critical_speeds
    from flexura.solve.equilibrium import Equilibrium, equilibrium
    from flexura.solve.flexibility import Flexibility, flexibility
    from flexura.solve.matrices import LinearMatrices, matrices
    from flexura.solve.modes import Modes
    from flexura.solve.runs.piecewise import simulate_piecewise
    from flexura.solve.sensitivity import Sensitivity
    from flexura.solve.steppers.trajectory import Trajectory
    from flexura.solve.whirl import Whirl, whirl
    from flexura.structures.moving.body import MovingFrame
    from flexura.structures.moving.frame import BeamFrame
    from flexura.structures.moving.frame_file import FrameFile, read_frame
    from flexura.structures.moving.linkages import Linkage, four_bar, rotating_arm, slider_crank
    from flexura.structures.moving.loads import FrameLoad
    from flexura.structures.moving.mechanism import Joint, Mechanism
    from flexura.structures.moving.resultants import Resultants, resultants
    from flexura.structures.moving.section import Section
    from flexura.structures.moving.system import moving_system
    from flexura.structures.operating.checks import check_system
    from flexura.structures.operating.cleaning import clean
    from flexura.structures.operating.control import first_correction, smooth_response
    from flexura.structures.operating.reduction import reduce
    from flexura.structures.operating.rigid import rigid_body_modes
    from flexura.structures.operating.slow import slow_changes
    from flexura.structures.operating.states import operating_state
    from flexura.systems.matrix_files import read_system, write_system
    from flexura.systems.nonlinear import NonlinearSystem
    from flexura.systems.second_order import SecondOrderSystem

__version__ = "0.1.0"

_FILES = {
    "solve.accelerations": ("accelerations",),
    "solve.buckling": ("Buckling",),
    "solve.campbell": ("Campbell",),
    "solve.critical_speed": ("critical_speed", "critical_speeds"),
    "solve.equilibrium": ("Equilibrium", "equilibrium"),
    "solve.flexibility": ("Flexibility", "flexibility"),
    "solve.matrices": ("LinearMatrices", "matrices"),
    "solve.modes": ("Modes",),
    "solve.sensitivity": ("Sensitivity",),
    "solve.whirl": ("Whirl", "whirl"),
    "exports.vtu": ("write_vtu",),
    "solve.steppers.trajectory": ("Trajectory",),
    "structures.moving.body": ("MovingFrame",),
    "structures.moving.frame": ("BeamFrame",),
    "structures.moving.frame_file": ("FrameFile", "read_frame"),
    "structures.moving.linkages": ("Linkage", "four_bar", "rotating_arm", "slider_crank"),
    "structures.moving.loads": ("FrameLoad",),
    "structures.moving.mechanism": ("Joint", "Mechanism"),
    "structures.moving.resultants": ("Resultants", "resultants"),
    "structures.moving.section": ("Section",),
    "structures.moving.system": ("moving_system",),
    "structures.operating.checks": ("check_system",),
    "structures.operating.cleaning": ("clean",),
    "structures.operating.control": ("first_correction", "smooth_response"),
    "solve.runs.piecewise": ("simulate_piecewise",),
    "structures.operating.reduction": ("reduce",),
    "structures.operating.rigid": ("rigid_body_modes",),
    "structures.operating.slow": ("slow_changes",),
    "structures.operating.states": ("operating_state",),
    "show.animate_frame": ("animate_frame",),
    "systems.matrix_files": ("read_system", "write_system"),
    "systems.second_order": ("SecondOrderSystem",),
}
"""Answers need NumPy, SciPy and SymPy, which load when they are first asked for: file -> names."""

_ON_FIRST_USE = {name: file for file, names in _FILES.items() for name in names}

import_module("flexura.discretisation")  # the room before the verb: loaded later, it would take the verb's name


def __getattr__(name: str) -> Any:
    if name not in _ON_FIRST_USE:
        raise AttributeError(f"module 'flexura' has no attribute {name!r}")
    return _public(name, getattr(import_module(f"flexura.{_ON_FIRST_USE[name]}"), name))


def members(extra: Iterable[Member] = ()) -> _MemberTable:
    """The table of surrogate elements: energies and boundary loads, derived from the densities ([M] Table 1)."""
    return _member_table(_boundary_load, tuple(extra))


def modes(
    equations: Equations | SecondOrderSystem,
    count: int = 10,
    values: Mapping[str, Any] | None = None,
    method: str = "exact",
    near: complex | None = None,
    order: int | None = None,
    elements: int | None = None,
) -> Modes:
    """Natural frequencies and modes, exact and counted; nonlinear equations are linearised about zero first.

    >>> found = fx.modes(equations, 8, values={"EI": 50.0})
    >>> found.frequencies, found.shape(0), print(found.certificate)
    """
    if not isinstance(equations, Equations):
        from flexura.solve.roots.matrix_modes import matrix_modes

        return matrix_modes(equations, count, near)
    from flexura.solve.modes import modes as solve

    linear = _linear(equations, values)
    found = solve(linear, count, values, method, near, order, elements)
    return replace(found, equations=linear, values=dict(values or {}))


def discretise(
    equations: Equations,
    values: Mapping[str, Any] | None = None,
    order: int = 8,
    elements: int = 1,
    basis: Any = None,
) -> SecondOrderSystem | NonlinearSystem:
    """Ritz on the energies: an fx.SecondOrderSystem where they are linear, else M(t, q) a = f(t, q, v, u).

    `order` is the polynomial degree in each element (3 is Hermite), `basis` modes or functions of x instead.

    >>> fx.discretise(equations, values={"EI": 50.0}, order=8).K
    """
    from flexura.solve.discretise import discretise as solve

    return solve(equations, values, order, elements, basis)


def frequency_response(
    equations: Equations | SecondOrderSystem,
    omega: _Numbers,
    load: Any,
    output: Any,
    values: Mapping[str, Any] | None = None,
    kind: str = "receptance",
) -> Any:
    """The exact response per unit amplitude of a load, as a complex array over omega (rad/s).

    >>> fx.frequency_response(equations, omega, load="F", output=beam.at(0.5), kind="mobility")
    """
    if not isinstance(equations, Equations):
        from flexura.solve.matrix_response import matrix_response

        return _checked(matrix_response, "fx.frequency_response of matrices")(equations, omega, load, output, kind)
    from flexura.solve.frequency_response import frequency_response as solve

    return solve(_linear(equations, values), omega, load, output, values, kind)


def sensitivity(
    equations: Equations,
    parameters: str | Iterable[str] | None = None,
    count: int = 10,
    values: Mapping[str, Any] | None = None,
) -> Sensitivity:
    """d(omega)/d(parameter) of the first modes, from exact shapes, by one, several or all parameters.

    >>> fx.sensitivity(equations, ["EI", "l"], count=4)["EI"]
    """
    from flexura.solve.sensitivity import sensitivity as solve

    return solve(_linear_in(equations, parameters, values), parameters, count, values)


def campbell(
    equations: Equations, parameter: str, over: _Numbers, count: int = 6, values: Mapping[str, Any] | None = None
) -> Campbell:
    """Frequencies over a parameter, usually a speed, as branches that are followed through crossings.

    Linearised about zero; where zero is no equilibrium (a blade that stretches as it turns), about the equilibrium at
    each value.

    >>> chart = fx.campbell(equations, "Omega", over=range(13), count=4)
    >>> chart.values, chart.frequencies, chart.unstable
    """
    from flexura.solve.campbell import campbell as solve
    from flexura.solve.equilibrium import equilibrium as rest

    linear = _linear_family(equations, parameter, values, rest)
    return replace(solve(linear, parameter, over, count, values), speed=_is_speed(equations, parameter))


def buckling(
    equations: Equations,
    parameter: str,
    values: Mapping[str, Any] | None = None,
    between: tuple[float, float] | None = None,
) -> Buckling:
    """The value of a parameter at which a frequency first reaches zero, a number that knows its shape.

    >>> load = fx.buckling(equations, "P")
    >>> load, load.shape.w(0.5)
    """
    from flexura.solve.buckling import buckling as solve

    return solve(_linear_in(equations, parameter, values), parameter, values, between)


def _linear(equations: Equations, values: Mapping[str, Any] | None) -> Equations:
    known = {name: one for name, one in (values or {}).items() if name not in equations.lagrangian.inputs}
    return equations if equations.lagrangian.linear else linearise(equations, values=known)


def simulate(
    system: Any,
    t: _Numbers,
    initial: Any = None,
    inputs: Any = None,
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
    elements: int | None = None,
    **options: Any,
) -> Trajectory:
    """Motion in time, proved by its ledger of energies: of equations, of matrices, or of a frame on a moving body.

    Options of equations: `tolerance`, `method`, `basis`, `events`, `stop`, `inconsistent`, `max_seconds`, `breaks`,
    `longest_step` (see solve/runs/equations.py); of matrices: `method`, `step`; of a frame: `body`, `loads`,
    `coefficients`.

    >>> run = fx.simulate(equations, np.linspace(0, 20, 2001), initial={"theta": 0.1}, inputs={"tau": "sin(3*t)"})
    >>> run["theta"], run.place(beam, 0.5), run.position(beam.end), run.energy.error
    """
    if isinstance(system, Model | Lagrangian):
        system = derive(system)
    kind = type(system).__name__
    if isinstance(system, Equations) or kind == "NonlinearSystem":
        from flexura.solve.runs.equations import simulate as follow

        return _checked(follow, "fx.simulate", 1)(system, t, initial, inputs, values, order, elements, **options)
    if any(one is not None for one in (values, order, elements)):
        raise FlexuraError("values, order and elements are for equations; this system already holds its numbers.")
    if kind == "SecondOrderSystem":
        from flexura.solve.runs.matrices import simulate_system

        return _checked(simulate_system, "fx.simulate of matrices", 1)(system, t, initial, inputs, **options)
    if kind == "BeamFrame":
        from flexura.solve.runs.frame import simulate_frame

        if inputs is not None:
            raise FlexuraError("A frame takes its loads through loads=, not through inputs=.")
        return _checked(simulate_frame, "fx.simulate of a frame", 1)(system, t, initial=initial, **options)
    if kind == "Mechanism":
        from flexura.solve.runs.mechanism import simulate_mechanism

        if inputs is not None:
            raise FlexuraError("A mechanism takes its loads through loads=, not through inputs=.")
        moved: Any = _checked(simulate_mechanism, "fx.simulate of a mechanism", 1)
        run: Trajectory = moved(system, t, initial=initial, **options)
        return run
    raise FlexuraError(f"{system!r} cannot be simulated; give equations, a model, a system of matrices or a frame.")


def read_model(path: str | Path) -> Model:
    """The model in a TOML file, which says the same words; what is wrong in it is said with its line.

    >>> fx.derive(fx.read_model("machine.toml"))
    """
    from flexura.model.files.reading import read_model as read

    return read(path)


def plot(result: Any, path: str | Path | None = None, **options: Any) -> Any:
    """A picture of modes, a frequency response or a Campbell chart, as a Matplotlib figure; a path writes it too.

    `kind="roots"` draws eigenvalues in the complex plane, `which=[0, 3]` only these modes, `omega=` belongs to a plain
    array of a response, `orders=(1, 2)` are the multiples of speed in a Campbell chart.

    >>> fx.plot(fx.modes(equations, 4), "modes.png"), fx.plot(fx.modes(equations), kind="roots")
    """
    from flexura.show.plots import plot as draw

    return draw(result, path, **options)


def animate(result: Any, path: str | Path, frames: int = 100, **options: Any) -> Path:
    """A moving picture of modes or of a run, as .gif, .html or .mp4 (which needs ffmpeg); gives the path.

    >>> fx.animate(run, "arm.gif"), fx.animate(fx.modes(equations), "mode.html", which=2)
    """
    from flexura.show.animate import animate as film

    return film(result, path, frames, **options)


def report(system: Any, path: str | Path, title: str | None = None) -> Path:
    """Derive, prove and write a report; the path ends in .html, .tex or .md. Returns the path.

    >>> fx.report(model, "out/model.html", title="Arm with payload")
    """
    from flexura.show.report import write_report

    equations = system if isinstance(system, Equations) else derive(system)
    return write_report(equations, verify(equations), path, title)


__all__ = [
    # energies
    "Coordinate", "Field", "Input", "Lagrangian", "Parameter",
    # parts
    "Constraint", "Damper", "DistributedForce", "Fixed", "Force", "Free", "Gravity", "Mass", "Model", "Pin", "Revolute",
    "RigidBody", "Roller", "Slide", "Spring", "Torque", "TorsionDamper", "TorsionSpring", "ground",
    # members
    "EulerBernoulliBeam", "Member", "RayleighBeam", "Rod", "Shaft", "SpatialBeam", "String", "TimoshenkoBeam",
    "members",
    # equations
    "Certificate", "Equations", "Equivalence", "Step", "derive", "equivalent", "read_model", "report", "verify",
    # answers
    "Buckling", "Campbell", "Equilibrium", "Flexibility", "LinearMatrices", "Modes", "Sensitivity", "buckling",
    "campbell", "discretise", "sensitivity", "accelerations", "equilibrium", "flexibility",
    "frequency_response", "modes", "plot", "simulate", "Trajectory", "animate",
    "generalized_forces", "generalized_masses", "joint_reactions", "linearise", "matrices",
    # structures in operation
    "SecondOrderSystem", "check_system", "clean", "first_correction", "operating_state", "read_system", "reduce",
    "rigid_body_modes", "simulate_piecewise", "slow_changes", "smooth_response", "write_system", "write_vtu",
    # finite elements on moving bodies
    "BeamFrame", "FrameFile", "FrameLoad", "Joint", "Linkage", "Mechanism", "MovingFrame", "Resultants", "Section",
    "Whirl", "animate_frame", "critical_speed", "critical_speeds", "four_bar", "moving_system", "read_frame",
    "resultants", "rotating_arm", "slider_crank", "whirl",
    # expressions
    "abs_", "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "log", "pi", "sign", "sin", "sinh", "sqrt", "tan",
    "tanh", "time", "x",
    "FlexuraError",
]  # fmt: skip

for _name in __all__:
    if _name in globals():
        globals()[_name] = _public(_name, globals()[_name])
