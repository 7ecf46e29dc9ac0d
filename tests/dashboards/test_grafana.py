"""Grafana's dashboards: the files are what is built, the schema allows them, and the workers have what they ask for."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dashboards.grafana import built, files
from dashboards.grafana.alerts import provisioning
from dashboards.grafana.checking import alert_queries, schema_problems
from dashboards.grafana.edges import lookup
from dashboards.grafana.pushing import PushError, push
from streams.commands.app import app
from streams.live.metrics import Metrics
from tests.installed import PACKS

ROOT = Path(__file__).resolve().parents[2]
BOARDS = built(PACKS)


def test_the_committed_files_are_what_is_built() -> None:
    for name, text in files(PACKS).items():
        assert text == (ROOT / "deploy/grafana" / name).read_text("utf-8"), f"{name}: retally dashboards build"


def test_every_uid_is_the_fixed_one() -> None:
    expected = ["retally-floor", "retally-round", "retally-streaks", "retally-reconciliation", "retally-pipeline"]

    assert expected == [board["uid"] for board in BOARDS]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board["uid"])
def test_the_schema_gives_each_dashboard_back_as_it_is(board: dict[str, Any]) -> None:
    assert schema_problems(board) == []


def test_the_schema_refuses_what_it_does_not_know() -> None:
    board = json.loads(json.dumps(BOARDS[0]))
    board["panels"][0]["gridPosition"] = {}

    assert schema_problems(board) == [
        "retally-floor: .panels[0].gridPosition: the schema does not know it, or wants it"
    ]


def test_a_panel_without_a_description_is_a_problem() -> None:
    board = json.loads(json.dumps(BOARDS[0]))
    board["panels"][0]["description"] = ""

    assert any("has no description" in problem for problem in schema_problems(board))


def test_the_workers_export_every_figure_that_is_asked_of_them() -> None:
    metrics = Metrics()
    exported = {sample.name for family in metrics.registry.collect() for sample in family.samples}
    # Families with labels have no sample before the first: their names, and those that counters get.
    for family in metrics.registry.collect():
        exported |= {family.name, *([f"{family.name}_total"] if family.type == "counter" else [])}
    targets = [target for board in BOARDS for panel in board["panels"] for target in panel["targets"]]
    targets += [rule["data"][0]["model"] for rule in RULES]
    asked = {name for target in targets for name in re.findall(r"retally_\w+", target.get("expr", ""))}

    assert asked
    assert set() == asked - exported


def test_an_edge_is_the_published_one() -> None:
    # Craps, pass line: 7/495, 1.414 %.
    assert str(lookup(PACKS)["MO-1985|craps|pass_line|*"][0]) == "7/495"


RULES = [rule for group in provisioning()["groups"] for rule in group["rules"]]


def test_a_rule_is_there_for_what_must_wake_somebody() -> None:
    expected = ["retally-severe", "retally-evidence", "retally-stalled", "retally-silent", "retally-not-writing"]

    assert expected == [rule["uid"] for rule in RULES]


def test_a_rules_query_reaches_the_plugin_as_it_stands_in_the_file() -> None:
    """Grafana takes a provisioned query's raw text: of two dollars both would stay, and no macro would be found."""
    asked = [query.sql for query in alert_queries(provisioning())]

    assert ["$__timeFilter(" in sql or "$__toTime" in sql for sql in asked] == [True, True, True]
    assert [sql for sql in asked if "$$" in sql] == []


def test_no_rule_has_braces_after_a_dollar_which_grafana_would_take_for_the_environments() -> None:
    assert "${" not in json.dumps(provisioning())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["uid"])
def test_a_rules_summary_tells_the_figure_of_its_own_query(rule: dict[str, Any]) -> None:
    asked, limit = rule["data"]

    assert "{{ $values.A.Value }}" in rule["annotations"]["summary"]
    assert (asked["refId"], limit["model"]["expression"], rule["condition"]) == ("A", "A", "C")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["uid"])
def test_a_rule_names_a_dashboard_that_there_is(rule: dict[str, Any]) -> None:
    assert rule["annotations"]["dashboard"] in {f"/d/{board['uid']}" for board in BOARDS}


def test_a_rule_on_the_workers_gives_a_figure_where_there_is_nothing() -> None:
    """An empty answer of Prometheus is no zero; ``or vector(0)`` is what its manual gives for that."""
    asked = [rule["data"][0]["model"]["expr"] for rule in RULES if "expr" in rule["data"][0]["model"]]

    assert [expression.count("or vector(0)") >= 1 for expression in asked] == [True, True]


def test_a_query_is_kept_as_version_4_of_the_plugin_keeps_it() -> None:
    """Its ``CHSqlQuery``: an editor type, a query type, and the number of the format that its server reads."""
    targets = [target for board in BOARDS for panel in board["panels"] for target in panel["targets"]]
    ours = [target for target in targets if "rawSql" in target]

    assert {(each["editorType"], each["queryType"], each["format"]) for each in ours} == {
        ("sql", "timeseries", 0),
        ("sql", "table", 1),
    }


def test_the_deployment_installs_the_version_that_the_queries_are_written_for() -> None:
    compose = (ROOT / "deploy/compose.yaml").read_text("utf-8")
    (version,) = {
        target["pluginVersion"]
        for board in BOARDS
        for panel in board["panels"]
        for target in panel["targets"]
        if "rawSql" in target
    }

    assert f"GF_PLUGINS_PREINSTALL: grafana-clickhouse-datasource@{version}\n" in compose


def _links(board: dict[str, Any]) -> list[dict[str, Any]]:
    found = [
        override["properties"] for panel in board["panels"] for override in panel["fieldConfig"].get("overrides", [])
    ]
    return [link for properties in found for each in properties if each["id"] == "links" for link in each["value"]]


@pytest.mark.parametrize("uid", ["retally-floor", "retally-round", "retally-streaks"])
def test_a_row_leads_to_its_own_round(uid: str) -> None:
    (board,) = [board for board in BOARDS if board["uid"] == uid]
    variables = {variable["name"] for variable in BOARDS[1]["templating"]["list"]}
    urls = {link["url"] for link in _links(board)}

    assert urls == {
        "/d/retally-round/?var-session=${__data.fields.session}&var-round=${__data.fields.round}&${__url_time_range}"
    }
    assert {"session", "round"} <= variables


def test_a_column_that_leads_to_a_round_stands_beside_the_columns_that_name_it() -> None:
    for board in BOARDS:
        for panel in board["panels"]:
            if _links({"panels": [panel]}):
                sql = panel["targets"][0]["rawSql"]
                assert "session" in sql and re.search(r"\bround\b", sql), panel["title"]


def test_where_a_viewer_is_named_each_link_has_one_to_it_beside() -> None:
    floor = built(PACKS, "https://retally.example/")[0]
    links = _links(floor)

    assert len(links) == 2 * len(_links(BOARDS[0]))
    assert "https://retally.example/round?session=${__data.fields.session}&round=${__data.fields.round}" in {
        link["url"] for link in links
    }
    assert schema_problems(floor) == []


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board["uid"])
def test_every_variable_of_a_dashboard_is_used_by_it(board: dict[str, Any]) -> None:
    variables = board["templating"]["list"]
    asked = " ".join(
        [variable["query"] for variable in variables]
        + [target.get("rawSql", "") for panel in board["panels"] for target in panel["targets"]]
    )
    names = [variable["name"] for variable in variables]

    assert [name for name in names if f"${{{name}:" not in asked] == []
    assert {"casino", "game", "table"} <= set(names)


def test_a_panel_of_tiles_shows_a_whole_floor() -> None:
    """Without a limit of its own Grafana shows twenty-five rows."""
    reduced = [panel["options"]["reduceOptions"] for panel in BOARDS[0]["panels"] if panel["type"] == "stat"]

    assert [each["limit"] for each in reduced if each["values"]] == [500, 500]


def test_what_is_on_the_wall_is_written_large() -> None:
    """At four metres a letter of ten minutes of arc is twelve millimetres high: 18 pixels of a 55-inch screen of 1920,
    which are the capitals of a font of 26."""
    (wall,) = [panel for panel in BOARDS[0]["panels"] if panel["title"] == "The latest severe findings"]

    assert min(wall["options"]["text"].values()) >= 26


class Grafana(BaseHTTPRequestHandler):
    """Plays Grafana's API, and keeps what was asked."""

    asked: list[tuple[str, str, str | None, Any]]
    status = 200
    folders: list[dict[str, str]]

    def do_GET(self) -> None:
        self._answer(self.folders)

    def do_POST(self) -> None:
        self._answer({"url": "/d/x/y"})

    def _answer(self, body: object) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        given = json.loads(sent) if sent else None
        self.asked.append((self.command, self.path, self.headers.get("Authorization"), given))
        data = json.dumps(body if self.status == 200 else {"message": "no permission"}).encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def grafana() -> Iterator[tuple[str, type[Grafana]]]:
    handler = type("Handler", (Grafana,), {"asked": [], "folders": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", handler
    server.shutdown()
    server.server_close()


def test_a_push_makes_the_folder_and_then_writes_each_dashboard(grafana: tuple[str, type[Grafana]]) -> None:
    url, handler = grafana

    assert [f"{url}/d/x/y"] * 2 == push(url, "secret", BOARDS[:2])
    assert [path for _, path, _, _ in handler.asked] == [
        "/api/folders",
        "/api/folders",
        "/api/dashboards/db",
        "/api/dashboards/db",
    ]


def test_a_folder_that_is_there_is_not_made_again(grafana: tuple[str, type[Grafana]]) -> None:
    url, handler = grafana
    handler.folders = [{"uid": "retally", "title": "retally"}]
    push(url, "secret", BOARDS[:1])

    assert [(method, path) for method, path, _, _ in handler.asked] == [
        ("GET", "/api/folders"),
        ("POST", "/api/dashboards/db"),
    ]


def test_a_new_folder_has_the_fixed_uid(grafana: tuple[str, type[Grafana]]) -> None:
    url, handler = grafana
    push(url, "secret", [])

    assert handler.asked[-1][3] == {"title": "retally", "uid": "retally"}


def test_a_grafana_below_a_path_is_found_there(grafana: tuple[str, type[Grafana]]) -> None:
    url, handler = grafana
    push(f"{url}/boards", "secret", [])

    assert {path for _, path, _, _ in handler.asked} == {"/boards/api/folders"}


def test_a_push_carries_the_token_and_writes_over_what_is_there(grafana: tuple[str, type[Grafana]]) -> None:
    url, handler = grafana
    push(url, "secret", BOARDS[:1])
    _, _, authorization, body = handler.asked[-1]

    assert authorization == "Bearer secret"
    assert (True, "retally", BOARDS[0]) == (body["overwrite"], body["folderUid"], body["dashboard"])


@pytest.mark.parametrize("status", [401, 403, 404, 412, 500])
def test_a_refusal_is_told_in_one_line(grafana: tuple[str, type[Grafana]], status: int) -> None:
    url, handler = grafana
    handler.status = status

    said = rf"the folder retally was refused \({status}\): [^\n]*(no permission|Unauthorized)$"
    with pytest.raises(PushError, match=said):
        push(url, "secret", BOARDS[:1])


def test_the_command_ends_with_2_and_one_line_where_the_token_is_not_taken(
    grafana: tuple[str, type[Grafana]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, handler = grafana
    handler.status = 401
    monkeypatch.setenv("RETALLY_GRAFANA_TOKEN", "wrong")
    result = CliRunner().invoke(app, ["dashboards", "push", "--url", url])

    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


def test_the_command_refuses_a_viewer_that_is_no_address(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["dashboards", "build", "--to", str(tmp_path), "--viewer", "retally:8000"])

    assert (result.exit_code, "--viewer" in result.stderr) == (2, True)


def test_an_address_where_nobody_answers_is_told() -> None:
    with pytest.raises(PushError, match="nobody answers there"):
        push("http://127.0.0.1:1", "secret", BOARDS[:1])


@pytest.mark.parametrize(("url", "token"), [("grafana:3000", "t"), ("http://u:p@g", "t"), ("http://g", "")])
def test_a_bad_address_or_no_token_is_refused_before_anything_is_sent(url: str, token: str) -> None:
    with pytest.raises(PushError):
        push(url, token, BOARDS[:1])
