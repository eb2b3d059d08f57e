"""A file written again keeps its comments: each stays with the entry above which, or behind which, it stands.

>>> with_comments(text, text_of(path))        # the new text with the comments of the old one

Entries of [[connections]] and [[loads]] are known again by what they connect, not by their place. What stood with an
entry that is gone follows at the end, under a line that says so. A [report], which is no part of a model, stays too.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from flexura.files.toml_lines import HEADER, KEY, Path, opened, parts_of

_QUOTED = re.compile(r"\"\"\"|'''|\"(?:\\.|[^\"\\])*\"|'[^']*'|#")
_SAME = ("kind", "between", "name", "at", "member", "on", "from", "to")
_TEXT, _VALUE = "text", "value"
GONE = "# With entries that are here no more:"


@dataclass
class Comments:
    """What is said above and behind entries, at the top and at the end; lines with their signs."""

    head: list[str] = field(default_factory=list)
    above: dict[Path, list[str]] = field(default_factory=dict)
    behind: dict[Path, str] = field(default_factory=dict)
    end: list[str] = field(default_factory=list)


def with_comments(text: str, old: str) -> str:
    """The text with the comments, and the [report], of an older one."""
    try:
        before, now = tomllib.loads(old), tomllib.loads(text)
    except ValueError:
        return text  # what is no TOML has no entries that comments could belong to
    if "report" in before and "report" not in now:
        text = f"{text.rstrip()}\n\n{_table_of(old, 'report')}\n"
        now = tomllib.loads(text)
    said = _moved(comments_of(old), _places(before, now))
    lines = [*said.head, *([""] if said.head else [])]
    for path, line, _ in _entries(text):
        if path is not None:
            lines += said.above.pop(path, [])
            line += f"  {said.behind.pop(path)}" if path in said.behind and not _comment(line) else ""
        lines.append(line)
    lost = [one for block in said.above.values() for one in block] + list(said.behind.values())
    new = [one for one in lost if one not in lines and one != GONE]
    if new:
        said.end += ["", *([] if GONE in said.end else [GONE]), *new]
    return "\n".join([*lines, *said.end]).rstrip() + "\n"


def comments_of(text: str) -> Comments:
    """Where each comment of a text belongs."""
    found, waiting = Comments(), list[str]()
    first, entry = True, None
    for path, line, within in _entries(text):
        if path is None:
            if not within:
                waiting.append(line)
            elif entry is not None and within == _VALUE and (inside := _comment(line)):
                found.above.setdefault(entry, []).append(inside)
            continue
        if first and "" in map(str.strip, waiting):
            last = max(i for i, one in enumerate(waiting) if not one.strip())
            found.head, waiting = _trimmed(waiting[:last]), waiting[last + 1 :]
        first, entry = False, path
        if said := [one for one in waiting if one.strip()]:
            found.above[path] = said
        if behind := _comment(line):
            found.behind[path] = behind
        waiting = []
    found.end = ["", *_trimmed(waiting)] if _trimmed(waiting) else []
    return found


def _trimmed(lines: list[str]) -> list[str]:
    kept = list(lines)
    while kept and not kept[0].strip():
        kept.pop(0)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _entries(text: str) -> Iterator[tuple[Path | None, str, str]]:
    """Each line, with the path of the table or key that begins on it, or what it is the middle of."""
    table: Path = ()
    counts: dict[Path, int] = {}
    depth, quote = 0, ""
    for line in text.splitlines():
        within = _TEXT if quote else _VALUE if depth > 0 else ""
        quote = _quote(line, quote)
        if within:
            depth = max(0, depth + (opened(line) if within == _VALUE else 0))
            yield None, line, within
        elif header := HEADER.match(line):
            table = parts_of(header[2])
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            yield table, line, ""
        elif key := KEY.match(line):
            depth = max(0, opened(key[2])) if not quote else 0
            yield (*table, *parts_of(key[1])), line, ""
        else:
            yield None, line, ""


def _quote(line: str, open_quote: str) -> str:
    """The sign that a string of many lines still waits for at the end of a line."""
    while True:
        if open_quote:
            _, closed, line = line.partition(open_quote)
            if not closed:
                return open_quote
            open_quote = ""
        for sign in _QUOTED.finditer(line):
            if sign[0] == "#":
                return ""
            if sign[0] in ('"""', "'''"):
                open_quote, line = sign[0], line[sign.end() :]
                break
        else:
            return ""


def _comment(line: str) -> str:
    """What is said behind an entry."""
    for sign in _QUOTED.finditer(line):
        if sign[0] == "#":
            return line[sign.start() :].rstrip()
    return ""


def _places(before: dict[str, Any], now: dict[str, Any]) -> dict[Path, Path]:
    """Where entries of lists of tables have gone."""
    found: dict[Path, Path] = {}
    for name, entries in before.items():
        if not (isinstance(entries, list) and all(isinstance(one, dict) for one in entries)):
            continue
        free = list(enumerate(map(_same, now.get(name, ()))))
        for i, one in enumerate(map(_same, entries)):
            match = next((pair for pair in free if pair[1] == one), None)
            found[(name, i)] = (name, match[0]) if match else (name, -1 - i)  # a place that nothing has
            if match:
                free.remove(match)
    return found


def _same(entry: Any) -> str:
    kept = {key: entry[key] for key in _SAME if key in entry} if isinstance(entry, dict) else {}
    return json.dumps(kept, default=str)


def _moved(said: Comments, places: dict[Path, Path]) -> Comments:
    def there(path: Path) -> Path:
        return (*places[path[:2]], *path[2:]) if path[:2] in places else path

    above = {there(path): one for path, one in said.above.items()}
    return Comments(said.head, above, {there(path): one for path, one in said.behind.items()}, said.end)


def _table_of(text: str, name: str) -> str:
    """The lines of a table, and of those in it, without their comments."""
    kept, own = [], False
    for path, line, within in _entries(text):
        own = path[0] == name if path else own
        if own and (path or within):
            comment = _comment(line) if within != _TEXT else ""
            kept.append(line[: len(line.rstrip()) - len(comment)].rstrip() if comment else line)
    return "\n".join(kept)
