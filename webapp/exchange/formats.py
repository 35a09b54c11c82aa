"""Sessions and runs as files of each format, whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO

from benchmark.exports.chat import chat_lines
from benchmark.exports.inspect import write_eval, write_json
from benchmark.exports.rows import row, write_jsonl, write_parquet
from benchmark.exports.session import RunExport, SessionExport
from benchmark.exports.training import TrainingCounts
from benchmark.jsonlines import json_line
from benchmark.metrics import of_rules
from benchmark.outputs import open_output
from benchmark.suites import metrics_of, suite_named
from webapp.exchange.gathering import (
    exports_of,
    run_export,
    run_of_session,
    session_export,
    sessions_of,
    whole,
)
from webapp.exchange.html import session_html
from webapp.exchange.training import TRAINING_ENDINGS, WHOLE_ROLLOUTS, TrainingOptions, write_training_set
from webapp.people.exports import (
    Naming,
    has_people,
    mark_people,
    met_in,
    people_csv,
    people_jsonl,
    people_of,
    sessions_with_people,
)
from webapp.runs.selectors import outcomes, sessions_with_uses
from webapp.runs.tables import sessions_csv
from webapp.runs.verdicts import judging_of
from webapp.sessions.models import ENDED_STATUSES, Run, Session
from webapp.sessions.scoring import record_line
from webapp.sets.models import SessionSet
from webapp.version import caravan_version

SESSION_ENDINGS: Mapping[str, str] = {
    "record": ".jsonl",
    "html": ".html",
    "inspect": ".eval",
    "chat": ".chat.jsonl",
    "scores": ".scores.json",
}
"""The formats of a session, with the ends of their files' names."""
RUN_ENDINGS: Mapping[str, str] = {
    "inspect": ".eval",
    "folder": "",
    "jsonl": ".jsonl",
    "parquet": ".parquet",
    **TRAINING_ENDINGS,
}
SET_ENDINGS: Mapping[str, str] = {"jsonl": ".jsonl", "chat": ".chat.jsonl", "records": ".records.jsonl"}
Report = Callable[[int], None]


class NotEnded(ValueError):
    """A session goes on; only its record can be written."""


def write_session(
    session: Session, format_: str, file: IO[bytes], *, as_json: bool = False, pseudonyms: bool = False
) -> None:
    """Write a session; as_json: Inspect's log as JSON, not as .eval. pseudonyms: people are P1, P2 … in it.

    Raises NotEnded.
    """
    naming = Naming(pseudonyms)
    if format_ == "record":
        file.write(mark_people(session, record_line(session), naming))
        return
    if session.status not in ENDED_STATUSES:
        raise NotEnded(f"session {session.pk} has not ended; wait for its end, or stop it")
    whole_session = whole(Session.objects.filter(pk=session.pk)).get()
    match format_:
        case "html":
            file.write(_page(whole_session, naming))
        case "chat":
            file.writelines(map(json_line, chat_lines(session_export(whole_session, naming))))
        case "inspect":
            _inspect(run_of_session(whole_session), [session_export(whole_session, naming)], file, as_json)
        case "scores":
            file.write(mark_people(whole_session, _scores(whole_session), naming))
        case _:
            raise ValueError(f"there is no format {format_}")


def _scores(session: Session) -> bytes:
    """The figures of each profile with the evidence behind them, as a line of JSON."""
    scores = sorted(session.scores.all(), key=lambda score: score.pk)
    told = {score.profile: {"code_version": score.code_version, **score.figures} for score in scores}
    return json_line({"session": session.pk, "task": session.task.task_id, "scores": told})


def _page(session: Session, naming: Naming) -> bytes:
    return session_html(session, naming).encode("utf-8", "backslashreplace")


def write_run(
    run: Run,
    format_: str,
    path: Path,
    report: Report = lambda done: None,
    *,
    pseudonyms: bool = False,
    counts: TrainingCounts | None = None,
    training: TrainingOptions = WHOLE_ROLLOUTS,
) -> int:
    """Write the sessions of a run that have ended; how many. `folder` makes a folder at `path`, the others a file.

    `report` is called with the number of sessions so far. pseudonyms: people are P1, P2 … in it, all through the run.
    counts: are filled with what becomes of the sessions in a set of training. training: how that is made.

    Raises:
        NoTraining: the benchmark has no sets of training.
        NoParquet: pyarrow is not installed.
        FileExistsError: there is something at the path of the folder.
        OSError: the file can't be written.
    """
    naming = Naming(pseudonyms)
    met_in(sessions_with_people(run), naming)
    if format_ == "folder":
        return _folder(run, path, report, naming)
    sessions = _report_progress(sessions_of(run, naming), report)
    with open_output(path) as file:
        match format_:
            case "inspect":
                return _inspect(run_export(run), sessions, file, path.suffix == ".json")
            case "jsonl":
                return write_jsonl(file, sessions)
            case "parquet":
                suite = suite_named(run.suite)
                metrics, profiles = of_rules(metrics_of(run.suite)), suite.scoring.profiles
                return write_parquet(file, sessions, metrics, profiles, people=has_people(run.sessions))
            case _ if format_ in TRAINING_ENDINGS:
                told = counts or TrainingCounts()
                return write_training_set(run, format_, sessions, file, told, training)
            case _:
                raise ValueError(f"there is no format {format_}")


def set_lines(chosen: SessionSet, format_: str, *, pseudonyms: bool = False) -> Iterator[bytes]:
    """The lines of a file of `SET_ENDINGS` of those sessions of a set that have ended, read one by one.

    pseudonyms: people are P1, P2 … in it, all through the set.
    """
    naming, sessions = Naming(pseudonyms), Session.objects.filter(sets=chosen)
    met_in(list(sessions.filter(seats__guests__isnull=False).distinct()), naming)
    if format_ == "records":
        for session in whole(sessions.filter(status__in=ENDED_STATUSES).order_by("pk")):
            yield mark_people(session, record_line(session), naming)
        return
    for exported in exports_of(sessions, naming):
        if format_ == "chat":
            yield from map(json_line, chat_lines(exported))
        else:
            yield json_line(row(exported))


def _report_progress(sessions: Iterable[SessionExport], report: Report) -> Iterator[SessionExport]:
    for done, session in enumerate(sessions, 1):
        yield session
        report(done)


def _inspect(run: RunExport, sessions: Iterable[SessionExport], file: IO[bytes], as_json: bool) -> int:
    return (write_json if as_json else write_eval)(file, run, sessions, caravan_version())


def _folder(run: Run, path: Path, report: Report, naming: Naming) -> int:
    """Of each session a record, a page and the scores; `run.json`; the sessions' figures as CSV; and who sat there,
    where people did.

    It is made beside and renamed.
    """
    if path.exists() or path.is_symlink():
        raise FileExistsError(17, "there is something already; name a new folder", str(path))
    made = path.with_name(f".{path.name}.part")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    try:
        count = _fill(run, made, report, naming)
        made.rename(path)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    return count


def _fill(run: Run, folder: Path, report: Report, naming: Naming) -> int:
    told = run_export(run)
    (folder / "run.json").write_bytes(json_line(vars(told)))
    judging = judging_of([run], outcomes([run], uses=False))
    table = sessions_csv(run, sessions_with_uses(run), judging)
    (folder / "sessions.csv").write_text(table, "utf-8", newline="")
    if rows := people_of(sessions_with_people(run), naming):
        (folder / "people.csv").write_text(people_csv(rows), "utf-8", newline="")
        (folder / "people.jsonl").write_bytes(people_jsonl(rows))
    ids = run.sessions.filter(status__in=ENDED_STATUSES).values_list("pk", flat=True)
    for done, pk in enumerate(list(ids), 1):
        session = whole(Session.objects.filter(pk=pk)).get()
        (folder / f"{pk}.jsonl").write_bytes(mark_people(session, record_line(session), naming))
        (folder / f"{pk}.html").write_bytes(_page(session, naming))
        (folder / f"{pk}.scores.json").write_bytes(mark_people(session, _scores(session), naming))
        report(done)
    return len(ids)
