"""What a question may answer, a number, an array or several by name, and how that stands in a file.

>>> read_answer({"omega": [1.0, 2.0], "stable": True})        # {"omega": array, "stable": array(True)}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError

VALUE = "value"
"""What a number or an array is called that has no name of its own."""


@dataclass(frozen=True, eq=False)
class Answer:
    """Arrays by name; or the sentence that says why there are none; and what was warned of."""

    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    error: str = ""
    warnings: tuple[str, ...] = ()
    single: bool = False


def read_answer(found: Any) -> tuple[dict[str, NDArray[Any]], bool]:
    """Arrays by name, and whether it is one without a name."""
    if isinstance(found, Mapping):
        return {str(name): _array(one, f"{name!r} of the answer") for name, one in found.items()}, False
    return {VALUE: _array(found, "The answer")}, True


def _array(one: Any, what: str) -> NDArray[Any]:
    try:
        found = np.asarray(one)
    except ValueError:
        found = np.asarray(None)
    if found.dtype.kind not in "biufc":
        raise FlexuraError(f"{what} is a {type(one).__name__}", advice="return numbers, arrays, or a dict of these")
    return found.astype(np.complex128 if found.dtype.kind == "c" else np.float64)


def to_data(answer: Answer) -> dict[str, Any]:
    """For JSON, exact to the last bit."""
    arrays = {
        name: {"shape": list(one.shape), "numbers": one.ravel().view(np.float64).tolist(), "kind": one.dtype.kind}
        for name, one in answer.arrays.items()
    }
    return {"arrays": arrays, "warnings": list(answer.warnings), "single": answer.single}


def from_data(data: Mapping[str, Any]) -> Answer:
    """What `to_data` wrote."""
    arrays = {}
    for name, one in data["arrays"].items():
        numbers = np.array(one["numbers"], dtype=np.float64)
        arrays[name] = (numbers.view(np.complex128) if one["kind"] == "c" else numbers).reshape(one["shape"])
    return Answer(arrays, "", tuple(data["warnings"]), bool(data["single"]))
