"""All dashboards as the files that Grafana is provisioned with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from grafana_foundation_sdk.cog.encoder import JSONEncoder

from dashboards.grafana.alerts import provisioning
from dashboards.grafana.floor import floor
from dashboards.grafana.parts import ROUND_URL
from dashboards.grafana.pipeline import pipeline
from dashboards.grafana.reconciliation import reconciliation
from dashboards.grafana.streaks import streaks
from dashboards.grafana.table_round import table_round

DASHBOARDS: Final = (floor, table_round, streaks, reconciliation, pipeline)


def built(viewer: str = "") -> list[dict[str, Any]]:
    """The dashboards as plain JSON values, each with a fixed ``uid``.

    ``viewer``: where ``retally view`` answers; then every link to a round has one beside it, to the round step by step.
    """
    boards = [json.loads(json.dumps(make().build(), cls=JSONEncoder)) for make in DASHBOARDS]
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


def files(viewer: str = "") -> dict[str, str]:
    """The files of ``deploy/grafana`` that are made from this package, by name: JSON, which is YAML as well.

    ``viewer``: as in `built`.
    """
    made = {f"dashboards/{each['uid']}.json": each for each in built(viewer)}
    made["alerting/rules.json"] = provisioning()
    return {name: json.dumps(each, indent=1, sort_keys=True, ensure_ascii=False) + "\n" for name, each in made.items()}
