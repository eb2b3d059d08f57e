"""Whether the matrices, the node coordinates and their units can belong together.

>>> print(fx.check_system(system))
>>> fx.check_system(system).problems
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.structures.operating.geometry import RowGeometry, geometry_of
from flexura.structures.operating.inverse import mass_metric_inverse
from flexura.structures.operating.rigid import RigidModes
from flexura.systems.factor import factorize
from flexura.systems.second_order import SecondOrderSystem, required

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SystemCheck:
    """What was found, a line each, and what is wrong or odd; true where nothing is."""

    lines: tuple[str, ...]
    problems: tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.problems

    def __str__(self) -> str:
        return "\n".join((*self.lines, *(f"Problem: {one}" for one in self.problems)))


def check_system(system: SecondOrderSystem) -> SystemCheck:
    """Definiteness of M, D and K, rigid motions and mechanisms, and whether nodes fit the matrices."""
    system = required(system)
    lines = [f"{system.n} degrees of freedom, {'sparse' if system.is_sparse else 'dense'}."]
    problems = [one for name in ("M", "D") if (one := _indefinite(system, name))]
    try:
        rigid = mass_metric_inverse(system).rigid
    except FlexuraError as error:
        return SystemCheck(tuple(lines), (*problems, str(error)))
    lines.append(f"{rigid.count} rigid motions: {', '.join(rigid.names) or 'none'}.")
    mechanisms = [name for name in rigid.names if name.startswith("mechanism")]
    if mechanisms:
        problems.append(f"K leaves more free than a rigid body: {'; '.join(mechanisms)}.")
    geometry = geometry_of(system)
    if system.nodes is not None and geometry is None and system.basis is None:
        problems.append(f"{len(system.nodes)} nodes do not account for {system.n} rows; name the rows with dofs=.")
    if geometry is not None:
        lines += _masses(system, geometry, rigid)
        problems += _uneven(system, geometry) + _misplaced(system, geometry, rigid)
    return SystemCheck(tuple(lines), tuple(problems))


def _indefinite(system: SecondOrderSystem, name: str) -> str:
    """A sentence where M or D takes energy from some motion."""
    A = getattr(system, name)
    if A is None or not abs(A).max():
        return ""
    diagonal = np.asarray(A.diagonal())
    shifted = A + 1e-10 * float(diagonal.max()) * (_unit(system))
    try:
        negative = factorize(shifted, count=True).negative
    except FlexuraError:
        negative = None
    if negative is None or (negative == 0 and diagonal.min() >= 0):
        return ""
    what = {"M": "mass", "D": "damping"}[name]
    return f"The {what} matrix {name} is indefinite ({negative} negative directions); check its signs."


def _unit(system: SecondOrderSystem) -> Array:
    import scipy.sparse as sparse

    return sparse.identity(system.n, format="csr") if system.is_sparse else np.eye(system.n)


def _translations(system: SecondOrderSystem, geometry: RowGeometry) -> dict[str, float]:
    q = geometry.rigid(np.zeros(3))[:, :3]
    masses = np.einsum("ij,ij->j", q, system.M @ q)
    return {axis: float(one) for axis, one in zip("xyz", masses, strict=True) if one}


def _masses(system: SecondOrderSystem, geometry: RowGeometry, rigid: RigidModes) -> list[str]:
    masses = _translations(system, geometry)
    centre = ", ".join(f"{one:.6g}" for one in rigid.centre) if rigid.centre is not None else "unknown"
    size = ", ".join(f"{one:.6g}" for one in np.ptp(geometry.places, axis=0))
    shown = ", ".join(f"{mass:.6g} along {axis}" for axis, mass in masses.items())
    return [f"Mass {shown}; mass centre ({centre}); extent ({size})."]


def _uneven(system: SecondOrderSystem, geometry: RowGeometry) -> list[str]:
    masses = _translations(system, geometry)
    if masses and max(masses.values()) > (1 + 1e-6) * min(masses.values()):
        shown = ", ".join(f"{mass:.6g} along {axis}" for axis, mass in masses.items())
        return [f"The mass is not the same in all directions ({shown}); a row may be missing, or its units differ."]
    return []


def _misplaced(system: SecondOrderSystem, geometry: RowGeometry, rigid: RigidModes) -> list[str]:
    """Translations that are free while rotations are not: coordinates in another unit, or in another order."""
    sliding, turning = rigid.of("translation"), rigid.of("rotation")
    directions = len(np.unique(geometry.motion[geometry.motion < 3]))
    wanted = {2: 1, 3: 3}.get(directions, 0)
    if len(sliding) < directions or len(turning) >= wanted or np.ptp(geometry.places, axis=0).max() == 0:
        return []
    q = geometry.rigid(geometry.places.mean(axis=0))[:, 3:]
    moved, turned = np.where((geometry.motion < 3)[:, None], q, 0.0), np.where((geometry.motion > 2)[:, None], q, 0.0)
    a, b = system.K @ moved, system.K @ turned
    scale = -float(np.sum(a * b) / np.sum(a * a)) if geometry.turning and a.any() else 0.0
    left = float(np.linalg.norm(scale * a + b)) if scale else np.inf
    if scale > 0 and left < 1e-6 * float(np.linalg.norm(b)):
        return [f"Node coordinates are in another unit than K: multiplied by {scale:.6g} they fit."]
    return [
        "Rotations of the nodes are not free in K although translations are; node coordinates may be in another order."
    ]
