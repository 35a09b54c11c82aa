"""The processes that score, each with all tasks; one that dies is made anew, and its batch goes to another."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from benchmark.core.options import Options
from benchmark.rewards.batch import BadBatch, Rewards

LONGEST_S: Final = 120.0
"""A batch that takes longer is given up, and its process too."""
_WAIT_S: Final = 60.0
_ATTEMPTS: Final = 2
_GOOD, _BAD = b"+", b"-"
_PROCESSES = multiprocessing.get_context("spawn")
"""A spawned process holds no pipe of the others, so that each notices when its counterpart is gone."""


class WorkerLost(RuntimeError):
    """A process died, or hung, before it answered."""


@dataclass(frozen=True)
class Load:
    """What each process begins with: a benchmark, its task files, options of its scoring."""

    suite: str
    paths: tuple[Path, ...]
    options: Options


def _work(pipe: Connection, load: Load) -> None:
    """Answer batches until the other end is closed. The first message is the number of tasks, or what is wrong."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the server ends, then closes the pipe
    try:
        rewards = Rewards.load(load.suite, load.paths, load.options)
    except OSError as error:
        pipe.send(f"{error.filename}: {error.strerror}")
        return
    except ValueError as error:
        pipe.send(str(error))
        return
    gc.collect()
    gc.freeze()  # collections need not look at the tasks again
    pipe.send(len(rewards.tasks))
    while True:
        try:
            body = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        try:
            pipe.send_bytes(_GOOD + rewards.answer(body))
        except BadBatch as error:
            pipe.send_bytes(_BAD + str(error).encode())


class Worker:
    """A process with its pipe."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self.tasks = 0
        self.start()

    def start(self) -> None:
        """Make the process, and wait until it has its tasks. Raises ValueError with what is wrong, WorkerLost."""
        self._pipe, theirs = _PROCESSES.Pipe()
        self.process = _PROCESSES.Process(target=_work, args=(theirs, self._load), daemon=True)
        self.process.start()
        theirs.close()
        try:
            told = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise WorkerLost("a process ended before it had read the tasks") from error
        if isinstance(told, str):
            raise ValueError(told)
        self.tasks = told

    def ask(self, body: bytes) -> bytes:
        """The answer to a batch. Raises BadBatch, WorkerLost."""
        try:
            self._pipe.send_bytes(body)
            if not self._pipe.poll(LONGEST_S):
                raise WorkerLost(f"a batch took more than {LONGEST_S:g} s")
            told = self._pipe.recv_bytes()
        except (EOFError, OSError) as error:
            raise WorkerLost("a process ended in the middle of a batch") from error
        if told[:1] == _BAD:
            raise BadBatch(told[1:].decode())
        return told[1:]

    def stop(self) -> None:
        """End the process at once."""
        self._pipe.close()
        self.process.kill()
        self.process.join()


class Workers:
    """Processes that take batches, each one at a time."""

    def __init__(self, load: Load, count: int) -> None:
        self._load, self._count = load, count
        self._threads = ThreadPoolExecutor(count)
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self._renewals: set[asyncio.Task[None]] = set()
        self._all: list[Worker] = []
        self.batches = 0
        """That were answered."""

    @property
    def alive(self) -> Sequence[Worker]:
        """Those whose process runs."""
        return [worker for worker in self._all if worker.process.is_alive()]

    @property
    def tasks(self) -> int:
        """How many tasks each has."""
        return self._all[0].tasks if self._all else 0

    async def start(self) -> None:
        """Make them; the first by itself, so that what is wrong with the tasks is told once. Raises as `Worker`."""
        await self._add()
        await asyncio.gather(*(self._add() for _ in range(self._count - 1)))

    async def _add(self) -> None:
        worker = await asyncio.get_running_loop().run_in_executor(self._threads, Worker, self._load)
        self._all.append(worker)
        self._free.put_nowait(worker)

    async def ask(self, body: bytes) -> bytes:
        """The answer to a batch, from whichever is free. Raises BadBatch, and WorkerLost where two died of it."""
        loop = asyncio.get_running_loop()
        for attempt in range(_ATTEMPTS):
            try:
                worker = await asyncio.wait_for(self._free.get(), _WAIT_S)
            except TimeoutError:
                raise WorkerLost(f"no process was free for {_WAIT_S:g} s") from None
            try:
                told = await loop.run_in_executor(self._threads, worker.ask, body)
            except WorkerLost:
                renewal = asyncio.create_task(self._renew(worker))
                self._renewals.add(renewal)
                renewal.add_done_callback(self._renewals.discard)
                if attempt == _ATTEMPTS - 1:
                    raise
            except BadBatch:
                self._free.put_nowait(worker)
                raise
            else:
                self.batches += 1
                self._free.put_nowait(worker)
                return told
        raise AssertionError

    async def _renew(self, worker: Worker) -> None:
        """Try until it is there again: a task file that is gone for a moment must not cost a process for good."""
        loop, pause = asyncio.get_running_loop(), 0.0
        while True:
            await loop.run_in_executor(self._threads, worker.stop)
            await asyncio.sleep(pause)
            try:
                await loop.run_in_executor(self._threads, worker.start)
            except (ValueError, WorkerLost, OSError):
                pause = min(pause * 2 or 1.0, 30.0)
            else:
                self._free.put_nowait(worker)
                return

    def stop(self) -> None:
        """End all processes."""
        for renewal in self._renewals:
            renewal.cancel()
        for worker in self._all:
            worker.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)
