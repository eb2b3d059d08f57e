"""Energies against parts on models nobody had in mind, planar and spatial, with every kind of part.

FLEXURA_PROOF_CASES=2000 (`make prove`) runs that many of each sort.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import random_models
from flexura.derivation.prove.compare import compare
from flexura.model.files.kinds import CONNECTIONS, LOADS, PARTS
from random_models import Drawn, models

MORE = "FLEXURA_PROOF_CASES" in os.environ
CASES = int(os.environ.get("FLEXURA_PROOF_CASES", "0")) // 2 or 6
KINDS = {*PARTS, *CONNECTIONS, *LOADS, "Gravity", "Constraint"}
ELSEWHERE = {
    "ExactSpatialBeam": "parts/members/test_exact_spatial.py",  # its quaternions make a random model take a minute
    "Ride": "solve/test_rides.py",  # what carries its member is one rigid body or ground
}
"""Kinds whose random models are drawn by tests of their own, which verify them."""


@pytest.mark.parametrize("spatial", [False, True])
def test_energies_are_those_of_the_parts(spatial: bool) -> None:
    seen: Counter[str] = Counter()

    @settings(
        max_examples=CASES, database=None, deadline=None, derandomize=not MORE, suppress_health_check=list(HealthCheck)
    )
    @given(models(spatial=spatial, wide=True, size=(2, 4) if spatial else (2, 6)))
    def holds(drawn: Drawn) -> None:
        found = compare(drawn.model.lagrangian)
        assert found, f"{found.differences}\n{drawn.script}"
        seen.update(set(re.findall(r"fx\.(\w+)\(", drawn.script)))

    holds()
    if CASES >= 500:
        planar = {"SpatialBeam"} if not spatial else {"Shaft", "TimoshenkoBeam", "String"}
        assert seen.keys() >= KINDS - planar - ELSEWHERE.keys(), sorted(KINDS - ELSEWHERE.keys() - seen.keys())


def test_random_models_hold_every_kind_of_part() -> None:
    text = Path(random_models.__file__).read_text(encoding="utf-8")
    assert [kind for kind in sorted(KINDS - ELSEWHERE.keys()) if f'"{kind}"' not in text] == []
    for kind, file in ELSEWHERE.items():
        told = Path(random_models.__file__).parent.joinpath(file).read_text(encoding="utf-8")
        assert f"{kind}(" in told
        assert "fx.verify(" in told
