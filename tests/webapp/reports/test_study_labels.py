"""Human ratings that a report has from studies of labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from benchmark.suites.grouptravel.judging.rubric import DIMENSIONS
from tests.labelling import add_item, label, make_study
from webapp.judging.models import Rater
from webapp.labelling.models import Kind, Label, LabelStudy
from webapp.sessions.models import Run

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def study(played_run: Run, judge: Callable[..., None]) -> LabelStudy:
    """Two annotators rate a session 3 and 5 in every dimension, and the judge gives it 4."""
    session = played_run.sessions.filter(status="finished").order_by("pk")[0]
    judge(session, 4)
    study = make_study(Kind.RUBRIC, name="experts")
    item = add_item(study, session.task, session)
    for score in (3, 5):
        rater = Rater.objects.create(name=f"P{score}")
        label(item, rater, "", answer={"scores": dict.fromkeys(DIMENSIONS, score)})
    return study


def part(capsys: pytest.CaptureFixture[str], run: Run, *options: str) -> dict[str, Any]:
    """The part as a file of the report has it."""
    call_command("report", run.pk, "--format", "json", *options)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["parts"]["judge_and_people"]
    return found


def test_ratings_of_a_study_fill_the_part_by_themselves(
    played_run: Run, study: LabelStudy, capsys: pytest.CaptureFixture[str]
) -> None:
    found = part(capsys, played_run)
    assert [row["sessions"] for row in found["rows"]] == [1] * (len(DIMENSIONS) + 1)
    assert found["notes"] == [{"key": "labels_of_studies", "n": 1, "names": "experts"}]
    row = found["rows"][0]
    assert {name: row[name] for name in ("judge_human", "human_human")} == {
        "judge_human": 1.0,
        "human_human": 1.0,
    }


@pytest.mark.parametrize("change", ["draft", "pilot", "withdrawn", "model", "not_counting", "replaced"])
def test_what_does_not_count_stays_out(
    played_run: Run, study: LabelStudy, change: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match change:
        case "draft":
            LabelStudy.objects.update(status="draft")
        case "pilot":
            LabelStudy.objects.update(pilot=True)
        case "withdrawn":
            study.items.update(withdrawn_at="2026-01-01T00:00:00Z")
        case "model":
            Rater.objects.filter(kind="person").update(kind="pairwise")
        case "not_counting":
            Label.objects.update(counts=False)
        case "replaced":
            Label.objects.update(current=False)
    assert part(capsys, played_run)["notes"] == [{"key": "no_labels"}]


def test_a_closed_study_counts(
    played_run: Run, study: LabelStudy, capsys: pytest.CaptureFixture[str]
) -> None:
    LabelStudy.objects.update(status="closed")
    assert part(capsys, played_run)["rows"]


def test_a_file_stands_in_place_of_studies_and_the_report_says_so(
    played_run: Run, study: LabelStudy, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    item = study.items.get()
    path = tmp_path / "labels.jsonl"
    given = {"session": item.left_id, "dimension": DIMENSIONS[0], "score": 1, "annotator": "ann"}
    path.write_text(json.dumps(given))
    found = part(capsys, played_run, "--labels", str(path))
    assert found["rows"][0]["judge_human"] == 3.0
    assert found["notes"] == [{"key": "labels_of_file", "n": 1, "names": "experts"}]


def test_the_page_names_the_study(played_run: Run, study: LabelStudy, as_researcher: Client) -> None:
    page = as_researcher.get(reverse("reports"), {"runs": played_run.pk}).content.decode()
    assert "come from this study: experts." in page


def test_without_ratings_the_page_says_where_they_come_from(played_run: Run, as_researcher: Client) -> None:
    page = as_researcher.get(reverse("reports"), {"runs": played_run.pk}).content.decode()
    assert "They come from studies under Labelling" in page
