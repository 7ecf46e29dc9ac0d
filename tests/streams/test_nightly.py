"""The nightly reconciliation: what the count room finds against what was planted, on either engine."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from dashboards.nightly import WordsError, files, gather, languages, wording
from dashboards.nightly.investigating import investigations
from dashboards.nightly.sections import sections
from dashboards.nightly.statements import BROKEN, statements
from dashboards.nightly.theory import percent, root, z_score
from dashboards.nightly.words import major
from replay.audit import Auditor
from replay.codes import CODES
from replay.evidence import key_id, public_half
from replay.refold import Refold
from replay.results import Row
from replay.streaks.jurisdictions import jurisdiction
from replay.streaks.watch import WatchSettings
from streams.commands.app import app
from streams.simulator import games
from streams.simulator.floor import Floor
from streams.store import open_store
from tests.installed import PACKS, judged
from tests.streams.conftest import new_database
from tests.viewer import chromium

FIRST, LAST = date(2026, 11, 23), date(2026, 11, 29)
HOLES = {"missing", "altered", "garbled", "malformed"}

pytestmark = pytest.mark.xdist_group("nightly")  # a week is played once for all of them


def floor(*, fault_rate: float, hours: float = 0.12, days: int = 7, seed: int = 3, only: Iterable[str] = ()) -> Floor:
    tables = len(games.names()) if not only else len(list(only))
    return Floor(
        tables=tables, hours=hours, seed=seed, first_day=FIRST, days=days, fault_rate=fault_rate, only=list(only)
    )


def rows_of(
    played: Floor, *, without: frozenset[str] = frozenset(), watching: WatchSettings | None = None
) -> list[Row]:
    """Everything that is said of the floor's days; ``without``: event types that never arrive."""
    keys = {key_id(public_half(played.key)): public_half(played.key)}
    lines = [line for line in played.lines() if not any(f'"type":"{kind}"'.encode() in line for kind in without)]
    auditor = Auditor(judged(keys=keys, watching=watching), raw=True)
    for place, line in enumerate(lines, 1):
        auditor.feed(line, "floor", place)
    rows = auditor.finish()
    again = Refold(auditor.late(), judged(keys=keys))
    for line in lines:
        again.feed(line)
    return rows + again.rows()


def reported(rows: Iterable[Row], where: str, *days: date) -> list[dict[str, Any]]:
    """The figures of these days, from a store at ``where`` that holds the rows."""
    with open_store(where) as store:
        store.migrate()
        for row in rows:
            store.add(row)
        store.flush()
        return [gather(store.query, day, PACKS, ("US-KS", "US-MD", "US-OH")) for day in days]


@dataclass
class Night:
    """A simulated floor, what was said of it, where it is stored, and the figures of its days."""

    floor: Floor
    rows: list[Row]
    where: str
    days: list[dict[str, Any]]

    @property
    def sessions(self) -> list[dict[str, Any]]:
        return [row for day in self.days for row in day["sessions"]]

    def planted(self, name: str) -> Counter[str]:
        sums: Counter[str] = Counter()
        for wrong in self.floor.truth:
            sums[wrong.session] += getattr(wrong, name)
        return sums


def night(played: Floor, where: str) -> Night:
    rows = rows_of(played)
    return Night(played, rows, where, reported(rows, where, *played.days))


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """A week of all twenty games, nothing wrong."""
    return night(floor(fault_rate=0.0), str(tmp_path_factory.mktemp("honest") / "store"))


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """The same with wrongs planted, of money, of play and of the log."""
    return night(floor(fault_rate=0.15), str(tmp_path_factory.mktemp("faulty") / "store"))


# --- the money ----------------------------------------------------------------------------------------------------


def test_every_game_has_a_table_on_every_day(honest):
    assert [set(games.names())] * 7 == [{row["game"] for row in day["sessions"]} for day in honest.days]


def test_every_table_day_of_a_week_without_faults_reconciles_to_nought(honest):
    names = ("difference", "traced", "unverifiable", "unexplained", "unjudged", "findings")

    assert {row["session"]: [0] * len(names) for row in honest.sessions} == {
        row["session"]: [row[name] for name in names] for row in honest.sessions
    }


def test_every_table_day_of_a_week_with_faults_is_off_by_what_was_planted(faulty):
    """By the wrongs and by what a hole hides of the win; bets whose evidence is missing count by the table's word."""
    planted, hidden = faulty.planted("win"), faulty.planted("hidden")

    assert {row["session"]: planted[row["session"]] + hidden[row["session"]] for row in faulty.sessions} == {
        row["session"]: row["difference"] - row["unverifiable"] for row in faulty.sessions
    }


def test_without_faults_every_tray_changes_by_exchanges_bets_fills_credits_and_the_cut_alone(honest):
    trays = [tray for day in honest.days for tray in day["trays"]]

    assert {tray["session"]: tray["off"] for tray in trays if tray["off"]} == {}


def test_without_faults_what_is_taken_for_the_house_is_what_is_due(honest):
    cuts = [cut for day in honest.days for cut in day["cuts"]]

    assert [cut for cut in cuts if cut["off"] or cut["taken"] != cut["due"]] == []
    assert {"baccarat_banque", "chemin_de_fer", "circle_poker", "pai_gow_poker"} == {cut["game"] for cut in cuts}
    assert any(cut["taken"] for cut in cuts)


def test_the_win_is_drop_and_closing_and_credits_less_opening_and_fills(faulty):
    for row in faulty.sessions:
        assert row["drop"] + row["float_close"] + row["credits"] - row["float_open"] - row["fills"] == row["win"], row[
            "session"
        ]


def test_the_findings_trace_to_the_cent_what_was_planted_at_every_table(faulty):
    planted = faulty.planted("win")

    assert {row["session"]: planted[row["session"]] for row in faulty.sessions} == {
        row["session"]: row["traced"] for row in faulty.sessions
    }


def test_a_table_whose_log_has_no_hole_leaves_nothing_unexplained(faulty):
    holed = {wrong.session for wrong in faulty.floor.truth if wrong.fault in HOLES}
    whole = [row for row in faulty.sessions if row["session"] not in holed]

    assert whole
    assert {row["session"]: row["unexplained"] for row in whole if row["unexplained"]} == {}


def test_what_a_hole_in_the_log_hides_is_what_is_left_unexplained(faulty):
    hidden = faulty.planted("hidden")

    assert any(hidden.values())
    assert {row["session"]: hidden[row["session"]] for row in faulty.sessions} == {
        row["session"]: row["unexplained"] for row in faulty.sessions
    }


def test_difference_is_traced_and_unverifiable_and_unexplained(faulty):
    for row in faulty.sessions:
        assert row["difference"] == row["traced"] + row["unverifiable"] + row["unexplained"]
    lines = [line for day in faulty.days for line in day["trace"]]
    traced: Counter[str] = Counter()
    for line in lines:
        traced[line["session"]] += line["amount"]

    assert {row["session"]: row["traced"] + row["unverifiable"] for row in faulty.sessions} == {
        row["session"]: traced[row["session"]] for row in faulty.sessions
    }


@pytest.mark.parametrize("code", ["overpaid", "underpaid"])
def test_overpaid_and_underpaid_are_the_truth_by_table_game_dealer_and_hour(faulty, code):
    wanted = sum(w.amount for wrong in faulty.floor.truth for w in wrong.expected if w.code == code)

    assert wanted == sum(row[code] for row in faulty.sessions)
    for key in ("games", "dealers", "hours"):
        assert wanted == sum(row[code] for day in faulty.days for row in day["wrongly_paid"][key]), key


def test_pits_games_casinos_and_the_month_are_the_sums_of_the_tables(faulty):
    last = faulty.days[-1]
    of_the_day = sum(row["win"] for row in last["sessions"])

    for rows in last["scopes"].values():
        assert of_the_day == sum(row["win"] for row in rows)
    of_the_month = last["periods"]["month"]["scopes"]["casinos"]  # a row each currency
    assert sum(row["win"] for row in faulty.sessions) == sum(row["win"] for row in of_the_month)
    assert last["periods"]["month"]["scopes"] == last["periods"]["year"]["scopes"]


# --- hold and theory ----------------------------------------------------------------------------------------------


def test_boule_is_expected_to_keep_a_ninth_of_its_stakes(honest):
    """One number of nine loses every even chance, and a number is paid seven to one: an edge of 1/9 on all wagers."""
    for day in honest.days:
        (row,) = (row for row in day["scopes"]["games"] if row["game"] == "boule")

        assert row["compared_staked"] == row["staked"]
        assert round(Fraction(row["staked"], 9)) == row["theoretical_win"]


def test_wagers_without_exact_odds_are_named_and_left_out(honest):
    month = honest.days[-1]["periods"]["month"]["scopes"]["games"]
    (row,) = (row for row in month if row["game"] == "pai_gow_poker")
    left = {(row["game"], row["wager"]): row["reason"] for day in honest.days for row in day["wagers"]}

    assert (row["compared_staked"], row["left_out_share"], row["z"]) == (0, "100.00", "")
    assert left["pai_gow_poker", "main"] == "no_exact_odds"
    assert left["trente_et_quarante", "black"] == "odds_hang_on_play"
    assert left["boule", "red"] == ""


def test_hold_deviation_and_z_are_rounded_from_exact_figures():
    """Two thirds of a hundred; the root of two hundred; ten over the root of eight, and as much below."""
    assert (percent(2, 3), percent(-2, 3), percent(1, 0)) == ("66.67", "-66.67", "")
    assert (root(Fraction(200)), root(Fraction(0))) == (14, 0)
    assert (
        z_score(Fraction(10), Fraction(8)),
        z_score(Fraction(-10), Fraction(8)),
        z_score(Fraction(1), Fraction(0)),
    ) == ("3.54", "-3.54", "")


# --- thresholds of regulators -------------------------------------------------------------------------------------


def test_a_hold_four_points_under_last_years_is_to_be_investigated_in_kansas():
    """K.A.R. 112-108-51(c): a win of 12 per cent of the drop, where the year before had 16."""
    row = {"casino": "c", "game": "blackjack", "currency": "USD", "drop": 100_000_000, "win": 12_000_000}
    row |= {"compared_staked": 0, "left_out_staked": 0, "theoretical_win": 0, "deviation": 0}
    scopes = {"tables": [{**row, "table": "BJ01"}], "games": []}
    past = {"casino": "c", "table": "BJ01", "game": "blackjack", "currency": "USD", "dropped": 100, "won": 16}
    holds = {"year_before": [past], "month_before": [], "lifetime": [past]}

    (kansas,) = investigations(scopes, {"tables": [], "games": []}, holds, [jurisdiction("US-KS")])

    assert [(found["table"], found["passage"]) for found in kansas["found"]] == [("BJ01", "K.A.R. 112-108-51(c)")]
    assert [(found["hold"], found["against_hold"], found["beyond"], found["most"]) for found in kansas["found"]] == [
        ("12.00", "16.00", "-4.00", "3.00")
    ]


# --- streaks ------------------------------------------------------------------------------------------------------


def test_a_loaded_die_is_told_beside_what_its_process_won_and_what_an_alarm_needed(tmp_path):
    played = Floor(tables=1, hours=1, seed=2, first_day=FIRST, only=["craps"], cheats=["loaded-dice:face=6,heavier=4"])
    (figures,) = reported(rows_of(played, watching=WatchSettings(tables=1)), str(tmp_path / "store"), FIRST)
    nearest = figures["watched"][0]
    page = files(figures, wording("en"))["nightly-2026-11-23.html"].decode()

    assert {"dice_biased"} == {row["code"] for row in figures["streaks"]}
    assert (
        nearest["bets_on"],
        nearest["stands"],
        nearest["won"] > nearest["needed"],
    ) == ("dice_biased", "alarmed", True)
    assert f"<td>{nearest['process']}</td>" in page


# --- both engines -------------------------------------------------------------------------------------------------


@pytest.mark.clickhouse
@pytest.mark.xdist_group("clickhouse")
def test_a_server_gives_the_same_bytes_as_the_engine_in_process(clickhouse, tmp_path):
    """Debian's 18.16, where that is the server that is installed: no query of the report needs a newer one."""
    played = floor(fault_rate=0.3, days=2)
    rows = rows_of(played, watching=WatchSettings(tables=20))
    embedded = reported(rows, str(tmp_path / "store"), *played.days)
    served = reported(rows, new_database(clickhouse), *played.days)

    for ours, theirs in zip(embedded, served, strict=True):
        here, there = files(ours, wording("en")), files(theirs, wording("en"))
        assert list(here) == list(there)
        assert [name for name in here if here[name] != there[name]] == []


# --- late and missing days ----------------------------------------------------------------------------------------


def test_a_day_without_sessions_says_so(honest):
    (figures,) = reported([], honest.where, date(2026, 11, 20))
    page = files(figures, wording("en"))["nightly-2026-11-20.html"].decode()

    assert figures["state"] == "missing"
    assert "The store holds no session of 20 November 2026." in page


def test_tables_of_the_days_before_that_did_not_open_are_named(honest):
    (figures,) = reported([], honest.where, date(2026, 11, 30))

    assert {row["table"] for row in honest.days[0]["sessions"]} == {row["table"] for row in figures["late"]}
    assert {("no_session", "2026-11-29")} == {(row["problem"], row["last_seen"]) for row in figures["late"]}


@pytest.mark.parametrize(
    ("never_came", "problem", "sentence"),
    [
        ({"drop_counted"}, "drop_not_counted", "The drop is not counted yet."),
        ({"drop_counted", "table_closed"}, "still_open", "The session is still open."),
    ],
)
def test_a_late_day_says_what_is_not_there_yet_and_is_in_no_sum(tmp_path, never_came, problem, sentence):
    played = floor(fault_rate=0.0, hours=0.2, days=1, only=["boule"])
    (figures,) = reported(rows_of(played, without=frozenset(never_came)), str(tmp_path / "store"), FIRST)
    page = files(figures, wording("en"))["nightly-2026-11-23.html"].decode()

    (shown,) = next(part for part in sections(figures, wording("en")) if part.id == "tables").blocks[-1].rows

    assert ("late", [problem]) == (figures["state"], [row["problem"] for row in figures["late"]])
    assert sentence in page
    assert figures["scopes"]["casinos"] == []
    assert [shown[-number].text for number in (7, 4, 3, 2, 1)] == ["", "", "", "", ""]  # win, difference and its parts


# --- files --------------------------------------------------------------------------------------------------------


def test_currencies_keep_their_own_digits_and_are_never_summed(tmp_path):
    played = floor(fault_rate=0.0, hours=0.2, days=1, only=["boule", "sic_bo"])
    yen = msgspec.structs.replace(played.plans[1].setup, currency="JPY")
    played.plans[1] = played.plans[1]._replace(setup=yen)
    (figures,) = reported(rows_of(played), str(tmp_path / "store"), FIRST)
    made = files(figures, wording("en"))
    lines = made["nightly-2026-11-23-casinos.csv"].decode().splitlines()

    assert [row["currency"] for row in figures["scopes"]["casinos"]] == ["EUR", "JPY"]
    assert json.loads(made["nightly-2026-11-23.json"])["currencies"] == {"EUR": 2, "JPY": 0}
    assert [len(lines), 1 + len(figures["scopes"]["casinos"])] == [3, 3]
    wins = {row["currency"]: row["win"] for row in figures["scopes"]["casinos"]}
    assert [str(major(wins["EUR"], "EUR")), str(wins["JPY"])] == [
        line.split(",")[lines[0].split(",").index("win")] for line in lines[1:]
    ]


def test_amounts_are_written_with_the_sign_separators_and_digits_of_their_currency():
    words = wording("en")

    assert (
        words.money(123_450, "EUR").replace("JP", ""),
        words.money(-1_234, "JPY").replace("JP", ""),
        words.amount(1_234_567, "BHD"),
    ) == ("€1,234.50", "-¥1,234", "1,234.567")


def test_the_page_is_one_file_that_needs_nothing_from_outside(faulty):
    page = files(faulty.days[-1], wording("en"))["nightly-2026-11-29.html"].decode()

    assert page.startswith("<!doctype html>")
    assert not re.search(r'(?:src|href)\s*=\s*["\']|https?://|@import|url\(|<script', page)


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


CUT = """() => [...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth).length
    + [...document.querySelectorAll('svg text')].filter(e => e.getBBox().x < 0).length"""
"""How many tables are wider than their place, and how many words begin outside of their chart."""


@pytest.mark.chromium
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("media", "width_px"), [("screen", 1440), ("print", 1039)])
def test_nothing_is_cut_on_a_desktop_nor_on_a_sheet_of_a4(faulty, browser, language, media, width_px):
    """A4 across has 297 mm, 22 of them margin: 1039 px."""
    opened = browser.new_page(viewport={"width": width_px, "height": 900})
    opened.emulate_media(media=media)
    opened.set_content(files(faulty.days[-1], wording(language))["nightly-2026-11-29.html"].decode())
    cut, wide = opened.evaluate(CUT), opened.evaluate("() => document.documentElement.scrollWidth")
    opened.close()

    assert (cut, wide) == (0, width_px)


def test_the_page_can_be_signed(faulty):
    page = files(faulty.days[-1], wording("en"))["nightly-2026-11-29.html"].decode()

    assert {"Pit manager", "Cage and count room", "Audit"} <= set(re.findall(r'class="who">([^<]+)<', page))


def test_a_text_that_a_spreadsheet_would_run_is_written_as_text(faulty):
    figures = {
        **faulty.days[-1],
        "codes": [{"kind": "money", "code": "=1+1", "severity": "severe", "currency": "EUR", "times": 1, "amount": 5}],
    }
    made = files(figures, wording("en"))["nightly-2026-11-29-codes.csv"].decode()

    assert made.splitlines()[1] == "money,'=1+1,severe,EUR,1,0.05"


def sentences(language: str) -> dict[str, str]:
    """The sentences of a catalogue, without the codes of findings: a language need not have words of its own for
    those."""
    catalogue = wording(language).catalogue
    return {
        f"{section}.{key}": text
        for section, words in catalogue.items()
        if section != "code"
        for key, text in words.items()
    }


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_words_of_the_english_catalogue_with_the_same_places_to_fill_in(language):
    def places(catalogue):
        return {key: sorted(re.findall(r"\{\w*\}", text)) for key, text in catalogue.items()}

    assert places(sentences("en")) == places(sentences(language))


@pytest.mark.parametrize("language", sorted(set(languages()) - {"en"}))
def test_a_language_names_every_code_and_none_that_there_is_not(language):
    assert set(CODES) == set(wording(language).catalogue["code"])


@pytest.mark.parametrize(
    ("language", "title", "day"),
    [
        ("ca", "Conciliació de la jornada", "29 de novembre del 2026"),
        ("en", "Nightly reconciliation", "29 November 2026"),
        ("es", "Conciliación de la jornada", "29 de noviembre de 2026"),
    ],
)
def test_the_page_is_written_in_each_language_with_its_dates(faulty, language, title, day):
    page = files(faulty.days[-1], wording(language))["nightly-2026-11-29.html"].decode()

    assert f'<html lang="{language}">' in page
    assert f"<title>{title}, {day}</title>" in page


def test_amounts_are_written_with_the_separators_of_the_language():
    assert [wording(language).amount(123_450, "EUR") for language in ("en", "es", "ca")] == [
        "1,234.50",
        "1.234,50",
        "1.234,50",
    ]


def test_a_language_that_is_not_there_is_refused_by_name():
    with pytest.raises(WordsError, match="not written in 'tlh'"):
        wording("tlh")


# --- the command --------------------------------------------------------------------------------------------------


def command(*words: str):
    return CliRunner().invoke(app, ["report", "nightly", *words])


def test_the_command_writes_page_json_and_csv_and_ends_with_one_where_something_was_found(faulty, tmp_path):
    result = command("--store", faulty.where, "--date", "2026-11-29", "--to", str(tmp_path / "out"))

    assert result.exit_code == 1, result.output
    assert set(files(faulty.days[-1], wording("en"))) == {path.name for path in (tmp_path / "out").iterdir()}


def test_the_command_prints_the_figures_as_json_and_ends_with_nought_where_nothing_is_wrong(tmp_path):
    played = floor(fault_rate=0.0, hours=0.2, days=1, only=["boule"])
    reported(rows_of(played), str(tmp_path / "store"), FIRST)

    result = command(
        "--store", str(tmp_path / "store"), "--date", "2026-11-23", "--to", str(tmp_path / "out"), "--json"
    )

    assert result.exit_code == 0, result.output
    figures = json.loads(result.output)
    assert (figures["state"], figures["statements"]) == ("complete", {"log": "whole", "night": "clean"})


def test_a_day_of_which_there_is_nothing_is_refused_with_the_days_that_there_are(honest, tmp_path):
    for day in ("2026-11-22", "2026-12-05"):
        result = command("--store", honest.where, "--date", day, "--to", str(tmp_path / "out"))

        assert result.exit_code == 2
        assert f"the store has no session of {day}; it has 2026-11-23 to 2026-11-29" in result.output
        assert not (tmp_path / "out").exists()

        streaks = CliRunner().invoke(app, ["streaks", honest.where, "--date", day])
        assert streaks.exit_code == 2
        assert f"the store has no session of {day}; it has 2026-11-23 to 2026-11-29" in streaks.output
        assert "No alarm" not in streaks.output


def test_an_empty_store_has_no_day_at_all(tmp_path):
    reported([], str(tmp_path / "store"))

    result = command("--store", str(tmp_path / "store"), "--date", "2026-11-29", "--to", str(tmp_path / "out"))

    assert result.exit_code == 2
    assert "the store has no session of 2026-11-29; it has none at all" in result.output


# --- the two statements at the head -------------------------------------------------------------------------------


def said(figures: dict[str, Any]) -> list[tuple[str, str]]:
    """What the page says at its head of the log and of the night, and how it looks."""
    page = files(figures, wording("en"))[f"nightly-{figures['day']}.html"].decode()
    return [(what, look) for look, what in re.findall(r'<span class="state (\w+)">([^<]+)</span>', page)]


def test_a_night_without_faults_has_a_whole_log_and_is_clean(honest):
    for figures in honest.days:
        assert said(figures) == [("Log whole", "good"), ("Night clean", "good")]


def test_a_night_told_in_full_that_is_full_of_wrongs_is_not_called_clean(faulty):
    figures = dict(faulty.days[-1])
    figures["sessions"] = [{**row, **dict.fromkeys(BROKEN, 0)} for row in figures["sessions"]]
    figures["statements"] = statements(figures)

    assert said(figures) == [("Log whole", "good"), ("Night not clean", "severe")]


def test_a_night_with_holes_and_wrongs_says_both(faulty):
    assert any(row["gaps"] for row in faulty.days[-1]["sessions"])
    assert said(faulty.days[-1]) == [("Log not whole", "severe"), ("Night not clean", "severe")]


def test_a_night_of_which_a_table_is_not_counted_is_never_called_clean(honest):
    figures = {**honest.days[-1], "state": "late"}
    figures["statements"] = statements(figures)

    assert said(figures) == [("Log not complete yet", "warning"), ("Nothing found so far", "warning")]


def in_euros(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if row["currency"] == "EUR"]


def test_what_is_unexplained_is_told_gross_and_net(faulty):
    """What is over at one table does not make good what is missing at another."""
    figures = faulty.days[-1]
    left = [row["unexplained"] for row in in_euros(figures["sessions"]) if not row["problem"]]
    over, under = sum(max(each, 0) for each in left), sum(min(each, 0) for each in left)
    (casino,) = in_euros(figures["scopes"]["casinos"])

    assert over and under
    assert (casino["unexplained_over"], casino["unexplained_under"], casino["unexplained"]) == (
        over,
        under,
        over + under,
    )
    page = files(figures, wording("en"))["nightly-2026-11-29.html"].decode()
    assert f"Unexplained, EUR: +{over / 100:,.2f} and {under / 100:,.2f}, net {(over + under) / 100:+,.2f}." in page


def test_the_deviation_in_the_headline_says_of_how_much_it_is(faulty):
    figures = faulty.days[-1]
    (casino,) = in_euros(figures["scopes"]["casinos"])
    page = files(figures, wording("en"))["nightly-2026-11-29.html"].decode()

    assert f"<b>{casino['z']}</b>" in page.replace(' class=""', "")
    assert f"z, win against odds ({casino['left_out_share']} % of stakes left out)" in page


# --- CSV ----------------------------------------------------------------------------------------------------------

COUNTED = {
    *("round", "seq", "seat", "events", "rounds", "gaps", "conflicts", "duplicates", "rejected", "checkpoints_good"),
    *("checkpoints_bad", "bets", "unsettled", "unjudged", "findings", "table_days", "compared_bets", "times_over"),
    *("times_under", "times", "rounds_unverifiable", "rounds_unsealed", "bets_unjudged", "seen", "won", "needed"),
}
"""Whole numbers that are no money."""


def lists_of(figures: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Every list of the JSON, under the name of its CSV."""
    names = ("sessions", "failures", "late", "trace", "wagers", "cuts", "trays", "floats", "cash", "cash_of_players",
             "log", "codes", "findings", "streaks", "watched")  # fmt: skip
    found = {name: figures[name] for name in names}
    found["heads"] = (figures["heads"] or {"not_witnessed": []})["not_witnessed"]
    found |= figures["scopes"]
    for period in ("month", "year"):
        told = figures["periods"][period]
        found |= {f"{period}-{scope}": rows for scope, rows in told["scopes"].items()}
        found[f"{period}-incomplete"] = told["incomplete"]
    found |= {f"wrongly-paid-{key}": rows for key, rows in figures["wrongly_paid"].items()}
    found["heads"] = (figures["heads"] or {}).get("not_witnessed", [])
    found["investigations"] = [
        {"jurisdiction": place["jurisdiction"], **each}
        for place in figures["investigations"]
        for each in place["found"]
    ]
    return found


def test_every_number_of_every_csv_is_the_one_in_the_json_money_in_whole_units(faulty):
    for figures in faulty.days:
        made = files(figures, wording("en"))
        told = lists_of(json.loads(made[f"nightly-{figures['day']}.json"]))
        names = {name.removeprefix(f"nightly-{figures['day']}-")[:-4] for name in made if name.endswith(".csv")}
        assert names == set(told)
        for part, rows in told.items():
            read = list(csv.DictReader(made[f"nightly-{figures['day']}-{part}.csv"].decode().splitlines()))
            assert len(read) == len(rows)
            for line, row in zip(read, rows, strict=True):
                assert set(line) == set(row), part
                for name, value in row.items():
                    if isinstance(value, bool) or not isinstance(value, int):
                        continue
                    assert name in COUNTED or row.get("currency") in ("EUR", "USD"), (part, name)
                    expected = Decimal(value) if name in COUNTED else Decimal(value) / 100
                    assert Decimal(line[name]) == expected, (part, name)


def test_a_csv_without_a_row_says_what_it_would_hold(honest, faulty):
    """Under the names that it has where it holds something."""
    empty = files(honest.days[-1], wording("en"))
    full = {name: text for day in faulty.days for name, text in files(day, wording("en")).items()}
    for part in lists_of(honest.days[-1]):
        head = empty[f"nightly-2026-11-29-{part}.csv"].decode().splitlines()[0]
        assert len(head.split(",")) > 2
        for day in faulty.floor.days:
            assert full[f"nightly-{day}-{part}.csv"].decode().splitlines()[0] == head


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"--store": "nowhere"}, "nowhere"),
        ({"--lang": "tlh"}, "not written in 'tlh'"),
        ({"--jurisdiction": "US-XX"}, "US-XX"),
        ({"--date": "yesterday"}, "yesterday"),
    ],
)
def test_bad_input_is_one_clear_line_and_status_two(honest, tmp_path, changed, said):
    given = {"--store": honest.where, "--date": "2026-11-29", "--to": str(tmp_path / "out"), **changed}
    result = command(*(word for pair in given.items() for word in pair))

    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output
