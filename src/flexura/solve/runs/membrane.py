"""How much the tension of a bent member whose ends do not come nearer would resist, beside its bending.

    >>> membrane(bend, "u_beam", energies, known, (0.0, 1.0), state, 0.0)

Between ends that are held bending lengthens the axis by e = (1/2) int w_x^2 dx, which stores EA e^2/(2 L) and grows as
the fourth power of the deflection. Its force beside that of bending, which stores V, is EA e^2/(L V): EA w^2/(4 EI) for
half a sine (Woinowsky-Krieger 1950).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.symbolic.engine import SPINE, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.geometry import Bend
from flexura.symbolic.machine import machine_function

Array = NDArray[np.float64]
_POINTS = 12  # of Gauss along a line


def membrane(
    bend: Bend, axial: str, energies: Any, known: Mapping[Any, Any], ends: tuple[float, ...], state: Mapping[str, Any]
) -> float:
    """The largest at some states; zero where properties depend on more than x."""
    start, end = ends
    nodes, weights = np.polynomial.legendre.leggauss(_POINTS)
    x, w = (start + end) / 2 + (end - start) / 2 * nodes, (end - start) / 2 * weights
    density = energies.followed(energies.density[bend.spine]).xreplace(known)
    shapes = _Shapes(energies, energies.spine_of(bend.spine).fields, axial, state, x)
    stored = np.zeros(1)
    for a, of_a in shapes.inside(density).items():
        for b, of_b in shapes.inside(density).items():
            stored = stored - (_at(partial(partial(density, a.symbol), b.symbol), x) * of_a * of_b) @ w / 2
    slope = Jet(axial, 1).symbol
    stiffness = -float(_at(partial(partial(density, slope), slope), x) @ w) / (end - start)
    longer = sum((of**2 @ w / 2 for of in shapes.inside(bend.squared).values()), np.zeros(1))
    bent = np.where(stored > 0, stored, np.inf)
    return float(np.max(stiffness * longer**2 / ((end - start) * bent), initial=0.0))


@dataclass(frozen=True)
class _Shapes:
    """The fields of a line that lead across it, at places x."""

    energies: Any
    fields: tuple[str, ...]
    axial: str
    state: Mapping[str, Any]
    x: Array

    def inside(self, f: Any) -> dict[Jet, Array]:
        """The values of those in a tree, without rates."""
        jets = [jet for jet in self.energies.jets.unknowns(f) if jet.name in self.fields and not jet.t and not jet.end]
        across = (jet for jet in jets if jet.name != self.axial and callable(self.state.get(jet.name)))
        return {jet: np.asarray(self.state[jet.name](self.x, jet.x), dtype=np.float64) for jet in across}


def _at(f: Any, x: Array) -> Array:
    """A coefficient along the line; zero where it is not known by x alone."""
    if f.free_symbols - {SPINE}:
        return np.zeros_like(x)
    made = machine_function([SPINE], [f], backend="lambda")
    return np.broadcast_to(np.asarray(made(x[:, None]), dtype=np.float64).reshape(-1), x.shape)
