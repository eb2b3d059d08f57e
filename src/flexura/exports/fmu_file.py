"""A system as an FMU, for FMI 2.0 and 3.0, model exchange and co-simulation: C inside, with an integrator of its own.

>>> fx.export(model, "arm.fmu", outputs=["theta"])
>>> fx.export(model, "arm.fmu", version="3.0", initial={"theta": 0.3})

The sources are in the file, and a binary for the platform it is made on where that has a C compiler.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from flexura.errors import FlexuraError, warn
from flexura.exports.c_file import c_indicators, c_name, c_source
from flexura.exports.fmi.description import build_description, description
from flexura.exports.fmi.events import between_events
from flexura.exports.fmi.variables import decay, variables_of
from flexura.exports.systems import ExportedSystem, exported
from flexura.symbolic.engine import Basic

_TOLERANCE = 1e-10  # of co-simulation, where the user of the FMU asks for less
_VERSIONS = {"2.0": "fmi2.c", "3.0": "fmi3.c"}
_WORDS = {"linux": ("linux", "so"), "darwin": ("darwin", "dylib"), "win32": ("win", "dll")}


def write(
    thing: Any,
    path: Path,
    version: str = "2.0",
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
    elements: int | None = None,
    outputs: Any = None,
    initial: Mapping[str, Any] | None = None,
    name: str | None = None,
    compile: bool = True,
) -> None:
    """The archive; `compile=False` leaves the binary out."""
    version = {"2": "2.0", "3": "3.0"}.get(str(version), str(version))
    if version not in _VERSIONS:
        raise FlexuraError(f"version is {version!r}", advice="use '2.0' or '3.0'")
    system = exported(thing, ".fmu", values, order, elements, outputs, initial)
    stem = c_name(name or path.name.split(".")[0])
    source = fmu_source(system, stem, version)
    token = hashlib.sha256(source.encode()).hexdigest()[:32]
    source = source.replace("@GUID", token)
    binary = _compiled(source, stem) if compile else None
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        events = len(between_events(system)[1])
        archive.writestr(
            "modelDescription.xml", description(variables_of(system, events), stem, token, version, events)
        )
        archive.writestr(f"sources/{stem}.c", source)
        if version == "3.0":
            archive.writestr("sources/buildDescription.xml", build_description(stem))
        if binary is not None:
            archive.writestr(f"binaries/{platform_folder(version)}/{stem}.{_library()[1]}", binary)


def fmu_source(system: ExportedSystem, name: str, version: str) -> str:
    """The model, an instance of it, and the interface, as one C file; only its token is missing."""
    public = len(system.written.parameters)
    system, indicators = between_events(system)
    written, states = system.written, system.states
    place: dict[Basic, int] = {symbol: i for symbols in (written.q, written.v) for i, symbol in enumerate(symbols)}
    rates: set[Basic] = set(written.v)
    sizes = {"NQ": f"{name}_NQ", "NM": f"{name}_NM", "NU": f"{name}_NU", "NY": f"{name}_NY", "NX": len(states)}
    sizes |= {"NP0": public, "NP": public + bool(written.multipliers), "NZ": len(indicators)}
    put = {
        "@X_OF_RATE": _list(1 if symbol in rates else 0 for _, symbol, _, _ in states),
        "@X_INDEX": _list(place[symbol] for _, symbol, _, _ in states),
        "@X_START": _list(repr(float(start)) for *_, start in states),
        "@DECAY": repr(decay(system)),
        "@TOLERANCE": repr(_TOLERANCE),
        "@NAME": name,
    }
    folder = files("flexura.exports.fmi")
    around = "\n".join((folder / one).read_text(encoding="utf-8") for one in ("core.c", _VERSIONS[version]))
    for word, text in put.items():
        around = around.replace(word, text)
    head = [f"#define {key} {value}" for key, value in sizes.items()] + [f"#define MODEL(word) {name}_##word"]
    events = c_indicators(system, name, indicators)
    return "\n".join([c_source(system, name), events, *head, "", around])


def _list(items: Any) -> str:
    return ", ".join(map(str, items)) or "0"


def compiler() -> str | None:
    """The C compiler of this machine."""
    return next((found for word in ("cc", "gcc", "clang") if (found := shutil.which(word))), None)


def platform_folder(version: str) -> str:
    """What FMI calls this platform."""
    word, _ = _library()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if version == "3.0":
        return f"{machine}-{'windows' if word == 'win' else word}"
    return f"{word}{'64' if sys.maxsize > 2**32 else '32'}"


def _library() -> tuple[str, str]:
    return _WORDS.get(sys.platform, ("linux", "so"))


def _compiled(source: str, name: str) -> bytes | None:
    command = compiler()
    if command is None:
        warn("No C compiler (cc, gcc, clang) is found here, so the FMU holds its sources and no binary.")
        return None
    with tempfile.TemporaryDirectory() as folder:
        at, library = Path(folder) / f"{name}.c", Path(folder) / f"{name}.{_library()[1]}"
        at.write_text(source, encoding="utf-8")
        arguments = [command, "-O1", "-std=c99", "-shared", "-fvisibility=hidden", "-o", str(library), str(at)]
        arguments += [] if sys.platform == "win32" else ["-fPIC", "-lm"]
        done = subprocess.run(arguments, capture_output=True, text=True)
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no reason"])[0]
            warn(f"The C compiler failed ({reason[:200]}), so the FMU holds its sources and no binary.")
            return None
        return library.read_bytes()
