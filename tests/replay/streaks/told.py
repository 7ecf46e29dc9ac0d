"""What a detector is told, with only the fields that it looks at."""

from types import SimpleNamespace
from typing import Any


def told(**fields: Any) -> Any:
    """An event, a settlement or a round with these fields."""
    return SimpleNamespace(**fields)
