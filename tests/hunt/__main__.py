"""The hunt: random machines of every kind go through every verb, and nothing may be wrong without a word.

    make hunt                        1,000 machines on all cores; goes on where it was interrupted
    python -m hunt --count 100 --family frames
    python -m hunt --family frames --number 17        one of them, with its script and every outcome

Outcomes are kept in out/hunt.jsonl under the state of the source, so a changed package begins anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hunt.families import FAMILIES, KINDS
from hunt.pool import hunted
from hunt.trial import Outcome, run

STORE = Path("out/hunt.jsonl")
REFUSED = 0.15  # of the machines, at the most
EACH = 20  # machines that hold a kind, at the least


def main() -> int:
    asked = argparse.ArgumentParser(prog="hunt")
    asked.add_argument("--count", type=int, default=1000)
    asked.add_argument("--family", choices=sorted(FAMILIES))
    asked.add_argument("--number", type=int)
    asked.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = asked.parse_args()
    if given.number is not None:
        return _one(given.family, given.number)
    wanted = list(_plan(given.count, given.family))
    state = _state()
    done = {(one["family"], one["number"]): one for one in _kept() if one["state"] == state}
    STORE.parent.mkdir(exist_ok=True)
    with STORE.open("a") as store:
        for record in hunted([one for one in wanted if one not in done], given.workers):
            done[record["family"], record["number"]] = record
            store.write(json.dumps({**record, "state": state}) + "\n")
            store.flush()
            _show(record)
    return _report([done[one] for one in wanted if one in done], whole=given.family is None and given.count >= 1000)


def _plan(count: int, family: str | None) -> Iterator[tuple[str, int]]:
    """Families in proportion to their weights, each with numbers of its own."""
    chosen = {family: FAMILIES[family]} if family else FAMILIES
    total = sum(weight for _, weight in chosen.values())
    shares = {name: math.ceil(count * weight / total) for name, (_, weight) in chosen.items()}
    turns = sorted((i / share, name, i) for name, share in shares.items() for i in range(share))
    yield from ((name, i) for _, name, i in turns)


def _one(family: str, number: int) -> int:
    trial = FAMILIES[family][0](number)
    print(trial.script)
    outcomes = list(run(trial))
    for one in outcomes:
        print(f"{one.verb:12} {one.result:10} {one.seconds:6.1f} s  {one.words}")
    return int(any(one.bad for one in outcomes))


# -- what is kept, what is said --------------------------------------------------------------------------------------


def _state() -> str:
    """A hash of the package and of the hunt: what was found with another source does not count."""
    import flexura

    found = hashlib.sha256()
    for folder in (Path(flexura.__file__).parent, Path(__file__).parent):
        for path in sorted(folder.rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def _kept() -> Iterator[dict[str, Any]]:
    if STORE.exists():
        for line in STORE.read_text().splitlines():
            yield json.loads(line)


def _show(record: dict[str, Any]) -> None:
    for one in (Outcome(**one) for one in record["outcomes"]):
        if one.bad:
            words = one.words.strip().splitlines()[-1] if one.words else ""
            print(f"{record['family']} {record['number']}: {one.verb} {one.result}. {words}", flush=True)


def _report(records: list[dict[str, Any]], whole: bool) -> int:
    results, verbs, kinds, sentences = Counter[str](), Counter[tuple[str, str]](), Counter[str](), Counter[str]()
    for record in records:
        outcomes = [Outcome(**one) for one in record["outcomes"]]
        kinds.update(record["kinds"])
        verbs.update((one.verb, one.result) for one in outcomes)
        refused = {_kind(one.problem) for one in outcomes if one.result == "refused"}
        sentences.update(refused)
        results["refused"] += bool(refused)
        for bad in ("disagreed", "crashed", "over time"):
            results[bad] += any(one.result == bad for one in outcomes)
    print(
        f"\n{len(records)} machines: "
        + ", ".join(f"{results[k]} {k}" for k in ("disagreed", "crashed", "over time", "refused"))
    )
    _table(verbs)
    print("\nkinds: " + ", ".join(f"{kind} {kinds[kind]}" for kind in sorted(KINDS)))
    for sentence, count in sentences.most_common():
        print(f"{count:5}  {sentence}")
    rare = [kind for kind in KINDS if kinds[kind] < EACH] if whole else []
    if rare:
        print(f"Too few machines hold {', '.join(rare)}.")
    often = results["refused"] > REFUSED * len(records)
    if often:
        print(f"More than {REFUSED:.0%} of the machines are refused.")
    return int(bool(rare) or often or any(results[k] for k in ("disagreed", "crashed", "over time")))


def _table(verbs: Counter[tuple[str, str]]) -> None:
    columns = ("agreed", "noted", "refused", "skipped", "disagreed", "crashed", "over time")
    print("\n" + " ".join(f"{one:>10}" for one in ("verb", *columns)))
    for verb in sorted({verb for verb, _ in verbs}):
        print(" ".join(f"{one:>10}" for one in (verb, *(verbs[verb, column] for column in columns))))


def _kind(problem: str) -> str:
    """What is refused, without the names and numbers of one machine."""
    named = re.sub(r"\b[a-zA-Z]+_?\w*\d\w*(\.(start|end|at\([^)]*\)))?", "...", problem)
    return re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", "#", named)[:160]


if __name__ == "__main__":
    sys.exit(main())
