"""A file of finished work that grows, so that what was broken off goes on where it was."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from benchmark.jsonlines import json_line
from benchmark.synthesis import BadOrder, BeingMade, Progress


class Partial:
    """`OUT.part`: a first line that tells the order, then a line a slot.

    A last line that was cut off is taken away.
    """

    def __init__(self, out: Path, order: Mapping[str, Any]) -> None:
        self.path = out.with_name(f"{out.name}.part")
        self._order = json.loads(json.dumps(order))
        self.slots: dict[int, dict[str, Any]] = {}

    @contextmanager
    def hold(self) -> Iterator[None]:
        """While it belongs to this process alone.

        Raises:
            BeingMade: another process has it.
            BadOrder: it is of another order.
        """
        lock = FileLock(f"{self.path}.lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as busy:
            raise BeingMade(f"{self.path} is being written by another process; wait for it") from busy
        try:
            self._read()
            yield
        finally:
            Path(lock.lock_file).unlink(missing_ok=True)  # while it is ours: another one's must stay
            lock.release()

    def add(self, slot: int, row: dict[str, Any]) -> None:
        """Keep what became of a slot; it is on the disk when this returns."""
        with self.path.open("ab") as file:
            if not file.tell():
                file.write(json_line({"order": self._order}))
            file.write(json_line(row))
            file.flush()
            os.fsync(file.fileno())
        self.slots[slot] = row

    def fill(
        self, count: int, work: Callable[[int], Mapping[str, Any]], workers: int, tell: Progress
    ) -> None:
        """Have threads do the work of each slot that is open; what comes of it is kept as it comes.

        What is not begun is given up where one fails, or nobody wants it any more.
        """
        pool = ThreadPoolExecutor(max_workers=workers)
        try:
            waiting = {pool.submit(work, slot): slot for slot in range(count) if slot not in self.slots}
            for done in as_completed(waiting):
                self.add(waiting[done], {"slot": waiting[done], **done.result()})
                tell(len(self.slots), count, "queries")
        finally:
            pool.shutdown(cancel_futures=True)

    def remove(self) -> None:
        """Take it away: everything stands where it belongs."""
        self.path.unlink(missing_ok=True)

    def _read(self) -> None:
        if not self.path.exists():
            return
        whole = self.path.read_bytes()
        kept = whole[: whole.rfind(b"\n") + 1]
        lines = kept.splitlines()
        if not lines:
            self.path.unlink()
            return
        if len(kept) < len(whole):
            os.truncate(self.path, len(kept))
        try:
            order, *rows = map(json.loads, lines)
            begun = order["order"]
            self.slots = {entry["slot"]: entry for entry in rows}
        except (ValueError, KeyError, TypeError) as error:
            raise BadOrder(f"{self.path} is no unfinished set of tasks; move it away") from error
        if begun != self._order:
            other = sorted(key for key in self._order if begun.get(key) != self._order[key])
            raise BadOrder(
                f"{self.path} is what is left of another order (it differs in {', '.join(other) or 'its form'}); "
                "finish that one with the same options, or delete the file"
            )
