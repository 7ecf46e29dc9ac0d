"""The house's style, as tests: which way imports point, what the core may touch, and where a rule's passage stands.

A check is a function from a file to the problems in it; each is tried on a small wrong example first, so that a check
that finds nothing is known to be able to. A problem reads ``file:line: what is wrong and what to do``.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from replay.cited import is_citation

ROOT: Final = Path(__file__).resolve().parent.parent
LINES_MAX: Final = 600
"""A longer file does more than one thing: divide it."""
LINES_MAX_OF_LONG_LAWS: Final = 950
"""Of a game: the law may be long. And of tests."""
LONG_LAWS: Final = ("replay/games/", "streams/simulator/games/", "tests/")

MAY_IMPORT: Final = {
    "replay": {"replay"},
    "streams": {"streams", "replay", "deploy"},
    "dashboards": {"dashboards", "replay"},
    "deploy": {"deploy"},
}
"""Which of our packages each of them may import."""

TIES_ALL_TOGETHER: Final = "streams/commands/"
"""The command line may import everything, for it is where the parts meet; nothing else may import it."""

PURE: Final = {
    *("__future__", "abc", "array", "base64", "binascii", "bisect", "collections", "contextlib", "copy", "dataclasses"),
    *("datetime", "decimal", "difflib", "enum", "fractions", "functools", "hashlib", "heapq", "itertools", "json"),
    *("keyword", "math", "numbers", "operator", "re", "string", "struct", "textwrap", "tomllib", "types", "typing"),
    *("unicodedata", "zlib"),
    *("annotated_types", "cryptography", "msgspec", "nacl", "pydantic", "pydantic_core", "rfc3161_client"),
    "typing_extensions",
}
"""What the core may import from elsewhere: modules without I/O, clock, chance or threads."""

FINDS_ITS_OWN_FILES: Final = {
    "replay/regulations/__init__.py": {"importlib"},
    "replay/bundle/verifier/__init__.py": {"importlib"},
    "replay/games/__init__.py": {"importlib", "pkgutil"},
    "replay/streaks/jurisdictions/__init__.py": {"importlib"},
}
"""Where the core looks into its own package: for rule packs, games, thresholds of regulators, the page of bundles."""

IMPURE_CALLS: Final = {"open", "input", "print", "exec", "eval", "compile", "__import__", "breakpoint", "id"}
"""Built-ins that reach outside, or whose result differs from one process to the next."""

CLOCKS_AND_CHANCE: Final = {"now", "utcnow", "today", "fromtimestamp", "generate", "generate_private_key"}
"""Methods that ask the clock or its time zone, or draw a key."""

FLOATS_ALLOWED: Final = ("replay/streaks/",)
"""Statistics about play are estimates; money and odds are exact."""

Problems = Iterator[str]


# Files


def source_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def text_files() -> Iterator[tuple[Path, str]]:
    """Every text file of the repository, and what it holds."""
    folders = (*MAY_IMPORT, "tests", "docs", ".ci", ".github")
    paths = [path for path in ROOT.iterdir() if path.is_file() and path.name not in {".git", ".coverage"}]
    paths += [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    for path in sorted(paths):
        try:
            yield path, path.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # not text


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def problems_in(check: Callable[[str, ast.Module], Problems], *folders: str) -> list[str]:
    """What ``check`` finds in the modules of ``folders``."""
    found: list[str] = []
    for path in source_files(*folders):
        found += check(name_of(path), ast.parse(path.read_text("utf-8"), filename=str(path)))
    return found


def found_in(check: Callable[[str, ast.Module], Problems], name: str, source: str) -> list[str]:
    """What ``check`` finds in ``source``, were it the module ``name``."""
    return list(check(name, ast.parse(source)))


def imports_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and first name of everything that a module imports, at any depth."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            yield node.lineno, node.module.split(".")[0]


def whole_imports_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and whole dotted name of everything that a module imports; of ``from a import b`` it is ``a.b``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


# Layering


def check_layering(name: str, tree: ast.Module) -> Problems:
    """Our packages import one another in one direction only."""
    package = name.split("/")[0]
    if name.startswith(TIES_ALL_TOGETHER):
        return
    for line, imported in imports_of(tree):
        if imported == "tests" or (imported in MAY_IMPORT and imported not in MAY_IMPORT[package]):
            yield f"{name}:{line}: {package} must not import {imported}"


def test_imports_point_one_way():
    """The core knows nobody; the live side and the dashboards know the core; the command line knows all."""
    wrong = "import streams.kafka\nfrom dashboards import panels\nfrom replay.cards import Card\n"

    assert len(found_in(check_layering, "replay/hands.py", wrong)) == 2
    assert len(found_in(check_layering, "streams/sinks.py", wrong)) == 1
    assert len(found_in(check_layering, "dashboards/alerts.py", wrong)) == 1
    assert found_in(check_layering, "streams/commands/odds.py", wrong) == []
    assert len(found_in(check_layering, "streams/commands.py", wrong)) == 1
    assert problems_in(check_layering, *MAY_IMPORT) == []


def check_no_command_imported(name: str, tree: ast.Module) -> Problems:
    """A command leans on the rest; nothing leans on a command."""
    if name.startswith(TIES_ALL_TOGETHER):
        return
    commands = TIES_ALL_TOGETHER.replace("/", ".")
    for line, imported in whole_imports_of(tree):
        if f"{imported}.".startswith(commands):
            yield f"{name}:{line}: {imported}; put what is needed where readers and writers live"


def test_nothing_leans_on_a_command():
    for line in ("import streams.commands", "from streams import commands", "from streams.commands.shell import plain"):
        assert len(found_in(check_no_command_imported, "streams/sources.py", line)) == 1
        assert found_in(check_no_command_imported, "streams/commands/odds.py", line) == []
    assert found_in(check_no_command_imported, "streams/sources.py", "from streams.commandsonly import plain") == []
    assert problems_in(check_no_command_imported, *MAY_IMPORT) == []


# Errors


NOT_TOLD_IN_ONE_LINE: Final = {
    "RetallyError": "the base of all that are",
    "MacroError": "a dashboard of ours is wrong, not what was given",
    "Refused": "an answer over HTTP",
    "DealVoid": "the end of a hand",
    "_Over": "the end of a hand",
    "_ReaderGone": "nobody reads what is told",
}
"""Exceptions of ours that the command line does not tell by themselves, and why."""


def check_errors(name: str, tree: ast.Module) -> Problems:
    """An error of ours derives from ``RetallyError``, or else the command line would end in a traceback."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name not in NOT_TOLD_IN_ONE_LINE:
            for base in node.bases:
                if (word := ast.unparse(base)) in {"Exception", "ValueError", "RuntimeError", "TypeError", "OSError"}:
                    yield f"{name}:{node.lineno}: {node.name} derives from {word}, and not from RetallyError"


def test_every_error_that_a_user_can_put_right_is_told_in_one_line():
    assert len(found_in(check_errors, "streams/logs.py", "class LogError(Exception): ...")) == 1
    assert found_in(check_errors, "streams/logs.py", "class LogError(RetallyError): ...") == []
    assert problems_in(check_errors, *MAY_IMPORT) == []


# A pure core


def check_purity(name: str, tree: ast.Module) -> Problems:
    """The core does no I/O, asks no clock and draws no lots."""
    allowed = PURE | FINDS_ITS_OWN_FILES.get(name, set())
    for line, imported in imports_of(tree):
        if imported in allowed or imported in MAY_IMPORT:
            continue
        origin = "standard library's" if imported in sys.stdlib_module_names else "foreign"
        yield f"{name}:{line}: the {origin} {imported} in the core; if it is pure, add it to PURE in tests/test_tidy.py"
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id in IMPURE_CALLS:
            yield f"{name}:{node.lineno}: {called.id}() in the core"
        elif isinstance(called, ast.Attribute) and called.attr in CLOCKS_AND_CHANCE:
            yield f"{name}:{node.lineno}: .{called.attr}() in the core: time and keys come in from outside"


@pytest.mark.parametrize(
    "line",
    [
        "import os",
        "from pathlib import Path",
        "import random",
        "def f():\n    from time import monotonic",
        "import kafka",
        "import importlib.resources",
        "print('seven out')",
        "at = datetime.now(UTC)",
        "key = Ed25519PrivateKey.generate()",
    ],
)
def test_what_reaches_outside_is_seen(line):
    assert len(found_in(check_purity, "replay/cards.py", line)) == 1


def test_the_core_is_pure():
    """No file, socket, clock, thread or chance under ``replay``, but for finding its own packs and games."""
    assert found_in(check_purity, "replay/regulations/__init__.py", "from importlib.resources import files") == []
    assert problems_in(check_purity, "replay") == []


# No float near money


def is_fraction_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Fraction"


def names_of_fractions(tree: ast.Module) -> set[str]:
    """Names that a module annotates as ``Fraction`` and as nothing else, or makes with ``Fraction(...)``."""
    fractions, others = set[str](), set[str]()

    def declare(target: ast.expr, exact: bool) -> None:
        if isinstance(target, ast.Name | ast.Attribute):
            (fractions if exact else others).add(target.id if isinstance(target, ast.Name) else target.attr)

    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation is not None:
            declare(ast.Name(node.arg), ast.unparse(node.annotation) == "Fraction")
        elif isinstance(node, ast.AnnAssign):
            annotation = re.sub(r"^(?:Final|ClassVar)\[(.*)]$", r"\1", ast.unparse(node.annotation))
            declare(node.target, annotation == "Fraction")
        elif isinstance(node, ast.Assign) and is_fraction_call(node.value):
            for target in node.targets:
                declare(target, True)
    return fractions - others


def check_exactness(name: str, tree: ast.Module) -> Problems:
    """Money is an int and odds are fractions: no float, and no division that could make one."""
    if name.startswith(FLOATS_ALLOWED):
        return
    fractions = names_of_fractions(tree)
    asking_for_types = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"
    ]
    refusing_floats = {id(inner) for node in asking_for_types for inner in ast.walk(node)}

    def is_fraction(node: ast.expr) -> bool:
        declared = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None
        if isinstance(node, ast.BinOp):
            return is_fraction(node.left) or is_fraction(node.right)
        return is_fraction_call(node) or declared in fractions

    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield f"{name}:{node.lineno}: the float {node.value!r}; write Fraction(a, b) or an int of minor units"
        elif isinstance(node, ast.Name) and node.id == "float" and isinstance(node.ctx, ast.Load):
            if id(node) not in refusing_floats:
                yield f"{name}:{node.lineno}: float; money is an int and odds are a Fraction"
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            if not (is_fraction(node.left) or is_fraction(node.right)):
                yield f"{name}:{node.lineno}: / may give a float; write Fraction(a, b), or //"
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div):
            if not (is_fraction(node.target) or is_fraction(node.value)):
                yield f"{name}:{node.lineno}: /= may give a float; write Fraction(a, b)"


@pytest.mark.parametrize(
    "line", ["edge = 0.5", "paid = float(stake)", "def f(x: float): ...", "paid = stake * 3 / 2", "paid /= 2"]
)
def test_a_float_near_money_is_seen(line):
    assert len(found_in(check_exactness, "replay/games/boule.py", line)) == 1
    assert found_in(check_exactness, "replay/streaks/runs.py", line) == []


@pytest.mark.parametrize(
    "line",
    [
        "edge = Fraction(7, 495) / 2",
        "def mean(total: Fraction, count: int): return total / count",
        "total = mean = Fraction(0)\nmean /= total",
        "half = stake // 2",
        "class Opened:\n    float: int",
        "refused = isinstance(amount, float)",
    ],
)
def test_exact_arithmetic_is_let_through(line):
    assert found_in(check_exactness, "replay/games/boule.py", line) == []


def test_no_float_in_the_core():
    """Not a literal, not a conversion, not a true division; estimates have their own folder."""
    assert problems_in(check_exactness, "replay") == []


# Who names no game


NAMES_GAMES: Final = ("streams/simulator/games/", "streams/view/drawing/", "streams/phh.py")
"""How each game is played on the simulated floor, how its table looks, and the records of one game's hands."""
EXAMPLE: Final = "Example: retally "
"""How a command's example begins, which may be of any game."""


def games_named() -> re.Pattern[str]:
    games = {path.stem for path in (ROOT / "replay/games").glob("*.py") if not path.stem.startswith("_")}
    return re.compile("|".join(re.escape(game).replace("_", "[ _]?") for game in sorted(games)), re.IGNORECASE)


def check_game_unnamed(name: str, tree: ast.Module) -> Problems:
    """What is for all games names none: what is of one alone stands in the game's own file, and is asked of it. A
    docstring and a command's example may speak of one."""
    if name.startswith(NAMES_GAMES):
        return
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    pattern = games_named()
    for node in ast.walk(tree):
        if id(node) in docstrings:
            continue
        for field in ("value", "id", "attr", "arg", "name", "module", "asname"):
            word = getattr(node, field, None)
            if isinstance(word, str) and not word.startswith(EXAMPLE) and (found := pattern.search(word)):
                line = getattr(node, "lineno", 1)
                yield f"{name}:{line}: the game {found[0]}; let its file state it (`replay.games.Game`, `Watchable`)"


def test_code_that_names_a_game_is_seen():
    for line in ("DICE = {'craps': 2}", "from replay.games import boule", "look = f'at {sic_bo}'", "SicBo = 3"):
        assert len(found_in(check_game_unnamed, "replay/streaks/dice.py", line)) == 1

    assert found_in(check_game_unnamed, "replay/streaks/dice.py", "def f():\n    'As at craps.'") == []
    assert len(found_in(check_game_unnamed, "dashboards/nightly/queries.py", "POTS = ('circle_poker',)")) == 1
    assert len(found_in(check_game_unnamed, "streams/commands/odds.py", "game = 'craps'")) == 1
    assert found_in(check_game_unnamed, "streams/commands/odds.py", "EXAMPLE = 'Example: retally odds craps'") == []


def test_what_is_for_all_games_knows_none_by_name():
    """Detectors, dashboards and reports, and whatever reads, keeps and sends events."""
    assert problems_in(check_game_unnamed, "replay/streaks", "dashboards", "streams") == []


# All law in the pack

CITED: Final = re.compile(r"\bgame \d|\bart\. ?\d|\b[IVX]{1,4}\.\d|\b(AD|MO|RO)-(\d{4}|CRAPS)\b")
"""A passage of a regulation, or a pack's name."""


def check_uncited(name: str, tree: ast.Module) -> Problems:
    """A game's code cites nothing by itself: what it cites, and under which pack, stands in the pack. A docstring says
    which passage a rule is."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            if found := CITED.search(node.value):
                yield f"{name}:{node.lineno}: {found[0]!r} in the code; write it in the pack's [passages]"


@pytest.mark.parametrize(
    "line",
    ["call = 'game 4, V.3'", "x = f'{n}: game 21, V'", "passage = 'art. 2.1'", "old = rules.pack == 'MO-1985'"],
)
def test_a_passage_in_the_code_is_seen(line):
    assert len(found_in(check_uncited, "replay/games/boule.py", line)) == 1
    assert found_in(check_uncited, "replay/games/boule.py", "def f():\n    'AD-2025, game 4, V.3: a late bet.'") == []


def test_no_game_cites_a_passage_or_a_pack_by_itself():
    """A pack with other passages is cited by these, and never by another law's."""
    assert problems_in(check_uncited, "replay") == []


# Every file


def check_form(name: str, tree: ast.Module) -> Problems:
    """A module says what it is for, and nothing in it waits to be written."""
    if not ast.get_docstring(tree):
        yield f"{name}:1: no docstring: say what the module is for"
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "NotImplemented" + "Error":
            yield f"{name}:{node.lineno}: not implemented: implement it, or leave it out"


def test_every_module_says_what_it_is_for_and_is_finished():
    assert len(found_in(check_form, "replay/cards.py", "raise NotImplemented" + "Error('later')")) == 2
    assert problems_in(check_form, *MAY_IMPORT, "tests") == []


def test_the_listing_of_the_core_names_every_module_once():
    listed = re.findall(r"`(\w+)`", ast.get_docstring(ast.parse((ROOT / "replay/__init__.py").read_text())) or "")
    modules = {path.stem for path in (ROOT / "replay").glob("*.py")} - {"__init__"}
    folders = {path.parent.name for path in (ROOT / "replay").glob("*/__init__.py")}

    assert sorted(listed) == sorted(modules | folders)


def test_no_file_is_too_long_to_read():
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in source_files(*MAY_IMPORT, "tests")}

    def most(name: str) -> int:
        return LINES_MAX_OF_LONG_LAWS if name.startswith(LONG_LAWS) else LINES_MAX

    assert {name: length for name, length in lengths.items() if length > most(name)} == {}


UNFINISHED: Final = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b")
OF_ONE_MACHINE: Final = re.compile(
    r"(?<![\w.}/~-])/(home|Users|root|work)/\w" r"|\b[A-Z]:\\Users\\" r"|\b(pypi|deb\.debian)\.org/(simple|debian)\b"
    r"|\bfiles\.pythonhosted\b|\bregistry\.npmjs\b|\brepo1?\.maven\b"
)  # fmt: skip


def find_words(pattern: re.Pattern[str], name: str, text: str) -> Problems:
    for line, content in enumerate(text.splitlines(), 1):
        if found := pattern.search(content):
            yield f"{name}:{line}: {found[0]!r}"


def test_nothing_is_left_for_later():
    assert len(list(find_words(UNFINISHED, "a", "# TO" + "DO: odds"))) == 1
    assert [each for path, text in text_files() for each in find_words(UNFINISHED, name_of(path), text)] == []


def test_no_file_knows_the_machine_it_was_written_on():
    wrong = "folder = '/ho" + "me/anna/retally'"

    assert len(list(find_words(OF_ONE_MACHINE, "a", wrong))) == 1
    assert list(find_words(OF_ONE_MACHINE, "a", "#!/usr/bin/env bash\ntests/home/a https://x.org/home/a")) == []
    assert [each for path, text in text_files() for each in find_words(OF_ONE_MACHINE, name_of(path), text)] == []


def test_the_repository_stands_alone():
    """Only a test may look beside the repository, and it is skipped where there is nothing."""
    beside = re.compile(r"\.\./sha" r"red|[\"']sha" r"red[\"']")
    reaching = {name_of(path): text for path, text in text_files() if beside.search(text)}

    assert [name for name, text in reaching.items() if not (name.startswith("tests/") and "skip" in text)] == []


# Rule packs


def check_pack(name: str, pack: dict[str, Any]) -> Problems:
    """``pack.toml``: what the pack is, where its text stands, and from when to when it is in force."""
    folder = name.split("/")[-2]
    if pack.get("name") != folder:
        yield f"{name}: name is {pack.get('name')!r}, the folder {folder!r}"
    if not pack.get("source"):
        yield f"{name}: no source: name the decree and where it was published"
    begins, ends = pack.get("in_force"), pack.get("repealed")
    for key, day in (("in_force", begins), ("repealed", ends)):
        if day is not None and type(day) is not date:
            yield f"{name}: {key} is {day!r}; write a date, as in 2025-12-10"
    if type(begins) is date and type(ends) is date and begins >= ends:
        yield f"{name}: in force from {begins}, repealed on {ends}"


def check_passages(name: str, game: dict[str, Any]) -> Problems:
    """A game's file in a pack: every wager, option, limit and other table says which passage it stands on.

    A table of tables (``[wagers.tie]``) has a passage in each; a table of plain values (``[limits]``) has one.
    ``[passages]`` are what the game cites besides, ``[titles]`` its names.
    """
    for section, table in game.items():
        if not isinstance(table, dict) or section in ("passages", "titles"):
            continue
        inner = [entry for entry in table.values() if not is_citation(entry)]
        divided = "passage" not in table and bool(inner) and all(isinstance(entry, dict) for entry in inner)
        entries = {f"{section}.{key}": entry for key, entry in table.items()} if divided else {section: table}
        for entry, says in entries.items():
            passage = says.get("passage")
            if is_citation(passage):
                passage = passage.get("cite")
            if not (isinstance(passage, str) and passage.strip()):
                yield f"{name}: [{entry}] has no passage"


def exact_only(literal: str) -> str:
    raise ValueError(f"{literal} is a float; write an int, or a fraction as a string: '7/495'")


def pack_files() -> list[Path]:
    return sorted((ROOT / "replay" / "regulations").rglob("*.toml"))


def test_a_missing_passage_is_seen():
    good = "[wagers.tie]\npassage = 'IV.2'\n[options.surrender]\npassage = 'III.1'\n[limits]\nmin = 1\npassage = 'V'\n"

    assert list(check_passages("a", tomllib.loads(good))) == []
    assert len(list(check_passages("a", tomllib.loads(good.replace("passage", "page"))))) == 3
    assert len(list(check_passages("a", tomllib.loads(good.replace("V'", "'"))))) == 1


def test_a_pack_that_does_not_say_what_it_is_is_seen():
    good = "name = 'AD-2025'\nin_force = 2025-12-10\nsource = 'Decree 455/2025'\n"

    assert list(check_pack("AD-2025/pack.toml", tomllib.loads(good))) == []
    assert len(list(check_pack("AD-2022/pack.toml", tomllib.loads(good)))) == 1
    assert len(list(check_pack("AD-2025/pack.toml", tomllib.loads(good + "repealed = 2022-06-01")))) == 1
    assert len(list(check_pack("AD-2025/pack.toml", {}))) == 2


def test_every_rule_of_a_pack_cites_its_passage():
    """And every number in it is exact."""
    found: list[str] = []
    for path in pack_files():
        data = tomllib.loads(path.read_text("utf-8"), parse_float=exact_only)
        found += (check_pack if path.name == "pack.toml" else check_passages)(name_of(path), data)

    assert found == []


def test_every_folder_of_a_pack_has_a_pack_file():
    folders = {path.parent for path in pack_files()}

    assert [name_of(folder) for folder in folders if not (folder / "pack.toml").exists()] == []
