"""The command `flexura`: a thin door to the rooms below.

`app.py` holds the application, `output.py` what commands print with; every other file is one group of commands. A new
command is a function there and a line in `app.py`.
"""

from flexura.cli.app import main

__all__ = ["main"]
