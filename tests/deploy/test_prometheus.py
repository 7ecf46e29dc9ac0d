"""Prometheus' rules: each fires for what it is for, and clears; in promtool, and in a real Prometheus."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from ruamel.yaml import YAML

from streams.live.metrics import Metrics
from tests.servers import free_ports, missing

RULES = Path(__file__).resolve().parents[2] / "deploy/prometheus/rules.yml"
GET_PROMETHEUS = "prometheus is not installed; on Debian: apt-get install prometheus"
UP = 'up{job="retally",instance="w1"}'
WORKER = '{job="retally",instance="w1"}'

FIRES: dict[str, tuple[str, str, str]] = {
    # rule: (series, value while all is well, value while it is not)
    "RetallySilent": (UP, "1", "0"),
    "RetallyWorkerSilent": (UP, "1", "0"),
    "RetallyBehind": (f"retally_behind_seconds{WORKER}", "1", "300"),
    "RetallyLag": ('retally_lag_records{job="retally",instance="w1",topic="retally.bets"}', "10", "200000"),
    "RetallyDegraded": ('retally_degraded{job="retally",instance="w1",what="store"}', "0", "1"),
    "RetallyLost": (f"retally_lost_total{WORKER}", "0", "1"),
    "RetallyExpired": (f"retally_expired_total{WORKER}", "0", "7"),
    "RetallyMadeAnew": (f"retally_made_anew_total{WORKER}", "0", "1"),
    "RetallyStrays": (f"retally_strays_total{WORKER}", "0", "1"),
    "RetallyTroubles": (f"retally_troubles_total{WORKER}", "0", "1"),
    "RetallyUntold": ('retally_untold_total{job="retally",instance="w1",topic="retally.rejected"}', "0", "3"),
    "RetallyStalls": (f"retally_stalls_total{WORKER}", "0", "1"),
    "RetallyRoundOpen": (f"retally_oldest_open_round_seconds{WORKER}", "60", "9000"),
}


def rules() -> list[dict[str, Any]]:
    [group] = YAML(typ="safe").load(RULES.read_text("utf-8"))["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def command(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        missing(GET_PROMETHEUS)
    return found


def test_every_rule_is_tried() -> None:
    assert [each["alert"] for each in rules()] == list(FIRES)


def test_every_figure_that_the_rules_ask_for_is_one_that_workers_tell() -> None:
    metrics = Metrics()
    told = metrics.text().decode()
    asked = {name for each in rules() for name in re.findall(r"retally_\w+", each["expr"])}

    assert len(asked) > 10
    for name in asked:
        assert f"# TYPE {name.removesuffix('_total')}" in told, name


def test_promtool_finds_nothing_wrong(tmp_path: Path) -> None:
    done = subprocess.run([command("promtool"), "check", "rules", str(RULES)], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("alert", FIRES)
def test_a_rule_fires_for_what_it_is_for_and_clears(alert: str, tmp_path: Path) -> None:
    """By the figures of an hour and a half: well for ten minutes, ill for forty, then well again; a counter stays."""
    series, well, ill = FIRES[alert]
    counts = "_total" in series
    values = f"{well}x10 {ill}x{79 if counts else 39}" + ("" if counts else f" {well}x40")

    def expected(at: str, firing: bool) -> dict[str, Any]:
        shown = dict(re.findall(r'(\w+)="([^"]*)"', series))
        rule = next(each for each in rules() if each["alert"] == alert)
        by = re.search(r"by \((\w+)\)", rule["expr"])
        kept = {by[1]: shown[by[1]]} if by else shown if alert == "RetallyWorkerSilent" else {}
        if alert == "RetallySilent":
            kept = {}
        return {
            "eval_time": at,
            "alertname": alert,
            "exp_alerts": [{"exp_labels": {**rule["labels"], **kept}}] if firing else [],
        }

    body = {
        "rule_files": [str(RULES)],
        "evaluation_interval": "30s",
        "tests": [
            {
                "interval": "1m",
                "input_series": [
                    {"series": series, "values": values},
                    *([] if series == UP else [{"series": UP, "values": "1x90"}]),
                ],
                "alert_rule_test": [expected("9m", False), expected("20m", True), expected("75m", False)],
            }
        ],
    }
    # JSON is YAML; what a rule says of values is its own affair here.
    text = json.dumps(body)
    file, copied = tmp_path / "test.yml", tmp_path / "rules.yml"
    told = YAML(typ="safe").load(RULES.read_text("utf-8"))
    for each in told["groups"][0]["rules"]:
        del each["annotations"]
    copied.write_text(json.dumps(told))
    file.write_text(text.replace(str(RULES), str(copied)))
    done = subprocess.run([command("promtool"), "test", "rules", str(file)], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr


class Figures:
    """What a worker would tell over HTTP."""

    def __init__(self) -> None:
        self.lines = dict[str, str]()
        self.answers = True
        figures = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = "".join(f"{name} {value}\n" for name, value in figures.lines.items()).encode()
                self.send_response(200 if figures.answers else 500)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, daemon=True).start()

    def tell(self, ill: bool) -> None:
        for series, well, wrong in FIRES.values():
            if series == UP:
                continue
            name, labels = series.split("{")
            own = [each for each in labels.rstrip("}").split(",") if not each.startswith(("job=", "instance="))]
            self.lines[f"{name}{{{','.join(own)}}}"] = wrong if ill else well


@contextmanager
def prometheus(folder: Path, target: int) -> Iterator[int]:
    """A real one with the rules as they ship, but for their patience; its port."""
    quick = (
        re.sub(r"for: \d+m", "for: 1s", RULES.read_text("utf-8"))
        .replace("15m]", "6s]")
        .replace("offset 15m", "offset 6s")
    )
    (folder / "rules.yml").write_text(quick)
    (folder / "prometheus.yml").write_text(
        "global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [rules.yml]\n"
        f"scrape_configs: [{{job_name: retally, static_configs: [{{targets: ['127.0.0.1:{target}']}}]}}]\n"
    )
    [port] = free_ports(1)
    started = subprocess.Popen(
        [
            command("prometheus"),
            f"--config.file={folder / 'prometheus.yml'}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield port
    finally:
        started.terminate()
        started.wait(20)


def firing(port: int) -> set[str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/alerts", timeout=5) as answer:
            alerts = json.loads(answer.read())["data"]["alerts"]
    except OSError:
        return {"it does not answer yet"}
    return {each["labels"]["alertname"] for each in alerts if each["state"] == "firing"}


def until(port: int, wanted: set[str], without: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    deadline, seen = time.monotonic() + 60, set[str]()
    while True:
        found = firing(port)
        seen |= found
        if wanted <= seen and not found & without:
            return
        assert time.monotonic() < deadline, (
            f"wanted {sorted(wanted - seen)}, without {sorted(without)}: {sorted(found)}"
        )
        time.sleep(0.3)


@pytest.mark.slow
def test_a_real_prometheus_sees_each_fire_and_clear(tmp_path: Path) -> None:
    silent = {"RetallySilent", "RetallyWorkerSilent"}
    told = set(FIRES) - silent
    figures = Figures()
    figures.tell(ill=False)
    with prometheus(tmp_path, figures.server.server_port) as port:
        until(port, set(), set(FIRES) | {"it does not answer yet"})
        time.sleep(3)  # it is asked a few times
        figures.tell(ill=True)
        until(port, told, silent)
        counters = {name: value for name, value in figures.lines.items() if "_total" in name}
        figures.tell(ill=False)
        figures.lines |= counters  # a counter does not fall
        until(port, set(), set(FIRES))
        figures.answers = False
        until(port, silent, told)
        figures.answers = True
        until(port, set(), set(FIRES))
    figures.server.shutdown()
