"""What connections exert along a run: the load that keeps a gap in them closed, in the shapes of the run itself.

>>> reaction_history(motion, fx.Reaction(hinge))        # (times, 3)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.opened import released
from flexura.discretisation.system import nonlinear_system
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError, warn
from flexura.solve.runs.distributed import moving_loads
from flexura.solve.runs.theory import bending, field_state
from flexura.symbolic.kinematics.vectors import AXES
from flexura.symbolic.outputs import Reaction
from flexura.systems.nonlinear import InputSlot, NonlinearSystem

Array = NDArray[np.float64]
_TOLD = 1e-8  # of the inertia along members; runs are not better than that


class RunStates(Protocol):
    """What reactions read of a run."""

    @property
    def equations(self) -> Equations:
        """Whose motion it is."""

    @property
    def known(self) -> Mapping[str, float]:
        """The numbers."""

    @property
    def t(self) -> Array:
        """The times."""

    @property
    def whole(self) -> NonlinearSystem:
        """What was followed."""

    @property
    def q(self) -> Array:
        """All unknowns."""

    @property
    def v(self) -> Array:
        """Their rates."""

    @property
    def solved(self) -> tuple[Array, Array]:
        """Accelerations and multipliers."""

    @property
    def loads(self) -> Array:
        """Inputs."""


def reaction_history(states: RunStates, output: Reaction) -> Array:
    """The force along or the moment about an axis, (times,); with neither the force, (times, 3)."""
    along = AXES if output.along is None and output.about is None else ((output.along,) if output.along else ())
    about = (output.about,) if output.about else ()
    energies = released(states.equations, output.connection, along, about)
    inputs = {name: states.equations.lagrangian.inputs.get(name, of) for name, of in energies.inputs.items()}
    driving = states.equations.lagrangian.driving
    opened, _ = moving_loads(replace(states.equations, lagrangian=energies.changed(inputs=inputs, driving=driving)))
    if states.whole.shapes is None:
        raise FlexuraError("This run is of a system without its equations", advice="simulate the equations themselves")
    system = nonlinear_system(opened.lagrangian, _numbers(opened.lagrangian, states.known), *states.whole.shapes)
    order = [_index(name, states.whole.names, output) for name in system.names]
    loads = states.loads[:, _entries(states, system, output)]
    a, multipliers = states.solved
    found = system.reactions(states.t, states.q[:, order], states.v[:, order], a[:, order], loads, multipliers)
    columns = [system.prescribed.index(f"$gap{i}") for i in range(1, 1 + len(along) + len(about))]
    forces = np.asarray(found)[:, columns]
    _doubt(states, output)
    return forces if output.along is None and output.about is None else np.asarray(forces[:, 0])


def _doubt(states: RunStates, output: Reaction) -> None:
    """Inside a frame a gap is seen to first order: what bending draws in carries its inertia past it."""
    owns_coordinates = hasattr(output.connection, "motion")  # a joint parts whole frames
    drawn_in = getattr(states.equations.lagrangian.motion, "shifts", ())
    if owns_coordinates or not drawn_in or not states.whole.fields:
        return
    values = {name: one for name, one in states.known.items() if name in states.equations.lagrangian.parameters}
    bent = bending(states.equations, values, field_state(states.whole, states.t, states.q), states.t)
    size = max((max(one.deflection, one.slope / 1.5) for one in bent.values()), default=0.0) ** 2
    if size > _TOLD:
        warn(
            f"The {output!r} is told to first order in the deflections: what bending draws in has no share in it, which"
            f" is about {size:.1g} of the inertia along the members."
        )


def _numbers(energies: Lagrangian, known: Mapping[str, float]) -> dict[str, float]:
    """The numbers of the run, and those that only a gap brings in: masses of what stays where it is."""
    carried = {name: one.value for name, one in energies.parameters.items() if one.value is not None}
    found = {**carried, **known}
    missing = tuple(name for name in energies.parameters if name not in found)
    if missing:
        raise FlexuraError(
            f"Reactions need {', '.join(missing)}, which the motion itself does not",
            advice="give the part that carries it a number",
            missing=missing,
        )
    return found


def _index(name: str, names: tuple[str, ...], output: Reaction) -> int:
    if name not in names:
        _refuse(output)
    return names.index(name)


def _entries(states: RunStates, system: NonlinearSystem, output: Reaction) -> NDArray[np.int64]:
    """Where the run keeps each number of the inputs that a system asks for."""
    found = [next((one for one in states.whole.slots if _same(one, slot)), None) for slot in system.slots]
    missing = {slot.name for slot, kept in zip(system.slots, found, strict=True) if kept is None}
    idle = sorted(missing & set(states.equations.lagrangian.inputs))
    if idle:
        raise FlexuraError(
            f"The {output!r} holds {', '.join(idle)}, which varies along a member and does no work here, so that the"
            " run has not kept it",
            advice="write it as a formula of x where the load is given, not as an input",
        )
    if missing:
        _refuse(output)
    columns = [np.arange(one.size) + one.start for one in found if one is not None]
    return np.concatenate([*columns, np.zeros(0)]).astype(np.int64)


def _same(kept: InputSlot, asked: InputSlot) -> bool:
    """Whether two systems ask the same of an input."""
    if (kept.name, kept.derivative, kept.size) != (asked.name, asked.derivative, asked.size):
        return False
    if kept.points is None or asked.points is None:
        return kept.points is asked.points
    return bool(np.array_equal(kept.points, asked.points))


def _refuse(output: Reaction) -> None:
    raise FlexuraError(
        f"The {output!r} is not known in this run, which follows other unknowns than its equations name",
        advice="simulate without fx.State, or with loads that are not given along members as functions",
    )
