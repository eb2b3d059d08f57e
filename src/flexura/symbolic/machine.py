"""Trees as functions of numbers: the one door to the engine's compilers.

>>> machine_function([t], [sin(t), cos(t)])(np.array([[0.0], [1.0]]))        # a row for each time
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import symengine
from symengine import Basic, Symbol

from flexura.symbolic.walk import flattened

Backend = Literal["lambda", "llvm"]


def machine_function(
    arguments: Iterable[Symbol],
    trees: Iterable[Basic],
    backend: Backend | None = None,
    cse: bool = False,
    opt_level: int | None = None,
    flat: bool = False,
) -> Any:
    """A function of rows of arguments that gives rows of values; `flat` says that the trees are `flattened` already.

    Without that, fractions of long integers would be infinity by infinity. "lambda" is made sooner, "llvm" runs faster;
    without a backend the engine chooses.
    """
    more: dict[str, Any] = {} if backend is None else {"backend": backend}
    if opt_level is not None and backend == "llvm":
        more["opt_level"] = opt_level
    found = list(trees) if flat else flattened(trees)
    return symengine.Lambdify(list(arguments), found, cse=cse, **more)
