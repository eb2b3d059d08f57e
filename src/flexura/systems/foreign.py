"""Matrices and meshes of finite element packages, as they come: SciPy (scikit-fem), PETSc and DOLFINx, meshio.

>>> fx.SecondOrderSystem(mass, None, stiffness, nodes=mesh)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.errors import FlexuraError


def matrix_of(one: Any) -> Any:
    """A matrix of DOLFINx or PETSc (petsc4py, assembled, on one process) as one of SciPy; all else as it is."""
    if hasattr(one, "to_scipy"):
        return one.to_scipy()
    if hasattr(one, "getValuesCSR"):
        first, columns, values = one.getValuesCSR()
        return sparse.csr_array((values, columns, first), shape=tuple(one.getSize()))
    return one


def nodes_of(one: Any, rows: int) -> Any:
    """The nodes of a mesh of meshio or scikit-fem, or of a function space of DOLFINx; in the plane x and y only."""
    if hasattr(one, "tabulate_dof_coordinates"):
        places = np.asarray(one.tabulate_dof_coordinates(), dtype=np.float64)
    elif hasattr(one, "points"):
        places = np.asarray(one.points, dtype=np.float64)
    elif hasattr(one, "geometry") and hasattr(one.geometry, "x"):
        raise FlexuraError(
            "A mesh of DOLFINx may count its nodes in another order than the rows of its matrices",
            advice="give the function space whose matrices these are: nodes=V",
            keyword="nodes",
        )
    elif hasattr(one, "p") and hasattr(one, "t"):
        places = np.asarray(one.p, dtype=np.float64).T
    else:
        return one
    plane = places.shape[1] == 3 and rows == 2 * len(places) and not np.ptp(places[:, 2])
    return places[:, :2] if plane else places
