"""The tests under seven combinations of BLAS kernel, Python, versions of packages, hash seed and Hypothesis seed.

    python tools/portable.py             runs what has not been run of this commit, and prints the table
    python tools/portable.py --prepare   makes the environments and asks for the kernels; the runs need no network then

Every kernel occurs, every Python with the oldest and with the newest packages, every Hypothesis seed with each hash
seed, in as few runs as that takes: a whole table is an hour on two cores. What a run came to is kept in
out/portable.json under the commit, so a command that was stopped goes on; what it prints is beside it, with the place
of any test that stands still. Environments are kept from commit to commit (tools/environments.py). Which kernel
OpenBLAS has really taken is asked, not believed: it falls back without a word where the processor lacks one. A run that
cannot be made is named, and never counted green.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from environments import ROOT, Environment, NotHere

OUT = ROOT / "out"
KERNELS = ("", "Prescott", "Nehalem", "Sandybridge", "Haswell", "Zen", "SkylakeX")
_ASK = "import json, numpy.linalg, scipy.linalg, threadpoolctl as t; print(json.dumps(t.threadpool_info()))"
_OTHER_NAMES = {"Katmai": "Prescott"}  # OpenBLAS tells the first of the names that share a kernel
SECONDS = 7200
"""A run that takes longer is stopped; it takes minutes."""
STILL = 900
"""After so many seconds a test tells in the log where it is."""
_COUNTS = re.compile(r"(\d+) (passed|failed|errors?)\b")


class Run(NamedTuple):
    """One combination; the kernel "" is what OpenBLAS takes by itself."""

    kernel: str
    python: str
    versions: str
    hash_seed: int
    seed: int

    @property
    def name(self) -> str:
        """For the table and the files."""
        return f"{self.kernel or 'unset'}-{self.python}-{self.versions}-{self.hash_seed}-{self.seed}"


DESIGN = (
    Run("Sandybridge", "3.11", "oldest", 1, 1),
    Run("Prescott", "3.12", "newest", 1, 2),
    Run("Nehalem", "3.13", "newest", 0, 3),
    Run("Haswell", "3.12", "oldest", 0, 2),
    Run("Zen", "3.13", "oldest", 1, 3),
    Run("SkylakeX", "3.11", "newest", 0, 1),
    Run("", "3.11", "newest", 1, 2),
)


HEAD = "kernel      Python packages hash  Hypothesis   result"


@dataclass(frozen=True)
class Result:
    """What a run came to: `state` is "green", "red" or "not run", `text` says how many tests, or why not."""

    state: str
    text: str
    seconds: float = 0.0


def surroundings(run: Run) -> dict[str, str]:
    """The variables of a run: what the shell has set of OpenBLAS is taken away, or it would hide the kernels."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENBLAS_", "FLEXURA_"))}
    kept.pop("PYTHONPATH", None)
    kernel = {"OPENBLAS_CORETYPE": run.kernel} if run.kernel else {}
    return {**kept, **kernel, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": str(run.hash_seed)}


def kernels(environment: Environment, variables: Mapping[str, str]) -> set[str]:
    """The kernels that NumPy's and SciPy's BLAS have taken; a library built without some has its next of kin."""
    told = environment.run("-c", _ASK, env=variables)
    try:
        found = json.loads(told.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        raise NotHere(f"BLAS does not tell its kernel: {told.stdout.strip()[-200:]}") from None
    names = [str(one.get("architecture", one["internal_api"])) for one in found if one["user_api"] == "blas"]
    return {_OTHER_NAMES.get(name, name) for name in names}


def prepared(run: Run) -> tuple[Environment, set[str]]:
    """The environment of a run and its kernels; NotHere if the machine cannot make that run."""
    environment = Environment(run.python, run.versions).ready()
    found = kernels(environment, surroundings(run))
    if run.kernel and run.kernel not in found:
        raise NotHere(f"this processor gives {', '.join(sorted(found))} for {run.kernel}")
    return environment, found


def result_of(run: Run) -> Result:
    """Make the environment, ask for the kernel, run the tests."""
    try:
        environment, found = prepared(run)
    except NotHere as error:
        return Result("not run", _brief(error))
    start = time.monotonic()
    OUT.mkdir(exist_ok=True)
    log = OUT / f"portable-{run.name}.log"
    words = ("-m", "pytest", f"--hypothesis-seed={run.seed}", "-o", f"faulthandler_timeout={STILL}")
    code = environment.logged(*words, env=surroundings(run), log=log, seconds=SECONDS)
    last = log.read_text(encoding="utf-8", errors="replace").rpartition("\n")[0][-400:]
    counts = ", ".join(f"{count} {what}" for count, what in _COUNTS.findall(last))
    if code is None:
        counts = f"stopped after {SECONDS} s, see {log.name}"
    green = code == 0 and "passed" in counts
    text = f"{counts or f'pytest left with {code}'} ({', '.join(sorted(found))})"
    return Result("green" if green else "red", text, time.monotonic() - start)


def _brief(error: NotHere) -> str:
    return str(error).splitlines()[0][:200]


def commit() -> str:
    """The commit, with a mark of what is changed beside it."""
    git = ["git", "-C", str(ROOT)]
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    changes = subprocess.run([*git, "diff", "HEAD"], capture_output=True, check=True).stdout
    new = subprocess.run([*git, "ls-files", "-z", "--others", "--exclude-standard"], capture_output=True, check=True)
    changes += b"".join(name + (ROOT / os.fsdecode(name)).read_bytes() for name in new.stdout.split(b"\0") if name)
    return f"{head}+{hashlib.sha256(changes).hexdigest()[:12]}" if changes else head


class Kept:
    """Results of one commit on disk; those of another are forgotten."""

    def __init__(self, path: Path, of: str) -> None:
        """`of` is the commit."""
        self._path, self._of = path, of
        kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self.results = {name: Result(**one) for name, one in kept.get("runs", {}).items() if kept.get("commit") == of}

    def add(self, run: Run, result: Result) -> None:
        """Keep one more; what could not be run is tried again the next time."""
        self.results[run.name] = result
        done = {name: vars(one) for name, one in self.results.items() if one.state != "not run"}
        self._path.parent.mkdir(exist_ok=True)
        new = self._path.with_suffix(".new")
        new.write_text(json.dumps({"commit": self._of, "runs": done}, indent=1), encoding="utf-8")
        new.replace(self._path)


def line(run: Run, result: Result | None) -> str:
    """One line of the table."""
    told = "" if result is None else f"{result.state:8}{result.seconds:6.0f} s  {result.text}"
    name = run.kernel or "(unset)"
    return f"{name:12}{run.python:7}{run.versions:9}{run.hash_seed:>4}{run.seed:>12}   {told}"


def summary(results: Mapping[str, Result]) -> tuple[str, int]:
    """The last sentence, and the exit code: 0 only if all runs were made and are green."""
    states = [results[run.name].state if run.name in results else "not run" for run in DESIGN]
    green, red, absent = (states.count(state) for state in ("green", "red", "not run"))
    told = [f"{green} of {len(DESIGN)} green", f"{red} red" if red else "", f"{absent} not run" if absent else ""]
    return ", ".join(filter(None, told)) + ".", 0 if green == len(DESIGN) else 1


def table(of: str, results: Mapping[str, Result]) -> str:
    """All runs, made or not, and the last sentence."""
    lines = [line(run, results.get(run.name)) for run in DESIGN]
    return "\n".join([f"commit {of}", HEAD, *lines, summary(results)[0]])


def prepare() -> int:
    """Everything that needs the network, and whether each run can be made here."""
    absent = 0
    for run in DESIGN:
        try:
            told = f"ready ({', '.join(sorted(prepared(run)[1]))})"
        except NotHere as error:
            absent += 1
            told = _brief(error)
        print(line(run, None) + told, flush=True)
    print(f"{len(DESIGN) - absent} of {len(DESIGN)} runs can be made.")
    return 1 if absent else 0


def run_what_is_left() -> int:
    """Run what has not been run of this commit and print the table."""
    of = commit()
    kept = Kept(OUT / "portable.json", of)
    for run in DESIGN:
        if run.name not in kept.results:
            result = result_of(run)
            if commit() != of:
                print("The code was changed while its tests ran, so this run does not count; start again.")
                return 1
            kept.add(run, result)
            print(line(run, result), flush=True)
    print(table(of, kept.results))
    return summary(kept.results)[1]


if __name__ == "__main__":
    sys.exit(prepare() if sys.argv[1:] == ["--prepare"] else run_what_is_left())
