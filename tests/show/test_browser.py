"""Pages in a browser: reports and views draw themselves, load nothing and complain of nothing.

Needs Chromium: `make tools` installs Debian's; FLEXURA_CHROMIUM names another.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import flexura as fx
from flexura.gallery import example
from flexura.gallery.values import values as example_values

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = os.environ.get("FLEXURA_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = pytest.mark.skipif(not BROWSER, reason="there is no Chromium here; `make tools` installs Debian's")
QUIET = (
    "--headless=new", "--no-sandbox", "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--enable-logging=stderr",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=5000", "--window-size=1000,800",
)  # fmt: skip
SYSTEMS = {
    "example_one": lambda: fx.read_model(EXAMPLES / "example_one.toml"),
    "two-link-arm": lambda: example("two-link-arm"),
    "portal": lambda: fx.read_model(EXAMPLES / "portal.toml"),
    "satellite": lambda: example("satellite"),
    "quarter_car": lambda: fx.read_model(EXAMPLES / "quarter_car.toml"),
}


def opened(page, *more):
    """What the browser prints of a page, and what the page complained of."""
    command = [BROWSER, *QUIET, f"--user-data-dir={page.parent / 'profile'}", *more, page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done.stdout, [line for line in done.stderr.splitlines() if ":CONSOLE" in line]


def is_drawn(picture):
    """Whether a screenshot shows more than its background."""
    seen = np.asarray(Image.open(picture).convert("L"), dtype=float)
    return np.mean(np.abs(seen - np.median(seen)) > 30) > 2e-3


@pytest.mark.filterwarnings("ignore:The member")
@pytest.mark.parametrize("name", SYSTEMS)
def test_every_formula_of_a_report_is_set_and_nothing_is_loaded(name, tmp_path):
    page = tmp_path / "report.html"
    fx.report(SYSTEMS[name](), page)
    dom, complaints = opened(page, "--dump-dom")
    assert complaints == []  # what the policy of the page forbids would be told here
    written = page.read_text(encoding="utf-8")
    formulas = len(re.findall(r'class="(?:formula|inline)"', written))
    assert formulas > 10
    assert len(re.findall(r'class="(?:formula|inline) set"', dom)) == formulas
    assert dom.count('class="katex"') >= formulas
    assert 'class="katex-error' not in dom
    picture = tmp_path / "report.png"
    opened(page, f"--screenshot={picture}")
    assert is_drawn(picture)


def test_views_are_drawn(tmp_path):
    arm = fx.derive(example("two-link-arm"))
    values = example_values("two-link-arm")
    run = fx.simulate(arm, np.linspace(0, 1, 11), initial={"theta1_t": 1.0}, values=values, order=3)
    for name, result in (("model", SYSTEMS["portal"]()), ("modes", fx.modes(arm, 3, values=values)), ("run", run)):
        page, picture = tmp_path / f"{name}.html", tmp_path / f"{name}.png"
        fx.view(result, page)
        dom, complaints = opened(page, "--dump-dom")
        assert [one for one in complaints if "GPU stall" not in one] == []
        assert "<canvas" in dom
        opened(page, f"--screenshot={picture}")
        assert is_drawn(picture)


def test_films_play(tmp_path):
    arm, page = example("satellite"), tmp_path / "mode.html"
    fx.animate(fx.modes(fx.derive(arm), 4, values=example_values("satellite")), page, which=3, frames=20)
    dom, complaints = opened(page, "--dump-dom")
    assert complaints == []
    assert 'src="data:image/png' in dom
