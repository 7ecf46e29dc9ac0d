"""Logs as files: what goes in comes out, byte for byte, and nothing harmful gets further than one clear line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.events import MAX_EVENT_BYTES
from streams.logs import LogError, LogWriter, files_of, read

LINES = st.lists(st.binary(min_size=1, max_size=200).filter(lambda line: b"\n" not in line and line[-1:] != b"\r"))


@pytest.mark.parametrize("name", ["night.jsonl", "night.jsonl.zst", "folder"])
@settings(max_examples=25)
@given(lines=LINES)
def test_what_is_written_is_read_again_byte_for_byte(tmp_path_factory, name, lines):
    log = tmp_path_factory.mktemp("log") / name
    with LogWriter(log) as writer:
        written = writer.write("2026-11-29", lines)

    assert written == len(lines)
    assert [line.text for line in read([log])] == lines


def test_a_line_is_named_by_its_file_and_number_and_blank_lines_count(tmp_path):
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"one\r\n\ntwo")

    assert [(line.place, line.text) for line in read([log])] == [(1, b"one"), (3, b"two")]
    assert {line.source for line in read([log])} == {str(log)}


def test_an_endless_line_is_cut_just_past_the_limit_and_the_next_line_is_whole(tmp_path):
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"x" * (3 * MAX_EVENT_BYTES + 17) + b"\nnext\n")

    first, second = (line.text for line in read([log]))

    assert MAX_EVENT_BYTES < len(first) <= MAX_EVENT_BYTES + 2
    assert second == b"next"


def test_a_line_of_exactly_the_limit_is_whole(tmp_path):
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"x" * MAX_EVENT_BYTES + b"\r\nnext")

    assert [len(line.text) for line in read([log])] == [MAX_EVENT_BYTES, 4]


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path):
    with LogWriter(tmp_path / "log") as writer:
        writer.write("2026-11-30", [b"second"])
        writer.write("2026-11-29", [b"first"])

    assert [line.text for line in read([tmp_path / "log"])] == [b"first", b"second"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("nothing", "no such file or folder"), ("empty", "no .jsonl or .jsonl.zst file"), ("a.txt", "a log is a folder")],
)
def test_what_is_no_log_is_named(tmp_path, name, complaint):
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.txt").write_text("x")

    with pytest.raises(LogError, match=f"{name}.*{complaint}"):
        files_of(tmp_path / name)


def test_a_damaged_compressed_file_is_one_clear_line(tmp_path):
    log = tmp_path / "a.jsonl.zst"
    with LogWriter(log) as writer:
        writer.write("", [b"line %d" % n for n in range(10_000)])
    whole = log.read_bytes()
    log.write_bytes(whole[:40] + bytes([whole[40] ^ 0xFF]) + whole[41:])

    with pytest.raises(LogError, match=r"a\.jsonl\.zst: cannot be read \("):
        list(read([log]))


def test_a_compressed_file_that_ends_too_early_is_one_clear_line(tmp_path):
    log = tmp_path / "a.jsonl.zst"
    with LogWriter(log) as writer:
        writer.write("", [b"line %d" % n for n in range(10_000)])
    log.write_bytes(log.read_bytes()[:-20])

    with pytest.raises(LogError, match="ends too early"):
        list(read([log]))


def test_compressed_files_may_be_appended_to_each_other(tmp_path):
    for name in ("a", "b"):
        with LogWriter(tmp_path / f"{name}.jsonl.zst") as writer:
            writer.write("", [name.encode()])
    both = tmp_path / "both.jsonl.zst"
    both.write_bytes((tmp_path / "a.jsonl.zst").read_bytes() + (tmp_path / "b.jsonl.zst").read_bytes())

    assert [line.text for line in read([both])] == [b"a", b"b"]


def test_nothing_is_overwritten(tmp_path):
    log = tmp_path / "a.jsonl"
    log.write_text("evidence")

    with pytest.raises(LogError, match="is there already"):
        LogWriter(log)
