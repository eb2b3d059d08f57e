"""flexura: exact equations of motion for machines that bend, derived step by step and proved by independent routes.

>>> import flexura as fx
>>> w = fx.Field("w", length="l")
>>> beam = fx.Lagrangian(density={w: "rho*w_t**2/2 - EI*w_xx**2/2"}, boundary={w.at(0): 0, w.slope(0): 0})
>>> print(fx.derive(beam))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexura.derive.equivalence import Equivalence, equivalent
from flexura.derive.generalized import generalized_forces, generalized_masses
from flexura.derive.linearise import linearise
from flexura.derive.newton_euler import joint_reactions
from flexura.derive.routes import derive
from flexura.derive.surrogate import boundary_load as _boundary_load
from flexura.derive.verify import verify
from flexura.energy.field import Field
from flexura.energy.lagrangian import Lagrangian
from flexura.equations.certificate import Certificate
from flexura.equations.equations import Equations
from flexura.equations.steps import Step
from flexura.errors import FlexuraError
from flexura.members import MemberTable as _MemberTable
from flexura.members import member_table as _member_table
from flexura.members.euler_bernoulli import EulerBernoulliBeam
from flexura.members.member import Member
from flexura.members.rayleigh import RayleighBeam
from flexura.members.rod import Rod
from flexura.members.shaft import Shaft
from flexura.members.spatial import SpatialBeam
from flexura.members.string import String
from flexura.members.timoshenko import TimoshenkoBeam
from flexura.model.model import Model
from flexura.parts.bodies import Mass, RigidBody, ground
from flexura.parts.joints import Fixed, Free, Pin, Revolute, Roller, Slide
from flexura.parts.loads import Constraint, DistributedForce, Force, Gravity, Torque
from flexura.parts.springs import Damper, Spring, TorsionDamper, TorsionSpring
from flexura.symbols.expression import (
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
    from flexura.analyse.accelerations import accelerations
    from flexura.analyse.equilibrium import Equilibrium, equilibrium
    from flexura.analyse.flexibility import Flexibility, flexibility
    from flexura.analyse.matrices import LinearMatrices, matrices
    from flexura.analyse.modes import Modes

__version__ = "0.1.0"

_ON_FIRST_USE = {
    "accelerations": "accelerations",
    "Equilibrium": "equilibrium",
    "equilibrium": "equilibrium",
    "Flexibility": "flexibility",
    "flexibility": "flexibility",
    "LinearMatrices": "matrices",
    "matrices": "matrices",
    "Modes": "modes",
}
"""Answers need NumPy, SciPy and SymPy, which load when they are first asked for: name -> file in analyse/."""


def __getattr__(name: str) -> Any:
    if name not in _ON_FIRST_USE:
        raise AttributeError(f"module 'flexura' has no attribute {name!r}")
    return getattr(import_module(f"flexura.analyse.{_ON_FIRST_USE[name]}"), name)


def members(extra: Iterable[Member] = ()) -> _MemberTable:
    """The table of surrogate elements: energies and boundary loads, derived from the densities ([M] Table 1)."""
    return _member_table(_boundary_load, tuple(extra))


def modes(
    equations: Equations,
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
    from flexura.analyse.modes import modes as solve

    return solve(_linear(equations, values), count, values, method, near, order, elements)


def frequency_response(
    equations: Equations,
    omega: Any,
    load: str,
    output: Any,
    values: Mapping[str, Any] | None = None,
    kind: str = "receptance",
) -> Any:
    """The exact response per unit amplitude of a load, as a complex array over omega (rad/s).

    >>> fx.frequency_response(equations, omega, load="F", output=beam.at(0.5), kind="mobility")
    """
    from flexura.analyse.frequency_response import frequency_response as solve

    return solve(_linear(equations, values), omega, load, output, values, kind)


def _linear(equations: Equations, values: Mapping[str, Any] | None) -> Equations:
    known = {name: one for name, one in (values or {}).items() if name not in equations.lagrangian.inputs}
    return equations if equations.lagrangian.linear else linearise(equations, values=known)


def report(system: Any, path: str | Path, title: str | None = None) -> Path:
    """Derive, prove and write a report; the path ends in .html, .tex or .md. Returns the path.

    >>> fx.report(model, "out/model.html", title="Arm with payload")
    """
    from flexura.present.report import write_report

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
    "Certificate", "Equations", "Equivalence", "Step", "derive", "equivalent", "report", "verify",
    # answers
    "Equilibrium", "Flexibility", "LinearMatrices", "Modes", "accelerations", "equilibrium", "flexibility",
    "frequency_response", "modes",
    "generalized_forces", "generalized_masses", "joint_reactions", "linearise", "matrices",
    # expressions
    "abs_", "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "log", "pi", "sign", "sin", "sinh", "sqrt", "tan",
    "tanh", "time", "x",
    "FlexuraError",
]  # fmt: skip
