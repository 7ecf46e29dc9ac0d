"""Brings a database to the schema that this program knows: numbered SQL, in order, each once."""

from __future__ import annotations

import hashlib
import logging
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final, Literal

from streams.store.engine import Engine, version_of
from streams.store.errors import StoreError
from streams.store.literals import bind

PACKAGE: Final = "deploy.clickhouse"
_FILE: Final = re.compile(r"(\d{4})_(\w+)\.sql")
_REQUIRES: Final = re.compile(r"^-- requires: ([\d.]+)\s*$", re.MULTILINE)
_LEDGER: Final = "schema_migrations"
_ADDS_A_COLUMN: Final = re.compile(r"ALTER TABLE \w+ ADD COLUMN \w+ \w+(?: AFTER \w+)?")
_COLUMN_IS_THERE: Final = frozenset({15, 44})
"""What an engine answers to a column that is there already: a current one, and 18.16, which knows no ADD COLUMN IF NOT
EXISTS."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered file of the schema; ``requires`` is the oldest engine that understands it, empty for any."""

    number: int
    name: str
    requires: str
    statements: tuple[str, ...]
    checksum: str
    """SHA-256 of the statements; comments and line breaks do not count."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """What became of one migration: ``applied`` now, ``present`` already, or ``skipped``; ``notice`` says why."""

    number: int
    name: str
    state: Literal["applied", "present", "skipped"]
    notice: str = ""


def parse(number: int, name: str, text: str) -> Migration:
    """The migration in a file's ``text``.

    >>> parse(7, "more", "-- requires: 22.8\\nSELECT 1;\\n").statements
    ('SELECT 1',)
    """
    requires = _REQUIRES.search(text)
    bare = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("--"))
    pieces = (" ".join(piece.split()) for piece in re.split(r";[ \t]*(?:\n|$)", bare))
    statements = tuple(piece for piece in pieces if piece)
    checksum = hashlib.sha256(";\n".join(statements).encode()).hexdigest()
    return Migration(number, name, requires[1] if requires else "", statements, checksum)


@cache
def known() -> tuple[Migration, ...]:
    """The migrations that come with the program, in order."""
    found = []
    for file in resources.files(PACKAGE).iterdir():
        if named := _FILE.fullmatch(file.name):
            found.append(parse(int(named[1]), named[2], file.read_text(encoding="utf-8")))
    found.sort(key=lambda migration: migration.number)
    assert found, "the schema is part of the program"
    assert [each.number for each in found] == list(range(1, len(found) + 1)), "numbers without holes"
    return tuple(found)


def migrate(engine: Engine, migrations: Sequence[Migration]) -> tuple[Migrated, ...]:
    """Apply to ``engine`` what it has not had of ``migrations``, and say what became of each.

    Raises:
        StoreError: a migration fails; the database has had one under this number with other statements; or it has had
            one that is not known here, because a newer retally made it.
    """
    had = _had(engine)
    newest = migrations[-1].number
    if had and max(had) > newest:
        raise StoreError(
            f"a newer retally made this store: it has had migration {max(had)}, and this one knows them up to {newest}"
        )
    return tuple(_one(engine, migration, had.get(migration.number)) for migration in migrations)


def _had(engine: Engine) -> dict[int, str]:
    """The checksums of the migrations that the database has had, by number."""
    if not engine.select(f"EXISTS TABLE {_LEDGER}").data[0][0]:
        return {}
    ledger = engine.select(f"SELECT number, checksum FROM {_LEDGER} FINAL")
    return dict(ledger.rows())


def _one(engine: Engine, migration: Migration, had: str | None) -> Migrated:
    label = f"migration {migration.number:04} ({migration.name})"
    if had is not None:
        if had != migration.checksum:
            raise StoreError(f"{label} is not the one that this store has had; a released migration never changes")
        return Migrated(migration.number, migration.name, "present")
    if migration.requires and version_of(engine.version) < version_of(migration.requires):
        notice = f"{label} is skipped: it requires ClickHouse {migration.requires}, and this is {engine.version}"
        log.info(notice)
        return Migrated(migration.number, migration.name, "skipped", notice)
    try:
        for statement in migration.statements:
            _execute(engine, statement)
    except StoreError as refused:
        raise StoreError(f"{label} failed: {refused}", transient=refused.transient, code=refused.code) from None
    # An INSERT of VALUES needs a driver to send the rows; SELECT says the same to every engine.
    engine.execute(
        bind(
            f"INSERT INTO {_LEDGER} (number, name, checksum, engine, applied_at_us)"
            " SELECT {number:UInt32}, {name:String}, {checksum:String}, {engine:String}, {at:Int64}",
            {
                "number": migration.number,
                "name": migration.name,
                "checksum": migration.checksum,
                "engine": engine.version,
                "at": time.time_ns() // 1000,
            },
        )
    )
    return Migrated(migration.number, migration.name, "applied")


def _execute(engine: Engine, statement: str) -> None:
    """Each statement may have been executed before: by a run that was cut off, or by another worker that starts now."""
    try:
        engine.execute(statement)
    except StoreError as refused:
        if refused.code not in _COLUMN_IS_THERE or not _ADDS_A_COLUMN.fullmatch(statement):
            raise
