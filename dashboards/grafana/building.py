"""All dashboards as the files that Grafana is provisioned with."""

from __future__ import annotations

import json
from typing import Any, Final

from grafana_foundation_sdk.cog.encoder import JSONEncoder

from dashboards.grafana.alerts import provisioning
from dashboards.grafana.floor import floor
from dashboards.grafana.pipeline import pipeline
from dashboards.grafana.reconciliation import reconciliation
from dashboards.grafana.streaks import streaks
from dashboards.grafana.table_round import table_round

DASHBOARDS: Final = (floor, table_round, streaks, reconciliation, pipeline)


def built() -> list[dict[str, Any]]:
    """The dashboards as plain JSON values, each with a fixed ``uid``."""
    return [json.loads(json.dumps(make().build(), cls=JSONEncoder)) for make in DASHBOARDS]


def files() -> dict[str, str]:
    """The files of ``deploy/grafana`` that are made from this package, by name: JSON, which is YAML as well."""
    made = {f"dashboards/{each['uid']}.json": each for each in built()}
    made["alerting/rules.json"] = provisioning()
    return {name: json.dumps(each, indent=1, sort_keys=True, ensure_ascii=False) + "\n" for name, each in made.items()}
