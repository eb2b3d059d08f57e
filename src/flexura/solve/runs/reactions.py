"""What connections exert along a run: the load that keeps a gap in them closed, in the shapes of the run itself.

>>> reaction_history(motion, fx.Reaction(hinge))        # (times, 3)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

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
    if tuple(map(_slot, system.slots)) != tuple(map(_slot, states.whole.slots)):
        _refuse_idle(output, states, system)
        _refuse(output)
    a, multipliers = states.solved
    found = system.reactions(states.t, states.q[:, order], states.v[:, order], a[:, order], states.loads, multipliers)
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


def _slot(slot: InputSlot) -> tuple[Any, ...]:
    return slot.name, slot.start, slot.derivative, slot.size


def _refuse(output: Reaction) -> None:
    raise FlexuraError(
        f"The {output!r} is not known in this run, which follows other unknowns than its equations name",
        advice="simulate without fx.State, or with loads that are not given along members as functions",
    )


def _refuse_idle(output: Reaction, states: RunStates, system: NonlinearSystem) -> None:
    """Say so where a load does no work in the motion, so that the run has not kept it."""
    kept, asked = ({one.name for one in some.slots} for some in (states.whole, system))
    idle = sorted((asked - kept) & set(states.equations.lagrangian.inputs))
    if idle:
        raise FlexuraError(
            f"The {output!r} holds {', '.join(idle)}, which does no work here, so that the run has not kept it",
            advice="write it as a formula of t where the load is given, not as an input",
        )
