"""Deformed structures for ParaView and its like: .vtu, .vtk, .xdmf and what else meshio writes.

>>> fx.write_vtu(state, "state.vtu", cells={"hexahedron": corners})
>>> fx.write_vtu(reduced, "basis.vtu")          # every vector of a reduced basis as a field
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.files.writing import replacing
from flexura.structures.operating.geometry import RowGeometry, geometry_of
from flexura.structures.operating.state import OperatingState
from flexura.systems.second_order import SecondOrderSystem


def write(thing: Any, path: Path, cells: Mapping[str, Any] | None = None, **fields: Any) -> None:
    """As `fx.write_vtu` does."""
    write_vtu(thing, path, cells, **fields)


def write_vtu(result: Any, path: str | Path, cells: Mapping[str, Any] | None = None, **fields: Any) -> Path:
    """Write an operating state, a reduced basis, or vectors of a system by name (`bend=vector`) on the nodes.

    `cells` are elements by the name meshio gives their kind; without them the nodes are written as points.
    """
    try:
        import meshio
    except ImportError:
        raise FlexuraError("Writing .vtu needs meshio", advice="install it with pip install flexura[vtu]") from None
    system, found = _fields(result)
    geometry = geometry_of(system)
    if geometry is None:
        raise FlexuraError(
            "The system has no node coordinates, or they do not fit its rows", advice="give nodes=(nodes, 3)"
        )
    data = {name: _vectors(geometry, one, name) for name, one in {**found, **fields}.items()}
    count = len(geometry.places)
    blocks = dict(cells or {"vertex": np.arange(count)[:, None]})
    for kind, one in blocks.items():
        if np.size(one) and (np.min(one) < 0 or np.max(one) >= count):
            raise FlexuraError(f"The cells {kind!r} name nodes outside 0 to {count - 1}", advice="number them from 0")
    mesh = meshio.Mesh(geometry.places, [(kind, np.asarray(one)) for kind, one in blocks.items()], point_data=data)
    path = Path(path)
    alone = {"data_format": "XML"} if path.suffix == ".xdmf" else {}  # else its numbers go into a second file
    with replacing(path) as unfinished:
        try:
            mesh.write(unfinished, **alone)
        except (meshio.WriteError, meshio.ReadError, ImportError) as error:
            raise FlexuraError(
                f"{path} cannot be written ({error})", advice="use an ending that meshio knows, like .vtu"
            ) from None
    return path


def _fields(result: Any) -> tuple[SecondOrderSystem, dict[str, Any]]:
    if isinstance(result, OperatingState):
        assert result.system is not None
        fields = {"deformation": result.deformation}
        if np.ndim(result.rate):
            fields[result.kind] = result.rate
        if result.load is not None:
            fields["load"] = result.load
        return result.system, fields
    if isinstance(result, SecondOrderSystem):
        if result.full is None:
            return result, {}
        return result.full, dict(zip(result.names, result.basis.T, strict=True))
    raise FlexuraError(f"A {type(result).__name__} has no nodes to write", advice="give an operating state or a system")


def _vectors(geometry: RowGeometry, values: Any, name: str) -> Any:
    values = np.asarray(values, dtype=np.float64)
    if values.shape != geometry.motion.shape:
        raise FlexuraError(
            f"The field {name} has the shape {values.shape}", advice="give one number for each of the rows"
        )
    return geometry.vectors(values)
