"""Which contacts stick, slide, rest or part at a state: the combination whose own forces and motions agree with it.

>>> modes = settled(base, contacts, inputs, state, before, touching={"floor"}, resting={"rub"})
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.runs.contacts import ContactLaw
from flexura.solve.runs.phases import Mode, Phase, Undetermined
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_FITS = 1e-9  # of the sizes of what is compared
_MOST = 4096  # combinations that are tried


def settled(
    base: NonlinearSystem,
    contacts: Sequence[ContactLaw],
    state: tuple[float, Array, Array, Array],
    sure: Mapping[str, Mode],
) -> dict[str, Mode]:
    """Modes of all contacts at (t, q, v, u): those that are `sure`, and of the others the first that fit together."""
    open_ended = [one for one in contacts if one.name not in sure]
    choices = [("stick", "+", "-") if one.rubs else ("closed", "open") for one in open_ended]
    if np.prod([len(one) for one in choices], dtype=float) > _MOST:
        raise FlexuraError(
            f"{len(open_ended)} contacts may stick or part at once at t = {state[0]:.6g}, too many to be told apart",
            advice="give some of them a compliance (k=)",
        )
    trouble: Undetermined | None = None
    for some in itertools.product(*choices):
        modes = {**sure, **{one.name: mode for one, mode in zip(open_ended, some, strict=True)}}
        try:
            if _agrees(Phase(base, contacts, modes), state, open_ended):
                return modes
        except Undetermined as error:
            trouble = error
    raise trouble or Undetermined(
        f"At t = {state[0]:.6g} no way of sticking, sliding and parting of {', '.join(one.name for one in open_ended)}"
        " agrees with the forces it would have, as with Painleve's rod",
        advice="give a contact some compliance (k=), or a smaller coefficient of friction",
    )


def _agrees(phase: Phase, state: tuple[float, Array, Array, Array], asked: Sequence[ContactLaw]) -> bool:
    """Whether what is held takes no more than it may, and what is let go moves as its mode says."""
    t, q, v, u = state
    whole = phase.loads(t, q, v, u)
    try:
        a, lam = phase.solved(t, q, v, whole)
    except np.linalg.LinAlgError:
        return False
    scale = max(float(np.abs(lam).max(initial=0.0)), float(np.abs(whole).max(initial=0.0)), 1e-300)
    held = {one.name: float(lam[phase.base.m + k]) for k, one in enumerate(phase.held)}
    normals = phase.normals(t, q, v, whole) if any(one.normals for one in asked) else {}
    for one in asked:
        mode = phase.modes[one.name]
        _, A, _, c = one.motion(t, q, v)
        speeding = float(A @ a + c)
        slight = _FITS * (float(np.abs(A) @ np.abs(a)) + abs(c))
        if mode == "stick" and abs(held[one.name]) > one.limit(t, q, v, normals)[1] * (1 + _FITS):
            return False
        if mode == "closed" and held[one.name] > _FITS * scale:
            return False
        if mode == "open" and speeding > slight:
            return False
        if mode in "+-" and (speeding if mode == "+" else -speeding) < -slight:
            return False
    return True
