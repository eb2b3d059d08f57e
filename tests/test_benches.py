"""Every bench runs, shortened: what it calls is there, and what it compares agrees. Its times are not looked at."""

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"
BENCHES = sorted(path.name for path in BENCH.glob("bench_*.py"))
PEERS = ("skfem", "welib", "calfem", "exudyn", "numba", "pymor", "pypardiso")
PEERS_OF = {name: [peer for peer in PEERS if peer in (BENCH / name).read_text(encoding="utf-8")] for name in BENCHES}
LACKING = "not installed", "left out"


def printed(*words: str, folder: Path) -> str:
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", BENCHES)
def test_a_bench_runs(name: str, tmp_path: Path) -> None:
    said = printed(str(BENCH / name), "--short", folder=tmp_path)
    assert said
    assert here(name) or not PEERS_OF[name] or any(word in said for word in LACKING)


def here(name: str) -> list[str]:
    """The peers of a bench that are installed."""
    return [peer for peer in PEERS_OF[name] if importlib.util.find_spec(peer)]


@pytest.mark.parametrize("name", [name for name in BENCHES if here(name)])  # without any, the test above says it all
def test_a_bench_runs_without_its_peers_and_says_so(name: str, tmp_path: Path) -> None:
    start = f"import runpy, sys; sys.modules |= dict.fromkeys({PEERS!r}); sys.argv = [{name!r}, '--short']"
    start += f"; sys.path.insert(0, {str(BENCH)!r}); runpy.run_path({str(BENCH / name)!r}, run_name='__main__')"
    said = printed("-c", start, folder=tmp_path)
    assert any(word in said for word in LACKING)


def test_ratios_are_kept_and_compared(tmp_path: Path) -> None:
    shutil.copy(BENCH / "record.py", tmp_path)
    script = "import sys; from record import compared; print(compared('a', float(sys.argv[1])))"
    (tmp_path / "bench_one.py").write_text(script)

    def told(*words: str) -> str:
        return printed("bench_one.py", *words, folder=tmp_path).strip()

    assert told("640", "--short") == "640x"
    assert not (tmp_path / "ratios.json").exists()
    assert told("640") == "640x (new)"
    assert told("176") == "176x (was 640x, -72%, FELL)"
    assert told("200") == "200x (was 176x, +14%)"
    assert json.loads((tmp_path / "ratios.json").read_text()) == {"bench_one": {"a": 200.0}}


def test_every_kept_ratio_is_of_a_bench_that_exists() -> None:
    kept = json.loads((BENCH / "ratios.json").read_text(encoding="utf-8"))
    assert {f"{name}.py" for name in kept} <= set(BENCHES)
