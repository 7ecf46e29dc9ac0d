"""What is deployed names nothing that is not there: settings that exist, images of one version, files beside it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from streams.live.config import CONFIG_VARIABLE, PREFIX, LiveSettings
from tests.test_tidy import ROOT

COMPOSE = ROOT / "deploy" / "compose.yaml"
KUBERNETES = sorted((ROOT / "deploy" / "kubernetes").glob("*.yaml"))
SETTINGS = {PREFIX + name.upper() for name in LiveSettings.model_fields} | {CONFIG_VARIABLE}
OF_OTHERS = {"RETALLY_READER_PASSWORD"}
"""Of ClickHouse and Grafana, which take it from their own environment."""


def documents(path: Path) -> list[Any]:
    return list(YAML(typ="safe", pure=True).load_all(path.read_text("utf-8")))


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    [compose] = documents(COMPOSE)
    found: dict[str, Any] = compose["services"]
    return found


@pytest.mark.parametrize("path", [COMPOSE, *KUBERNETES], ids=lambda path: path.name)
def test_every_setting_that_is_made_exists(path):
    named = set(re.findall(r"\bRETALLY_[A-Z_]+", path.read_text("utf-8")))

    assert named
    assert named - SETTINGS - OF_OTHERS == set()


@pytest.mark.parametrize("path", [COMPOSE, *KUBERNETES], ids=lambda path: path.name)
def test_every_image_is_of_one_version(path):
    images = re.findall(r"image: (\S+)", path.read_text("utf-8"))

    assert images
    assert [image for image in images if not re.fullmatch(r"[\w./-]+:v?\d+\.\d+\.\d+[\w.-]*", image)] == []


def test_every_service_that_stays_up_is_looked_after(services):
    staying = {name: each for name, each in services.items() if each.get("restart", "unless-stopped") != "no"}

    assert {"kafka", "clickhouse", "grafana", "worker", "floor"} <= set(staying)
    assert [name for name, each in staying.items() if "healthcheck" not in each and name != "floor"] == []
    assert services["worker"]["deploy"]["replicas"] == 2


def test_every_file_that_a_service_mounts_is_there(services):
    mounts = [str(mount) for each in services.values() for mount in each.get("volumes", [])]
    files = [COMPOSE.parent / mount.split(":")[0] for mount in mounts if mount.startswith("./")]

    assert files
    assert [file for file in files if not file.exists()] == []


def test_every_password_that_is_asked_for_is_in_the_example():
    asked = set(re.findall(r"\$\{(\w+):\?", COMPOSE.read_text("utf-8")))
    given = set(re.findall(r"^(\w+)=", (COMPOSE.parent / "example.env").read_text("utf-8"), re.MULTILINE))

    assert asked == given


def test_what_runs_in_kubernetes_is_whole():
    kinds = [each["kind"] for path in KUBERNETES for each in documents(path)]

    assert {"ConfigMap", "Deployment", "Service", "PodDisruptionBudget"} <= set(kinds)
