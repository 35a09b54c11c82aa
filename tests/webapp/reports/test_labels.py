"""Human ratings that a report is given."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from benchmark.suites.grouptravel.judging.rubric import DIMENSIONS
from webapp.judging.models import JudgeBatch, Judgement, Status
from webapp.sessions.models import Run, Session

pytestmark = [pytest.mark.django_db]


def labels_of(folder: Path, sessions: Iterable[str]) -> Path:
    """A file in which one annotator rates a dimension of each."""
    given = {"dimension": DIMENSIONS[0], "score": 3, "annotator": "ann"}
    path = folder / "labels.jsonl"
    path.write_text("\n".join(json.dumps(given | {"session": pk}) for pk in sessions), encoding="utf-8")
    return path


def test_sessions_that_only_people_rated_are_named_with_the_reason(
    played_run: Run, judge: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged, unjudged = played_run.sessions.filter(status="finished").order_by("pk")[:2]
    stopped = played_run.sessions.get(status="stopped")
    judge(judged, 4)
    labels = labels_of(tmp_path, ["nosuch", judged.pk, stopped.pk, unjudged.pk])
    call_command("report", played_run.pk, "--format", "json", "--labels", str(labels))
    told = capsys.readouterr()
    assert f"People rated 2 sessions (nosuch, {stopped.pk}) that this report does not count" in told.err
    assert f"1 session ({unjudged.pk}) that has no judgement to compare with." in told.err
    part = json.loads(told.out)["parts"]["judge_and_people"]
    assert part["rows"][0]["sessions"] == 1
    assert part["notes"] == [
        {"key": "labels_unknown", "n": 2, "names": f"nosuch, {stopped.pk}"},
        {"key": "labels_unjudged", "n": 1, "names": unjudged.pk},
    ]


def test_without_any_match_the_report_says_so_in_place_of_no_ratings(
    played_run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = labels_of(tmp_path, [f"nosuch{number:02}" for number in range(12)])
    call_command("report", played_run.pk, "--labels", str(labels))
    told = capsys.readouterr()
    assert "People rated 12 sessions (nosuch00, nosuch01, " in told.err
    assert "nosuch09, …) that this report does not count" in told.err
    assert "People rated 12 sessions" in told.out
    assert "There are no human ratings" not in told.out


def test_labels_that_all_match_are_not_talked_about(
    played_run: Run, judge: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Session.objects.filter(run=played_run, status="finished")[0]
    judge(session, 4)
    call_command("report", played_run.pk, "--labels", str(labels_of(tmp_path, [session.pk])))
    assert "People rated" not in "".join(capsys.readouterr())


@pytest.mark.parametrize("name", ["labels.jsonl", "link", "hard link"])
def test_labels_are_never_written_over(played_run: Run, tmp_path: Path, name: str) -> None:
    labels = labels_of(tmp_path, ["x"])
    (tmp_path / "link").symlink_to(labels)
    (tmp_path / "hard link").hardlink_to(labels)
    before = labels.read_bytes()
    with pytest.raises(CommandError, match=f"{name}: would be written over the file that is read") as raised:
        call_command("report", played_run.pk, "--labels", str(labels), "--out", str(tmp_path / name))
    assert raised.value.returncode == 2
    assert labels.read_bytes() == before


def test_a_session_that_counts_0_without_ratings_is_in_s_and_in_no_rating(
    played_run: Run, judge: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, silent = played_run.sessions.filter(status="finished").order_by("pk")[:2]
    judge(first, 5)
    batch = JudgeBatch.objects.get()
    Judgement.objects.create(batch=batch, session=silent, status=Status.EMPTY, score=0.0)
    call_command(
        "report",
        played_run.pk,
        "--format",
        "json",
        "--labels",
        str(labels_of(tmp_path, [first.pk, silent.pk])),
    )
    parts = json.loads(capsys.readouterr().out)["parts"]
    tasks = {first.task_id, silent.task_id}
    assert parts["main_results"]["rows"][0]["judge"]["value"] == 50.0
    assert {row["score"]["value"] for row in parts["judge_dimensions"]["rows"]} == {50.0}
    assert {row["judged"] for row in parts["judge_dimensions"]["rows"]} == {len(tasks)}
    assert sum(row["verdicts"] for row in parts["judge_ratings"]["rows"]) == len(DIMENSIONS)
    assert parts["judge_and_people"]["rows"][0]["sessions"] == 1
    assert parts["judge_and_people"]["notes"] == [{"key": "labels_unjudged", "n": 1, "names": silent.pk}]


def test_names_of_labels_that_were_joined_are_told(
    played_run: Run, judge: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = Session.objects.filter(run=played_run, status="finished")[:2]
    judge(one, 4)
    judge(two, 4)
    given = {"dimension": DIMENSIONS[0], "score": 3}
    rows = [
        given | {"session": one.pk, "annotator": "Jos\u00e9"},
        given | {"session": f"{two.pk}\u200b", "annotator": "Jose\u0301", "dimension": f"{DIMENSIONS[0]} "},
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    call_command("report", played_run.pk, "--format", "json", "--labels", str(path))
    told = capsys.readouterr()
    joined = "written in several ways and counted as one:"
    assert rf"annotator, {joined} 'Jos\xe9', 'Jose\u0301'" in told.err
    assert f"dimension, {joined}" in told.err
    assert json.loads(told.out)["parts"]["judge_and_people"]["rows"][0]["sessions"] == 2
