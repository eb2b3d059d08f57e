"""Answers as tables of pandas: columns called by what they hold and its unit, "theta_t (rad/s)".

>>> dataframe({with_unit("theta", "rad"): theta}, t, "t (s)")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from flexura.errors import FlexuraError


def with_unit(name: str, unit: str) -> str:
    """ "theta (rad)"; the name alone where no unit is known."""
    return f"{name} ({unit})" if unit else name


def numbered(name: str, count: int) -> tuple[str, ...]:
    """Names of several columns of one kind."""
    return (name,) if count == 1 else tuple(f"{name} {i + 1}" for i in range(count))


def dataframe(columns: Mapping[str, Any], index: Any, name: str) -> Any:
    """Columns of equal length as a pandas table."""
    try:
        import pandas
    except ImportError:
        raise FlexuraError(
            "Tables are made by pandas, which is not installed", advice="install it: pip install pandas"
        ) from None
    return pandas.DataFrame(dict(columns), index=pandas.Index(np.asarray(index), name=name))
