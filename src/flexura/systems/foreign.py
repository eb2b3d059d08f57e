"""Matrices and meshes of finite element packages, as they come: SciPy (scikit-fem), PETSc and DOLFINx, meshio.

>>> fx.SecondOrderSystem(mass, None, stiffness, nodes=mesh)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse


def matrix_of(one: Any) -> Any:
    """A matrix of DOLFINx or PETSc (petsc4py, assembled, on one process) as one of SciPy; all else as it is."""
    if hasattr(one, "to_scipy"):
        return one.to_scipy()
    if hasattr(one, "getValuesCSR"):
        first, columns, values = one.getValuesCSR()
        return sparse.csr_array((values, columns, first), shape=tuple(one.getSize()))
    return one


def nodes_of(one: Any, rows: int) -> Any:
    """The nodes of a mesh of meshio, scikit-fem or DOLFINx; a plane one, with two rows a node, has x and y only."""
    if hasattr(one, "points"):
        places = np.asarray(one.points, dtype=np.float64)
    elif hasattr(one, "geometry") and hasattr(one.geometry, "x"):
        places = np.asarray(one.geometry.x, dtype=np.float64)
    elif hasattr(one, "p") and hasattr(one, "t"):
        places = np.asarray(one.p, dtype=np.float64).T
    else:
        return one
    plane = places.shape[1] == 3 and rows == 2 * len(places) and not np.ptp(places[:, 2])
    return places[:, :2] if plane else places
