"""What is deployed names nothing that is not there: settings that exist, images of one version, files beside it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from ruamel.yaml import YAML

from replay.events import MODELS
from streams.live.config import CONFIG_VARIABLE, PREFIX, LiveSettings
from streams.live.topics import topic_of
from tests.test_tidy import ROOT

COMPOSE = ROOT / "deploy" / "compose.yaml"
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
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
    assert [image for image in images if not re.fullmatch(r"[\w./-]+:v?\d+\.\d+\.\d+[\w.-]*(@.*)?", image)] == []


@pytest.mark.parametrize("path", [COMPOSE, *KUBERNETES, DOCKERFILE], ids=lambda path: path.name)
def test_every_image_that_others_have_made_is_named_by_its_digest(path):
    images = re.findall(r"(?:image:|FROM) (\S+)", path.read_text("utf-8"))
    of_others = [image for image in images if not image.startswith("retally:")]

    assert images
    assert [image for image in of_others if not re.fullmatch(r"\S+@sha256:[0-9a-f]{64}", image)] == []


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

    assert {"ConfigMap", "Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy"} <= set(kinds)


# --- who may do what ----------------------------------------------------------------------------------------------


def volumes_of(service: dict[str, Any]) -> set[str]:
    """The volumes that a service mounts, by name."""
    return {str(mount).split(":")[0] for mount in service.get("volumes", [])}


def test_the_gateways_private_key_is_where_only_the_tables_can_read_it(services):
    tables = services["floor"]
    [key] = re.findall(r"--key (\S+)", tables["command"])
    [private] = [str(mount).split(":")[0] for mount in tables["volumes"] if key.startswith(str(mount).split(":")[1])]

    assert [name for name, each in services.items() if private in volumes_of(each)] == ["key", "floor"]
    assert "keys" in volumes_of(services["worker"])


def reader() -> ElementTree.Element:
    root = ElementTree.fromstring((COMPOSE.parent / "clickhouse-users" / "reader.xml").read_text("utf-8"))
    found = root.find("profiles/retally_reader")
    assert found is not None
    return found


def test_grafana_reads_and_cannot_raise_what_it_may_use():
    """Under readonly 1 a setting can be changed only where a constraint says so (ClickHouse's page on constraints), and
    that is the one that the plugin's client sends, within bounds."""
    profile = reader()

    assert profile.findtext("readonly") == "1"
    assert int(profile.findtext("max_memory_usage") or 0) > 0
    constraints = profile.find("constraints")
    assert constraints is not None
    assert [setting.tag for setting in constraints] == ["max_execution_time"]
    [setting] = constraints
    assert setting.find("changeable_in_readonly") is not None
    assert int(setting.findtext("min") or 0) >= 1  # 0 would be no limit
    assert setting.findtext("max") == profile.findtext("max_execution_time")


def test_the_plugin_asks_for_no_more_time_than_it_may_have():
    """clickhouse-go sends ``max_execution_time`` with every query: the seconds to its deadline, and five more
    (``queryOptions`` in its context.go); the plugin's deadlines are its timeouts."""
    [source] = documents(COMPOSE.parent / "grafana" / "datasources" / "clickhouse.yaml")[0]["datasources"]
    most = int(reader().findtext("constraints/max_execution_time/max") or 0)

    assert int(source["jsonData"]["queryTimeout"]) + 5 <= most
    assert int(source["jsonData"]["dialTimeout"]) + 5 <= most


def test_constraints_may_let_a_setting_be_changed():
    root = ElementTree.fromstring((COMPOSE.parent / "clickhouse-config" / "constraints.xml").read_text("utf-8"))

    assert root.findtext("access_control_improvements/settings_constraints_replace_previous") == "true"


def in_kubernetes(kind: str) -> dict[str, Any]:
    [found] = [each for path in KUBERNETES for each in documents(path) if each["kind"] == kind]
    whole: dict[str, Any] = found
    return whole


def test_a_worker_in_kubernetes_bears_no_token():
    assert in_kubernetes("Deployment")["spec"]["template"]["spec"]["automountServiceAccountToken"] is False


def test_a_worker_in_kubernetes_speaks_with_whom_it_must_and_nobody_else():
    policy = in_kubernetes("NetworkPolicy")["spec"]
    worker = in_kubernetes("Deployment")["spec"]
    settings = in_kubernetes("ConfigMap")["data"]
    addresses = re.findall(r"\.(\w+):(\d+)", f"{settings['RETALLY_KAFKA']} {settings['RETALLY_STORE']}")
    allowed = [
        (each["to"][0]["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"], str(port["port"]))
        for each in policy["egress"]
        for port in each["ports"]
    ]

    assert policy["podSelector"] == worker["selector"]
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    assert sorted(allowed) == sorted([*addresses, ("kube-system", "53"), ("kube-system", "53")])
    [incoming] = policy["ingress"]
    assert [port["port"] for port in incoming["ports"]] == [6066]


def test_the_page_says_which_event_goes_to_which_topic() -> None:
    page = (ROOT / "deploy" / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| `(retally\.\w+)` \| (.*) \|$", page, re.MULTILINE)
    said = {event: topic for topic, events in rows for event in re.findall(r"`(\w+)`", events)}

    assert said == {event: topic_of(event) for event in MODELS}
