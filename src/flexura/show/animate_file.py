"""A moving picture into a file: its name's ending says how, and ffmpeg is found where it is.

>>> check_film("arm.mp4"), save_film(figure, draw, 100, "arm.mp4")

What stays is drawn once, and what moves upon it for each picture. An .mp4 is made by the program ffmpeg: the machine's
own, or the one that the package imageio-ffmpeg brings along. An .html holds its pictures and plays by itself.
"""

from __future__ import annotations

import base64
import io
import subprocess
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.files.writing import check_place, replacing

Picture = NDArray[np.uint8]
RATE = 25  # pictures in a second
_SHARP = {".gif": 80, ".html": 110, ".mp4": 160}  # dots per inch: a film is compressed, a .gif is not


def check_film(path: str | Path) -> Path:
    """The path, if a moving picture can be written there; asked before anything is drawn."""
    path = Path(path)
    if path.suffix not in _SHARP:
        raise FlexuraError(
            f"The moving picture {path.name} cannot be written", advice="end its name in .gif, .html or .mp4"
        )
    check_place(path)
    if path.suffix == ".mp4" and _ffmpeg() is None:
        raise FlexuraError(
            f"{path.name} needs the program ffmpeg, which is not here",
            advice="install it with pip install 'flexura[video]', or write a .gif or .html instead",
        )
    return path


def save_film(figure: Any, draw: Callable[[int], Sequence[Any]], count: int, path: Path) -> None:
    """Write `count` pictures of a figure; draw(i) moves what moves in picture i, and gives it back."""
    write = {".gif": _gif, ".html": _html, ".mp4": _mp4}[path.suffix]
    with replacing(path) as unfinished:
        write(_pictures(figure, draw, count, _SHARP[path.suffix]), unfinished)


def film_page(figure: Any, draw: Callable[[int], Sequence[Any]], count: int) -> str:
    """The same as a page of HTML that plays by itself."""
    return _page(_pictures(figure, draw, count, _SHARP[".html"]))


def _pictures(figure: Any, draw: Callable[[int], Sequence[Any]], count: int, dpi: int) -> Iterator[Picture]:
    """Pictures (height, width, 3), each drawn upon one background."""
    figure.set_dpi(dpi)
    canvas = figure.canvas
    moving = draw(0)
    canvas.draw()
    figure.set_layout_engine("none")  # the axes stay where the first picture needs them
    for one in moving:
        one.set_animated(True)  # left out of the background
    canvas.draw()
    background = canvas.copy_from_bbox(figure.bbox)
    for i in range(count):
        canvas.restore_region(background)
        for one in draw(i):
            figure.draw_artist(one)
        yield np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _gif(pictures: Iterator[Picture], path: Path) -> None:
    from PIL import Image

    first, *others = (Image.fromarray(one).quantize(64) for one in pictures)
    first.save(path, save_all=True, append_images=others, duration=1000 // RATE, loop=0)


def _html(pictures: Iterator[Picture], path: Path) -> None:
    path.write_text(_page(pictures), encoding="utf-8")


def _page(pictures: Iterator[Picture]) -> str:
    from PIL import Image

    held = []
    for one in pictures:
        file = io.BytesIO()
        Image.fromarray(one).quantize(64).save(file, "png")
        held.append(f'"{base64.b64encode(file.getvalue()).decode()}"')
    page = files("flexura.show").joinpath("page", "film.html").read_text(encoding="utf-8")
    return page.replace("RATE", str(RATE)).replace("PICTURES", ",\n".join(held))  # in this order: pictures are text too


def _mp4(pictures: Iterator[Picture], path: Path) -> None:
    first = next(pictures)
    height, width = (size - size % 2 for size in first.shape[:2])  # the codec takes even sizes
    command = [_ffmpeg() or "ffmpeg", "-y", "-loglevel", "error"]
    command += ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(RATE), "-i", "-"]
    command += ["-vcodec", "h264", "-pix_fmt", "yuv420p", str(path)]
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert program.stdin is not None  # a pipe was asked for
    said = b""
    try:
        for one in chain([first], pictures):
            program.stdin.write(one[:height, :width].tobytes())
    except BrokenPipeError:  # it gave up, and says why
        pass
    finally:
        said = program.communicate()[1]
    if program.returncode:
        reason = " ".join(said.decode(errors="replace").split())
        raise FlexuraError(f"ffmpeg could not write the film ({reason})", advice="write a .gif or .html instead")


def _ffmpeg() -> str | None:
    """The program: as matplotlib is told to find it, or of imageio-ffmpeg; None where there is neither."""
    import matplotlib as mpl
    from matplotlib.animation import FFMpegWriter

    if FFMpegWriter.isAvailable():
        return str(mpl.rcParams["animation.ffmpeg_path"])
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError):  # no package, or one without a program for this machine
        return None
