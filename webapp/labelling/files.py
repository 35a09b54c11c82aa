"""Labels as files: what a study holds, read some items at a time, in each format that other programs take."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from benchmark.core.events import Event as LogEvent
from benchmark.core.view import AGENT
from benchmark.jsonlines import json_line
from benchmark.labelling.files.exports import (
    PERSON,
    DecisionExport,
    ItemExport,
    KnownExport,
    LabelExport,
    StudyExport,
)
from benchmark.labelling.files.label_studio import interface, task
from benchmark.labelling.files.preferences import PREFERENCES, DropCounts, Side, preference
from benchmark.labelling.files.prompts import prompt_messages, talk_request
from benchmark.labelling.files.rows import COLUMNS, json_row, table_rows
from benchmark.models import ChatRequest
from benchmark.suites import suite_named
from webapp.judging.models import Rater
from webapp.labelling.answers import MESSAGE_TYPE, Answer, answers_of
from webapp.labelling.choices import is_slight
from webapp.labelling.models import STRENGTH, TOLD_KEY, Decision, Kind, Label, LabelItem, LabelStudy
from webapp.labelling.table import Final, final_choices
from webapp.sessions.log import read_log
from webapp.sessions.models import Event, Session
from webapp.sessions.setting import setting_of
from webapp.spreadsheets import csv_text

AT_ONCE = 200
"""Items that are read together."""
OPENING = 60
"""Events of a session that are read for its opening."""


_COLUMNS_OF = ("choice", STRENGTH, "scores", TOLD_KEY)
"""Keys of an answer that files have columns for."""


@dataclass(frozen=True)
class Format:
    """A way of writing labels. ending: of the file's name. kind: its type for browsers. about: one sentence."""

    ending: str
    kind: str
    label: Promise
    about: Promise
    kinds: tuple[str, ...] = (Kind.PAIRWISE, Kind.RUBRIC, Kind.BINARY)


FORMATS: Mapping[str, Format] = {
    "csv": Format(
        ".csv",
        "text/csv",
        _("Labels (CSV)"),
        _("One row per label, for manage.py agreement and for spreadsheets."),
    ),
    "jsonl": Format(
        ".jsonl",
        "application/x-ndjson",
        _("Items with all labels (JSONL)"),
        _("One line per item, with every label that was ever given and every decision. Nothing is left out."),
    ),
    "preferences": Format(
        ".preferences.jsonl",
        "application/x-ndjson",
        _("Preference pairs (JSONL)"),
        _("The preferred and the rejected answer of decided pairs, with the columns that TRL reads for DPO."),
        (Kind.PAIRWISE,),
    ),
    "conversations": Format(
        ".conversations.jsonl",
        "application/x-ndjson",
        _("Preference pairs as messages (JSONL)"),
        _("The same in TRL's conversational form, for models with a chat template."),
        (Kind.PAIRWISE,),
    ),
    "label-studio": Format(
        ".label-studio.json",
        "application/json",
        _("Label Studio (JSON)"),
        _("Tasks with annotations, to import into Label Studio; raters are named in each result's meta."),
    ),
    "label-studio-config": Format(
        ".label-studio.xml",
        "application/xml",
        _("Label Studio interface (XML)"),
        _("The labelling interface that these tasks need; paste it into the project's settings."),
    ),
}
PAIRS = ("preferences", "conversations")
"""The formats that hold pairs alone."""


@dataclass(frozen=True)
class Options:
    """How a study is written.

    blind: people are R1, R2 … in it. everything: a table also has repeats, models, and items with known answers or
    withdrawn. numbered: Label Studio's annotations have raters as numbers under `completed_by`.
    """

    blind: bool = False
    everything: bool = False
    numbered: bool = False


@dataclass
class WriteCounts:
    """What was written. drops: of preference pairs, why items made none."""

    items: int = 0
    drops: DropCounts = field(default_factory=DropCounts)


def study_export(study: LabelStudy) -> StudyExport:
    """A study as files tell of it."""
    return StudyExport(
        id=study.pk,
        name=study.name,
        kind=study.kind,
        suite=study.suite,
        choices=tuple(map(str, study.choices)),
        scales=study.scales,
        slight=study.has_slight,
        question=study.text("question", get_language() or "en"),
        pilot=study.pilot,
    )


def names_of(study: LabelStudy, *, blind: bool = False) -> dict[str, str]:
    """What the raters of a study are called in its files, by id: each by a name of their own.

    blind: people are R1, R2 … in an order that tells nothing; models keep their names.
    """
    raters = Rater.objects.filter(Q(labels__item__study=study) | Q(annotating__study=study)).distinct()
    names, taken = {}, set()
    numbers = iter(range(1, 1_000_000))
    for rater in raters.order_by("pk"):
        name = f"R{next(numbers)}" if blind and rater.kind == PERSON else rater.name
        names[rater.pk] = f"{name} ({rater.pk})" if name in taken else name
        taken.add(name)
    return names


def items_of(study: LabelStudy, *, blind: bool = False) -> Iterator[ItemExport]:
    """The items of a study in their order, with every label and decision; they are read some at a time."""
    names = names_of(study, blind=blind)
    finals = final_choices(study, only_counting=not study.pilot)
    numbers = list(study.items.order_by("number").values_list("number", flat=True))
    for begin in range(0, len(numbers), AT_ONCE):
        some = study.items.filter(number__in=numbers[begin : begin + AT_ONCE])
        items = list(some.select_related("task").defer("task__definition").order_by("number"))
        labels, decisions = _labels(items), _decisions(items)
        for item in items:
            final = finals.get(item.number, Final())
            yield _item(item, labels[item.pk], decisions[item.pk], final, names, blind)


def _labels(items: list[LabelItem]) -> dict[int, list[Label]]:
    labels: dict[int, list[Label]] = defaultdict(list)
    rows = Label.objects.filter(item__in=items).select_related("rater", "assignment")
    for row in rows.order_by("created_at", "pk"):
        labels[row.item_id].append(row)
    return labels


def _decisions(items: list[LabelItem]) -> dict[int, list[Decision]]:
    decisions: dict[int, list[Decision]] = defaultdict(list)
    for row in Decision.objects.filter(item__in=items).order_by("created_at", "pk"):
        decisions[row.item_id].append(row)
    return decisions


def _item(
    item: LabelItem,
    labels: list[Label],
    decisions: list[Decision],
    final: Final,
    names: Mapping[str, str],
    blind: bool,
) -> ItemExport:
    at = {label.pk: position for position, label in enumerate(labels)}
    return ItemExport(
        number=item.number,
        task=item.task.task_id,
        purpose=item.purpose,
        left=item.left_id or "",
        right=item.right_id or "",
        left_agent=item.left_agent,
        right_agent=item.right_agent,
        message=item.at,
        facets=item.facets,
        stratum=item.stratum,
        cities=list(item.cities),
        withdrawn=item.withdrawn_at is not None,
        labels=[_label(label, names, blind) for label in labels],
        decisions=[_decision(decision, at) for decision in decisions],
        final=final.choice,
        finals=final.scores,
        decided=final.decided,
        known=_known_answer(item),
    )


def _known_answer(item: LabelItem) -> KnownExport | None:
    if not item.answer:
        return None
    return KnownExport(
        choice=item.answer.get("choice", ""),
        slight=is_slight(item.answer),
        scores=item.answer.get("scores") or {},
        explanation=item.explanation,
    )


def _label(label: Label, names: Mapping[str, str], blind: bool) -> LabelExport:
    person = label.rater.kind == PERSON
    return LabelExport(
        rater=names[label.rater_id],
        rater_id="" if blind and person else label.rater_id,
        rater_kind=label.rater.kind,
        rater_key=label.rater.key or "",
        choice=label.choice,
        slight=is_slight(label.answer),
        scores=label.answer.get("scores") or {},
        more={key: value for key, value in label.answer.items() if key not in _COLUMNS_OF},
        rationale=label.rationale,
        seconds=label.seconds,
        swapped=label.swapped,
        hurried=label.hurried,
        ticks=label.ticks,
        source=label.source,
        repeat=label.repeat,
        counts=label.counts,
        current=label.stands,
        at=label.created_at.isoformat(),
    )


def _decision(decision: Decision, at: Mapping[int, int]) -> DecisionExport:
    return DecisionExport(
        choice=decision.choice,
        slight=is_slight(decision.answer),
        scores=decision.answer.get("scores") or {},
        note=decision.note,
        seen=[at[pk] for pk in decision.seen if pk in at],
        current=decision.current,
        at=decision.created_at.isoformat(),
    )


def parts(
    study: LabelStudy, format_: str, options: Options | None = None, written: WriteCounts | None = None
) -> Iterator[bytes]:
    """The bytes of a file of a study, some items at a time.

    format_: of `FORMATS`. written: where what was written is counted.

    Raises:
        ValueError: a study of this kind has no such file.
    """
    if study.kind not in FORMATS[format_].kinds:
        raise ValueError(_no_pairs(study))
    options, written = options or Options(), written or WriteCounts()
    if format_ == "label-studio-config":
        return iter([_interface(study)])
    items = _count_items(items_of(study, blind=options.blind), written)
    return _WRITERS[format_](study, items, options, written)


def filled_parts(
    study: LabelStudy, format_: str, options: Options | None = None, written: WriteCounts | None = None
) -> Iterator[bytes]:
    """As `parts`; a file of preference pairs that would hold none is refused before anything is written.

    Raises:
        ValueError: a study of this kind has no such file, or has no pair for it.
    """
    written = written or WriteCounts()
    pieces = parts(study, format_, options, written)
    if format_ not in PAIRS:
        return pieces
    first = next(pieces, None)
    if first is None:
        raise ValueError(_nothing(study, written.drops))
    return chain((first,), pieces)


def _nothing(study: LabelStudy, dropped: DropCounts) -> str:
    words = gettext(
        "%(study)s has no preference pair: %(undecided)s without a majority or a decision, "
        "%(even)s neither or equally good, %(missing)s without an answer on both sides"
    )
    counts = {"undecided": dropped.undecided, "even": dropped.even, "missing": dropped.no_plan}
    return words % {"study": study.name, **counts}


def dropped_pairs(study: LabelStudy) -> DropCounts:
    """How many items of a study of pairs make preference pairs, and why others make none."""
    counts = DropCounts()
    for some in _batches(items_of(study)):
        usual = [item for item in some if item.purpose == LabelItem.Purpose.NORMAL and not item.withdrawn]
        answers = _answers(study, usual)
        for item in usual:
            counts.takes(item, answers)
    return counts


def _no_pairs(study: LabelStudy) -> str:
    return f"{study.name} compares no plans in pairs; preference pairs come from a study of pairs"


def _count_items(items: Iterable[ItemExport], written: WriteCounts) -> Iterator[ItemExport]:
    for item in items:
        written.items += 1
        yield item


def _interface(study: LabelStudy) -> bytes:
    told = study_export(study)
    return interface(told, question=told.question).encode()


def _csv(
    study: LabelStudy, items: Iterable[ItemExport], options: Options, written: WriteCounts
) -> Iterator[bytes]:
    yield csv_text(COLUMNS, []).encode()
    for item in items:
        rows = table_rows(item, everything=options.everything)
        yield csv_text(COLUMNS, rows).partition("\r\n")[2].encode()


def _jsonl(
    study: LabelStudy, items: Iterable[ItemExport], options: Options, written: WriteCounts
) -> Iterator[bytes]:
    told = study_export(study)
    for item in items:
        yield json_line(json_row(told, item))


def _preferences(
    study: LabelStudy,
    items: Iterable[ItemExport],
    options: Options,
    written: WriteCounts,
    *,
    conversational: bool = False,
) -> Iterator[bytes]:
    prompt = prompts_of(study.suite)
    for some in _batches(items):
        answers = _answers(study, some)
        for item in some:
            usual = item.purpose == LabelItem.Purpose.NORMAL and not item.withdrawn
            if usual and written.drops.takes(item, answers):
                told = prompt(item.task, item.left)
                sides = {side: _side(answers[getattr(item, side)], conversational) for side in PREFERENCES}
                yield json_line(preference(item, told, sides, conversational=conversational))


def _answers(study: LabelStudy, items: Iterable[ItemExport]) -> dict[str, Answer]:
    """What the sessions of these items gave, by session."""
    return answers_of(study.suite, sorted({pk for item in items for pk in (item.left, item.right) if pk}))


def _side(answer: Answer, conversational: bool) -> Side:
    return answer.messages if conversational else answer.text


def _conversations(
    study: LabelStudy, items: Iterable[ItemExport], options: Options, written: WriteCounts
) -> Iterator[bytes]:
    return _preferences(study, items, options, written, conversational=True)


def _label_studio(
    study: LabelStudy, items: Iterable[ItemExport], options: Options, written: WriteCounts
) -> Iterator[bytes]:
    told = study_export(study)
    names = names_of(study, blind=options.blind)
    numbers = {name: at for at, name in enumerate(names.values(), 1)} if options.numbered else None
    before = b"[\n"
    for some in _batches(items):
        queries, texts_of = _queries(study, some), _texts(study, some)
        for item in some:
            texts = texts_of(item)
            row = task(told, item, prompt=queries[item.number], answers=texts, number_raters=numbers)
            yield before + json_line(row).rstrip(b"\n")
            before = b",\n"
    yield b"[]\n" if before == b"[\n" else b"\n]\n"


def _texts(study: LabelStudy, items: list[ItemExport]) -> Callable[[ItemExport], Mapping[str, str]]:
    """What is labelled of an item, by session: its message, else what its sessions gave."""
    if study.message_rubric is None:
        texts = {session: answer.text for session, answer in _answers(study, items).items()}
        return lambda item: texts
    wanted = Event.objects.filter(session__in={item.left for item in items}, type=MESSAGE_TYPE)
    wanted = wanted.filter(seq__in={item.message for item in items})
    said: dict[tuple[str, int | None], Any] = {
        (session, seq): payload for session, seq, payload in wanted.values_list("session", "seq", "payload")
    }
    return lambda item: {item.left: str(said.get((item.left, item.message), {}).get("content", ""))}


def _queries(study: LabelStudy, items: Iterable[ItemExport]) -> dict[int, str]:
    """Each item's task in its own words, by number."""
    rows = study.items.filter(number__in=[item.number for item in items])
    return {
        number: query or task_id
        for number, query, task_id in rows.values_list("number", "task__query", "task__task_id")
    }


def _batches(items: Iterable[ItemExport]) -> Iterator[list[ItemExport]]:
    some: list[ItemExport] = []
    for item in items:
        some.append(item)
        if len(some) == AT_ONCE:
            yield some
            some = []
    if some:
        yield some


Prompt = Callable[[str, str], list[dict[str, Any]]]
"""What an agent is told of a task, from the task's id and a session on it."""


def prompts_of(suite_name: str) -> Prompt:
    """Prompts of a benchmark by task, made once for each."""
    suite = suite_named(suite_name)
    known: dict[str, list[dict[str, Any]]] = {}
    cast = cache(suite.play.cast)

    def prompt(task_id: str, session: str) -> list[dict[str, Any]]:
        if task_id not in known:
            log = list(read_log(session, limit=OPENING))
            setting = setting_of(Session.objects.select_related("task").get(pk=session), log[0].body)
            context = suite.play.seat_context(setting, AGENT)
            known[task_id] = prompt_messages(suite.play.rules, cast(), context, log)
        return known[task_id]

    return prompt


TalkRequest = Callable[[str, str, Sequence[LogEvent]], ChatRequest | None]
"""What an agent that calls tools is first asked, from the task's id, a session on it and its log."""


def talk_requests(suite_name: str) -> TalkRequest:
    """The same of an agent that calls tools and talks."""
    suite = suite_named(suite_name)
    cast = cache(suite.play.cast)
    known: dict[str, ChatRequest | None] = {}

    def request(task_id: str, session: str, events: Sequence[LogEvent]) -> ChatRequest | None:
        if task_id not in known:
            row = Session.objects.select_related("task").get(pk=session)
            context = suite.play.seat_context(setting_of(row, events[0].body), AGENT)
            known[task_id] = talk_request(suite.play.rules, cast(), context, events)
        return known[task_id]

    return request


_WRITERS: Mapping[str, Callable[..., Iterator[bytes]]] = {
    "csv": _csv,
    "jsonl": _jsonl,
    "preferences": _preferences,
    "conversations": _conversations,
    "label-studio": _label_studio,
}
