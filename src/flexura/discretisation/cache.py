"""Compiled programs kept on disk, so that whoever asks about the same system again does not wait for the compiler.

    >>> name = key("evaluate", "what the equations are made of")
    >>> made = load(name) or save(name, compiled)

They lie in the folder `flexura` of the user's cache; the environment variable FLEXURA_CACHE names another folder, or is
"off". A file holds machine code, and reading it is trusting it: so only a folder that belongs to the user, and that
nobody else may write to, is read or written. Whatever fails here (no folder, no room, a damaged file) costs time only:
the program is compiled again.
"""

from __future__ import annotations

import os
import pickle
import platform
import re
import sys
import time
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import symengine
from symengine.lib import symengine_wrapper

from flexura.errors import FlexuraError, warn
from flexura.files.writing import replacing

Made = TypeVar("Made")
LARGEST = 200_000_000  # bytes of all files together; beyond, those unused for longest are deleted
_KEPT = 0.75  # of that, when some are deleted
_MARK = b"flexura program 1\n"
_DIGEST = 32
_OURS = re.compile(r"[0-9a-f]{64}\.(program|[0-9]+-[0-9]+\.part(\.program)?)")  # nothing else in the folder is touched
_ABANDONED = 3600.0  # seconds after which a file that was never finished is deleted
_CODE = ("discretisation", "energy", "symbolic", "systems")  # the rooms whose code makes a program from a Lagrangian
_written: dict[Path, int] = {}  # bytes in each folder, as far as this process knows


def key(*parts: str) -> str:
    """A name for a program made of these: it changes with them, with the code, the engine and the processor.

    "" if our own code cannot be read: then nothing tells what an old program was made by, and none is kept.
    """
    surroundings, found = _surroundings(), blake2b(digest_size=_DIGEST)
    if not surroundings:
        return ""
    for part in (surroundings, *parts):
        found.update(part.encode() + b"\0")
    return found.hexdigest()


def load(name: str) -> Any:
    """The program of that name, or None."""
    path = _path(name)
    if path is None:
        return None
    try:
        text = path.read_bytes()
    except OSError:
        return None
    start = len(_MARK) + _DIGEST
    if text[:start] != _MARK + _digest(name, text[start:]):
        return None  # cut short, damaged or somebody else's: it will be written again
    with suppress(OSError):
        os.utime(path)  # it was used
    try:
        return pickle.loads(text[start:])
    except Exception:  # what a pickle may raise is open; any of it means that this is no program of ours
        return None


def save(name: str, made: Made) -> Made:
    """Keep a program, if there is where, and give it back."""
    path = _path(name, make=True)
    if path is None:
        return made
    text = pickle.dumps(made)
    with suppress(OSError, FlexuraError):
        with replacing(path) as unfinished:  # whoever reads finds all of it or nothing
            unfinished.write_bytes(_MARK + _digest(name, text) + text)
        _bound(path.parent, len(text))
    return made


def _path(name: str, make: bool = False) -> Path | None:
    where = folder()
    if where is None:
        return None
    try:
        if make:
            where.mkdir(mode=0o700, parents=True, exist_ok=True)
        return where / f"{name}.program" if _own(where) else None
    except OSError:
        return None


def folder() -> Path | None:
    """Where programs are kept; None if FLEXURA_CACHE is "off"."""
    given = os.environ.get("FLEXURA_CACHE", "")
    if given.lower() == "off":
        return None
    return Path(given).expanduser() if given else _usual()


@lru_cache(maxsize=1)
def _usual() -> Path | None:
    import platformdirs

    with suppress(RuntimeError, OSError):  # a user without a home
        return Path(platformdirs.user_cache_path("flexura", appauthor=False))
    return None


def _own(where: Path) -> bool:
    """Whether the folder is the user's, and nobody else may write to it (on Windows, homes are like that)."""
    if sys.platform == "win32":
        return where.is_dir()
    found = where.stat()
    if found.st_uid == os.geteuid() and not found.st_mode & 0o022:
        return True
    warn(
        f"Compiled programs are not kept in {where}, because others can write there; take that right from them"
        " (chmod go-w), or set FLEXURA_CACHE to a folder of your own, or to off."
    )
    return False


def _digest(name: str, text: bytes) -> bytes:
    found = blake2b(name.encode(), digest_size=_DIGEST)
    found.update(text)
    return found.digest()


def _bound(where: Path, more: int) -> None:
    """Delete what was not used for longest, if there is too much."""
    if where in _written:
        _written[where] += more
        if _written[where] <= LARGEST:
            return
    files = []
    for entry in os.scandir(where):
        with suppress(OSError):
            if _OURS.fullmatch(entry.name):
                files.append((entry.stat().st_mtime, entry.stat().st_size, entry.path))
    total = sum(size for _, size, _ in files)
    room = _KEPT * LARGEST if total > LARGEST else LARGEST
    for used, size, path in sorted(files):
        if total > room or (".part" in os.path.basename(path) and time.time() - used > _ABANDONED):
            with suppress(OSError):
                os.unlink(path)
            total -= size
    _written[where] = total


@lru_cache(maxsize=1)
def _surroundings() -> str:
    """What machine code depends on beside the equations: our code, the engine and the processor."""
    rooms = Path(__file__).parents[1]
    try:
        code = [_file(path) for room in _CODE for path in sorted((rooms / room).rglob("*.py*"))]
        engine = _file(Path(symengine_wrapper.__file__))
    except OSError:
        return ""
    versions = (sys.version, sys.platform, platform.machine(), symengine.__version__, np.__version__)
    return "\n".join((*code, engine, *versions, _processor())) if code else ""


def _file(path: Path) -> str:
    """A file as it is now: to read all of them would take as long as a small simulation gains."""
    found = path.stat()
    return f"{path} {found.st_size} {found.st_mtime_ns}"


def _processor() -> str:
    """Its name and what it can do: a home may be shared by machines that are not alike."""
    found = os.environ.get("PROCESSOR_IDENTIFIER", "")  # Windows
    with suppress(OSError), open("/proc/cpuinfo") as file:  # Linux; the first processor of maybe hundreds
        told = ("vendor_id", "cpu family", "model", "flags", "CPU ", "Features")
        found += "".join(line for line in takewhile(str.strip, file) if line.startswith(told))
    core = getattr(np, "_core", None) or np.core  # 2 and 1
    return found + str(sorted(getattr(core._multiarray_umath, "__cpu_features__", {}).items()))
