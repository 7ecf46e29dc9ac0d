"""A file is whole or not there: whatever goes wrong while it is written, its name holds the whole or what was there."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from streams.whole import Part, whole, whole_folder, write_all, write_whole


def names(folder: Path) -> list[str]:
    """All that is in a folder and below, hidden files too."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_nothing_bears_the_name_before_all_is_written(tmp_path):
    path = tmp_path / "night.seal"
    with whole(path) as file:
        file.write(b"a part")
        file.flush()
        assert not path.exists()

    assert path.read_bytes() == b"a part"
    assert names(tmp_path) == ["night.seal"]


def test_what_was_there_stays_when_the_writing_fails(tmp_path):
    path = tmp_path / "floor.keys"
    path.write_bytes(b"before")
    with pytest.raises(ZeroDivisionError), whole(path) as file:
        file.writelines(bytes(1 // left) for left in (1, 0))

    assert path.read_bytes() == b"before"
    assert names(tmp_path) == ["floor.keys"]


def test_a_full_disk_leaves_nothing_and_names_the_file(tmp_path, monkeypatch):
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as raised:
        write_whole(tmp_path / "a.zip", b"x")

    assert raised.value.filename == str(tmp_path / "a.zip")
    assert names(tmp_path) == []


def test_what_must_be_new_is_never_overwritten_not_even_when_it_comes_in_between(tmp_path):
    path = tmp_path / "gateway.pem"
    part = Part(path, new=True)
    part.file.write(b"mine")
    path.write_bytes(b"another's")
    with pytest.raises(FileExistsError) as raised:
        part.keep()

    assert raised.value.filename == str(path)
    assert path.read_bytes() == b"another's"
    assert names(tmp_path) == ["gateway.pem"]
    with pytest.raises(FileExistsError):
        write_whole(path, b"mine", new=True)


def test_permissions_are_those_that_were_asked_for_or_those_of_the_file_that_was_there(tmp_path):
    os.umask(before := os.umask(0o022))
    write_whole(tmp_path / "secret", b"x", new=True, mode=0o600)
    write_whole(tmp_path / "public", b"x")
    (tmp_path / "old").write_bytes(b"x")
    (tmp_path / "old").chmod(0o640)
    write_whole(tmp_path / "old", b"y")

    def mode(name: str) -> int:
        return stat.S_IMODE((tmp_path / name).stat().st_mode)

    assert [mode("secret"), mode("old"), mode("public")] == [0o600, 0o640, 0o666 & ~before]


def test_a_link_still_points_to_the_file_and_a_pipe_is_written_to(tmp_path):
    (tmp_path / "real").write_bytes(b"before")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_whole(tmp_path / "link", b"after")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"after"
    write_whole(Path(os.devnull), b"x")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_of_several_files_none_has_its_name_before_all_are_written(tmp_path):
    (tmp_path / "b").mkdir()  # a folder is in the way of the second
    with pytest.raises(IsADirectoryError):
        write_all(tmp_path, {"a": b"1", "b": b"2", "c/d": b"3"})
    assert names(tmp_path) == ["b"]

    (tmp_path / "b").rmdir()
    assert write_all(tmp_path, {"a": b"1", "c/d": b"3"}) == [tmp_path / "a", tmp_path / "c/d"]
    assert names(tmp_path) == ["a", "c", "c/d"]


def test_a_folder_is_there_with_all_that_is_in_it_or_not_at_all(tmp_path):
    with pytest.raises(FileNotFoundError), whole_folder(tmp_path / "packs" / "CLUB-2027") as folder:
        (folder / "nowhere" / "pack.toml").write_text("")
    assert names(tmp_path) == ["packs"]

    with whole_folder(tmp_path / "packs" / "CLUB-2027") as folder:
        (folder / "pack.toml").write_text("whole")
    assert names(tmp_path) == ["packs", "packs/CLUB-2027", "packs/CLUB-2027/pack.toml"]
    with pytest.raises(FileExistsError), whole_folder(tmp_path / "packs" / "CLUB-2027"):
        pass


def test_a_process_that_is_killed_leaves_no_part_under_the_name(tmp_path):
    program = (
        "import os, signal, sys; from pathlib import Path; from streams.whole import whole\n"
        "with whole(Path(sys.argv[1])) as file:\n"
        "    file.write(b'x' * 1_000_000); file.flush(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path / "a.zip")], timeout=60)

    assert done.returncode == -9
    assert not (tmp_path / "a.zip").exists()
    assert all(name.startswith(".a.zip.") and name.endswith(".part") for name in names(tmp_path))
