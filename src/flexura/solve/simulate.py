"""`fx.simulate`: motion in time of whatever moves, one verb for every kind of system.

    >>> run = fx.simulate(equations, np.linspace(0, 20, 2001), initial={"theta": 0.1}, inputs={"tau": "sin(3*t)"})
    >>> run["theta"], run.energy.error, run.notes

Each kind has its own file in `runs/`: equations and what they are discretised to, matrices, frames on moving bodies,
mechanisms.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import Any

from flexura.arguments import Measured, checked
from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import described, equations_of
from flexura.errors import FlexuraError
from flexura.solve.runs.equations import simulate_equations
from flexura.solve.runs.frame import simulate_frame
from flexura.solve.runs.matrices import simulate_system
from flexura.solve.runs.mechanism import simulate_mechanism
from flexura.solve.runs.mechanism_run import MechanismRun
from flexura.solve.steppers.trajectory import Trajectory
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.mechanism import Mechanism
from flexura.symbolic.named import by_name
from flexura.systems.nonlinear import NonlinearSystem
from flexura.systems.second_order import SecondOrderSystem


def simulate(
    system: Any,
    t: Measured,
    initial: Any = None,
    inputs: Any = None,
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
    elements: int | None = None,
    **options: Any,
) -> Any:
    """Motion in time, proved by its balance of energies: of a model or equations, of matrices, of a frame that moves.

    Arguments:
        `system`: a model, equations, matrices, an fx.BeamFrame or an fx.Mechanism.
        `t`: increasing times in s, (n,).
        `initial`: numbers by name, "q" and "q_t", in m, rad and s, shapes as text in x; of systems of numbers also
            arrays (x, x_t). What is not given is zero.
        `inputs` (which frames and mechanisms call loads): numbers, text, expressions, functions of t, arrays on t, by
            name.
        `values`: numbers for parameters without one.
        `order`, `elements`: the degree of the polynomials along members, and how many each is cut into.
        `options` of every kind: `method` (see solve/steppers/table.py), `tolerance`, `events`, `stop`, `max_seconds`,
            `breaks`, `longest_step`; of equations also `basis` and `inconsistent` (solve/runs/equations.py), of
            matrices `step` and `radius`, of a frame or a mechanism these, `body`, `coefficients` and `geometric`.
    Returns fx.Trajectory, for a mechanism one for each member: `.t` (n,), `["theta"]` (n,), `.place(member, s)`,
    `.position(place)` (n, 3), `.energy` with `.error`.

    >>> import flexura as fx
    >>> bob = fx.RigidBody("bob", m=2.0, I=0.1)
    >>> model = fx.Model(fx.Revolute(fx.ground, bob.at(0, 0.5), name="theta"), fx.Torque(bob, "tau"), fx.Gravity())
    >>> run = fx.simulate(model, [0.0, 0.5, 1.0], initial={"theta": 0.1}, values={"g": 9.81})
    >>> run["theta"].shape, run.energy.error < 1e-6
    ((3,), True)
    """
    of_equations = {"values": values, "order": order, "elements": elements}
    return _followed(system, t, by_name(initial, "initial"), inputs, of_equations, options)


@singledispatch
def _followed(system: Any, t: Any, initial: Any, inputs: Any, of_equations: dict[str, Any], options: Any) -> Any:
    if described(system) is None:
        raise FlexuraError(
            f"{system!r} cannot be simulated", advice="give equations, a model, a system of matrices or a frame"
        )
    return _followed(equations_of(system), t, initial, inputs, of_equations, options)


@_followed.register
def _(
    system: Equations | NonlinearSystem, t: Any, initial: Any, inputs: Any, of_equations: dict[str, Any], options: Any
) -> Trajectory:
    return checked(simulate_equations, "fx.simulate", 1)(system, t, initial, inputs, **of_equations, **options)


@_followed.register
def _(
    system: SecondOrderSystem, t: Any, initial: Any, inputs: Any, of_equations: dict[str, Any], options: Any
) -> Trajectory:
    _refuse(of_equations)
    return checked(simulate_system, "fx.simulate of matrices", 1)(system, t, initial, inputs, **options)


@_followed.register
def _(system: BeamFrame, t: Any, initial: Any, inputs: Any, of_equations: dict[str, Any], options: Any) -> Trajectory:
    _refuse(of_equations)
    options = _as_loads(inputs, options)
    return checked(simulate_frame, "fx.simulate of a frame", 1)(system, t, initial=initial, **options)


@_followed.register
def _(system: Mechanism, t: Any, initial: Any, inputs: Any, of_equations: dict[str, Any], options: Any) -> MechanismRun:
    _refuse(of_equations)
    options = _as_loads(inputs, options)
    return checked(simulate_mechanism, "fx.simulate of a mechanism", 1)(system, t, initial=initial, **options)


def _as_loads(inputs: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Inputs of frames and mechanisms are their loads, by either word."""
    if inputs is None:
        return options
    if options.get("loads") is not None:
        raise FlexuraError("inputs and loads are the same of a frame or a mechanism", advice="give one of them")
    return {**options, "loads": inputs}


def _refuse(of_equations: Mapping[str, Any]) -> None:
    """What only equations take."""
    if any(one is not None for one in of_equations.values()):
        raise FlexuraError(
            "values, order and elements are for equations", advice="this system already holds its numbers"
        )
