"""`flexura members`: the table of surrogate elements."""

from __future__ import annotations

from typing import Any

import typer

from flexura.cli.output import Json, document
from flexura.derivation.member_table import MemberRow
from flexura.derivation.member_table import members as member_table
from flexura.symbolic.parser import to_text


def members(json: Json = False) -> None:
    """Print the table of flexible elements."""
    table = member_table()
    if json:
        document([_data(row) for row in table.rows])
    else:
        typer.echo(str(table))


def _data(row: MemberRow) -> dict[str, Any]:
    return {
        "element": row.member.name,
        "fields": list(row.fields),
        "kinetic": to_text(row.kinetic),
        "potential": to_text(row.potential),
        "loads": {motion: {"start": to_text(a), "end": to_text(b)} for motion, (a, b) in row.loads.items()},
    }
