"""``retally schema``: the contract of an event line."""

from __future__ import annotations

from streams.commands.shell import print_json

EXAMPLE = "Example: retally schema > retally-event.schema.json"


def schema() -> None:
    """The JSON Schema of an event line, for makers of table devices."""
    from replay.events import json_schema

    print_json(json_schema())
