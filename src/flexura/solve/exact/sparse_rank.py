"""The few vectors that many conditions of few entries leave free: the kernel of a sparse A, without A' A.

    >>> few_of_kernel(rows, tolerance=1e-10)            # (unknown, vector); None where they are not few

Inverse iteration on a block of vectors with [[a, A], [A', -b]], whose Schur complement is A' A / a + b: a small `a`
makes singular values visible that are as small as the root of a times rounding. What is found is judged by A itself.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

from flexura.solve.exact.lines import Array

_A, _B = 1e-7, 1e-15
_ROUNDS = 4
_BLOCK = 12  # vectors at first; three rigid motions in the plane, six in space, and some pinned members


def few_of_kernel(rows: Array, tolerance: float) -> Array | None:
    """Vectors on which A is below the tolerance times its largest singular value, orthonormal; few, or None."""
    A = scipy.sparse.csr_array(rows)
    m, n = A.shape
    whole = scipy.sparse.block_array([[_A * scipy.sparse.eye_array(m), A], [A.T, -_B * scipy.sparse.eye_array(n)]])
    try:
        factors = scipy.sparse.linalg.splu(whole.tocsc())
    except RuntimeError:  # exactly singular, by chance
        return None
    largest = float(np.sqrt((abs(A).sum(axis=0).max()) * (abs(A).sum(axis=1).max())))
    X = np.random.default_rng(11).standard_normal((n, min(_BLOCK, n)))
    for _ in range(_ROUNDS):
        X = np.linalg.qr(factors.solve(np.vstack([np.zeros((m, X.shape[1])), X]))[m:])[0]
    if not np.all(np.isfinite(X)):
        return None
    _, sizes, V = np.linalg.svd(A @ X, full_matrices=False)
    free = sizes <= tolerance * largest
    return None if free.all() else np.asarray(X @ V[free].T)
