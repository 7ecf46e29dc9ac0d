"""All dashboards as the files that Grafana is provisioned with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from grafana_foundation_sdk.cog.encoder import JSONEncoder

from dashboards.grafana.alerts import provisioning
from dashboards.grafana.floor import floor
from dashboards.grafana.parts import ROUND_URL
from dashboards.grafana.pipeline import pipeline
from dashboards.grafana.reconciliation import reconciliation
from dashboards.grafana.streaks import streaks
from dashboards.grafana.table_round import table_round
from replay.packs import Packs


def built(packs: Packs, viewer: str = "") -> list[dict[str, Any]]:
    """The dashboards as plain JSON values, each with a fixed ``uid``.

    ``packs``: the regulations of whose wagers the odds lie in the queries; ``viewer``: where ``retally view`` answers;
    then every link to a round has one beside it, to the round step by step. Raises `RuleError` for a pack whose text
    is wrong, and for a game whose odds cannot be worked out.
    """
    made = (floor(), table_round(), streaks(), reconciliation(packs), pipeline())
    boards = [json.loads(json.dumps(board.build(), cls=JSONEncoder)) for board in made]
    if viewer:
        for links in (links for board in boards for links in _links(board)):
            url = f"{viewer.rstrip('/')}/round?session=${{__data.fields.session}}&round=${{__data.fields.round}}"
            links.append({"title": "The round, step by step", "url": url, "targetBlank": True})
    return boards


def _links(board: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """The links of each column that leads to a round."""
    for panel in board["panels"]:
        for override in panel["fieldConfig"].get("overrides", []):
            for each in override["properties"]:
                if each["id"] == "links" and each["value"][0]["url"] == ROUND_URL:
                    yield each["value"]


def files(packs: Packs, viewer: str = "") -> dict[str, str]:
    """The files of ``deploy/grafana`` that are made from this package, by name: JSON, which is YAML as well.

    ``packs``, ``viewer``: as in `built`.
    """
    made = {f"dashboards/{each['uid']}.json": each for each in built(packs, viewer)}
    made["alerting/rules.json"] = provisioning()
    return {name: json.dumps(each, indent=1, sort_keys=True, ensure_ascii=False) + "\n" for name, each in made.items()}
