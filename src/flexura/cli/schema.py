"""`flexura schema`: the JSON Schema of model files, for editors that complete words and mark mistakes.

$ flexura schema > model.schema.json
"""

from __future__ import annotations

from flexura.cli.output import Json, document


def schema(json: Json = True) -> None:
    """Print the JSON Schema of model files, for editors that complete words; it is JSON without --json, too."""
    from flexura.model.files.schema import model_schema

    document(model_schema())
