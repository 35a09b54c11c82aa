"""Sessions as rows for pandas and `datasets`: JSON lines, and Parquet where pyarrow is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from itertools import chain
from typing import IO, Any

from benchmark.exports.messages import conversation_messages
from benchmark.exports.session import SessionExport
from benchmark.jsonlines import json_line
from benchmark.metrics import Metric

_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("imported", "plan_generated"), "bool"),
    **dict.fromkeys(("trial", "seed", "travellers", "rounds"), "int64"),
    **dict.fromkeys(("tool_calls", "tool_errors", "model_requests"), "int64"),
    **dict.fromkeys(("prompt_tokens", "completion_tokens"), "int64"),
    **dict.fromkeys(("seconds", "cost"), "float64"),
}
"""What the columns of a session hold that are no texts; `cities` is a list of them."""
OF_PEOPLE = ("personal", "people")
ROWS_AT_ONCE = 50


def parquet_is_here() -> bool:
    """Whether `write_parquet` can write: pyarrow is large, and Caravan does not install it."""
    return find_spec("pyarrow") is not None


class NoParquet(RuntimeError):
    """pyarrow is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "Parquet needs pyarrow, which is not installed here: pip install pyarrow, or take jsonl"
        )


def row(session: SessionExport) -> dict[str, Any]:
    """A session as one row.

    Its columns (`SessionExport.about`), its scores by name, `messages` as the agent saw them (role, content), and
    `record`: the published run record as text. `personal` and `people` where there are any.
    """
    return {
        **session.about,
        **{score.name.replace("/", "_"): score.plain for score in session.scores if "@" not in score.name},
        "judged": {score.name: score.plain for score in session.scores if "@" in score.name},
        "messages": [
            {"role": message["role"], "content": message["content"]}
            for message in conversation_messages(session.events)
        ],
        "record": session.record,
        **session.of_people,
    }


def write_jsonl(file: IO[bytes], sessions: Iterable[SessionExport]) -> int:
    """A line a session; how many."""
    count = 0
    for session in sessions:
        file.write(json_line(row(session)))
        count += 1
    return count


def write_parquet(
    file: IO[bytes],
    sessions: Iterable[SessionExport],
    metrics: Iterable[Metric],
    profiles: Iterable[str],
    *,
    people: bool = False,
) -> int:
    """The same as Parquet, some rows at a time; how many. `judged` is JSON text.

    metrics, profiles: of the benchmark, the first profile without its name before its columns. people: whether
    some sessions have any: there are columns for them then, of JSON text. Raises NoParquet.
    """
    rows = map(row, sessions)
    first = next(rows, None)
    if first is None:
        return 0
    texts = ("judged", *OF_PEOPLE)
    return write_table(
        file,
        ({**one, **_as_text(one, texts)} for one in chain([first], rows)),
        lambda pa: _schema(pa, first, list(metrics), list(profiles), OF_PEOPLE if people else ()),
    )


def write_table(file: IO[bytes], rows: Iterable[dict[str, Any]], schema_of: Callable[[Any], Any]) -> int:
    """Rows as Parquet, some at a time; how many. schema_of: makes the schema by pyarrow. Raises NoParquet."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise NoParquet from error
    schema, count = schema_of(pyarrow), 0
    with parquet.ParquetWriter(file, schema) as writer:
        for some in _batches(rows):
            writer.write_table(pyarrow.Table.from_pylist(some, schema=schema))
            count += len(some)
    return count


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    some: list[dict[str, Any]] = []
    for row in rows:
        some.append(row)
        if len(some) == ROWS_AT_ONCE:
            yield some
            some = []
    if some:
        yield some


def _as_text(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, str]:
    return {name: json_line(row[name]).decode().strip() for name in names if name in row}


def _schema(
    pa: Any, first: Mapping[str, Any], metrics: list[Metric], profiles: list[str], more: Iterable[str]
) -> Any:
    kinds = {"bool": pa.bool_(), "int64": pa.int64(), "float64": pa.float64()}
    said = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))
    fields = {name: kinds.get(_KINDS.get(name, ""), pa.string()) for name in first}
    units = {"flag": pa.bool_(), "count": pa.int64()}
    for profile in profiles:
        before = "" if profile == profiles[0] else f"{profile}_"
        fields |= {f"{before}{metric.key}": units.get(metric.unit, pa.float64()) for metric in metrics}
    fields |= {
        "cities": pa.list_(pa.string()),
        "messages": said,
        "judged": pa.string(),
        "record": pa.string(),
    }
    fields = {name: kind for name, kind in fields.items() if name not in OF_PEOPLE}
    fields |= dict.fromkeys(more, pa.string())
    return pa.schema(list(fields.items()))
