"""Two files of run records become a study of pairs, or nothing of them comes in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.labelling import annotator_of
from tests.webapp.exchange.records import PLACES, foreign, write_records
from webapp.cassettes.forking import place_at
from webapp.catalogue.models import Task, TaskCollection, TaskImport, World
from webapp.exchange import imports
from webapp.jobs import services as jobs
from webapp.jobs.models import Job
from webapp.labelling import blind
from webapp.labelling.blind import shown_item
from webapp.labelling.models import LabelStudy
from webapp.labelling.studies import open_study
from webapp.sessions.models import RecordImport, Run, Session
from worker.steppers.imports import label_files

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]  # leases are renewed beside


def plan(place: str) -> str:
    return (
        '```json\n{"days": [{"day": 1, "date": "2026-03-27", "city_segments": [{"city": "杭州市", "activities": '
        f'[{{"type": "attraction", "location": "{place}"}}]}}]}}]}}\n```'
    )


def record(task_id: str, place: str, **changes: Any) -> dict[str, Any]:
    """A record whose agent proposed a visit to this place."""
    made = foreign(task_id, **changes)
    made["conversation_history"][-1]["content"] = plan(place)
    return made


def upload(name: str, folder: Path, *records: Any) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, write_records(folder / name, *records).read_bytes())


@pytest.fixture
def send(as_researcher: Client, data: Path) -> Any:
    """Send two files of records in; the address of their page, or the page with what is wrong."""

    def send_form(first: list[Any], second: list[Any], **fields: Any) -> Any:
        given = {
            "name": "From files",
            "suite": "grouptravel",
            "first": upload("one.jsonl", data, *first),
            "first_agent": "alpha",
            "second": upload("two.jsonl", data, *second),
            "second_agent": "beta",
            "places": SimpleUploadedFile("places.json", PLACES.encode()),
        }
        response = as_researcher.post(reverse("new_label_study_from_files"), {**given, **fields})
        return response["Location"] if response.status_code == 302 else response.content.decode()

    return send_form


def run_label_job(address: str) -> None:
    """The job behind a page is done."""
    subject = "-".join(address.rstrip("/").split("/")[-2:])
    assert label_files(subject)


def rows() -> list[int]:
    kinds = (Session.staged_too, Task.staged_too, TaskImport.objects, TaskCollection.objects, Run.objects)
    return [*(kind.count() for kind in kinds), LabelStudy.objects.count()]


def test_tasks_of_both_files_become_pairs(send: Any, as_researcher: Client, data: Path) -> None:
    """New tasks are in both files, and each of them is brought in once."""
    address = send(
        [record("t/1", "西湖"), record("t/2", "西湖"), record("only/1", "西湖")],
        [record("t/1", "灵隐寺"), record("t/2", "灵隐寺")],
    )
    page = as_researcher.get(address).content.decode()
    assert "every 2s" in page and "0 records read so far" in page
    run_label_job(address)
    study = LabelStudy.objects.get()
    assert (study.name, study.kind, study.status) == ("From files", "pairwise", "draft")
    found = study.items.order_by("task__task_id")
    assert [item.task.task_id for item in found] == ["t/1", "t/2"]
    assert {frozenset((item.left_agent, item.right_agent)) for item in found} == {
        frozenset(("alpha", "beta"))
    }
    assert Task.staged_too.filter(task_id__in=("t/1", "t/2", "only/1")).count() == 3
    page = as_researcher.get(address).content.decode()
    assert "2 pairs were made." in page and study.get_absolute_url() in page and "every 2s" not in page
    assert not list((data / "imports").iterdir())


@pytest.mark.parametrize("bad", [0, 1])
def test_a_bad_line_in_either_file_keeps_both_out(send: Any, as_researcher: Client, bad: int) -> None:
    before = rows()
    files = [[record("t/1", "西湖")], [record("t/1", "灵隐寺")]]
    files[bad].append({"no": "record"})
    address = send(*files)
    run_label_job(address)
    assert rows() == before
    page = as_researcher.get(address).content.decode()
    assert "Nothing was imported, and no study was made." in page
    assert "The other file was refused" in page
    refused = RecordImport.objects.order_by("pk")[bad]
    assert refused.problems[0][0] == 2 and not refused.complete


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (([("t/1", "西湖")], [("t/2", "西湖")]), "No task was done by two different agents"),
        (([("t/1", "西湖")], [("t/1", "西湖")]), "All pairs say the same on both sides"),
    ],
)
def test_files_without_a_pair_come_not_in(send: Any, as_researcher: Client, files: Any, told: str) -> None:
    before = rows()
    address = send(*([record(*one) for one in file] for file in files))
    run_label_job(address)
    assert rows() == before
    assert told in RecordImport.objects.latest("pk").refusal
    assert told in as_researcher.get(address).content.decode()


def test_plans_that_are_alike_are_taken_where_that_is_wanted(send: Any) -> None:
    run_label_job(send([record("t/1", "西湖")], [record("t/1", "西湖")], alike="on"))
    assert set(RecordImport.objects.values_list("refusal", flat=True)) == {""}
    assert LabelStudy.objects.get().items.count() == 1


def test_a_worker_that_dies_between_the_files_leaves_nothing_twice(
    send: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one begins with both files again."""
    address = send([record("t/1", "西湖")], [record("t/1", "灵隐寺")])
    subject = "-".join(address.rstrip("/").split("/")[-2:])
    begin = imports._Staging.begin

    def dying(choice: Any, incoming: Any, beside: Any = None) -> Any:
        if beside is not None:
            raise KeyboardInterrupt
        return begin(choice, incoming, beside)

    with monkeypatch.context() as patched:
        patched.setattr(imports, "clear", lambda incoming: None)
        patched.setattr(imports._Staging, "begin", dying)
        with pytest.raises(KeyboardInterrupt):
            label_files(subject)
    assert Session.staged_too.count() == 1 and not Session.objects.exists()
    Job.objects.update(expires_at=None)
    assert label_files(subject)
    assert LabelStudy.objects.get().items.count() == 1
    assert (Session.objects.count(), Task.staged_too.filter(task_id="t/1").count()) == (2, 1)


def test_a_cancelled_pair_leaves_nothing(send: Any, as_researcher: Client) -> None:
    before = rows()
    address = send([record("t/1", "西湖")], [record("t/1", "灵隐寺")])
    subject = "-".join(address.rstrip("/").split("/")[-2:])
    job = Job.objects.get(subject=subject)
    jobs.want_cancelled(Job.objects.filter(pk=job.pk))
    assert label_files(subject)
    assert rows() == before
    assert "The job was cancelled." in as_researcher.get(address).content.decode()


PAGES = ("label_items", "label_adjudication", "label_quality", "label_statistics", "label_raters")
ODD: tuple[dict[str, Any], ...] = (
    {},
    {"query": None, "time": None, "context": None, "original_preferences": None},
    {
        "query": "t\ud83d",
        "metadata": {"cities": "杭州市", "child_members": [None, 3, {"user": "小宝\ud83d"}]},
    },
    {
        "time": 20260327,
        "original_preferences": {"User1": [1], "User2": {"preference": {"global_constraints": 7}}},
    },
    {"user_names": [], "effective_preferences": {}},
)


@pytest.mark.parametrize("odd", range(len(ODD)))
def test_every_page_of_a_task_that_only_records_tell_of_shows(
    send: Any, as_researcher: Client, odd: int
) -> None:
    """Such a task lacks what published tasks have: the city of departure, the length, the difficulty."""
    run_label_job(send([record("t/1", "西湖", **ODD[odd])], [record("t/1", "灵隐寺", **ODD[odd])]))
    item = LabelStudy.objects.get().items.get()
    study = item.study
    pages = [reverse(name, args=[study.pk]) for name in PAGES]
    pages += [reverse(name, args=[study.pk, item.number]) for name in ("label_item", "adjudicate_label")]
    assert {page: as_researcher.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)
    open_study(study=study)
    annotator, browser = annotator_of(study), Client()
    browser.post(reverse("annotator_link", args=[annotator.token]))
    page = browser.get(reverse("annotate", args=[annotator.pk]))
    assert page.status_code == 200 and "西湖" in page.content.decode()


def test_annotators_read_what_the_records_tell_of_their_task(send: Any) -> None:
    told = {"context": "出发城市：上海市；出行日期：2026-03-27", "query": "杭州市，两天一夜，2人的旅行计划"}
    run_label_job(send([record("t/1", "西湖", **told)], [record("t/1", "灵隐寺", **told)]))
    shown = shown_item(LabelStudy.objects.get().items.get())
    metadata = shown.task["metadata"]
    assert (metadata.departure_city, metadata.date, shown.task["time"]) == (
        "上海市",
        "两天一夜",
        "2026-03-27",
    )
    assert [one["role"] for one in shown.task["travellers"]] == ["妈妈", "妈妈"]
    assert shown.users == ["User2", "User1"]


def test_an_item_that_can_t_be_shown_is_named_and_nothing_comes_in(
    send: Any, as_researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows()
    address = send([record("t/1", "西湖")], [record("t/1", "灵隐寺")])
    with monkeypatch.context() as patched:
        patched.setattr(blind, "chat_of", lambda reading, study: reading["no reading"])
        run_label_job(address)
    assert rows() == before
    page = as_researcher.get(address).content.decode()
    assert "Task t/1 of " in page and "can’t be shown to annotators (TypeError" in page


def test_a_session_whose_task_only_records_tell_of_offers_no_fork(
    send: Any, as_researcher: Client, starter_world: World
) -> None:
    run_label_job(
        send([record("t/1", "西湖")], [record("t/1", "灵隐寺")], world=starter_world.name, places="")
    )
    session = Session.objects.first()
    assert session is not None and session.world == starter_world
    fork = reverse("session_fork", args=[session.pk])
    page = as_researcher.get(fork)
    assert page.status_code == 409 and "is known only from imported run records" in page.content.decode()
    assert as_researcher.post(fork, {"at": 1}).status_code == 409
    assert fork not in as_researcher.get(reverse("session", args=[session.pk])).content.decode()
    assert "is known only from imported run records" in place_at(session, 3).refusal


def test_what_is_missing_is_said_before_anything_is_kept(send: Any, data: Path) -> None:
    LabelStudy.objects.create(name="Taken")
    page = send([record("t/1", "西湖")], [record("t/1", "西湖")], name="Taken", second_agent="alpha")
    assert "A study with this name already exists" in page and "Both files have the same agent" in page
    assert not RecordImport.objects.exists()


def test_only_researchers_and_only_pairs(as_annotator: Client, as_researcher: Client) -> None:
    assert as_annotator.get(reverse("new_label_study_from_files")).status_code == 403
    one, two = (RecordImport.objects.create(name=name) for name in "ab")
    for name in ("label_files_pair", "label_files_pair_live"):
        assert as_researcher.get(reverse(name, args=[one.pk, two.pk])).status_code == 404
        assert as_annotator.get(reverse(name, args=[one.pk, two.pk])).status_code == 403
        assert as_researcher.get(reverse(name, args=[2**63, 10**30])).status_code == 404
