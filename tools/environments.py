"""Environments of their own, at the lowest versions that pyproject.toml allows or at the newest, and the tests in them.

    python tools/environments.py oldest                    what `make oldest` runs, with the Python that runs this file
    python tools/environments.py newest 3.13 tests/cli     another Python; what follows goes to pytest

Lowest are the direct dependencies; what they need in turn is as new as they let it be. Only wheels are installed: a
bound that one must compile is none. Each is a folder, .venv-oldest-3.11, kept from commit to commit and made anew when
the project's table in pyproject.toml changes or the folder was brought from elsewhere, the newest also every day.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
VERSIONS = ("oldest", "newest")
_LOWEST = re.compile(r"(>=|~=)\s*([\w.]+)[^;]*")
_IN_ONE_LINE = "import sys; print('%d.%d' % sys.version_info[:2])"


class NotHere(RuntimeError):
    """What this machine lacks, in a sentence."""


def interpreter(version: str) -> str:
    """The path of a Python like "3.12": this one, one on the PATH, or one of pyenv's."""
    for path in _candidates(version):
        try:
            told = subprocess.run([path, "-c", _IN_ONE_LINE], capture_output=True, text=True, check=False)
        except OSError:
            continue
        if told.stdout.strip() == version:  # pyenv's shims are there for versions that are not
            return path
    raise NotHere(f"Python {version} is neither on the PATH nor among pyenv's.")


def _candidates(version: str) -> Iterator[str]:
    yield sys.executable
    for name in (f"python{version}", "python3", "python"):
        yield from filter(None, [shutil.which(name)])
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from (str(path) for path in sorted(home.glob(f"versions/{version}*/bin/python"), reverse=True))


def lowest(requirement: str) -> str:
    """At its lower bound, its marker kept: "a>=2.1,<3; os_name == 'nt'" is "a==2.1; os_name == 'nt'"."""
    return _LOWEST.sub(r"==\2", requirement)


def project() -> dict[str, Any]:
    """The table [project] of pyproject.toml."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def requirements() -> list[str]:
    """What the package and its tests need, as pyproject.toml has it."""
    return [*project()["dependencies"], *project()["optional-dependencies"]["test"]]


@dataclass(frozen=True)
class Environment:
    """A Python and its packages: `Environment("3.12", "oldest").ready()`."""

    python: str
    versions: str

    @property
    def folder(self) -> Path:
        """Where it is."""
        return ROOT / f".venv-{self.versions}-{self.python}"

    @property
    def executable(self) -> Path:
        """Its interpreter."""
        return self.folder / ("Scripts" if os.name == "nt" else "bin") / "python"

    def ready(self) -> Environment:
        """Made, if it is not there or not up to date."""
        stamp, wanted = self.folder / ".ready", self._fingerprint()
        if not (self.executable.exists() and stamp.exists() and stamp.read_text() == wanted):
            print(f"Setting up {self.folder.name}.", flush=True)
            python = interpreter(self.python)
            _done([python, "-m", "venv", "--clear", str(self.folder)])
            self._install()
            stamp.write_text(wanted)
        return self

    def _install(self) -> None:
        wanted = requirements() if self.versions == "newest" else [lowest(one) for one in requirements()]
        pip = [str(self.executable), "-m", "pip", "--disable-pip-version-check", "--quiet", "--quiet", "install"]
        _done([*pip, "--only-binary", ":all:", *wanted])
        _done([*pip, "--no-deps", "--editable", str(ROOT)])

    def _fingerprint(self) -> str:
        """A copy in another folder would still run the code of the first one, so the folder is part of it."""
        today = date.today().isoformat() if self.versions == "newest" else ""
        return hashlib.sha256(json.dumps([project(), str(self.folder), today]).encode()).hexdigest()

    def run(self, *words: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """What its interpreter prints, errors among it."""
        command, both = [str(self.executable), *words], subprocess.STDOUT
        return subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=both, text=True, check=False)

    def logged(self, *words: str, env: Mapping[str, str], log: Path, seconds: float) -> int | None:
        """Its exit code, what it prints being in a file meanwhile; None if it had to be stopped."""
        with log.open("w", encoding="utf-8") as file:
            command = [str(self.executable), *words]
            process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=file, stderr=subprocess.STDOUT)
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.terminate() if os.name == "nt" else process.send_signal(
                    signal.SIGINT
                )  # pytest ends its workers
                return None
            finally:
                _ended(process)


def _ended(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _done(command: list[str]) -> None:
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if told.returncode:
        raise NotHere(f"`{' '.join(command)}` failed: {told.stderr.strip() or told.stdout.strip()}")


def main() -> int:
    """Run the tests in one environment; its exit code."""
    versions, *rest = sys.argv[1:]
    python = rest.pop(0) if rest and rest[0] in PYTHONS else ".".join(map(str, sys.version_info[:2]))
    try:
        environment = Environment(python, versions).ready()
    except NotHere as error:
        print(error)
        return 1
    return subprocess.run([str(environment.executable), "-m", "pytest", *rest], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
