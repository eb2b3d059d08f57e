"""Pictures of results inside the pages of a notebook: `picture_of(modes)` is an element that needs nothing else."""

from __future__ import annotations

import base64
from typing import Any

from flexura.display import paragraph
from flexura.errors import FlexuraError
from flexura.show.pictures import picture
from flexura.show.plot import plot


def picture_of(result: Any) -> str:
    """A picture as an element of a page; a sentence where it cannot be drawn."""
    try:
        drawn = picture(plot(result), "png")
    except FlexuraError as error:
        return paragraph(f"No picture: {error}")
    data = base64.b64encode(drawn).decode()
    return f'<img style="max-width: 100%" alt="{type(result).__name__}" src="data:image/png;base64,{data}">'
