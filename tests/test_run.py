"""The parts of `make test`: no test falls between them."""

from __future__ import annotations

import signal
import subprocess
import sys
from itertools import product

import pytest
from _pytest.mark.expression import Expression

from tests import ROOT, environment
from tests.run import BOTH_ENGINES, SELECTIONS, find_marked

MARKS = ("slow", "storage", "both_engines", "either_engine", "reference")


def find_parts(marks: set[str], selections: dict[str, str]) -> set[str]:
    """The parts that run a test of these marks."""
    return {
        part
        for part, selection in selections.items()
        if Expression.compile(selection).evaluate(lambda name, **_: name in marks)
    }


@pytest.mark.parametrize("selections", [SELECTIONS, BOTH_ENGINES], ids=["make test", "make test-both"])
@pytest.mark.parametrize("has", list(product((False, True), repeat=len(MARKS))), ids=str)
def test_every_combination_of_marks_runs_in_some_part(
    has: tuple[bool, ...], selections: dict[str, str]
) -> None:
    marks = {mark for mark, is_set in zip(MARKS, has, strict=True) if is_set}
    assert find_parts(marks, selections)


@pytest.mark.parametrize(
    ("marks", "parts"),
    [
        (set(), {"fast"}),
        ({"slow"}, {"slow"}),
        ({"storage"}, {"storage"}),
        ({"slow", "storage"}, {"storage"}),
        ({"both_engines"}, {"fast", "storage"}),
        ({"either_engine"}, {"fast"}),
        ({"slow", "either_engine"}, {"slow"}),
        ({"storage", "either_engine"}, {"storage"}),
        ({"both_engines", "either_engine"}, {"fast", "storage"}),
        ({"storage", "both_engines"}, {"fast", "storage"}),
        ({"slow", "storage", "both_engines"}, {"slow", "storage"}),
    ],
)
def test_a_test_runs_on_the_engines_that_its_marks_name(marks: set[str], parts: set[str]) -> None:
    assert find_parts(marks, SELECTIONS) == parts


def test_what_is_marked_for_a_database_runs_on_both_where_that_is_asked() -> None:
    assert find_parts({"storage"}, BOTH_ENGINES) == {"fast", "storage"}
    assert find_parts({"slow", "storage"}, BOTH_ENGINES) == {"slow", "storage"}
    assert find_parts({"either_engine"}, BOTH_ENGINES) == {"fast", "storage"}


def test_what_this_part_leaves_out_is_in_a_file_that_another_part_reads() -> None:
    """Slow and storage read only the files in which they find their marks: a mark set elsewhere would be lost."""
    files = {"slow": set(find_marked("slow")), "storage": set(find_marked("storage", "both_engines"))}
    lost = [
        item.nodeid
        for item in environment.DESELECTED_TESTS
        for part in find_parts({mark.name for mark in item.iter_markers()}, SELECTIONS) - {"fast"}
        if str(item.path) not in files[part]
    ]
    assert lost == []


def test_processes_that_tests_start_end_on_an_interrupt_where_our_own_was_started_without() -> None:
    starts = (
        "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])"
    )
    ends = "import time; time.sleep(0.5); p.send_signal(2); sys.exit(p.wait(10) == 0)"
    done = subprocess.run(
        [sys.executable, "-c", f"import tests.environment; {starts}; {ends}"],
        cwd=ROOT,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    assert done.returncode == 0


def test_nothing_heavy_is_imported_to_collect_the_tests() -> None:
    """A test that compares with another's code imports it when it runs: each process collects all tests."""
    assert environment.HEAVY.isdisjoint(environment.IMPORTED_MODULES)
