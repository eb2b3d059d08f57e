"""Whether a mass matrix takes energy from some motion, and how many motions have inertia: against its rounding.

>>> refuse_indefinite(M, K)                  # "The inertia is not positive ..." where no rounding explains it
>>> rank(M), definite(M)                     # how many motions have inertia, and whether all do
>>> carried(M, X)                            # which columns of X have inertia

Signs do not depend on coordinates (Sylvester), so M is looked at alone, never through a pencil whose other matrix may
be as good as singular. An entry of a semidefinite M is a sum of products of at most g_i g_j together, g_i^2 = M_ii
(Cauchy and Schwarz), so rounding moves it by at most p eps g_i g_j, with p for the length of the sum. In units g, which
make the diagonal one, that is a matrix of norm at most p n eps; the eigenvalues are found to p eps times a norm of at
most n. So -2 p n eps is what rounding makes of a zero, whatever the units of the coordinates.

Where a change of coordinates left almost nothing of the inertia of one, as of a body that constraints hold, M_ii itself
is rounding: of terms as large as the largest of M. Then g_i is unknown, and that of the largest stands for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.systems.factor import factorize

Array = NDArray[np.float64]
_EPS = float(np.finfo(np.float64).eps)
_SUM = 8  # p: errors of sums grow with the root of their length, and few have more than 64 terms
_DENSE = 400  # unknowns; beyond, pivots are counted


def refuse_indefinite(M: Any, K: Any) -> None:
    """Refuse an M, dense or sparse, that some motion makes negative by more than rounding could."""
    sizes = _sizes(M, K)
    used = np.flatnonzero(sizes > 0)
    if not len(used):
        return
    unit, M = 1 / sizes[used], M[used][:, used]
    if sparse.issparse(M) or len(used) > _DENSE:
        negative = _pivots_negative(sparse.csr_matrix(M), unit)
    else:
        negative = bool(np.linalg.eigvalsh(M * unit[:, None] * unit)[0] < -_rounding(len(used)))
    if negative:
        raise not_positive()


def semidefinite(form: Array) -> bool:
    """Whether no motion makes a form negative by more than rounding of its entries, sums that do not cancel."""
    used = np.flatnonzero(np.any(form, axis=0))
    size = np.sqrt(np.maximum(np.diagonal(form)[used], 0.0))
    if np.any(size == 0):
        return False
    own = form[np.ix_(used, used)] / np.outer(size, size)
    return not len(used) or bool(np.linalg.eigvalsh(own)[0] >= -_rounding(len(used)))


def rank(M: Array) -> int:
    """How many motions have inertia by more than rounding."""
    size = np.sqrt(np.maximum(np.diagonal(M), 0.0))
    own = M[np.ix_(size > 0, size > 0)] / np.outer(size[size > 0], size[size > 0])
    return int((np.linalg.eigvalsh(own) > _rounding(len(own))).sum()) if len(own) else 0


def definite(M: Array) -> bool:
    """Whether every motion has inertia by more than rounding: Cholesky alone may live on rounding."""
    size = np.sqrt(np.maximum(np.diagonal(M), 0.0))
    if np.any(size == 0) or not np.all(np.isfinite(M)):
        return False
    own = M / np.outer(size, size)
    if len(M) <= _DENSE:
        return rank(M) == len(M)
    try:
        return bool(np.diagonal(np.linalg.cholesky(own)).min() ** 2 > _rounding(len(M)))
    except np.linalg.LinAlgError:
        return False


def carried(M: Array, X: Array) -> NDArray[np.bool_]:
    """Which columns x have an energy x'M x that rounding of M, and of the sums of x'M x, cannot make."""
    gross = np.sqrt(np.maximum(np.diagonal(M), 0.0)) @ np.abs(X)
    return np.asarray(np.einsum("ij,ij->j", X, M @ X) > (_SUM + len(M)) * _EPS * gross**2)


def not_positive() -> FlexuraError:
    """What is wrong where M takes energy from some motion."""
    return FlexuraError(
        "The inertia is not positive, so the modes have no lowest one",
        advice="check masses and inertias, and about a deflected state whether its deflections are small against the"
        " lengths",
    )


def _rounding(n: int) -> float:
    return 2 * _SUM * n * _EPS


def _pivots_negative(M: Any, unit: Array) -> bool:
    """The same for a large M: where no row outweighs its diagonal there is nothing to factorize."""
    scaled = sparse.diags(unit) @ M @ sparse.diags(unit) + _rounding(len(unit)) * sparse.eye(len(unit))
    diagonal = scaled.diagonal()
    if np.any(diagonal <= 0):
        return True
    if np.all(np.asarray(abs(scaled).sum(axis=1)).ravel() <= 2 * diagonal):
        return False
    try:
        return bool(factorize(scaled, count=True).negative)
    except FlexuraError:  # a pivot that is zero although the diagonal was raised above rounding
        return True


def _sizes(M: Any, K: Any) -> Array:
    """g of each coordinate: its own, or that of the largest, seen as a coordinate of the same unit or of the same
    stiffness, whichever is less: so that neither small units nor soft springs hide a negative mass."""
    own = np.sqrt(np.abs(M.diagonal()))
    stiffness = np.abs(K.diagonal())
    with np.errstate(divide="ignore", invalid="ignore"):
        by_stiffness = np.nanmax(own / np.sqrt(stiffness), initial=0.0) * np.sqrt(stiffness)
    by_stiffness = np.where(np.isfinite(by_stiffness), by_stiffness, np.inf)
    largest = own.max(initial=0.0)
    return np.asarray(np.maximum(own, np.minimum(by_stiffness, largest)))
