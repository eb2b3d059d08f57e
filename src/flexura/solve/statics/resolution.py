"""How well polynomials hold shapes at rest: what their highest powers carry, and states moved to finer ones.

>>> tail(rest, y, p)                       # the share of the highest powers, in the field they matter most in
>>> y = moved_to(finer, rest, y, p)        # the same state in other polynomials
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray

from flexura.solve.statics.rest_system import RestSystem
from flexura.systems.polynomials import gauss

Array = NDArray[np.float64]
LADDER = ((8, 1), (12, 1), (16, 1), (24, 1), (32, 1), (44, 1), (24, 4), (24, 8), (24, 16))
"""Degrees and elements, each tried where the one before is not enough."""
UNKNOWNS = 1500  # more are not tried
_SLIGHT = 1e-7  # of the root of all energy, below which a field is not looked at


def field_weight(rest: RestSystem, y: Array, p: float) -> dict[str, float]:
    """How much of the root of all energy the unknowns of each field hold."""
    d = rest.scales(rest.slopes(y, p)[0])[: rest.n]
    held = np.abs(y[: rest.n] * d)
    total = float(held.max(initial=0.0)) or 1.0
    found = dict.fromkeys(rest.system.fields, 0.0)
    for name, share in zip(rest.names, held / total, strict=True):
        field = name.partition("[")[0].partition("@")[0].removesuffix("_x")
        if field in found:
            found[field] = max(found[field], float(share))
    return found


def heavy(rest: RestSystem, y: Array, p: float) -> list[str]:
    """The fields that are more than rounding of the others."""
    return [name for name, weight in field_weight(rest, y, p).items() if weight > _SLIGHT]


def coefficients(rest: RestSystem, name: str, y: Array, p: float) -> Iterator[tuple[float, float, Array]]:
    """Of each element: its ends, and a field in Legendre polynomials there."""
    mesh = rest.layout.meshes[rest.layout.energies.spine_of(name).name]
    nodes, order = mesh.nodes, max(mesh.order, 3)
    xi, w = gauss(order + 1)
    to_powers = (legvander(xi, order) * w[:, None]).T * (np.arange(order + 1)[:, None] + 0.5)
    for a, b in pairwise(nodes):
        values = rest.field(name, (a + b) / 2 + (b - a) / 2 * xi, y, p)
        yield float(a), float(b), to_powers @ values


def tail(rest: RestSystem, y: Array, p: float) -> float:
    """What the two highest powers hold, beside the largest."""
    worst = 0.0
    for name in heavy(rest, y, p):
        rows = [c for _, _, c in coefficients(rest, name, y, p)]
        size = max(float(np.abs(c).max(initial=0.0)) for c in rows)
        if size > 0:
            worst = max(worst, *(float(np.abs(c[-2:]).max()) / size for c in rows))
    return worst


def moved_to(finer: RestSystem, rest: RestSystem, y: Array, p: float) -> Array:
    """A state in the unknowns of another discretisation of the same equations."""
    known = dict(zip(rest.system.names, rest.q(y, p), strict=True))
    found = finer.start({name: known.get(name, 0.0) for name in finer.names if "[" not in name})
    state = finer.q(found, p)
    for name, one in finer.system.fields.items():
        columns = [i for i, other in enumerate(finer.system.names) if other.startswith(f"{name}[")]
        if columns:
            x, w = one.points, np.sqrt(one.weights)
            table = one.matrix(x, 0)[:, columns] * w[:, None]
            left = rest.field(name, x, y, p) - finer.system.values(name, x, 0.0, state)
            state[columns] = np.linalg.lstsq(table, left * w, rcond=None)[0]
    found[: finer.n] = state[finer.kept]
    lam = dict(zip(rest.system.multipliers, rest.multipliers(y), strict=True))
    for name, one in finer.along.items():  # the multipliers are the field's values at its points
        lam |= {f"{name}[{i}]": value for i, value in enumerate(rest.field(name, one.points, y, p))}
    return finer.with_multipliers(found, np.array([lam[name] for name in finer.system.multipliers]))


def apart(rest: RestSystem, y: Array, other: RestSystem, z: Array, p: float) -> float:
    """How far two solutions are apart, beside the largest value of each coordinate and field that matters."""
    worst = 0.0
    q, r = rest.q(y, p), other.q(z, p)
    for name in heavy(other, z, p):
        x = np.linspace(other.system.fields[name].start, other.system.fields[name].end, 33)
        one, two = rest.field(name, x, y, p), other.field(name, x, z, p)
        size = float(np.abs(two).max())
        worst = max(worst, float(np.abs(one - two).max()) / size if size else 0.0)
    names = other.layout.energies.coordinates
    scale = max((abs(r[other.system.names.index(name)]) for name in names if name != other.parameter), default=0.0)
    for name in names:
        gap = abs(q[rest.system.names.index(name)] - r[other.system.names.index(name)])
        worst = max(worst, float(gap / scale) if scale and name != other.parameter else 0.0)
    return worst
