"""The report's sections: which figures stand in which table or chart, in the words of a language.

A section is a title and blocks; a block is a note, a chart (SVG) or a table. A table's cells are text already, so that
the template decides nothing but how it looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from dashboards.nightly import charts
from dashboards.nightly.failing import FAILED
from dashboards.nightly.theory import hundredths, nearest
from dashboards.nightly.titles import title_in
from dashboards.nightly.words import Words

Figures = Mapping[str, Any]

MONEY: Final = frozenset(
    ("float_open", "float_close", "fills", "credits", "drop", "win", "win_by_rules", "difference", "traced",
     "unverifiable", "unexplained", "staked", "overpaid", "underpaid", "compared_staked", "left_out_staked",
     "compared_win", "theoretical_win", "deviation", "amount", "due", "taken", "off", "due_unreported",
     "taken_unjudged", "win_of_wrong_pay", "win_of_unsettled", "unexplained_over", "unexplained_under", "fees_due",
     "fees_taken", "exchanges", "play", "cut", "expected", "unjudged_staked", "cash_in", "cash_out", "markers",
     "markers_paid", "promo", "drop_expected")
)  # fmt: skip
"""Figures that are amounts of their row's currency."""
_COUNTS: Final = frozenset(
    ("bets", "rounds", "table_days", "times", "times_over", "times_under", "events", "gaps", "conflicts", "duplicates",
     "rejected", "checkpoints_good", "checkpoints_bad", "rounds_unverifiable", "rounds_unsealed", "bets_unjudged",
     "findings", "compared_bets", "unsettled", "unjudged", "seen", "wrongs", "findings_expected", "findings_made",
     "missed", "invented")
)  # fmt: skip
_PERCENT: Final = frozenset(("hold", "left_out_share", "against_hold"))
_POWERS: Final = frozenset(("won", "needed"))
"""Thousandths of a power of ten."""
FIGURES_AS_TEXT: Final = _PERCENT | {"z", "beyond", "most"}
"""Figures with two digits, worked out exactly and kept as text."""
_NAMED: Final = {
    "cause": "cause",
    "reason": "reason",
    "severity": "word",
    "bets_on": "code",
    "stands": "word",
}
"""Columns of names out of the data, and the section of the catalogue that may know a word for them."""
_SAID_OTHERWISE: Final = {"played": "table", "which": "table", "rule": "passage", "why": "text"}
_COMPARED: Final = frozenset(("compared_win", "theoretical_win", "deviation"))
"""Figures that there are none of where no bets have exact odds."""
_BAD_IF_ANY: Final = frozenset(
    (
        "unexplained",
        "gaps",
        "conflicts",
        "rejected",
        "checkpoints_bad",
        "off",
        "rounds_unverifiable",
        "rounds_unsealed",
        "missed",
        "invented",
    )
)

WIN: Final = ("float_open", "fills", "credits", "drop", "float_close", "win", "hold", "win_by_rules", "difference",
              "traced", "unverifiable", "unexplained")  # fmt: skip
_OF_A_WHOLE_DAY: Final = ("win", "hold", "difference", "traced", "unverifiable", "unexplained")
"""What says nothing before a table is closed and counted."""
WORTH: Final = ("drop", "win", "hold", "staked", "compared_staked", "left_out_share", "compared_win", "theoretical_win",
                "deviation", "z")  # fmt: skip
TO_DATE: Final = ("table_days", "drop", "win", "hold", "win_by_rules", "difference", "overpaid", "underpaid",
                  "compared_win", "theoretical_win", "deviation", "z")  # fmt: skip


SHOWN_OF_PLANTED: Final = 50
SHOWN_OF_WATCHED: Final = 15
"""So many lines of a long list are on the page; all are in JSON and CSV."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: what it says, whether it is a figure, and how it looks (``bad``, ``strong`` or nothing)."""

    text: str
    figure: bool = False
    look: str = ""
    below: str = ""
    """A second line, in small."""


@dataclass(frozen=True, slots=True)
class Block:
    """A note, a chart or a table of a section; what is empty is not there."""

    note: str = ""
    svg: str = ""
    caption: str = ""
    heads: Sequence[Cell] = ()
    rows: Sequence[Sequence[Cell]] = ()
    total: Sequence[Cell] = ()


@dataclass(slots=True)
class Section:
    """A part of the report."""

    id: str
    title: str
    blocks: list[Block] = field(default_factory=list)


class Writer:
    """Writes figures in the words of one language."""

    def __init__(self, words: Words, titles: Mapping[str, Any]) -> None:
        """``titles``: what games are called, of `titles_of`."""
        self.words = words
        self.titles = titles

    def game(self, name: str) -> str:
        """What a game is called in this language."""
        return title_in(self.words.language, name, self.titles)

    def cell(self, name: str, row: Figures) -> Cell:
        """The figure of this name in a row. ``played``: the table, and what is played there by which rules;
        ``which``: the table, or all of them; ``rule``: the passage, on one line; ``why``: the text."""
        value, words = row[_SAID_OTHERWISE.get(name, name)], self.words
        if value is None or (name in _COMPARED and not row["compared_staked"]):
            return Cell("", True)
        if name in MONEY:
            look = "bad" if name in _BAD_IF_ANY and value else "strong" if name == "win" else ""
            return Cell(words.amount(value, row["currency"]), True, look)
        if name in _COUNTS:
            return Cell(words.number(value), True, "bad" if name in _BAD_IF_ANY and value else "")
        if name in _PERCENT:
            return Cell(words.percent(value), True)
        if name in _POWERS:
            return Cell(words.decimal(hundredths(nearest(Fraction(value, 10)))), True)
        if name == "z":
            far = value.lstrip("-") not in ("",) and abs(int(value.replace(".", ""))) > 300
            return Cell(words.decimal(value), True, "bad" if far else "")
        if name == "at":
            return Cell(words.moment(value))
        if name == "whole":
            return Cell(words("word.yes" if value else "word.no"), False, "good" if value else "bad")
        if name in ("round", "seq", "seat"):
            return Cell("" if value in (0, -1, None) else str(value), True)
        if name == "game":
            return Cell(self.game(value))
        if name == "wager":
            return Cell(value.replace("_", " "))
        if name in _NAMED:
            return Cell(words.named(_NAMED[name], value) if value else "", False, f"tag {value}" * (name == "severity"))
        if name in ("opened_at", "closed_at", "hour"):
            return Cell(words.moment(value))
        if name in ("passage", "code"):
            return Cell(words.named("code", value) if name == "code" else value, False, name)
        if name == "played":
            rules = row["rules"].replace("-", "\N{NON-BREAKING HYPHEN}")
            below = f"{self.game(row['game'])}, {rules}"
            return Cell(value, False, "strong", f"{below}; {words('word.failed')}" if row["failed"] else below)
        if name == "which":
            return Cell(value or words("word.all_tables"), False, "strong whole")
        if name == "rule":
            return Cell(value, False, "whole")
        return Cell(str(value), False, "strong" if name == "table" else "")

    def table(
        self, names: Sequence[str], rows: Iterable[Figures], *, caption: str = "", total: Figures | None = None
    ) -> Block:
        """Rows of figures as a table; ``total``: a last row, whose first cell says so."""
        heads = [
            Cell(
                self.words(f"column.{name}"),
                name in MONEY | _COUNTS | _PERCENT | _POWERS or name in ("z", "round", "seq", "seat"),
            )
            for name in names
        ]
        made = [[self.cell(name, row) for name in names] for row in rows]
        last: list[Cell] = []
        if total is not None:
            last = [self.cell(name, total) if name in total else Cell("") for name in names]
            last[0] = Cell(self.words("page.total"), False, "strong")
        return Block(caption=caption, heads=heads, rows=made, total=last)

    def by_currency(
        self, names: Sequence[str], rows: Sequence[Figures], *, caption: str = "", totals: Sequence[Figures] = ()
    ) -> list[Block]:
        """A table for each currency, with its total where one currency's rows are all of one casino."""
        blocks = []
        for currency in sorted({row["currency"] for row in rows}):
            mine = [row for row in rows if row["currency"] == currency]
            total = [row for row in totals if row["currency"] == currency]
            said = self.words("page.in_currency", currency=currency)
            only = total[0] if len(total) == 1 and len(mine) > 1 else None
            blocks.append(self.table(names, mine, caption=f"{caption} {said}".strip(), total=only))
        return blocks

    def note(self, key: str, **filled: Any) -> Block:
        """A sentence of the catalogue."""
        return Block(note=self.words(key, **filled))


def sections(figures: Figures, words: Words) -> list[Section]:
    """All sections of a night of which there are sessions, in order; of another, what is missing alone."""
    writer = Writer(words, figures["titles"])
    made = [_attention(figures, writer)]
    if "planted" in figures:
        made.append(_planted(figures["planted"], writer))
    if figures["sessions"]:
        made += [
            _tables(figures, writer),
            _scopes(figures, writer),
            _trace(figures, writer),
            _theory(figures, writer),
            _wrongly_paid(figures, writer),
            _cuts(figures, writer),
            _trays(figures, writer),
        ]
        if figures["cash"] or figures["cash_of_players"]:
            made.append(_cash(figures, writer))
    if figures["periods"]["year"]["days"]:
        made += [_period(figures, writer, name) for name in ("month", "year")]
    if figures["sessions"]:
        made += [_log(figures, writer)]
    made += [_streaks(figures, writer)]
    if figures["sessions"]:
        made += [_findings(figures, writer)]
    return made


def _section(writer: Writer, name: str) -> Section:
    return Section(name, writer.words(f"section.{name}"))


def _attention(figures: Figures, writer: Writer) -> Section:
    words, section = writer.words, _section(writer, "attention")
    said: list[str] = []
    for failed in figures["failures"]:
        work, game = words(f"work.{failed['work']}"), writer.game(failed["game"])
        said.append(words("attention.failed", table=failed["table"], game=game, work=work, error=failed["error"]))
    for late in figures["late"]:
        day = words.day(late["last_seen"]) if late["last_seen"] else ""
        problem = words(f"problem.{late['problem']}", day=day)
        game = writer.game(late["game"])
        said.append(words("problem.text", table=late["table"], game=game, problem=problem))
    for row in figures["scopes"]["games"]:
        if row["z"] and abs(int(row["z"].replace(".", ""))) > 300:
            left_out = words.percent(row["left_out_share"])
            said.append(
                words("attention.z", game=writer.game(row["game"]), z=words.decimal(row["z"]), left_out=left_out)
            )
    for row in figures["floats"]:
        differs = words.money(row["off"], row["currency"])
        said.append(words("attention.float", table=row["table"], off=differs, before=row["session_before"]))
    if figures["cash_of_players"]:
        said.append(words("attention.cash", count=words.number(len(figures["cash_of_players"]))))
    severe = [row for row in figures["codes"] if row["severity"] == "severe"]
    if severe:
        codes = ", ".join(f"{words.named('code', row['code'])} {words.number(row['times'])}" for row in severe)
        said.append(words("attention.severe", count=sum(row["times"] for row in severe), codes=codes))
    if figures["streaks"]:
        said.append(words("attention.streaks", count=len(figures["streaks"])))
    for place in figures["investigations"]:
        if place["found"]:
            what = sorted({found["table"] or writer.game(found["game"]) for found in place["found"]})
            count = words.number(len(place["found"]))
            said.append(words("attention.investigate", jurisdiction=place["title"], count=count, what=", ".join(what)))
    names = ("table", "game", "difference", "traced", "unverifiable", "unexplained", "gaps", "conflicts", "rejected",
             "checkpoints_bad")  # fmt: skip
    off = [row for row in figures["sessions"] if not row["problem"] and any(row[name] for name in names[4:])]
    if not said and not off:
        said = [words("attention.nothing")]
    section.blocks = [Block(note=text) for text in said]
    section.blocks += writer.by_currency(names, off, caption=words("attention.off"))
    return section


def _planted(planted: Figures, writer: Writer) -> Section:
    """What a simulation planted, and what was found of it."""
    section, words = _section(writer, "planted"), writer.words
    counts = {
        "wrongs": planted["wrongs"],
        "findings_expected": planted["expected"],
        "findings_made": planted["found"],
        "missed": len(planted["missed"]),
        "invented": len(planted["invented"]),
    }
    by_fault = ", ".join(f"{name.replace('_', ' ')} {words.number(times)}" for name, times in planted["by_fault"])
    section.blocks = [writer.note("note.planted"), writer.table(tuple(counts), [counts])]
    section.blocks += [Block(note=line) for line in [*planted["missed"], *planted["invented"]][:SHOWN_OF_PLANTED]]
    section.blocks.append(Block(note=by_fault))
    return section


def _tables(figures: Figures, writer: Writer) -> Section:
    section = _section(writer, "tables")
    section.blocks = [writer.note("note.win"), writer.note("note.difference")]
    late = [row["session"] for row in figures["sessions"] if row["problem"] not in ("", FAILED)]
    if late:
        section.blocks.append(writer.note("note.complete_only"))
    if any(row["problem"] == FAILED for row in figures["sessions"]):
        section.blocks.append(writer.note("note.failed"))
    rows = [{**row, **dict.fromkeys(_OF_A_WHOLE_DAY)} if row["session"] in late else row for row in figures["sessions"]]
    section.blocks += writer.by_currency(("played", "pit", *WIN), rows, totals=figures["scopes"]["casinos"])
    for currency in sorted({row["currency"] for row in figures["sessions"]}):
        rows = [row for row in figures["sessions"] if row["currency"] == currency and not row["problem"]]
        if rows:
            section.blocks.append(_chart(writer, "win", charts.bars, currency, [
                (f"{row['table']} {writer.game(row['game'])}", row["win"], row["win_by_rules"])
                for row in rows
            ]))  # fmt: skip
    return section


def _chart(
    writer: Writer,
    name: str,
    draw: Callable[[Sequence[Any], Callable[[int], str], str], str],
    currency: str,
    rows: Sequence[Any],
) -> Block:
    words = writer.words
    title = words(f"chart.{name}")
    said = f"{title}. {words('page.in_currency', currency=currency)}"
    return Block(svg=draw(rows, lambda amount: words.amount(amount, currency), title), caption=said)


def _scopes(figures: Figures, writer: Writer) -> Section:
    section, scopes = _section(writer, "scopes"), figures["scopes"]
    for scope, name in (("pits", "pit"), ("games", "game"), ("casinos", "casino")):
        section.blocks += writer.by_currency((name, "table_days", *WIN), scopes[scope])
    if not section.blocks:
        section.blocks = [writer.note("page.no_rows")]
    return section


def _trace(figures: Figures, writer: Writer) -> Section:
    section, words = _section(writer, "trace"), writer.words
    lines = []
    for table in figures["sessions"]:
        mine = [line for line in figures["trace"] if line["session"] == table["session"]]
        lines += [
            {**line, "text": words("note.unverifiable_round")} if line["cause"] == "unverifiable" else line
            for line in mine
        ]
        if table["unexplained"] and not table["problem"]:
            holes = table["gaps"] + table["conflicts"] + table["rejected"] + table["checkpoints_bad"]
            text = words("note.unexplained_holes" if holes else "note.unexplained")
            nothing = {"round": 0, "seat": -1, "bet": "", "seq": 0, "dealer": "", "passage": ""}
            lines.append(
                {**nothing, "table": table["table"], "currency": table["currency"], "cause": "unexplained",
                 "amount": table["unexplained"], "text": text}
            )  # fmt: skip
    if not lines:
        section.blocks = [writer.note("note.trace_none")]
        return section
    names = ("table", "round", "seat", "bet", "seq", "dealer", "cause", "amount", "text", "passage")
    totals = [
        {"currency": currency, "amount": sum(line["amount"] for line in lines if line["currency"] == currency)}
        for currency in sorted({line["currency"] for line in lines})
    ]
    section.blocks = [writer.note("note.trace"), *writer.by_currency(names, lines, totals=totals)]
    return section


def _theory(figures: Figures, writer: Writer) -> Section:
    section, scopes, words = _section(writer, "theory"), figures["scopes"], writer.words
    section.blocks = [writer.note("note.theory")]
    for currency in sorted({row["currency"] for row in scopes["games"]}):
        rows = [
            (writer.game(row["game"]), row["compared_win"], row["theoretical_win"], row["deviation"])
            for row in scopes["games"]
            if row["currency"] == currency and row["compared_staked"]
        ]
        if rows:
            section.blocks.append(_chart(writer, "theory", charts.bands, currency, rows))
    section.blocks += writer.by_currency(("game", *WORTH), scopes["games"], totals=scopes["casinos"])
    section.blocks += writer.by_currency(("table", "game", *WORTH), scopes["tables"], totals=scopes["casinos"])
    section.blocks += writer.by_currency(("pit", *WORTH), scopes["pits"])
    left_out = [row for row in figures["wagers"] if row["reason"]]
    if left_out:
        shares = " / ".join(words.percent(row["left_out_share"]) for row in scopes["casinos"])
        section.blocks.append(writer.note("note.left_out", share=shares))
        section.blocks += writer.by_currency(("game", "wager", "bets", "staked", "reason"), left_out)
    compared = [row for row in figures["wagers"] if not row["reason"]]
    section.blocks += writer.by_currency(
        ("game", "wager", "bets", "staked", "assumes"), compared, caption=words("note.assumes") + "."
    )
    return section


def _wrongly_paid(figures: Figures, writer: Writer) -> Section:
    section, words = _section(writer, "wrongly_paid"), writer.words
    section.blocks = [writer.note("note.wrongly_paid")]
    names = ("bets", "overpaid", "times_over", "underpaid", "times_under")
    hours = figures["wrongly_paid"]["hours"]
    for currency in sorted({row["currency"] for row in hours}):
        rows = [
            (words.moment(row["name"]), row["overpaid"], row["underpaid"])
            for row in hours
            if row["currency"] == currency
        ]
        section.blocks.append(_chart(writer, "hours", charts.columns, currency, rows))
    for key, name in (("games", "game"), ("dealers", "dealer"), ("hours", "hour")):
        wrong = [
            {**row, name: row["name"]}
            for row in figures["wrongly_paid"][key]
            if row["times_over"] or row["times_under"]
        ]
        section.blocks += writer.by_currency((name, *names), wrong, caption=words(f"note.{key}") + ".")
    return section


def _cuts(figures: Figures, writer: Writer) -> Section:
    section = _section(writer, "cuts")
    if not figures["cuts"]:
        section.blocks = [writer.note("note.cuts_none")]
        return section
    section.blocks = [writer.note("note.cuts")]
    names = (
        "table",
        "game",
        "due",
        "taken",
        "off",
        "due_unreported",
        "taken_unjudged",
        "fees_due",
        "fees_taken",
        "findings",
    )
    section.blocks += writer.by_currency(names, figures["cuts"])
    return section


def _trays(figures: Figures, writer: Writer) -> Section:
    section = _section(writer, "trays")
    section.blocks = [writer.note("note.trays")]
    names = ("table", "float_open", "fills", "credits", "exchanges", "play", "cut", "expected", "float_close", "off")
    section.blocks += writer.by_currency(names, [row for row in figures["trays"] if not row["problem"]])
    if figures["floats"]:
        carried = ("table", "session_before", "float_close", "float_open", "off")
        section.blocks += writer.by_currency(carried, figures["floats"], caption=writer.words("note.floats"))
    return section


def _cash(figures: Figures, writer: Writer) -> Section:
    section = _section(writer, "cash")
    names: tuple[str, ...] = ("table", "cash_in", "cash_out", "markers", "markers_paid", "promo", "drop_expected",
                              "drop", "off")  # fmt: skip
    section.blocks = [writer.note("note.cash"), *writer.by_currency(names, figures["cash"])]
    if figures["cash_of_players"]:
        names = ("player", "cash_in", "cash_out", "times", "rule")
        caption = writer.words("note.cash_of_players")
        section.blocks += writer.by_currency(names, figures["cash_of_players"], caption=caption)
    return section


def _period(figures: Figures, writer: Writer, name: str) -> Section:
    section, period, words = _section(writer, name), figures["periods"][name], writer.words
    first, last = words.day(period["first"]), words.day(period["last"])
    section.blocks = [writer.note("note.period", first=first, last=last, days=words.number(period["days"]))]
    if period["incomplete"]:
        tables = ", ".join(f"{row['table']} ({words.day(row['day'])})" for row in period["incomplete"])
        section.blocks.append(writer.note("note.period_incomplete", tables=tables))
    if period["without_odds"]:
        tables = ", ".join(f"{row['table']} ({words.day(row['day'])})" for row in period["without_odds"])
        section.blocks.append(writer.note("note.period_without_odds", tables=tables))
    scopes = period["scopes"]
    for scope, key in (("games", "game"), ("pits", "pit"), ("tables", "table")):
        section.blocks += writer.by_currency((key, *TO_DATE), scopes[scope], totals=scopes["casinos"])
    return section


def _log(figures: Figures, writer: Writer) -> Section:
    section = _section(writer, "log")
    section.blocks = [writer.note("note.log")]
    names = ("table", "opened_at", "closed_at", "events", "rounds", "gaps", "conflicts", "duplicates", "rejected",
             "checkpoints_good", "checkpoints_bad", "rounds_unverifiable", "rounds_unsealed", "bets_unjudged",
             "whole")  # fmt: skip
    section.blocks.append(writer.table(names, figures["log"]))
    section.blocks += _heads(figures["heads"], writer)
    if figures["lines_that_name_no_session"]:
        count = writer.words.number(figures["lines_that_name_no_session"])
        section.blocks.append(writer.note("note.lines_that_name_no_session", count=count))
    return section


def _heads(heads: Mapping[str, Any] | None, writer: Writer) -> list[Block]:
    """Whether witnesses have signed the heads of the nights before; nothing where nobody asked, or there are none."""
    if heads is None or not heads["last"]:
        return []
    if not heads["not_witnessed"]:
        return [writer.note("note.heads_witnessed", night=writer.words.day(heads["last"]))]
    nights = ", ".join(writer.words.day(row["day"]) for row in heads["not_witnessed"])
    return [writer.note("note.heads_not_witnessed", nights=nights)]


def _streaks(figures: Figures, writer: Writer) -> Section:
    section = _section(writer, "streaks")
    if figures["streaks"]:
        section.blocks = [
            writer.table(("table", "game", "round", "seq", "severity", "code", "text"), figures["streaks"])
        ]
    else:
        section.blocks = [writer.note("note.streaks_none")]
    if figures["watched"]:
        names = ("table", "game", "process", "bets_on", "seen", "won", "needed", "stands")
        section.blocks.append(writer.note("note.watched", count=writer.words.number(len(figures["watched"]))))
        section.blocks.append(writer.table(names, figures["watched"][:SHOWN_OF_WATCHED]))
    for place in figures["investigations"]:
        if place["found"]:
            caption = writer.words("note.investigations", jurisdiction=place["title"])
            section.blocks.append(writer.table(("which", "game", "rule", "why"), place["found"], caption=caption))
        else:
            section.blocks.append(writer.note("note.investigations_none", jurisdiction=place["title"]))
    return section


def _findings(figures: Figures, writer: Writer) -> Section:
    section = _section(writer, "findings")
    if not figures["findings"]:
        section.blocks = [writer.note("page.no_rows")]
        return section
    words = writer.words
    names = ("at", "table", "round", "seq", "seat", "severity", "code", "amount", "text", "passage")
    rows = []
    for row in figures["codes"]:
        amount = f" · {words.money(row['amount'], row['currency'])}" if row["amount"] else ""
        text = f"{words.number(row['times'])}{amount}"
        rows.append((words.named("code", row["code"]), row["times"], row["severity"], text))
    section.blocks = [
        Block(svg=charts.lengths(rows, words("note.codes")), caption=words("note.codes") + "."),
        writer.note("note.findings"),
        *writer.by_currency(names, figures["findings"]),
    ]
    return section
