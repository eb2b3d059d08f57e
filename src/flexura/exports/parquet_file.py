"""Tables as .parquet, through pyarrow.

>>> fx.export(run, "run.parquet")
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flexura.errors import FlexuraError
from flexura.exports.tables import columns_of


def write(thing: Any, path: Path) -> None:
    """Columns as they are."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise FlexuraError(
            "Writing .parquet needs pyarrow", advice="install it with pip install 'flexura[parquet]'"
        ) from None
    pyarrow.parquet.write_table(pyarrow.table(dict(columns_of(thing, ".parquet"))), path)
