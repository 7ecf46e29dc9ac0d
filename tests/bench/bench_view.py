"""How soon the viewer shows a session of ten thousand events, and how long a step on takes: page made, store included.

Processor time stands beside the clock's, for a machine that does other things as well.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from streams.store import open_store
from streams.view.archive import Archive
from streams.view.pages import Pages
from tests.installed import JUDGING
from tests.viewer import night

HOURS: Final = 5.5
"""Of boule: about ten thousand events."""


def view() -> Iterator[str]:
    """First sight of a session, a step, the next round, the round before."""
    with tempfile.TemporaryDirectory() as folder:
        where = night(Path(folder), "--game", "boule", "--tables", 1, "--hours", HOURS)
        with open_store(str(where), create=False) as store:
            pages = Pages(Archive(store, str(where), JUDGING), str(where))
            [row] = store.query("SELECT session, events FROM sessions_current")
            for what, path, asked in (
                ("the session's page", "/session", {}),
                ("its first round", "/round", {}),
                ("a step on", "/round", {"round": "1", "step": "2", "part": "step"}),
                ("the next round", "/round", {"round": "2"}),
                ("a round far on", "/round", {"round": "150"}),
                ("the round before", "/round", {"round": "149"}),
            ):
                wall, own = time.perf_counter(), time.process_time()
                pages.page(path, {"session": row["session"], **asked})
                wall, own = time.perf_counter() - wall, time.process_time() - own
                yield f"{what} ({row['events']:,} events): {1000 * wall:,.0f} ms, {1000 * own:,.0f} ms of processor"
