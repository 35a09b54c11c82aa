"""How long labelling studies keep what is personal of their annotators."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.labelling import LabelledStudy, annotator_of, answer, label, make_study, pairs_study
from webapp import clock
from webapp.audits.models import Access, Act, Way
from webapp.catalogue.models import Task, World
from webapp.jobs.models import Job
from webapp.judging.models import Rater
from webapp.labelling import queue, retention
from webapp.labelling.adjudication import decide
from webapp.labelling.annotators import NotAdmitted, from_panel, invite, invite_again, panel_of, renew_link
from webapp.labelling.files import FORMATS, Options, parts
from webapp.labelling.forms import StudyForm
from webapp.labelling.incoming import import_labels
from webapp.labelling.jobs import LABEL_REMOVAL
from webapp.labelling.models import Annotator, Assignment, Decision, Label, LabelItem, LabelStudy
from webapp.labelling.people import known_raters, panel_address
from webapp.labelling.queue import AnswerRefused
from webapp.labelling.retention import due_studies, erase
from webapp.labelling.studies import StudyRefused, close_study, delete_study, duplicate, open_study
from worker.steppers import STEPPERS

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
SECRET = "zugzwang"
"""Stands in everything personal of a study, and nowhere else."""
MakeStudy = Callable[..., LabelStudy]


@pytest.fixture
def make(starter_tasks: list[Task], starter_world: World) -> MakeStudy:
    """A study that was closed so many days ago, with everything in it that is personal."""

    def build(
        *, ago: float = 20, keep_days: int | None = 10, items: int = 3, closed: bool = True
    ) -> LabelStudy:
        study = pairs_study(starter_tasks, starter_world, items, keep_days=keep_days, panel=True, per_item=4)
        by_panel = from_panel(study=study, told=panel_of({"PROLIFIC_PID": f"{SECRET}pid"}))
        Annotator.objects.filter(pk=by_panel.pk).update(guidelines_read=1)
        for annotator, choice in ((by_panel, "left"), (annotator_of(study, f"Li {SECRET}"), "right")):
            fill(annotator, choice)
        decide(
            item=study.items.get(number=1), answer={"choice": "left"}, decided_by=None, note=f"of {SECRET}"
        )
        if closed:
            close_study(study=study)
        age(study, ago)
        study.refresh_from_db()
        return study

    return build


def fill(annotator: Annotator, choice: str) -> None:
    """An answer, one that was taken back and given otherwise, one skipped, and a draft."""
    answer(at_work(annotator), choice, rationale=f"since {SECRET}")
    queue.undo(annotator)
    answer(at_work(annotator), choice, rationale=f"rather {SECRET}")
    queue.skip(at_work(annotator), reason=f"{SECRET} is my town")
    queue.keep_draft(at_work(annotator), draft={"choice": "left", "rationale": f"so far {SECRET}"})


def at_work(annotator: Annotator) -> Assignment:
    assignment = queue.next_for(annotator)
    assert assignment is not None
    return assignment


def age(study: LabelStudy, days: float) -> None:
    """Have everything in a study happened so many days earlier."""
    shift = days * DAY
    for rows, names in (
        (LabelStudy.objects.filter(pk=study.pk), ("created_at", "kept_from")),
        (Annotator.objects.filter(study=study), ("created_at", "seen_at", "expires_at")),
        (Label.objects.filter(item__study=study), ("created_at",)),
    ):
        for row in rows:
            moved = {name: getattr(row, name) - shift for name in names if getattr(row, name)}
            type(row).objects.filter(pk=row.pk).update(**moved)


def holding(word: str = SECRET) -> list[str]:
    """The tables that hold a word."""
    found = []
    for model in (Rater, Annotator, Assignment, Label, Decision, LabelStudy, LabelItem, Access, Job):
        for row in model.objects.values():
            if word in json.dumps(row, default=str, ensure_ascii=False):
                found.append(model.__name__)
                break
    return found


def find() -> int:
    assert LABEL_REMOVAL.find is not None
    return LABEL_REMOVAL.find()


def ratings(study: LabelStudy) -> list[tuple[Any, ...]]:
    rows = Label.objects.filter(item__study=study).order_by("pk")
    return list(
        rows.values_list("pk", "item", "rater", "choice", "answer", "counts", "current", "seconds", "swapped")
    )


# --- when


@pytest.mark.parametrize(
    ("ago", "keep_days", "default", "is_due"),
    [
        (30.01, 30, 0, True),
        (29.99, 30, 0, False),
        (9999, None, 0, False),
        (30.01, None, 30, True),
        (30.01, 60, 30, False),
        (30.01, 10, 60, True),
        (29.99, None, 30, False),
    ],
)
def test_the_days_of_the_study_count_else_those_of_the_installation(
    make: MakeStudy, settings: Settings, ago: float, keep_days: int | None, default: int, is_due: bool
) -> None:
    settings.CARAVAN_RETENTION_DAYS = default
    study = make(ago=ago, keep_days=keep_days)
    assert due_studies() == ([study] if is_due else [])


def test_they_are_counted_from_when_the_study_was_closed(make: MakeStudy) -> None:
    study = make(ago=20, keep_days=10, closed=False)
    close_study(study=study)
    assert due_studies() == []
    LabelStudy.objects.update(kept_from=clock.now() - 11 * DAY)
    assert due_studies() == [study]


@pytest.mark.parametrize("moment", ["label", "visit", "link", "new annotator"])
def test_of_a_study_that_nobody_closed_from_what_came_last(make: MakeStudy, moment: str) -> None:
    study = make(ago=60, keep_days=10, closed=False)
    assert due_studies() == [study]
    late = clock.now() - 9 * DAY
    if moment == "label":
        Label.objects.filter(pk=Label.objects.latest("pk").pk).update(created_at=late)
    elif moment == "new annotator":
        Annotator.objects.filter(pk=Annotator.objects.latest("pk").pk).update(created_at=late)
    else:
        Annotator.objects.update(**{"seen_at" if moment == "visit" else "expires_at": late})
    assert due_studies() == []


def test_labels_of_the_future_and_of_models_keep_nothing(make: MakeStudy) -> None:
    study = make(ago=60, keep_days=10, closed=False)
    item, model = study.items.get(number=3), Rater.objects.create(kind=Rater.Kind.PAIRWISE, name="m", key="m")
    label(item, model, created_at=clock.now())
    label(item, Rater.objects.first(), created_at=clock.now() + 900 * DAY)
    assert due_studies() == [study]


def test_labels_that_come_from_a_file_begin_the_days_anew(make: MakeStudy, tmp_path: Path) -> None:
    study = make(ago=20, keep_days=10)
    path = tmp_path / "labels.csv"
    path.write_text("item,rater,label\n3,Zoe,A\n")
    import_labels(study=study, path=path)
    assert due_studies() == []


def test_a_study_without_people_is_never_due(starter_tasks: list[Task], starter_world: World) -> None:
    study = pairs_study(starter_tasks, starter_world, 1, keep_days=1)
    age(study, 100)
    assert due_studies() == []


# --- what


@pytest.mark.both_engines
def test_a_job_removes_what_is_personal_and_nothing_that_counts(make: MakeStudy) -> None:
    study, kept = make(), make(ago=1)
    Rater.objects.filter(annotating__study=kept).update(name="Somebody else")
    Annotator.objects.filter(study=kept).update(panel={})
    Label.objects.filter(item__study=kept).update(rationale="kept")
    Assignment.objects.filter(item__study=kept).update(reason="kept", draft={"rationale": "kept"})
    Decision.objects.filter(item__study=kept).update(note="kept")
    before, tokens = ratings(study), [annotator.token for annotator in study.annotators.all()]
    assert Label.objects.filter(item__study=study, current=False).exclude(rationale="").count() == 2
    assert set(holding()) == {"Rater", "Annotator", "Assignment", "Label", "Decision"}
    assert find() == 1
    assert (find(), Job.objects.get(kind=LABEL_REMOVAL.name).subject) == (0, study.pk)
    STEPPERS[LABEL_REMOVAL.name](study.pk)
    assert holding() == []
    assert ratings(study) == before
    study.refresh_from_db()
    assert (study.data_removed_at is not None, study.status) == (True, "closed")
    assert sorted(Rater.objects.filter(annotating__study=study).values_list("name", flat=True)) == sorted(
        f"R-{pk}" for pk in study.annotators.values_list("rater", flat=True)
    )
    renewed = [annotator.token for annotator in study.annotators.all()]
    assert not set(tokens) & set(renewed)
    assert not any(annotator.usable() for annotator in study.annotators.all())
    assert Assignment.objects.filter(item__study=study, status="skipped").count() == 2
    assert Label.objects.filter(item__study=kept, rationale="kept").count() == 4
    assert Assignment.objects.filter(item__study=kept, reason="kept").count() == 6
    assert Decision.objects.filter(note="kept").count() == 1
    [noted] = Access.objects.filter(act=Act.REMOVED)
    assert (noted.way, noted.kind, noted.subject, noted.people) == (Way.RETENTION, "labelling", study.pk, 2)
    assert (noted.account, noted.place) == (None, "erase")
    assert Job.objects.get(kind=LABEL_REMOVAL.name).ended_at is not None


def test_words_of_imported_labels_go_and_whether_they_count_stays(make: MakeStudy) -> None:
    study = make()
    told = {"repeat": 1, "current": True, "by": SECRET}
    said = {"choice": "left", "strength": "slight", "told": told, "remark": SECRET, "confidence": 0.5}
    item, at = study.items.get(number=3), clock.now() - 30 * DAY
    row = label(item, Rater.objects.create(name=SECRET), answer=said, current=False, created_at=at)
    model = Rater.objects.create(kind=Rater.Kind.PAIRWISE, name="m", key="m")
    of_model = label(
        study.items.get(number=3), model, answer={"choice": "left", "why": "cheap"}, rationale="cheap"
    )
    age(study, 0)
    erase(study.pk)
    row.refresh_from_db()
    of_model.refresh_from_db()
    assert row.answer == {
        "choice": "left",
        "strength": "slight",
        "confidence": 0.5,
        "told": {"repeat": 1, "current": True},
    }
    assert (row.repeat, row.stands) == (1, True)
    assert (of_model.answer["why"], of_model.rationale, of_model.rater.name) == ("cheap", "cheap", "m")
    assert holding() == []


@pytest.mark.both_engines
def test_a_rater_keeps_the_name_for_as_long_as_another_study_keeps_it(make: MakeStudy) -> None:
    first, second = make(), make(ago=1)
    shared = Rater.objects.get(name=f"Li {SECRET}", annotating__study=first)
    Annotator.objects.filter(study=second, rater__name=f"Li {SECRET}").update(rater=shared)
    erase(first.pk)
    shared.refresh_from_db()
    assert shared.name == f"Li {SECRET}"
    assert not Label.objects.filter(item__study=first).exclude(rationale="").exists()
    age(second, 20)
    erase(second.pk)
    assert Rater.objects.get(pk=shared.pk).name == f"R-{shared.pk}"
    assert holding() == []


def test_a_rater_of_whom_another_study_has_labels_alone_keeps_the_name(make: MakeStudy) -> None:
    first, second = make(), make(ago=1)
    shared = Rater.objects.get(name=f"Li {SECRET}", annotating__study=first)
    label(second.items.get(number=3), shared)
    erase(first.pk)
    assert Rater.objects.get(pk=shared.pk).name == f"Li {SECRET}"


def test_a_study_that_is_deleted_takes_names_along_that_no_other_has(
    starter_tasks: list[Task], starter_world: World
) -> None:
    gone, kept = (pairs_study(starter_tasks, starter_world, 1) for _ in range(2))
    alone, shared = (annotator_of(gone, name).rater for name in (SECRET, "Ann"))
    invite_again(study=kept, rater=shared)
    delete_study(study=gone)
    assert holding() == []
    assert Rater.objects.get(pk=shared.pk).name == "Ann"
    assert Rater.objects.get(pk=alone.pk).name == f"R-{alone.pk}"


def test_a_removal_that_broke_off_left_all_and_is_done_again(
    make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make()
    before = set(holding())

    def fail(*_given: Any, **_named: Any) -> None:
        raise RuntimeError("killed")

    for step in ("_erase_words", "forget_names", "note_access"):
        with monkeypatch.context() as patched:
            patched.setattr(retention, step, fail)
            with pytest.raises(RuntimeError):
                erase(study.pk)
        study.refresh_from_db()
        assert (set(holding()), study.data_removed_at) == (before, None)
    assert (erase(study.pk), erase(study.pk)) == (2, 0)
    assert holding() == [] and Access.objects.filter(act=Act.REMOVED).count() == 1


def test_what_fails_is_tried_again_after_a_day(make: MakeStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    study = make()
    assert find() == 1

    def fail(_study: str) -> int:
        raise RuntimeError("no disk")

    with monkeypatch.context() as patched:
        patched.setattr("worker.steppers.removals.erase_annotators", fail)
        STEPPERS[LABEL_REMOVAL.name](study.pk)
    assert (find(), Job.objects.get(kind=LABEL_REMOVAL.name).error) == (0, "no disk")
    Job.objects.update(ended_at=clock.now() - 2 * DAY)
    assert find() == 1


def test_a_study_that_keeps_it_longer_by_now_keeps_it(make: MakeStudy) -> None:
    study = make()
    assert find() == 1
    LabelStudy.objects.update(keep_days=100)
    STEPPERS[LABEL_REMOVAL.name](study.pk)
    assert Job.objects.get(kind=LABEL_REMOVAL.name).ended_at is not None and holding()


# --- afterwards


@pytest.mark.both_engines
def test_figures_stay_equal_and_files_have_the_pseudonym(
    starter_tasks: list[Task], starter_world: World, as_researcher: Client
) -> None:
    study = pairs_study(starter_tasks, starter_world, 4, keep_days=10)
    people = list(LabelledStudy.by(study, ["left"] * 4, ["right", "left"], ["left", "neither", "right"]))
    close_study(study=study)
    age(study, 20)

    def figures() -> list[Any]:
        """Every figure, of raters by their ids: pairs of them stand in the order of their names."""
        text = as_researcher.get(reverse("label_statistics_file", args=[study.pk, "json"])).content.decode()
        names = {annotator.rater_id: annotator.rater.name for annotator in people}
        for pk, name in names.items():
            text = text.replace(name, pk).replace(f"R-{pk}", pk)
        found = json.loads(text)["statistics"]
        for row in found:
            row["of"] = " – ".join(sorted(row["of"].split(" – ")))
        return sorted(found, key=json.dumps)

    def table() -> list[str]:
        return b"".join(parts(study, "csv", Options())).decode().splitlines()

    before, rows = figures(), table()
    assert erase(study.pk) == 3
    assert figures() == before
    assert len(table()) == len(rows) and f"R-{people[0].rater_id}" in "".join(table())
    for name, format_ in FORMATS.items():
        if study.kind in format_.kinds:
            assert people[0].rater.name.encode() not in b"".join(parts(study, name, Options()))
    for page in (
        "label_study",
        "label_annotators",
        "label_quality",
        "label_statistics",
        "label_adjudication",
    ):
        shown = as_researcher.get(reverse(page, args=[study.pk]))
        assert shown.status_code == 200 and people[0].rater.name not in shown.content.decode()


def test_a_late_label_is_refused_with_a_sentence(make: MakeStudy) -> None:
    study = make(closed=False, ago=60)
    [mine, *_] = study.annotators.all()
    late = Assignment.objects.get(annotator=mine, status="open")
    done = Assignment.objects.filter(annotator=mine, status="answered").first()
    before = ratings(study)
    assert erase(study.pk) == 2 and done is not None
    words = "The study is over, and the names of its annotators and what they wrote were removed."
    for act in (
        lambda: answer(late, "left", rationale=SECRET),
        lambda: queue.skip(late, reason=SECRET),
        lambda: queue.undo(mine),
    ):
        with pytest.raises(AnswerRefused, match=words) as refused:
            act()
        assert refused.value.is_gone
    queue.keep_draft(late, draft={"choice": "left", "rationale": SECRET})
    mine.refresh_from_db()
    assert queue.next_for(mine) is None
    assert ratings(study) == before and holding() == []


def test_a_browser_that_was_in_reads_why_and_a_stranger_finds_nothing(
    make: MakeStudy, client: Client
) -> None:
    study = make(closed=False, ago=60)
    mine = study.annotators.latest("created_at")
    Annotator.objects.filter(pk=mine.pk).update(expires_at=clock.now() + DAY)
    client.post(reverse("annotator_link", args=[mine.token]))
    Annotator.objects.update(expires_at=clock.now() - 50 * DAY, seen_at=None)
    assert erase(study.pk) == 2
    words = "were removed. It takes no more answers."
    assert words in client.get(reverse("annotate", args=[mine.pk])).content.decode()
    sent = client.post(reverse("annotate_answer", args=[mine.pk]), HTTP_X_CARAVAN_SCRIPT="1")
    assert (sent.status_code, sent.json()["gone"]) == (422, True) and words in sent.json()["refused"]
    assert Client().get(reverse("annotate", args=[mine.pk])).status_code == 404
    assert client.get(reverse("annotator_link", args=[mine.token_under("k")])).status_code == 404


def test_nobody_comes_in_or_is_brought_in_any_more(make: MakeStudy, tmp_path: Path) -> None:
    study, other = make(), make_study()
    [mine, *_] = study.annotators.all()
    erase(study.pk)
    mine.refresh_from_db()
    study.refresh_from_db()
    path = tmp_path / "labels.csv"
    path.write_text("item,rater,label\n3,Zoe,A\n")
    with pytest.raises(ValueError, match="takes no more answers"):
        import_labels(study=study, path=path)
    with pytest.raises(CommandError, match="takes no more answers"):
        call_command("import_labels", study.pk, str(path))
    with pytest.raises(ValueError, match="takes no more answers"):
        invite(study=study, name="Zoe")
    with pytest.raises(NotAdmitted, match="takes no more answers"):
        renew_link(annotator=mine)
    with pytest.raises(NotAdmitted, match="takes no more answers"):
        from_panel(study=study, told=panel_of({"PROLIFIC_PID": "new"}))
    with pytest.raises(StudyRefused, match="so it stays closed"):
        open_study(study=study)
    with pytest.raises(StudyRefused, match="can't have the same annotators"):
        duplicate(study=study, name="again", pilot=False, annotators=True)
    assert duplicate(study=study, name="again", pilot=False).keep_days == 10
    assert known_raters(other) == []
    assert not Rater.objects.filter(name__in=("Zoe", "new")).exists()


# --- at the same moment


def at_once(*acts: Callable[[], Any]) -> None:
    """Have all of these done at the same moment, on a connection each; what is refused is."""
    start = threading.Barrier(len(acts))

    def run(act: Callable[[], Any]) -> None:
        try:
            start.wait()
            act()
        except (AnswerRefused, ValueError):
            pass
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


ON_BOTH = (pytest.mark.storage, pytest.mark.both_engines, pytest.mark.django_db(transaction=True))


def on_both_engines(test: Any) -> Any:
    for mark in ON_BOTH:
        test = mark(test)
    return test


@on_both_engines
@pytest.mark.parametrize("first", ["removal", "answers"])
def test_what_arrives_at_the_same_moment_is_stored_before_and_removed_or_refused(
    make: MakeStudy, monkeypatch: pytest.MonkeyPatch, first: str, tmp_path: Path
) -> None:
    study = make(closed=False, ago=0)
    one, other = Assignment.objects.filter(status="open", item__study=study)
    path = tmp_path / "labels.csv"
    path.write_text(f"item,rater,label\n3,Zoe {SECRET},A\n")
    monkeypatch.setattr(retention, "is_due", lambda *_given: True)
    acts: list[Callable[[], Any]] = [
        lambda: answer(one, "left", rationale=SECRET),
        lambda: queue.keep_draft(one, draft={"rationale": SECRET}),
        lambda: queue.skip(other, reason=SECRET),
        lambda: import_labels(study=study, path=path),
        lambda: invite(study=study, name=f"late {SECRET}"),
        lambda: from_panel(study=study, told=panel_of({"PROLIFIC_PID": f"late{SECRET}"})),
    ]
    acts.insert(0 if first == "removal" else len(acts), lambda: erase(study.pk))
    at_once(*acts)
    study.refresh_from_db()
    assert study.data_removed_at is not None and holding() == []


@on_both_engines
def test_two_studies_that_are_removed_at_the_same_moment_leave_no_name(
    make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, both = make(), make(), threading.Barrier(2)

    def wait_for_the_other(**_given: Any) -> None:
        with suppress(threading.BrokenBarrierError):
            both.wait(timeout=0.5)

    monkeypatch.setattr(retention, "note_access", wait_for_the_other)  # the last act before either is stored
    shared = Rater.objects.get(name=f"Li {SECRET}", annotating__study=first)
    Annotator.objects.filter(study=second, rater__name=f"Li {SECRET}").update(rater=shared)
    at_once(lambda: erase(first.pk), lambda: erase(second.pk))
    Rater.objects.filter(annotating=None, labels=None).delete()  # whom the shared one took the place of
    assert holding() == []


# --- told


def _command(*arguments: str) -> str:
    out = StringIO()
    call_command("remove_due_data", *arguments, stdout=out)
    return out.getvalue()


def test_a_preview_lists_studies_and_changes_nothing(make: MakeStudy) -> None:
    due, kept = make(), make(ago=1)
    before = {
        model: list(model.objects.order_by("pk").values()) for model in (Rater, Annotator, Assignment, Label)
    }
    rows = [json.loads(line) for line in _command("--preview", "--json").splitlines()]
    assert [(row["label_study"], row["people"], row["state"]) for row in rows] == [
        (due.pk, 2, "due"),
        (kept.pk, 2, "kept"),
    ]
    assert before == {model: list(model.objects.order_by("pk").values()) for model in before}
    assert not Access.objects.filter(act=Act.REMOVED).exists()
    text = _command()
    assert f"removed: 2 annotators of labelling study {due.name} ({due.pk})" in text and SECRET not in text
    assert "removed the data of 2 people" in text
    assert _command() == "nothing was removed\n"


@pytest.mark.parametrize(
    ("given", "fits"), [("1", True), ("36500", True), ("", True), ("0", False), ("36501", False)]
)
def test_a_study_takes_a_number_of_days(given: str, fits: bool) -> None:
    form = StudyForm({"name": "a study", "kind": "pairwise", "keep_days": given}, instance=LabelStudy())
    assert ("keep_days" not in form.errors) == fits
    assert 'min="1"' in str(form["keep_days"])


def test_its_page_says_until_when_and_that_it_was_removed(make: MakeStudy, as_researcher: Client) -> None:
    study = make(ago=1)

    def page(name: str = "label_study") -> str:
        return " ".join(as_researcher.get(reverse(name, args=[study.pk])).content.decode().split())

    assert study.kept_from is not None
    assert f"are kept until {study.kept_from + 10 * DAY:%Y-%m-%d}." in page()
    LabelStudy.objects.update(status="open")
    assert "and longer if somebody works on the study until then." in page()
    LabelStudy.objects.update(status="closed")
    age(study, 20)
    erase(study.pk)
    assert f"what they wrote were removed on {clock.now():%Y-%m-%d}" in page()
    assert 'id="open"' not in page() and 'id="pause"' not in page()
    assert "It takes no more answers." in page("label_files") and "label-upload" not in page("label_files")
    assert 'name="annotators"' not in page()
    people = page("label_annotators")
    assert (
        "the study takes nobody any more" in people and "/renew/" not in people and "make-links" not in people
    )
    assert panel_address(LabelStudy.objects.get(), None) == ""  # type: ignore[arg-type]


@pytest.mark.parametrize("keep_days", [30, None])
def test_annotators_read_it_before_they_begin(make: MakeStudy, client: Client, keep_days: int | None) -> None:
    study = make(ago=0, keep_days=keep_days, closed=False)
    annotator = invite(study=study, name="Ann")
    page = client.post(reverse("annotator_link", args=[annotator.token]), follow=True).content.decode()
    said = "Your name and the reasons that you write are removed 30 days after the study is over."
    assert (said in " ".join(page.split())) == (keep_days is not None)


@pytest.mark.both_engines
def test_the_release_before_stores_studies_that_say_nothing_of_days(make: MakeStudy) -> None:
    """Its rows lack the columns of this one."""
    study = make()
    with connection.cursor() as cursor:
        table = LabelStudy._meta.db_table
        names = [field.column for field in LabelStudy._meta.fields]
        old = [
            name for name in names if name not in ("id", "name", "keep_days", "kept_from", "data_removed_at")
        ]
        cursor.execute(
            f"INSERT INTO {table} (id, name, {', '.join(old)}) SELECT 'old', 'old', {', '.join(old)} "
            f"FROM {table} WHERE id = %s",
            [study.pk],
        )
    made = LabelStudy.objects.get(pk="old")
    assert (made.keep_days, made.kept_from, made.data_removed_at) == (None, None, None)
