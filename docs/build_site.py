"""What MkDocs asks for while it builds the site: pages and files that are made (made.py), links to examples.

MkDocs calls the functions called `on_...`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parent))
import made


def on_config(config: Any) -> Any:
    """The chapters of problems and the groups of the reference enter the navigation."""
    for part in config.nav:
        if "Problems" in part:
            part["Problems"] = ["problems/index.md", *({title: page} for title, page in made.chapters().items())]
        if "API" in part:
            part["API"] = ["api/index.md", *({group: f"api/{made.file_of(group)}.md"} for group in made.groups())]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Pages, pictures, and the mathematics that the package carries for its reports."""
    pages = made.problem_pages() | made.reference_pages() | made.example_pages() | {"changes.md": made.changes()}
    drawn = {f"pictures/{name}": picture for page in made.PICTURED for name, picture in made.pictures(page).items()}
    for uri, content in (pages | drawn).items():
        files.append(File.generated(config, uri, content=content))
    for path in (*made.KATEX.glob("*.min.*"), *made.KATEX.glob("fonts/*")):
        uri = f"assets/katex/{path.relative_to(made.KATEX).as_posix()}"
        files.append(File.generated(config, uri, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links to examples outside this folder lead to the pages that show them."""
    return made.EXAMPLE.sub(lambda found: f"](examples/{found[1]}_{found[2]}.md)", markdown)
