"""Docstrings show their use after `>>>`; in the site's reference such lines are code, not quotations."""

from __future__ import annotations

import re
from typing import Any

import griffe

USE = re.compile(r"(?:^>>> .*\n?(?:^(?:\.\.\. |(?=\S)(?!>>>)).*\n?)*)+", re.MULTILINE)


NAMED = re.compile(r"(`[^`]*`)|<(?=[A-Za-z])")


class Fences(griffe.Extension):
    """Puts what stands after `>>>` into fences; `<name>` in a sentence is no mark of HTML."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of anything that is read."""
        if obj.docstring:
            said = USE.sub(lambda found: f"```python\n{found[0].rstrip()}\n```\n", obj.docstring.value)
            parts = re.split(r"(```[\s\S]*?```)", said)
            parts[::2] = [NAMED.sub(lambda found: found[1] or "&lt;", part) for part in parts[::2]]
            obj.docstring.value = "".join(parts)
