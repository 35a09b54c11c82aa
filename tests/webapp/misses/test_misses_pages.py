"""What a run lost: its pages, files and command."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from benchmark.misses.folding import SessionMisses, fold_misses
from benchmark.misses.kinds import Finding, Miss
from benchmark.misses.waste import Waste
from tests.markup import tight
from webapp.misses import models, reading
from webapp.misses.page import NO_FIGURE, metric_parts
from webapp.misses.reading import catch_up, session_misses, version_of
from webapp.misses.wording import Words
from webapp.sessions.models import Run, Score, Session

pytestmark = pytest.mark.django_db
LoadSession = Callable[..., Session]


@pytest.fixture
def run(recorded_session: LoadSession) -> Run:
    """Two sessions."""
    run = Run.objects.create(name="two talks", setup={"agent": "reference"})
    for name in ("easy", "models"):
        recorded_session(name, run_id=run.pk)
    return run


def page(client: Client, run: Run, **query: str) -> str:
    return tight(client.get(reverse("run_misses", args=[run.pk]), query).content.decode())


def test_groups_lead_to_the_turns_that_show_them(as_researcher: Client, run: Run) -> None:
    text = page(as_researcher, run)
    assert "heard and dropped" in text and "PC %: completeness" in text
    address = reverse("run_misses_group", args=[run.pk, "gu.dropped.food.prefer_eat"])
    assert address in text
    group = tight(as_researcher.get(address).content.decode())
    session = Session.objects.get(run=run, task__task_id="starter_01", seed=4, agent_model=None)
    assert f"/sessions/{session.pk}/?at=20#e20" in group and "小吃快餐" in group
    assert as_researcher.get(reverse("run_misses_group", args=[run.pk, "gu.x.y"])).status_code == 404
    assert as_researcher.get(reverse("run_misses_group", args=[run.pk, "waste.x"])).status_code == 404


def test_two_runs_stand_side_by_side(as_researcher: Client, run: Run, recorded_session: LoadSession) -> None:
    other = Run.objects.create(name="another", setup={"agent": "reference"})
    recorded_session("easy", run_id=other.pk)
    text = page(as_researcher, run, **{"with": other.pk})
    assert "one of another 1.00" in text and "difference" in text
    assert "There is no other run of this benchmark" in page(as_researcher, run, **{"with": "nothing"})
    assert "There is no other run of this benchmark" in page(as_researcher, run, **{"with": run.pk})


def test_what_was_found_is_kept_until_another_version_looks(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert catch_up([run]) == 0
    assert models.SessionMisses.objects.count() == 2
    monkeypatch.setattr(reading, "_keep", lambda pk: pytest.fail(f"{pk} is read again"))
    assert catch_up([run]) == 0
    models.SessionMisses.objects.update(version="older")
    assert reading.sessions_to_read([run]).count() == 2
    assert version_of("grouptravel") != version_of("travelbench")


def test_a_page_that_would_take_long_opens_by_itself(
    as_researcher: Client, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.misses.views.SECONDS", -1.0)
    assert "1 session has not been read yet" in page(as_researcher, run)
    assert "heard and dropped" in page(as_researcher, run)


def test_a_session_that_can_not_be_read_is_named_once(
    as_researcher: Client, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Session.objects.filter(run=run).first()
    assert broken is not None
    Session.objects.filter(pk=broken.pk).update(pack="gone-00000000.sqlite")
    text = page(as_researcher, run)
    assert "Nothing could be found in these sessions" in text and broken.pk in text
    assert len(session_misses(run)[0]) == 1
    assert reading.sessions_to_read([run]).count() == 0


def test_files_hold_the_same(as_researcher: Client, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        *csv.DictReader(
            io.StringIO(as_researcher.get(reverse("run_misses_csv", args=[run.pk])).content.decode())
        )
    ]
    told = json.loads(as_researcher.get(reverse("run_misses_json", args=[run.pk])).content)
    groups = [group for lost in told["lost"] for group in lost["groups"]]
    assert len([row for row in rows if row["metric"] != "waste"]) == sum(group["misses"] for group in groups)
    assert {(row["metric"], row["cause"], row["kind"]) for row in rows if row["metric"] != "waste"} == {
        (lost["metric"], group["cause"], group["kind"]) for lost in told["lost"] for group in lost["groups"]
    }
    call_command("find_misses", run.pk, "--format", "json")
    assert json.loads(capsys.readouterr().out) == told
    call_command("find_misses", "two talks")
    assert "heard and dropped: prefers to eat" in capsys.readouterr().out


def test_a_run_without_scores_lost_nothing_yet(as_researcher: Client, run: Run) -> None:
    Score.objects.all().delete()
    text = page(as_researcher, run)
    assert "No session that has been scored lost anything." in text


def test_only_researchers_see_it(client: Client, run: Run) -> None:
    for name in ("run_misses", "run_misses_csv", "run_misses_json"):
        assert client.get(reverse(name, args=[run.pk])).status_code in (302, 403)


def test_a_benchmark_that_tells_nothing_shows_wasted_steps(
    as_researcher: Client, recorded_session: LoadSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run.objects.create(name="travel", suite="travelbench", setup={"agent": "reference"})
    recorded_session("travelbench_single", run_id=run.pk)
    monkeypatch.setattr(reading, "misses_of", lambda suite: None)
    monkeypatch.setattr("webapp.misses.views.misses_of", lambda suite: None)
    monkeypatch.setattr("webapp.misses.wording.misses_of", lambda suite: None)
    assert "TravelBench does not say yet" in page(as_researcher, run)


def test_what_a_check_found_in_a_plan_is_said_in_the_language_of_the_page() -> None:
    told = Finding("unknown_id", (("day", 2), ("type", "poi"), ("id", "nowhere")))
    miss = Miss("reward", "information_verification", "invented", 1.0, item="2 · id nowhere", finding=told)
    kept = json.loads(json.dumps(reading.as_json([miss], Waste(1, ()))))
    words = Words("tripscore")
    (again,) = map(reading._miss, kept["misses"])
    assert again == miss
    assert words.item(again) == "day 2: the data has no poi with the id “nowhere”"
    with override("zh-hans"):
        assert "nowhere" in words.item(again) and "the data" not in words.item(again)
    del kept["misses"][0]["finding"]  # as earlier versions kept it
    assert words.item(reading._miss(kept["misses"][0])) == "2 · id nowhere"


def test_a_session_without_a_figure_is_left_out_of_its_average() -> None:
    def session(name: str, cause: str, points: float) -> SessionMisses:
        return SessionMisses(name, "task", 0, [Miss("gu", "x", cause, points)], Waste(1, ()))

    run = fold_misses([session("a", "dropped", 6.0), session("b", NO_FIGURE, 0.0)], ["gu"])
    (part,) = metric_parts(Words("grouptravel"), run, None, ["gu"], {})
    assert [float(points) for points in part.whole] == [6.0]
