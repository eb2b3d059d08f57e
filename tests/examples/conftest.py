import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """What a script leaves behind, each run once in a folder of its own."""
    done = {}

    def run(name):
        if name not in done:
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(tmp_path_factory.mktemp(name))
                done[name] = runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
        return done[name]

    return run
