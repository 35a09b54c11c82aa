"""The contract between Caravan and its benchmarks stays small, and nothing shared names a benchmark."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmark.suites import SUITES, suite_named
from tests import ROOT
from tests.toyplans.suite import SUITE as toyplans

MOST_FIELDS, MOST_LINES, MOST_UNTYPED = 13, 40, 12
SHARED_FOLDERS = ("benchmark", "environments", "sandbox", "webapp", "worker", "templates", "static")
LISTS_OF_BENCHMARKS = {
    "benchmark/suites/__init__.py",
    "sandbox/toolsets/__init__.py",
    "sandbox/toolsets/base.py",
}
OWN_FOLDERS = re.compile(r"/(?:suites|toolsets|backends)/[a-z]\w+/|/migrations/")
RECORDS = ("benchmark/suites/base", "webapp/pages")
SEAMS = (*RECORDS, "benchmark/core/rules.py", "benchmark/core/participant.py", "benchmark/metrics.py")
"""What shared code and benchmarks reach each other by."""
LONGEST_TOY = 350


def files_below(*places: str, suffixes: tuple[str, ...] = (".py",)) -> Iterator[Path]:
    for place in places:
        path = ROOT / place
        yield from [path] if path.is_file() else (p for p in sorted(path.rglob("*")) if p.suffix in suffixes)


def test_nothing_shared_names_a_benchmark() -> None:
    named = re.compile(rf"\b(?:{'|'.join(SUITES)})\b")
    places = {
        name
        for path in files_below(*SHARED_FOLDERS, suffixes=(".py", ".html", ".js", ".css", ".toml"))
        if not OWN_FOLDERS.search(f"/{(name := path.relative_to(ROOT).as_posix())}")
        and named.search(path.read_text("utf-8"))
    }
    assert places - LISTS_OF_BENCHMARKS == set()


OF_SOME_TASKS = {
    *(name for suite in SUITES for own in suite_named(suite).tasks.fields for name in own.column.split("+")),
    *("city_count", "definition.", "facets."),
} - {""}
"""What rows of tasks hold for benchmarks that declare it."""
WHERE_COLUMNS_STAND = {
    "webapp/exchange/gathering.py": "columns of a published format of files",
    "webapp/runs/tables.py": "the same",
    "webapp/labelling/items.py": "annotators get trips to cities that they know, of whatever benchmark",
}


def test_nothing_shared_reads_what_only_some_tasks_have() -> None:
    """Pages and lists read what a benchmark declares: `Tasks.fields`, `columns`, `search_keys`, `Pages.task`."""
    read = re.compile(rf"\btask(?:\.definition)?\.(?:{'|'.join(map(re.escape, sorted(OF_SOME_TASKS)))})")
    places = {
        f"{name}: {found.group()}"
        for path in files_below("webapp", "templates", "worker", suffixes=(".py", ".html"))
        if not OWN_FOLDERS.search(f"/{(name := path.relative_to(ROOT).as_posix())}")
        and name not in WHERE_COLUMNS_STAND
        and (found := read.search(path.read_text("utf-8")))
    }
    assert places == set()


def fixed_messages() -> Iterator[str]:
    """Messages to models whose words stand in the code, not in a template."""
    for path in files_below("benchmark", "environments", "sandbox", "worker"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Dict):
                continue
            told = {
                key.value: value
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant)
            }
            words = told.get("content")
            literals = (
                [part.value for part in ast.walk(words) if isinstance(part, ast.Constant)] if words else []
            )
            if "role" in told and any(
                re.search(r"[^\W\d_]{2}", str(text)) for text in literals if _is_told(words)
            ):
                yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"


def _is_told(words: ast.AST | None) -> bool:
    return isinstance(words, ast.Constant | ast.JoinedStr | ast.BinOp)


def test_what_models_are_told_is_a_template() -> None:
    assert [*fixed_messages()] == []


def records() -> Iterator[tuple[str, ast.ClassDef]]:
    for path in files_below(*RECORDS):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and any(
                "dataclass" in ast.unparse(d) for d in node.decorator_list
            ):
                yield f"{path.relative_to(ROOT).as_posix()}: {node.name}", node


@pytest.mark.parametrize(
    ("name", "record"), [*records()], ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_record_is_a_screenful(name: str, record: ast.ClassDef) -> None:
    fields = [node for node in record.body if isinstance(node, ast.AnnAssign)]
    assert len(fields) <= MOST_FIELDS
    declared = fields[-1].end_lineno if fields else record.end_lineno
    assert declared is not None and declared - record.lineno < MOST_LINES


def test_the_seams_are_typed() -> None:
    untyped = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in files_below(*SEAMS)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Name) and node.id == "Any"
    ]
    assert len({*untyped}) <= MOST_UNTYPED, untyped


def test_shared_pages_of_plans_import_no_benchmark() -> None:
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (rule,) = (rule for rule in rules if "webapp.plans" in rule.get("source_modules", ()))
    assert {"benchmark.suites.*", "webapp.suites"} <= {*rule["forbidden_modules"]}
    assert rule["ignore_imports"] == ["** -> benchmark.suites.base"]


def test_a_benchmark_with_every_part_fits_on_a_few_screens() -> None:
    lines = [
        line
        for path in files_below("tests/toyplans")
        if not path.name.startswith(("test_", "conftest"))
        for line in path.read_text("utf-8").splitlines()
    ]
    assert len(lines) <= LONGEST_TOY


def test_that_benchmark_has_every_part() -> None:
    assert toyplans.plans is not None and toyplans.plans.check is not None
    assert toyplans.cases is not None and toyplans.scoring.options and toyplans.tasks.fields
    assert len(toyplans.rating.rubrics) == 2
    assert "turn" in {metric.scope for metric in toyplans.scoring.metrics}


@pytest.mark.parametrize("name", ["TASK_COLUMNS", r"is pooled_mean", r"\.contracts\b", r"contract_of\("])
def test_what_the_contract_replaced_is_gone(name: str) -> None:
    """Logs and old rows still tell of contracts: events and migrations read them."""
    places = {
        path.relative_to(ROOT).as_posix()
        for path in files_below("benchmark", "environments", "sandbox", "webapp", "worker")
        if "/migrations/" not in path.as_posix() and re.search(name, path.read_text("utf-8"))
    }
    assert places <= {"benchmark/core/events.py"}
