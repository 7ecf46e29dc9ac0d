"""Grafana's dashboards as code: what they ask of ClickHouse, how they are checked, shown and pushed."""

from dashboards.grafana.building import built, files

__all__ = ["built", "files"]
