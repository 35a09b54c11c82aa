"""The gate of a worker: few threads compute at once, in turn, and nobody waits for it for long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from tests.threads import start_in_thread
from worker.gate import Gate


def compute_until(gate: Gate, leave: threading.Event) -> tuple[threading.Thread, threading.Event]:
    """A thread that computes behind the gate until it is told to leave, and whether it has begun."""
    began = threading.Event()

    def compute() -> None:
        with gate.compute():
            began.set()
            leave.wait(10)

    return start_in_thread(compute), began


def test_a_thread_waits_until_another_one_has_ended() -> None:
    gate, leave = Gate(places=1, patience_s=10), threading.Event()
    first, began = compute_until(gate, leave)
    assert began.wait(10)
    second, began = compute_until(gate, leave)
    assert not began.wait(0.1)
    leave.set()
    assert began.wait(10)
    first.join()
    second.join()


def test_threads_come_in_the_order_in_which_they_asked() -> None:
    gate, order = Gate(places=1, patience_s=10), list[int]()

    def compute(number: int) -> Callable[[], None]:
        def run() -> None:
            with gate.compute():
                order.append(number)

        return run

    threads = list[threading.Thread]()
    with gate.compute():
        for number in range(5):
            threads.append(start_in_thread(compute(number)))
            time.sleep(0.05)
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3, 4]


def test_a_place_is_free_while_its_thread_waits_for_somebody_else() -> None:
    gate, leave = Gate(places=1, patience_s=10), threading.Event()
    leave.set()
    with gate.compute(), gate.wait_outside():
        other, began = compute_until(gate, leave)
        assert began.wait(10)
        other.join()


def test_nobody_waits_longer_than_the_gate_has_patience() -> None:
    gate, leave = Gate(places=1, patience_s=0.05), threading.Event()
    first, began = compute_until(gate, leave)
    assert began.wait(10)
    with gate.compute(), gate.wait_outside():  # without a place, so it gives none back
        assert not leave.is_set()
    second, began = compute_until(gate, leave)
    assert began.wait(10)
    leave.set()
    first.join()
    second.join()


def test_a_place_is_given_back_after_a_failure() -> None:
    gate, leave = Gate(places=1, patience_s=10), threading.Event()
    leave.set()
    try:
        with gate.compute():
            raise LookupError
    except LookupError:
        pass
    other, began = compute_until(gate, leave)
    assert began.wait(10)
    other.join()


def test_who_does_not_compute_waits_without_the_gate() -> None:
    gate, leave = Gate(places=1, patience_s=10), threading.Event()
    first, began = compute_until(gate, leave)
    assert began.wait(10)
    with gate.wait_outside():
        leave.set()
    first.join()
