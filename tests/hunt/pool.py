"""Many trials at once, each in a process that may hang or die without ending the hunt.

>>> for record in hunted([("frames", 0), ("frames", 1)], workers=2): ...
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from hunt.families import FAMILIES
from hunt.trial import SECONDS, Outcome, Trial, run

_PATIENCE = 20 * SECONDS  # of the clock for one machine, after which its process is ended
_BATCH = 8  # machines a process sees before it is replaced


def hunted(wanted: list[tuple[str, int]], workers: int) -> Iterator[dict[str, Any]]:
    """Records of the machines, as they come; what hangs or dies is a record too."""
    waiting, running = wanted[::-1], dict[Any, tuple[list[tuple[str, int]], Any, float]]()
    context = multiprocessing.get_context("spawn")
    while waiting or running:
        while waiting and len(running) < workers:
            batch = [waiting.pop() for _ in range(min(_BATCH, len(waiting)))]
            here, there = context.Pipe(duplex=False)
            process = context.Process(target=_work, args=(batch, there), daemon=True)
            process.start()
            there.close()
            running[here] = (batch, process, time.monotonic())
        for pipe in list(running):
            yield from _received(pipe, running, waiting)
        time.sleep(0.05)


def _received(pipe: Any, running: dict[Any, Any], waiting: list[tuple[str, int]]) -> Iterator[dict[str, Any]]:
    batch, process, since = running[pipe]
    try:
        while pipe.poll():
            record = pipe.recv()
            batch.remove((record["family"], record["number"]))
            running[pipe] = (batch, process, time.monotonic())
            yield record
    except EOFError:
        del running[pipe]
        process.join()
        if batch:  # it died on the first of what is left
            yield _dead(batch.pop(0), f"The process ended with code {process.exitcode}.")
            waiting += batch[::-1]
        return
    if time.monotonic() - since > _PATIENCE:
        process.kill()
        process.join()
        del running[pipe]
        yield _dead(batch.pop(0), f"No answer after {_PATIENCE:g} s.")
        waiting += batch[::-1]


def _work(batch: list[tuple[str, int]], pipe: Any) -> None:
    for family, number in batch:
        trial = FAMILIES[family][0](number)
        pipe.send(_record(trial, list(run(trial))))
    pipe.close()


def _record(trial: Trial, outcomes: list[Outcome]) -> dict[str, Any]:
    return {
        "family": trial.family,
        "number": trial.number,
        "kinds": sorted(trial.kinds),
        "outcomes": [asdict(one) for one in outcomes],
    }


def _dead(one: tuple[str, int], words: str) -> dict[str, Any]:
    return {"family": one[0], "number": one[1], "kinds": [], "outcomes": [asdict(Outcome("all", "crashed", words))]}
