"""Tables as .csv: a line of names, then numbers with all their digits.

>>> fx.export(run, "run.csv")
>>> fx.export(fx.frequency_response(equations, omega, "F", "y"), "frf.csv", separator=";")
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from flexura.errors import FlexuraError
from flexura.exports.tables import columns_of


def write(thing: Any, path: Path, separator: str = ",") -> None:
    """Numbers are written so that they are read back to the last bit; nan is "nan"."""
    if len(separator) != 1 or separator in '"\n\r':
        raise FlexuraError(f"separator is {separator!r}", advice="give one character, like ',' or ';'")
    columns = columns_of(thing, ".csv")
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, delimiter=separator)
        table.writerow(columns)
        table.writerows(zip(*(one.tolist() for one in columns.values()), strict=True))
