"""The errata name tests and examples that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_errata_name_what_exists():
    text = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests|examples)/[^`]+)`", text)
    assert len(named) >= 4
    for name in named:
        assert (ROOT / name).exists()
