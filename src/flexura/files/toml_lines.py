"""Where each entry of a TOML file stands, since tomllib does not say.

>>> Lines('[parts.beam]\\nEI = 5').of("parts", "beam", "EI")        # 2
"""

from __future__ import annotations

import re

HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?\Z")
KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=(.*)""", re.DOTALL)
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
Path = tuple[str | int, ...]


class Lines:
    """Line numbers, from 1, by path: ("parts", "beam", "EI"), ("connections", 0)."""

    def __init__(self, text: str) -> None:
        """Headers and keys at the start of a line count; what spans lines belongs to the line it starts on."""
        self._found: dict[Path, int] = {}
        table: Path = ()
        counts: dict[Path, int] = {}
        depth = 0
        for number, line in enumerate(text.splitlines(), 1):
            if depth > 0:
                depth += opened(line)
                continue
            if header := HEADER.match(line):
                table = parts_of(header[2])
                if header[1] == "[[":
                    counts[table] = counts.get(table, -1) + 1
                    table = (*table, counts[table])
                for end in range(1, len(table) + 1):
                    self._found.setdefault(table[:end], number)
            elif key := KEY.match(line):
                path = (*table, *parts_of(key[1]))
                for end in range(len(table) + 1, len(path) + 1):
                    self._found.setdefault(path[:end], number)
                depth = max(0, opened(key[2]))

    def of(self, *path: str | int) -> int | None:
        """The line of an entry, or of the nearest that holds it."""
        for end in range(len(path), 0, -1):
            if path[:end] in self._found:
                return self._found[path[:end]]
        return None


def parts_of(text: str) -> Path:
    """The words of a dotted key or header."""
    return tuple(one.strip("\"'") for one in _PART.findall(text))


def opened(text: str) -> int:
    """How many brackets stay open; those in strings and comments do not count."""
    plain = re.sub(r"#.*", "", re.sub(r"""\"[^\"]*\"|'[^']*'""", "", text))
    return plain.count("[") + plain.count("{") - plain.count("]") - plain.count("}")
