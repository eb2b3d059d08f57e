"""Files are written beside their place and moved there when they are whole: what was there before is never half lost.

>>> with replacing("out/plate.npz") as unfinished:
...     np.savez(unfinished, K=K)
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from flexura.errors import FlexuraError

_count = itertools.count()


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A path to write to, which takes the place of `path` if all goes well, and else is gone.

    It has the same ending and lies in the same folder. What the system refuses is told in a sentence.
    """
    path = Path(path)
    check_place(path)
    target = Path(os.path.realpath(path))  # a link stays one
    if target.exists() and not target.is_file():
        with _told(path):
            yield target  # a device or a pipe: nothing is lost there, and nothing can take its place
        return
    unfinished = target.with_name(f"{target.stem[:100]}.{os.getpid()}-{next(_count)}.part{target.suffix}")
    with _told(path):
        try:
            unfinished.open("xb").close()  # it is ours: nobody else has written it
            yield unfinished
            if target.exists():
                shutil.copymode(target, unfinished)
            os.replace(unfinished, target)
        finally:
            with suppress(OSError):
                unfinished.unlink()


def check_place(path: str | Path) -> Path:
    """The path, if a file can be written there; long computations ask before they begin."""
    path = Path(path)
    if path.is_dir():
        raise FlexuraError(f"{path} is a folder", advice="give the name of a file")
    if not path.parent.is_dir():
        raise FlexuraError(f"The folder {path.parent} does not exist", advice="make it first, or write elsewhere")
    if path.exists() and not os.access(path, os.W_OK):
        raise FlexuraError(f"{path} may not be written over", advice="allow it, or write elsewhere")
    return path


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise FlexuraError(
            f"{path} cannot be written: {reason}", advice="nothing was changed there, so make room or write elsewhere"
        ) from None
