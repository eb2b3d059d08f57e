"""Docstrings show their use after `>>>`; in the site's reference such lines are code, not quotations."""

from __future__ import annotations

import re
from typing import Any

import griffe

USE = re.compile(r"(?:^>>> .*\n?(?:^(?:\.\.\. |(?=\S)(?!>>>)).*\n?)*)+", re.MULTILINE)


class Fences(griffe.Extension):
    """Puts what stands after `>>>` into fences."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of anything that is read."""
        if obj.docstring:
            obj.docstring.value = USE.sub(lambda found: f"```python\n{found[0].rstrip()}\n```\n", obj.docstring.value)
