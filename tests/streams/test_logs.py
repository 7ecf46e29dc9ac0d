"""Logs as files: what goes in comes out, byte for byte, and nothing harmful gets further than one clear line."""

import os
import pickle
import subprocess
import sys
import threading

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.events import MAX_EVENT_BYTES
from streams import logs
from streams.logs import Kept, LogError, LogWriter, files_of, read

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


def frames_of_one_line(blocks: int) -> bytes:
    """A zstd frame of so many blocks of 128 KiB, all of them the letter x, in four bytes each (RFC 8878, 3.1.1)."""
    header = zstandard.FRAME_HEADER + bytes([0x00, 0x38])  # a window of 128 KiB, no size, no checksum
    size = 128 * 1024
    rle = (size << 3 | 1 << 1).to_bytes(3, "little") + b"x"
    return header + rle * (blocks - 1) + (size << 3 | 1 << 1 | 1).to_bytes(3, "little") + b"x"


@pytest.mark.parametrize("cut", [0, 10])
def test_a_small_file_that_decompresses_to_a_huge_line_takes_no_memory_and_tells_the_true_length(tmp_path, cut):
    log = tmp_path / "bomb.jsonl.zst"
    blocks = 8 * 1024  # 1 GiB in 33 KB
    content = frames_of_one_line(blocks)
    log.write_bytes(content[: len(content) - cut])

    program = (
        "import resource, sys; from pathlib import Path; from streams.logs import LogError, read\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try:\n"
        "    print([(line.place, len(line.text), line.length) for line in read([Path(sys.argv[1])])])\n"
        "except LogError as error:\n"
        "    print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(log)], capture_output=True, text=True, check=True, timeout=60
    )
    said, kib = done.stdout.splitlines()

    assert int(kib) < 128 * 1024, kib
    if cut:
        assert said == f"{log}: cannot be read (the compressed file ends too early)"
    else:
        assert said == str([(1, MAX_EVENT_BYTES + 1, blocks * 128 * 1024)])


def test_a_million_empty_frames_are_no_lines(tmp_path):
    log = tmp_path / "a.jsonl.zst"
    empty = zstandard.FRAME_HEADER + bytes([0x00, 0x00, 0x01, 0x00, 0x00])
    log.write_bytes(empty * 100_000)

    assert list(read([log])) == []


def test_an_empty_compressed_file_is_no_log(tmp_path):
    log = tmp_path / "a.jsonl.zst"
    log.write_bytes(b"")

    with pytest.raises(LogError, match="it is empty"):
        list(read([log]))


@settings(max_examples=200)
@given(
    lines=st.lists(st.sampled_from([b"", b"a", b"\r", b"ab\r", b"\r\r"])),
    last=st.sampled_from([b"", b"\n", b"x", b"x\r"]),
    size=st.integers(1, 7),
)
def test_wherever_a_file_is_cut_into_pieces_its_lines_are_the_same(lines, last, size):
    content = b"\n".join(lines) + last
    pieces = [content[at : at + size] for at in range(0, len(content), size)]

    expected = [line[:-1] if line[-1:] == b"\r" else line for line in content.split(b"\n")]
    *ended, open_end = expected
    open_end = content.rpartition(b"\n")[2]  # nothing ends the last one: a CR at its end is its own
    expected = [(line, len(line)) for line in [*ended, *([open_end] if open_end else [])]]
    assert list(logs._lines(pieces)) == expected


def test_a_long_line_that_ends_in_cr_lf_has_the_length_of_what_is_before_them(tmp_path):
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"x" * 1_000_000 + b"\r\n" + b"y" * (MAX_EVENT_BYTES + 1) + b"\r\n" + b"z" * 300_000)

    found = [(line.text[:1], len(line.text), line.length) for line in read([log])]

    kept = MAX_EVENT_BYTES + 1
    assert found == [(b"x", kept, 1_000_000), (b"y", kept, kept), (b"z", kept, 300_000)]


@pytest.mark.parametrize("compressed", [False, True])
def test_a_pipe_is_a_log_that_can_be_read_again_by_other_processes_too(tmp_path, compressed):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = b"one\n\ntwo\n"
    content = zstandard.compress(content) if compressed else content
    writer = threading.Thread(target=pipe.write_bytes, args=(content,))
    writer.start()

    log = Kept(str(pipe))
    writer.join(10)
    elsewhere = pickle.loads(pickle.dumps(log))
    told: list[int] = []

    expected = [(str(pipe), 1, b"one", 3), (str(pipe), 3, b"two", 3)]
    assert [tuple(line) for line in log.read(told.append)] == expected
    assert [tuple(line) for line in elsewhere.read()] == expected
    assert sum(told) == log.size == len(content)


def test_what_was_written_when_something_went_wrong_is_not_there(tmp_path):
    def lines():
        yield from [b"line"] * 10_000
        raise RuntimeError

    for log in (tmp_path / "a.jsonl", tmp_path / "b.jsonl.zst", tmp_path / "c"):
        with pytest.raises(RuntimeError), LogWriter(log) as writer:
            writer.write("2026-11-29", lines())

    assert [path.name for path in tmp_path.rglob("*")] == ["c"]
