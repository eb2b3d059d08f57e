"""A file of answers that a sweep fills as it goes, and goes on from when it was stopped.

One line of JSON a point; a line that was cut short when the sweep was stopped is asked for again, and so are failures.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

from flexura.errors import FlexuraError
from flexura.files.writing import check_place
from flexura.solve.sweeps.answers import Answer, from_data, to_data
from flexura.solve.sweeps.points import Points

_KIND = "flexura sweep"


class KeptAnswers:
    """The file of one sweep; `done` are the answers it held when it was opened."""

    def __init__(self, path: str | Path, points: Points) -> None:
        self.path, self._head = check_place(path), _head(points)
        self.done: dict[int, Answer] = {}
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        if lines:
            self._read(lines)
        self._file: TextIO = self.path.open("a", encoding="utf-8")
        if not lines:
            self._write(self._head)
        else:
            self._file.write("\n")  # ends a line that was cut short; an empty one says nothing

    def _read(self, lines: list[str]) -> None:
        head = _data(lines[0])
        if head is None or head.get("kind") != _KIND:
            raise FlexuraError(f"{self.path} is not the file of a sweep", advice="give another path")
        if head != json.loads(json.dumps(self._head)):
            raise FlexuraError(
                f"{self.path} holds the answers of a sweep over other points", advice="give another path, or remove it"
            )
        for line in lines[1:]:
            one = _data(line)
            if one is not None and "arrays" in one:
                self.done[int(one["index"])] = from_data(one)

    def add(self, index: int, answer: Answer) -> None:
        """Write one answer; a failure is told, and asked for again next time."""
        self._write({"index": index, "error": answer.error} if answer.error else {"index": index, **to_data(answer)})

    def _write(self, data: dict[str, Any]) -> None:
        self._file.write(json.dumps(data) + "\n")
        self._file.flush()

    def close(self) -> None:
        """No more is written."""
        self._file.close()


def _head(points: Points) -> dict[str, Any]:
    each = [
        [str(value) if not isinstance(value, int | float) else value for value in one.values()] for one in points.each
    ]
    return {"kind": _KIND, "names": list(points.names), "points": each}


def _data(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
