"""Files in a store: whole, checked and in their place, or not there."""

from __future__ import annotations

import multiprocessing
import resource
from collections.abc import Iterator
from multiprocessing.pool import ThreadPool
from pathlib import Path

import pytest

from sandbox.filestore import (
    PIECE,
    FileFigures,
    FsspecStore,
    StoreAway,
    WrongFile,
    check,
    fetch,
    figures_of,
    put,
)


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> FsspecStore:
    place = f"file://{tmp_path}/store" if request.param == "file" else f"memory://{tmp_path}"
    return FsspecStore(place)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    path = tmp_path / "pack"
    path.write_bytes(bytes(range(256)) * 4096 * 2 + b"the end")
    return path


def _draft_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.endswith(".part"))


def test_a_file_comes_back_as_it_was_stored(store: FsspecStore, pack: Path, tmp_path: Path) -> None:
    figures = put(store, pack)
    assert figures == figures_of(pack) and figures.size > 2 * PIECE
    target = tmp_path / "there" / "pack"
    fetch(store, figures, target)
    assert target.read_bytes() == pack.read_bytes()
    check(store, figures)
    store.remove(figures.digest)
    store.remove(figures.digest)
    with pytest.raises(WrongFile, match="has no file"):
        check(store, figures)


def test_a_store_lacks_what_nobody_stored(store: FsspecStore, tmp_path: Path) -> None:
    with pytest.raises(WrongFile, match="has no file"):
        fetch(store, FileFigures("0" * 64, 5), tmp_path / "b" / "pack")
    assert not (tmp_path / "b" / "pack").exists() and _draft_names(tmp_path / "b") == []


@pytest.mark.parametrize("damage", ["torn", "another byte", "longer"])
def test_a_wrong_copy_is_refused_and_mended_by_storing_again(pack: Path, tmp_path: Path, damage: str) -> None:
    store = FsspecStore(f"file://{tmp_path}/store")
    figures = put(store, pack)
    copy = tmp_path / "store" / figures.digest[:2] / figures.digest
    whole = copy.read_bytes()
    copy.write_bytes({"torn": whole[:-9], "another byte": b"x" + whole[1:], "longer": whole + b"x"}[damage])
    target = tmp_path / "b" / "pack"
    with pytest.raises(WrongFile, match=f"{figures.digest[:12]}… were stored"):
        fetch(store, figures, target)
    assert not target.exists() and _draft_names(tmp_path / "b") == []
    put(store, pack, again=True)
    fetch(store, figures, target)
    assert target.read_bytes() == whole


def test_an_upload_that_was_broken_off_is_made_again(pack: Path, tmp_path: Path) -> None:
    store = FsspecStore(f"file://{tmp_path}/store")
    figures = figures_of(pack)
    folder = tmp_path / "store" / figures.digest[:2]
    folder.mkdir(parents=True)
    (folder / f"{figures.digest}.0.part").write_bytes(b"half")
    assert store.size(figures.digest) is None
    (folder / figures.digest).write_bytes(b"torn")  # by a program that does not rename
    put(store, pack)
    check(store, figures)


def test_a_file_that_is_here_is_replaced_where_it_is_wrong(
    store: FsspecStore, pack: Path, tmp_path: Path
) -> None:
    figures, target = put(store, pack), tmp_path / "here"
    target.write_bytes(b"wrong")
    fetch(store, figures, target)
    assert target.read_bytes() == b"wrong"
    fetch(store, figures, target, replace=True)
    assert figures_of(target) == figures


class _CountingStore(FsspecStore):
    """Counts how often a file is read from it."""

    reads = 0

    def read(self, digest: str) -> Iterator[bytes]:
        type(self).reads += 1
        return super().read(digest)


def test_threads_that_need_a_file_at_once_fetch_it_once(pack: Path, tmp_path: Path) -> None:
    store = _CountingStore(f"file://{tmp_path}/store")
    figures, target = put(store, pack), tmp_path / "b" / "pack"
    _CountingStore.reads = 0
    with ThreadPool(4) as pool:
        pool.map(lambda number: fetch(store, figures, target), range(4))
    assert _CountingStore.reads == 1 and figures_of(target) == figures


def _fetch(url: str, figures: FileFigures, target: Path, ready: multiprocessing.synchronize.Barrier) -> None:
    ready.wait(60)
    fetch(FsspecStore(url), figures, target)


def test_processes_that_need_a_file_at_once_all_have_it(pack: Path, tmp_path: Path) -> None:
    url, spawn = f"file://{tmp_path}/store", multiprocessing.get_context("spawn")
    figures, target, ready = put(FsspecStore(url), pack), tmp_path / "b" / "pack", spawn.Barrier(2)
    fetching = [spawn.Process(target=_fetch, args=(url, figures, target, ready)) for _ in range(2)]
    for process in fetching:
        process.start()
    for process in fetching:
        process.join(60)
    assert [process.exitcode for process in fetching] == [0, 0]
    assert figures_of(target) == figures and _draft_names(target.parent) == []


def test_what_a_killed_process_left_goes(store: FsspecStore, pack: Path, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / ".pack.abc.part").write_bytes(b"half")
    fetch(store, put(store, pack), tmp_path / "b" / "pack")
    assert _draft_names(tmp_path / "b") == []


def test_a_disk_that_takes_no_more_leaves_nothing(store: FsspecStore, pack: Path, tmp_path: Path) -> None:
    figures, target = put(store, pack), tmp_path / "b" / "pack"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (PIECE, before[1]))
    try:
        with pytest.raises(StoreAway, match="can't be written: File too large"):
            fetch(store, figures, target)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not target.exists() and _draft_names(tmp_path / "b") == []
    fetch(store, figures, target)
    assert figures_of(target) == figures


def test_an_address_that_cannot_be_is_told_without_its_password() -> None:
    with pytest.raises(ValueError, match=r"nosuch://host/x: Protocol not known"):
        FsspecStore("nosuch://me:secret@host/x").size("0" * 64)
