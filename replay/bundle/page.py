"""The page of an evidence bundle: what a regulator reads first. One file, nothing from outside.

What it tells is what the verdicts say, and is checked like them: the verifier makes it anew and compares. Around that
lies a frame, which is the same in every bundle: a second verifier, in JavaScript (`replay.bundle.verifier`). The frame
may change when retally does, and no bundle is worth less for it; so of a frame it is asked whether retally ever made
it (`KNOWN_FRAMES`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final

from replay.bundle import verifier
from replay.bundle.verifier import Frame
from replay.forensics import Step
from replay.money import shown
from replay.results import Finding, Round, SessionSummary, Settlement, Verdict

_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_FINE: Final = frozenset({Verdict.MATCH, Verdict.WITHDRAWN, Verdict.UNCLAIMED})
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_STYLE_OF_FORMAT_3: Final = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2.5rem}h3{font-size:1rem;margin-bottom:.3rem}
table{border-collapse:collapse;margin:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.2rem .9rem .2rem 0;border-bottom:1px solid #8884}
td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
code{font:.85em ui-monospace,monospace;overflow-wrap:anywhere}
.wide{overflow-x:auto}
"""


def escape(text: object) -> str:
    """Text fit to stand anywhere in the page.

    >>> escape("<b> & 'c'")
    '&lt;b&gt; &amp; &#39;c&#39;'
    """
    return str(text).translate(_ESCAPES)


KNOWN_FRAMES: Final = frozenset(
    {
        "3a0ee8e2220cbf69d40865d319616dd7e61c4a396e63cd47ef5b8c37c89a3ad4",
        "5456a3f89d2d1d4781d19329d7c6319a99356cf7d5c464ce260bad9ca4c6d836",
    }
)
"""The digests of all frames (`Frame.digest`) in which pages were ever given out. One is added when a file of the frame
changes, and none is taken out."""


@cache
def frame() -> Frame:
    """The frame of the pages that are made now."""
    return verifier.frame()


def page(scope: str, sections: list[str], seal: str, around: Frame | None = None) -> str:
    """The whole page; ``seal``: where the sessions were sealed, in words, empty where they were not; ``around``: the
    frame, that of now where none is given."""
    around = around or frame()
    told = (
        f"<h1>Evidence: {escape(scope)}</h1>",
        "<p>From here on this page says what the verdicts in the bundle say. It proves nothing by itself: "
        "<code>retally evidence verify</code> with this bundle does, on any computer, without a network. "
        "It recomputes every verdict from the events, and every seal from their bytes.</p>",
        _sealed(seal),
        *sections,
    )
    return around.before + "\n".join(told) + around.after


def frame_of(text: str) -> Frame | None:
    """The frame of a page, whatever it tells; None where it has none."""
    start, end = text.find(_BEGINS), text.rfind(_ENDS)
    if start < 0 or end < start + len(_BEGINS):
        return None
    return Frame(text[: start + len(_BEGINS)], text[end:])


_BEGINS: Final = "\n<main>\n"
_ENDS: Final = "\n</main>\n"


def verifier_page() -> str:
    """The frame by itself, for whoever wants to have the second verifier before there is a bundle."""
    told = "<p>There is no evidence in this page. It is the verifier that is in every bundle's page, by itself.</p>"
    return frame().before + told + frame().after


def page_of_format_3(scope: str, sections: list[str], seal: str) -> str:
    """The page as it was before there was a verifier in it."""
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            f'<head><meta charset="utf-8"><title>Evidence: {escape(scope)}</title>',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<style>{_STYLE_OF_FORMAT_3}</style></head>",
            "<body>",
            f"<h1>Evidence: {escape(scope)}</h1>",
            "<p>This page says what the verdicts beside it say. It proves nothing by itself: "
            "<code>retally evidence verify</code> with this bundle does, on any computer, without a network. "
            "It recomputes every verdict from the events, and every seal from their bytes.</p>",
            _sealed(seal),
            *sections,
            "</body>",
            "</html>",
            "",
        )
    )


def _sealed(seal: str) -> str:
    return f"<p>Sealed: <code>{escape(seal)}</code></p>" if seal else "<p>It is not here where these were sealed.</p>"


def section(folder: str, summary: SessionSummary, rows: list[Any], steps: tuple[Step, ...], rules: str) -> str:
    """One session: what it was, what was found, every bet that did not come out as it should (every one of a single
    round), and the steps of a single round."""
    currency = summary.currency or "?"
    findings = [row for row in rows if isinstance(row, Finding)]
    settlements = [row for row in rows if isinstance(row, Settlement)]
    told = [row for row in settlements if steps or row.verdict not in _FINE]
    rounds = [row for row in rows if isinstance(row, Round)]
    parts = [
        f"<h2>{escape(summary.session)}</h2>",
        f"<p>{escape(summary.game)} at table {escape(summary.table)}, pit {escape(summary.pit)}, "
        f"{escape(summary.casino)}, gaming day {escape(summary.gaming_day)}, {_judged(rules, summary.law)}. "
        f"{_count(summary.events, 'event')}; here: {_count(len(rounds), 'round')}, {_count(len(settlements), 'bet')}, "
        f"{_count(len(findings), 'finding')}. "
        f"Events: <code>{escape(folder)}/events.jsonl</code>; verdicts: <code>{escape(folder)}/verdicts.jsonl</code>."
        "</p>",
    ]
    if findings:
        parts.append("<h3>Findings</h3>")
        parts += _table(
            ("event", "round", "finding", "what", "passage"),
            ((row.seq, row.round, row.code, row.text, row.passage) for row in findings),
        )
    else:
        parts.append("<p>Nothing was found.</p>")
    if told:
        parts.append("<h3>Bets</h3>" if steps else "<h3>Bets that did not come out as they should</h3>")
        parts += _table(
            ("round", "bet", "wager", "stake", "due: paid + returned", "handed over", "verdict", "passage"),
            (
                (
                    row.round,
                    row.bet,
                    f"{row.wager} {row.pick}".strip(),
                    shown(row.stake, currency),
                    _sum(row.paid, row.returned, currency),
                    _sum(row.claimed_paid, row.claimed_returned, currency),
                    row.verdict.value,
                    row.passage,
                )
                for row in told
            ),
        )
    if steps:
        parts.append("<h3>Events of the round</h3>")
        parts += _table(
            ("event", "at (UTC)", "what", "the table after it"),
            ((step.seq, _time(step.at_us), step.text, _lying(step)) for step in steps),
        )
    return "\n".join(parts)


def _judged(rules: str, law: str) -> str:
    """By which law, and the digest of its texts."""
    return f"judged by {escape(rules)} (<code>{escape(law)}</code>)" if law else f"{escape(rules)}, judged by no rules"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _table(heads: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> list[str]:
    lines = ['<div class="wide"><table>', "<tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>"]
    for row in rows:
        cells = "".join(
            f'<td class="n">{value}</td>' if isinstance(value, int) else f"<td>{escape(value)}</td>" for value in row
        )
        lines.append(f"<tr>{cells}</tr>")
    lines.append("</table></div>")
    return lines


def _sum(paid: int | None, returned: int | None, currency: str) -> str:
    if paid is None or returned is None:
        return "not known"
    return f"{shown(paid, currency)} + {shown(returned, currency)}"


def _lying(step: Step) -> str:
    return "; ".join(
        f"{place}: {' '.join(what) if isinstance(what, list) else what}" for place, what in step.table.items()
    )


def _time(at_us: int) -> str:
    return (_EPOCH + timedelta(microseconds=at_us)).strftime("%H:%M:%S.%f")
