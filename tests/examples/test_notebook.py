"""The notebook of examples/ runs from its first cell to its last, and every cell shows what it says it shows."""

import base64
import json
import os
import sys
from pathlib import Path

import pytest

from display_pages import Page

nbformat = pytest.importorskip("nbformat", reason="notebooks need nbformat, of the extra flexura[test]")
nbclient = pytest.importorskip("nbclient", reason="notebooks need nbclient, of the extra flexura[test]")
pytest.importorskip("ipykernel", reason="notebooks need ipykernel, of the extra flexura[test]")

TOUR = Path(__file__).parents[2] / "examples" / "tour.ipynb"


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """The code cells after a run in a kernel of this Python, whatever kernels the machine has."""
    place = tmp_path_factory.mktemp("jupyter")
    spec = place / "kernels" / "here"
    spec.mkdir(parents=True)
    launch = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": launch, "display_name": "here", "language": "python"}))
    notebook = nbformat.read(TOUR, as_version=4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(place))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
        client = nbclient.NotebookClient(notebook, kernel_name="here", timeout=300, resources={})
        client.execute(cwd=str(place))
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell):
    """What the last value of a cell looks like, by kind."""
    return next((out.data for out in cell.outputs if out.output_type in ("execute_result", "display_data")), {})


def test_the_notebook_is_kept_without_outputs():
    notebook = nbformat.read(TOUR, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    assert not any("%" in cell.source or "pyplot" in cell.source for cell in code)  # no magic words
    assert {tag for cell in code for tag in cell.metadata.tags} == {"picture", "page", "figure", "film", "text"}


def test_every_cell_shows_what_it_should(cells):
    for cell in cells:
        (what,) = cell.metadata.tags
        data = shown(cell)
        page = Page(data.get("text/html", ""))
        if what in ("picture", "page"):
            assert page.text.strip() or page.formulas, cell.source
            assert len(page.pictures) == (what == "picture"), cell.source
            assert all(one["src"].startswith("data:image/png;base64,") for one in page.pictures)
        elif what == "figure":
            assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG"), cell.source
        elif what == "film":
            assert "iframe" in page.elements
        else:
            assert "rad/s" in "".join(out.text for out in cell.outputs if out.output_type == "stream")


def test_nothing_warns_and_nothing_fails(cells):
    for cell in cells:
        assert not [out for out in cell.outputs if out.output_type == "error"]
        assert not [out for out in cell.outputs if out.get("name") == "stderr"], cell.outputs
