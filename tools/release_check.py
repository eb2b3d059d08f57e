"""Build sdist and wheel and try both in empty environments: `make release-check`.

Nothing is taken from the tree but what was packed: environments are made in a temporary folder, and commands run there.
With `--platforms` pip is asked whether wheels of all that the package needs exist for Linux, macOS and Windows.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLATFORMS = ("manylinux_2_28_x86_64", "macosx_14_0_arm64", "win_amd64")
IN_WHEEL = (
    "flexura/py.typed",
    "flexura/__init__.pyi",
    "flexura/show/katex/katex.min.js",
    "flexura/problems/large/elastica.py",
)
IN_SDIST = (
    "LICENSE",
    "CITATION.cff",
    "Makefile",
    "mkdocs.yml",
    "docs/start.md",
    "tests/conftest.py",
    "examples/example_one.py",
)
TRIED = (
    ["-m", "flexura", "--version"],
    ["-m", "flexura", "problem", "pinned-bar"],
    ["-m", "flexura", "modes", "cantilever", "--count", "2"],
    ["-m", "flexura", "derive", "example-one"],
    ["-c", "import flexura as fx; [getattr(fx, word) for word in dir(fx)]; print(len(dir(fx)), 'public words load')"],
)


def run(*words: str | Path, place: Path) -> str:
    """Run a command elsewhere, without what this shell knows of the tree."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run([str(word) for word in words], cwd=place, env=clean, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def environment(place: Path) -> Path:
    """An empty environment; its Python."""
    venv.create(place, with_pip=True)
    return place / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def build(place: Path) -> tuple[Path, Path]:
    """The sdist and the wheel."""
    python = environment(place / "builder")
    run(python, "-m", "pip", "install", "--quiet", "hatchling>=1.25", place=place)
    run(python, "-m", "hatchling", "build", "-d", place / "dist", place=ROOT)
    return next((place / "dist").glob("*.tar.gz")), next((place / "dist").glob("*.whl"))


def check_contents(sdist: Path, wheel: Path) -> None:
    """What must be packed is, and what versions say agrees."""
    with tarfile.open(sdist) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    missing = [
        *(one for one in IN_SDIST if one not in inside),
        *(one for one in IN_WHEEL if f"src/{one}" not in inside),
    ]
    missing += [one for one in IN_WHEEL if one not in zipfile.ZipFile(wheel).namelist()]
    if missing:
        raise SystemExit(f"Not packed: {', '.join(missing)}")
    version = wheel.name.split("-")[1]
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    if cited is None or cited[1] != version:
        raise SystemExit(f"CITATION.cff does not say version {version}")


def try_out(packed: Path, place: Path) -> None:
    """Install it alone and use it."""
    python = environment(place)
    run(python, "-m", "pip", "install", "--quiet", packed, place=place)
    for words in TRIED:
        last = run(python, *words, place=place).strip().splitlines()[-1]
        print(f"  {' '.join(words)[:60]:60}  {last[:70]}")


def ask_for_wheels(wheel: Path, place: Path) -> None:
    """Resolve everything from wheels alone, for each system."""
    python = environment(place)
    for platform in PLATFORMS:
        words = [
            "--quiet",
            "--dry-run",
            "--only-binary=:all:",
            "--platform",
            platform,
            "--target",
            str(place / platform),
        ]
        run(python, "-m", "pip", "install", *words, wheel, place=place)
        print(f"  wheels of all dependencies for {platform}")


def main() -> None:
    """Build, look inside, try both."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--platforms", action="store_true")
    wanted = reader.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        sdist, wheel = build(place)
        check_contents(sdist, wheel)
        for packed in (wheel, sdist):
            print(f"{packed.name} ({packed.stat().st_size / 1e6:.1f} MB)")
            try_out(packed, place / packed.suffix.strip("."))
        if wanted.platforms:
            ask_for_wheels(wheel, place / "asked")


if __name__ == "__main__":
    main()
