"""Lists of the API: the rows that the filters of pages leave, as items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.text.search_query import parse
from webapp.api import schemas
from webapp.api.answers import AT_ONCE, Slice, Source, bad_cursor, by_number
from webapp.apis import Place, Refusal
from webapp.catalogue.models import Task, World
from webapp.forms import OneOf, TextField
from webapp.judging.models import Judgement
from webapp.judging.models import Status as JudgementStatus
from webapp.labelling.files import names_of
from webapp.labelling.models import STRENGTH, Label, LabelStudy
from webapp.people.questionnaire import RATER as PERSON
from webapp.runs.selectors import Progress, progress
from webapp.sessions.models import MetricValue, Run, Session
from webapp.tables import selectors, task_columns
from webapp.tables.entries import refresh_runs
from webapp.tables.fields import ANY
from webapp.tables.finding import saying
from webapp.tables.forms import FilterForm, Look, SessionFilters, Table, of_runs, of_sessions, of_tasks
from webapp.tables.models import Entry, RunEntry
from webapp.tables.views import tasks_of

OWN = ("cursor", "limit", "order")
"""Parameters of lists that are no filters."""


# What is asked for.


def look_at(table: Table, given: QueryDict, *, ordered: bool = True) -> Look:
    """The filters and the order that an address holds.

    Raises:
        Refusal: there is no such filter or column, or a filter can't be understood. Pages leave these out and say so;
            a program would take the rows of another question for those of its own.
    """
    look = Look(table, given, [])
    refuse_unfit(look.form, given, OWN if ordered else OWN[:-1])
    named = given.get("order", "").removeprefix("-")
    if named and named not in look.column_by_key:
        words = _("There is no column “%(name)s” to order by; there are: %(known)s.")
        known = ", ".join(look.column_by_key)
        raise Refusal(422, "unfit", words % {"name": named[:60], "known": known}, where="order")
    return look


def refuse_unfit(form: forms.Form, given: QueryDict, others: Iterable[str]) -> None:
    """Raise Refusal for filters that there are not, and for those that can't be understood."""
    known = [*form.fields, *others]
    places = [
        Place(
            where=name[:60],
            what=_("There is no such filter; there are: %(known)s.") % {"known": ", ".join(known)},
        )
        for name in given
        if name not in known
    ]
    form.is_valid()
    places += [Place(where=name, what=" ".join(map(str, errors))) for name, errors in form.errors.items()]
    if places:
        told = "; ".join(f"{place.where}: {place.what}" for place in places[:3])
        raise Refusal(422, "unfit", told, places=places)


def _of_look(look: Look, rows: QuerySet[Any], items: Any, whole: QuerySet[Any] | None = None) -> Source[Any]:
    """The list of a table's rows, in its order."""
    said = saying(parse(look.filters["said"])) if look.filters.get("said") else None

    def page(cursor: str, limit: int) -> Slice[Any]:
        if cursor and not selectors.is_cursor(cursor, look.order.column):
            raise bad_cursor()
        found = selectors.page(rows, look.order, cursor, whole, said, size=limit)
        return Slice(found.entries, found.after, found.total)

    def every() -> Iterable[Any]:
        left = rows if said is None else rows.filter(said.filter())
        return selectors.order_rows(left, look.order).iterator(chunk_size=AT_ONCE)

    return Source(page, every, items)


# Runs.


def runs(request: HttpRequest) -> Source[RunEntry]:
    """Those that the filters of the table of runs leave."""
    refresh_runs()
    look = look_at(of_runs(), request.GET)
    rows = selectors.run_entries(look.filters, look.column_by_key).select_related("run")
    return _of_look(look, rows, partial(run_items, request), RunEntry.objects.select_related("run"))


def run_items(request: HttpRequest, entries: Sequence[RunEntry]) -> list[schemas.RunItem]:
    """These runs as they are now."""
    counted = progress([entry.run for entry in entries])
    return [schemas.RunItem(**run_fields(request, entry, counted[entry.pk])) for entry in entries]


def run_fields(request: HttpRequest, entry: RunEntry, now: Progress) -> dict[str, Any]:
    """What is told of a run in lists."""
    run = entry.run
    names = ("suite", "agent", "model", "users", "user_model", "world", "mode", "cache", "values")
    return {
        "id": run.pk,
        "name": run.name,
        "page": request.build_absolute_uri(run.get_absolute_url()),
        "state": state_of(now),
        "created_at": run.created_at,
        "sessions": now.sessions,
        "ended": now.ended,
        "counts": {name: getattr(now, name) for name in schemas.SessionCounts.model_fields},
        "trials": run.trials,
        "seed": run.seed,
        **{name: getattr(entry, name) for name in names},
    }


def state_of(now: Progress) -> str:
    """In a word, how it goes with a run."""
    if not now.going:
        return "ended"
    return "stopping" if now.stopping else "paused" if now.resting else "going"


# Sessions and their scores.


def sessions(request: HttpRequest, run: Run | None = None) -> Source[Entry]:
    """Those that the filters of the table of sessions leave, of a run where one is named."""
    look = look_at(of_sessions(), request.GET)
    rows = selectors.entries(look.filters, look.column_by_key)
    if run is not None:
        rows = rows.filter(run=run.pk)
    return _of_look(look, rows, partial(session_items, request))


_SESSION_FIELDS = ("pk", "trial_id", "seed", "finished_at")
_ENTRY_FIELDS = (
    *(
        "run",
        "run_name",
        "task",
        "suite",
        "status",
        "reason",
        "origin",
        "agent",
        "model",
        "users",
        "user_model",
    ),
    *(
        "world",
        "mode",
        "cache",
        "planned",
        "rounds",
        "events",
        "seconds",
        "tool_calls",
        "tool_errors",
        "requests",
    ),
    *("tokens", "cost", "created_at", "started_at"),
)
"""What a row of the table tells as it is."""


def session_items(request: HttpRequest, entries: Sequence[Entry]) -> list[schemas.SessionItem]:
    """These sessions, without those of imports that are on their way."""
    return [schemas.SessionItem(**fields) for fields in session_fields(request, entries)]


def session_fields(request: HttpRequest, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """What is told of sessions in lists."""
    rows = (
        Session.objects.filter(pk__in=[entry.pk for entry in entries])
        .order_by()
        .values_list(*_SESSION_FIELDS)
    )
    told = {pk: rest for pk, *rest in rows}
    address = request.build_absolute_uri("/sessions/")
    return [
        {
            "id": entry.pk,
            "page": f"{address}{entry.pk}/",
            "trial": told[entry.pk][0],
            "seed": told[entry.pk][1],
            "finished_at": told[entry.pk][2],
            "issues": [issue for issue in entry.issues.split("|") if issue],
            "values": {key: value for key, value in entry.values.items() if f"@{PERSON}" not in key},
            **{name: getattr(entry, name) for name in _ENTRY_FIELDS},
        }
        for entry in entries
        if entry.pk in told
    ]


class ScoreFilters(SessionFilters):
    """Those of sessions, and which of their values."""

    session = TextField(required=False, max_length=12, label=gettext_lazy("Session"))
    profile = TextField(required=False, max_length=20, label=gettext_lazy("Profile"))
    rater = TextField(required=False, max_length=200, label=gettext_lazy("Rater"))
    metric = TextField(required=False, max_length=40, label=gettext_lazy("Metric"))


_OF_SCORES = ("session", "profile", "rater", "metric")


def score_table() -> Table:
    """The table of sessions, narrowed by these filters too."""
    table = of_sessions()
    return Table(table.column_by_key, table.usual, ScoreFilters)


def scores(request: HttpRequest) -> Source[MetricValue]:
    """The values of the sessions that the filters leave, in the order in which they were stored."""
    look = look_at(score_table(), request.GET, ordered=False)
    rows = MetricValue.objects.filter(_OF_SHOWN_SESSIONS).select_related(
        "session__task", "session__run", "session__agent_model"
    )
    narrowed = {key: value for key, value in look.filters.items() if key not in _OF_SCORES}
    if narrowed:
        entries = selectors.entries(narrowed, look.column_by_key)
        if narrowed.get("said"):
            entries = entries.filter(saying(parse(narrowed["said"])).filter())
        rows = rows.filter(session__in=entries.order_by().values("session"))
    if "metric" in look.filters:
        rows = rows.filter(key=look.filters["metric"])
    rows = rows.filter(**{key: look.filters[key] for key in ("session", "profile") if key in look.filters})
    if (rater := look.filters.get("rater")) is not None:  # people are found by no id
        rows = (
            rows.filter(rater__startswith=PERSON)
            if rater == "person"
            else rows.filter(rater="" if rater in ("rules", "-") else rater).exclude(rater__startswith=PERSON)
        )
    page, every = by_number(rows.defer(*_UNREAD_FIELDS))
    return Source(page, every, _score_items)


_OF_SHOWN_SESSIONS = Q(session__brought_by=None) | Q(session__brought_by__complete=True)
"""Of sessions that may be shown."""
_UNREAD_FIELDS = (
    *("session__tool_use", "session__model_use", "session__options", "session__task__definition"),
    *("session__run__setup", "session__agent_model__findings"),
)


def _score_items(values: Sequence[MetricValue]) -> list[schemas.ScoreItem]:
    return [
        schemas.ScoreItem(
            session=value.session_id,
            **_of_session(value.session),
            profile=value.profile,
            rater="person" if value.rater.startswith(PERSON) else value.rater,
            metric=value.key,
            value=value.value,
        )
        for value in values
    ]


def _of_session(session: Session) -> dict[str, Any]:
    return {
        "run": session.run_id or "",
        "run_name": session.run.name if session.run else "",
        "suite": session.suite,
        "task": session.task.task_id,
        "trial": session.trial_id,
        "agent": session.agent,
        "model": session.agent_model.name if session.agent_model else "",
    }


# Judgements and labels.


class JudgementFilters(FilterForm):
    """Of which sessions, by whom."""

    run = TextField(required=False, max_length=12, label=gettext_lazy("Run"))
    session = TextField(required=False, max_length=12, label=gettext_lazy("Session"))
    batch = TextField(required=False, max_length=12, label=gettext_lazy("Batch"))
    judge = TextField(required=False, max_length=60, label=gettext_lazy("Judge"))
    status = OneOf(required=False, choices=[ANY, *JudgementStatus.choices], label=gettext_lazy("Status"))


def judgements(request: HttpRequest) -> Source[Judgement]:
    """Those that the filters leave, the first ones first."""
    given = _filters(JudgementFilters, request.GET)
    by = {
        "run": "session__run",
        "session": "session",
        "batch": "batch",
        "status": "status",
        "judge": "batch__judge__name",
    }
    rows = Judgement.objects.filter(_OF_SHOWN_SESSIONS, **{by[name]: value for name, value in given.items()})
    rows = rows.select_related("batch__judge", "batch__meta_judge", "session__task")
    unread = ("raw", "meta_raw", "ratings", "calls", "faults", "meta_faults", "meta_reasoning")
    rows = rows.defer(
        *unread, "session__tool_use", "session__model_use", "session__options", "session__task__definition"
    )
    page, every = by_number(rows)
    return Source(page, every, _judgement_items)


def _filters(form: type[FilterForm], given: QueryDict) -> Mapping[str, Any]:
    bound = form(given, {})
    refuse_unfit(bound, given, OWN[:-1])
    return bound.filters()


def _judgement_items(rows: Sequence[Judgement]) -> list[schemas.JudgementItem]:
    return [
        schemas.JudgementItem(
            id=row.pk,
            batch=row.batch_id,
            session=row.session_id,
            run=row.session.run_id or "",
            task=row.session.task.task_id,
            suite=row.session.suite,
            repeat=row.repeat,
            judge=row.batch.judge.name,
            meta_judge=row.batch.meta_judge.name if row.batch.calibrated else "",
            rubric=row.batch.rubric,
            form=row.batch.form,
            status=row.status,
            scores=row.scores,
            meta_score=row.meta_score,
            score=row.score,
            prompts=row.prompts,
            ended_at=row.ended_at,
        )
        for row in rows
    ]


class LabelFilters(FilterForm):
    """Of which study and session."""

    study = TextField(required=False, max_length=100, label=gettext_lazy("Study"))
    session = TextField(required=False, max_length=12, label=gettext_lazy("Session"))


def labels(request: HttpRequest) -> Source[Label]:
    """Those that the filters leave, the first ones first.

    A session that is asked for narrows only what tells its sessions: else it would tell them.
    """
    given = _filters(LabelFilters, request.GET)
    rows = Label.objects.select_related("item__study", "item__task", "rater", "assignment")
    rows = rows.defer("item__task__definition")
    if "study" in given:
        rows = rows.filter(Q(item__study=given["study"]) | Q(item__study__name=given["study"]))
    if "session" in given:
        rows = rows.filter(Q(item__left=given["session"]) | Q(item__right=given["session"]))
        rows = rows.exclude(item__study__blind=True, item__study__in=_unclosed_studies())
    page, every = by_number(rows)
    names: dict[str, dict[str, str]] = {}
    return Source(page, every, partial(_label_items, names))


def _unclosed_studies() -> QuerySet[Any]:
    return LabelStudy.objects.exclude(status=LabelStudy.Status.CLOSED).order_by().values("pk")


def _label_items(names: dict[str, dict[str, str]], rows: Sequence[Label]) -> list[schemas.LabelItem]:
    """names: what raters are called in each study, which is filled."""
    for study in {row.item.study for row in rows if row.item.study_id not in names}:
        names[study.pk] = names_of(study, blind=True)
    return [_label_item(row, names[row.item.study_id]) for row in rows]


def _label_item(row: Label, names: Mapping[str, str]) -> schemas.LabelItem:
    item, study = row.item, row.item.study
    told = not study.blind or study.status == LabelStudy.Status.CLOSED
    return schemas.LabelItem(
        id=row.pk,
        study=study.pk,
        study_name=study.name,
        kind=study.kind,
        item=item.number,
        purpose=item.purpose,
        task=item.task.task_id,
        message=item.at,
        left_session=item.left_id if told else None,
        right_session=item.right_id if told else None,
        left_agent=item.left_agent if told else None,
        right_agent=item.right_agent if told else None,
        rater=names.get(row.rater_id, ""),
        rater_kind=row.rater.kind,
        source=row.source,
        choice=row.choice,
        scores=row.answer.get("scores", {}),
        strength=str(row.answer.get(STRENGTH, "")),
        rationale=row.rationale,
        swapped=row.swapped,
        seconds=row.seconds,
        hurried=row.hurried,
        repeat=row.repeat,
        counts=row.counts,
        current=row.current,
        created_at=row.created_at,
    )


# Tasks and worlds.


def tasks(request: HttpRequest) -> Source[Task]:
    """Those that the filters of the table of tasks leave."""
    look = look_at(of_tasks(), request.GET)
    whole = Task.objects.select_related("collection").defer("definition")
    rows = tasks_of(look).select_related("collection").defer("definition")
    return _of_look(look, rows, partial(_task_items, request), whole)


def _task_items(request: HttpRequest, rows: Sequence[Task]) -> list[schemas.TaskItem]:
    return [schemas.TaskItem(**task_fields(request, task)) for task in rows]


def task_fields(request: HttpRequest, task: Task) -> dict[str, Any]:
    """What is told of a task in lists."""
    columns = task_columns.columns()
    told = {
        key: column.read(task)
        for key, column in columns.items()
        if key not in ("place", "collection", "task")
    }
    return {
        "id": task.task_id,
        "page": request.build_absolute_uri(task.get_absolute_url()),
        "suite": task.suite,
        "collection": task.collection.name,
        "line": task.position + 1,
        "version": task.version,
        "language": task.language,
        "query": task.query,
        "fields": {key: value for key, value in told.items() if value not in (None, "")},
    }


def worlds(request: HttpRequest) -> Source[World]:
    """All of them, in the order in which they came."""
    _filters(FilterForm, request.GET)
    page, every = by_number(World.objects.defer("report"))
    return Source(page, every, partial(_world_items, request))


def _world_items(request: HttpRequest, rows: Sequence[World]) -> list[schemas.WorldItem]:
    return [
        schemas.WorldItem(
            name=world.name,
            page=request.build_absolute_uri(world.get_absolute_url()),
            cities=[str(city) for city in world.cities],
            places=world.places,
            pack_hash=world.pack_hash,
            imported_at=world.imported_at,
        )
        for world in rows
    ]
