from typing import Any

from symengine import Boolean as Boolean

def __getattr__(name: str) -> Any: ...
