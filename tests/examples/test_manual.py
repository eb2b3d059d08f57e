"""docs/parts.md: every Python block runs and prints what stands below it; docs/examples.md lists every example."""

import re
import runpy
from pathlib import Path

import pytest

import flexura as fx
from flexura import gallery

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```python\n([\s\S]*?)^```$(?:\n\n```text\n([\s\S]*?)^```$)?", re.MULTILINE)
BLOCKS = BLOCK.findall((DOCS / "parts.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("script", "shown"), BLOCKS, ids=range(1, len(BLOCKS) + 1))
def test_a_block_runs_and_prints_what_is_shown(script, shown, tmp_path, capsys):
    path = tmp_path / "block.py"
    path.write_text(script, encoding="utf-8")
    runpy.run_path(str(path), init_globals={"fx": fx})
    out = "".join(f"{line.rstrip()}\n" for line in capsys.readouterr().out.splitlines())
    assert out == shown or (out and not shown)


def test_every_part_stands_in_the_manual():
    page = (DOCS / "parts.md").read_text(encoding="utf-8")
    words = (
        "ground Mass RigidBody Fixed Pin Roller Slide Revolute Free Spring Damper TorsionSpring TorsionDamper Force"
        " Torque DistributedForce Gravity Constraint measured_from names foreshortening Shaft SpatialBeam String"
    )
    assert not [word for word in words.split() if word not in page]


def test_every_example_is_listed():
    page = (DOCS / "examples.md").read_text(encoding="utf-8")
    scripts = {path.name for path in (DOCS.parent / "examples").glob("*.py")}
    assert set(re.findall(r"\(\.\./examples/(\w+\.py)\)", page)) == scripts
    assert set(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)) == set(gallery.EXAMPLES)
