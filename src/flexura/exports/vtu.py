"""Deformed structures for ParaView and its like: .vtu, .vtk, .xdmf and what else meshio writes.

>>> fx.write_vtu(state, "state.vtu", cells={"hexahedron": corners})
>>> fx.write_vtu(reduced, "basis.vtu")          # every vector of a reduced basis as a field
>>> fx.write_vtu(fx.modes(system, 6), "modes.vtu")
>>> fx.write_vtu(run, "crank.vtu", frame=mechanism)  # crank_0000.vtu, ... and crank.pvd, which opens them all
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from flexura.errors import FlexuraError
from flexura.files.writing import replacing
from flexura.solve.roots.found import Modes
from flexura.solve.runs.mechanism_run import MechanismRun
from flexura.solve.steppers.trajectory import Trajectory
from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.mechanism import Mechanism
from flexura.structures.operating.geometry import RowGeometry, geometry_of
from flexura.structures.operating.state import OperatingState
from flexura.systems.second_order import SecondOrderSystem


def write(thing: Any, path: Path, cells: Mapping[str, Any] | None = None, **fields: Any) -> None:
    """As `fx.write_vtu` does."""
    write_vtu(thing, path, cells, **fields)


def write_vtu(
    result: Any, path: str | Path, cells: Mapping[str, Any] | None = None, frame: Any = None, **fields: Any
) -> Path:
    """Write a state, modes, a reduced basis, a frame, or vectors of a system by name (`bend=vector`) on the nodes.

    `cells` are elements by the name meshio gives their kind; frames know theirs, else nodes are written as points. A
    run of a frame or a mechanism, named by `frame`, becomes a file for each time, and a .pvd that opens them all.
    """
    path = Path(path)
    if isinstance(result, Trajectory | MechanismRun):
        return _write_run(result, frame, path)
    if isinstance(result, BeamFrame):
        data = {name: _on_frame(result, one, name) for name, one in fields.items()}
        _write(path, result.nodes, {"line": result.elements, **(cells or {})}, data)
        return path
    system, found = _fields(result)
    geometry = geometry_of(system)
    if geometry is None:
        raise FlexuraError(
            "The system has no node coordinates, or they do not fit its rows", advice="give nodes=(nodes, 3)"
        )
    data = {name: _vectors(geometry, one, name) for name, one in {**found, **fields}.items()}
    lines = {"line": frame.elements} if isinstance(frame, BeamFrame) else None
    _write(path, geometry.places, cells or lines, data)
    return path


def _write(path: Path, points: Any, cells: Mapping[str, Any] | None, data: Mapping[str, Any]) -> None:
    """One file, whole before it takes its place."""
    try:
        import meshio
    except ImportError:
        raise FlexuraError("Writing .vtu needs meshio", advice="install it with pip install flexura[vtu]") from None
    count = len(points)
    blocks = dict(cells or {"vertex": np.arange(count)[:, None]})
    for kind, one in blocks.items():
        if np.size(one) and (np.min(one) < 0 or np.max(one) >= count):
            raise FlexuraError(f"The cells {kind!r} name nodes outside 0 to {count - 1}", advice="number them from 0")
    mesh = meshio.Mesh(points, [(kind, np.asarray(one)) for kind, one in blocks.items()], point_data=data)
    alone = {"data_format": "XML"} if path.suffix == ".xdmf" else {}  # else its numbers go into a second file
    with replacing(path) as unfinished:
        try:
            mesh.write(unfinished, **alone)
        except (meshio.WriteError, meshio.ReadError, ImportError) as error:
            raise FlexuraError(
                f"{path} cannot be written ({error})", advice="use an ending that meshio knows, like .vtu"
            ) from None


def _write_run(run: Trajectory | MechanismRun, frame: Any, path: Path) -> Path:
    """Where the nodes of a frame, or of all members, are at every time."""
    frames = frame.members if isinstance(frame, Mechanism) else {"": frame}
    if not all(isinstance(one, BeamFrame) for one in frames.values()) or isinstance(run, Trajectory) != ("" in frames):
        raise FlexuraError(
            "A run does not know the elements of its frame", advice="give frame=, the fx.BeamFrame or fx.Mechanism"
        )
    runs = {"": run} if isinstance(run, Trajectory) else run
    places = [
        np.stack([runs[name].position(node) for node in range(len(one.nodes))], axis=1) for name, one in frames.items()
    ]
    starts = np.cumsum([0, *(len(one.nodes) for one in frames.values())])
    lines = np.concatenate([one.elements + k for one, k in zip(frames.values(), starts[:-1].tolist(), strict=True)])
    points, rows = np.concatenate(places, axis=1), []
    for i, t in enumerate(run.t.tolist()):
        at = path.with_name(f"{path.stem}_{i:04d}{path.suffix}")
        _write(at, points[i], {"line": lines}, {"moved": points[i] - points[0]})
        rows.append(f'    <DataSet timestep="{t!r}" file={quoteattr(at.name)}/>')
    collection = path.with_suffix(".pvd")
    with replacing(collection) as unfinished:
        text = ['<VTKFile type="Collection" version="0.1">', "  <Collection>", *rows, "  </Collection>", "</VTKFile>"]
        unfinished.write_text("\n".join(text) + "\n", encoding="utf-8")
    return collection


def _on_frame(frame: BeamFrame, values: Any, name: str) -> Any:
    """Displacements of nodes from those of the free motions."""
    T = Constants.of(frame).pattern.T
    values = np.asarray(values, dtype=np.float64)
    if values.shape != (T.shape[1],):
        raise FlexuraError(
            f"The field {name} has the shape {values.shape}", advice=f"give one number for each of {T.shape[1]} motions"
        )
    return np.asarray(T @ values).reshape(-1, 6)[:, :3]


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
    if isinstance(result, Modes) and result.system is not None:
        return _modes(result, result.system)
    raise FlexuraError(
        f"A {type(result).__name__} has no nodes to write",
        advice="give an operating state, a system, modes of one, a frame or its run",
    )


def _modes(result: Modes, system: SecondOrderSystem) -> tuple[SecondOrderSystem, dict[str, Any]]:
    """mode_1, mode_2, ...; those that are not in phase as mode_1 and mode_1_later, a quarter of a period on."""
    full, found = system if system.full is None else system.full, dict[str, Any]()
    for k in range(len(result)):
        shape = np.asarray(result.shape(k))
        whole = shape if system.full is None else system.basis @ shape
        found[f"mode_{k + 1}"] = whole.real
        if np.iscomplexobj(whole) and np.abs(whole.imag).max() > 1e-9 * np.abs(whole).max():
            found[f"mode_{k + 1}_later"] = -whole.imag
    return full, found


def _vectors(geometry: RowGeometry, values: Any, name: str) -> Any:
    values = np.asarray(values, dtype=np.float64)
    if values.shape != geometry.motion.shape:
        raise FlexuraError(
            f"The field {name} has the shape {values.shape}", advice="give one number for each of the rows"
        )
    return geometry.vectors(values)
