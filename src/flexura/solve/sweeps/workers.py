"""Who answers: this process, some processes of this machine, or a Dask cluster; a dead one loses nothing.

>>> for index, answer in answers_of(question, points, [0, 1, 2], workers=2): ...
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from flexura.errors import FlexuraError, warn
from flexura.solve.sweeps.answers import Answer, read_answer

Chunk = tuple[list[int], list[dict[str, Any]]]
Found = list[tuple[int, Answer]]
_CHUNKS = 16  # for each worker: few enough to cost nothing, many enough to share the work


def answers_of(
    question: Callable[..., Any], points: Sequence[dict[str, Any]], wanted: list[int], workers: int | None, client: Any
) -> Iterator[tuple[int, Answer]]:
    """The answer at each wanted point, in any order."""
    if client is not None:
        yield from _on_dask(question, points, wanted, client)
        return
    count = min(_available() if workers is None else workers, len(wanted))
    packed = _packed(question, workers) if count > 1 else None
    if packed is not None and not _can_start():
        warn(
            "No process can be started from this script, so the sweep runs in this one; put what the script does under"
            " if __name__ == '__main__':, or give workers=1."
        )
        packed = None
    if packed is None:
        for index in wanted:
            yield index, answer_at(question, points[index])
        return
    yield from _in_processes(packed, points, wanted, count)


def answer_at(question: Callable[..., Any], point: dict[str, Any]) -> Answer:
    """Ask once; whatever is raised is the sentence of this point."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            arrays, single = read_answer(question(**point))
        except FlexuraError as error:
            return Answer(error=str(error), warnings=_sentences(told))
        except Exception as error:  # the user's own code may raise anything, and the rest of the sweep is kept
            return Answer(error=f"{type(error).__name__}: {error}", warnings=_sentences(told))
    return Answer(arrays, "", _sentences(told), single)


def _sentences(told: list[warnings.WarningMessage] | None) -> tuple[str, ...]:
    quiet = (DeprecationWarning, PendingDeprecationWarning)
    return tuple(dict.fromkeys(str(one.message) for one in told or () if not issubclass(one.category, quiet)))


def _available() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _can_start() -> bool:
    """Whether processes start: where they are not forked, a script that is not guarded would start itself again."""
    if multiprocessing.get_start_method() == "fork":
        return True
    try:
        with ProcessPoolExecutor(1) as pool:
            return pool.submit(int, 1).result() == 1
    except (BrokenProcessPool, OSError, RuntimeError):
        return False


def _packed(question: Callable[..., Any], workers: int | None) -> bytes | None:
    """The question as bytes for other processes; None where it cannot leave this one and nobody insists."""
    try:
        import cloudpickle as pickler
    except ImportError:
        pickler = pickle
    try:
        packed: bytes = pickler.dumps(question)
        return packed
    except Exception as error:  # each object refuses in its own way
        if workers is None:
            return None
        raise FlexuraError(
            f"The question cannot be sent to other processes ({type(error).__name__}: {error})",
            advice="define it at the top of a module, install cloudpickle, or give workers=1",
        ) from None


def _chunks(points: Sequence[dict[str, Any]], wanted: list[int], count: int) -> list[Chunk]:
    size = max(1, len(wanted) // (count * _CHUNKS))
    cut = [wanted[i : i + size] for i in range(0, len(wanted), size)]
    return [(some, [points[i] for i in some]) for some in cut]


def run_chunk(packed: bytes, chunk: Chunk) -> Found:
    """What a worker does."""
    question = pickle.loads(packed)  # made by this sweep, in this session
    return [(index, answer_at(question, point)) for index, point in zip(*chunk, strict=True)]


def _in_processes(packed: bytes, points: Sequence[dict[str, Any]], wanted: list[int], count: int) -> Iterator[Any]:
    """Points of a process that dies are asked for again one by one, until it is known which of them it died of."""
    waiting, singly = _chunks(points, wanted, count), False
    while waiting:
        left: list[Chunk] = []
        with ProcessPoolExecutor(1 if singly else count) as pool:
            asked: dict[Future[Found], Chunk] = {}
            broken = False
            for chunk in waiting:
                try:
                    asked[pool.submit(run_chunk, packed, chunk)] = chunk
                except BrokenProcessPool:
                    left.append(chunk)
            while asked:
                done, _ = wait(asked, return_when=FIRST_COMPLETED)
                for future in done:
                    chunk = asked.pop(future)
                    try:
                        yield from future.result()
                    except BrokenProcessPool:
                        left.append(chunk)
                        broken = True
                    except Exception as error:  # the answer cannot travel back, or the question not be read there
                        yield from ((i, Answer(error=f"{type(error).__name__}: {error}")) for i in chunk[0])
        if not broken and not left:
            return
        if singly:  # the first of those left is the one that it died of: each is asked alone, in order
            first, *left = sorted(left, key=lambda chunk: chunk[0])
            yield first[0][0], Answer(error="The process that worked at this point died")
        waiting = [([i], [points[i]]) for chunk in left for i in chunk[0]]
        singly = True


def _on_dask(question: Callable[..., Any], points: Sequence[dict[str, Any]], wanted: list[int], client: Any) -> Any:
    try:
        from distributed import as_completed
    except ImportError:
        raise FlexuraError(
            "client is for Dask, which is not installed", advice="install it with pip install 'flexura[sweep]'"
        ) from None
    if not hasattr(client, "map") or not hasattr(client, "ncores"):
        raise FlexuraError(f"client is a {type(client).__name__}", advice="give a dask.distributed.Client")
    packed = _packed(question, workers=1) or b""
    workers = max(1, sum(client.ncores().values()))
    chunks = _chunks(points, wanted, workers)
    futures = client.map(lambda chunk: run_chunk(packed, chunk), chunks, pure=False, retries=2)
    of = {future.key: chunk for future, chunk in zip(futures, chunks, strict=True)}
    for future in as_completed(futures):
        try:
            yield from future.result()
        except Exception as error:  # a worker that died, or an answer that cannot travel
            yield from ((i, Answer(error=f"{type(error).__name__}: {error}")) for i in of[future.key][0])
