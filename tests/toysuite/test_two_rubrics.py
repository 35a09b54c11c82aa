"""A benchmark with two rubrics: what judges say by each stays apart, and some figures are made of both."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.judging import Judgement as Judged
from benchmark.judging import Rating as Rated
from benchmark.judging import read_judgement
from benchmark.suites.base import Rating
from tests.labelling import add_item, make_study
from tests.markup import tight
from tests.model_server import model_server
from tests.seating import endpoint_at
from tests.toysuite.judging import RUBRIC, WIT
from tests.toysuite.suite import SUITE
from tests.toysuite.test_pages import page_of
from tests.toysuite.test_tables import rows_of, run_of
from tests.webapp.judging.conftest import claim_of
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.judging import services
from webapp.judging.models import JudgeBatch
from webapp.judging.wording import faults_words, scale_words
from webapp.labelling.rater_accuracy import Pairs
from webapp.sessions import selectors
from webapp.sessions.models import Run, Score, Session
from webapp.sessions.scoring import score_session
from webapp.tables.models import Entry

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]

Judge = Callable[..., JudgeBatch]


@pytest.fixture
def wise() -> ModelEndpoint:
    return endpoint_at("http://127.0.0.1:9", "wise")


@pytest.fixture
def judge(session: Session, wise: ModelEndpoint) -> Judge:
    """Has a judge rate the game, or other ones, by a rubric."""

    def rate(
        rubric: str, rating: int, *sessions: Session, by: ModelEndpoint = wise, prompts: str = ""
    ) -> JudgeBatch:
        batch = services.start_batch(
            sessions=sessions or [session], judge=by, rubric=rubric, calibrated=False
        )
        name = batch.criteria.names[0]
        for row in batch.judgements.all():
            said = Judged("…", {name: Rated(rating)}, complete=True)
            version = prompts or f"1/{rubric or 'manners'}"
            services.store_judged(claimed=claim_of(row), judged=said, prompts=version, key="", calls=())
        return batch

    return rate


def values_of(session: Session, key: str) -> list[float]:
    return list(session.values.filter(key=key).order_by("value").values_list("value", flat=True))


def test_each_rubric_gives_its_own_metric_and_both_together_a_third(session: Session, judge: Judge) -> None:
    first = judge("", 4)
    assert (first.rubric, values_of(session, "judge"), values_of(session, "worth")) == ("", [80.0], [])
    judge("wit", 2)
    assert (values_of(session, "judge"), values_of(session, "wit")) == ([80.0], [75.0])
    (worth,) = session.values.filter(key="worth")
    asked = session.values.get(key="questions").value
    assert (worth.profile, worth.value) == ("plain", 80.0 + 20.0 - asked)
    alone = "no meta-judge, prompts 1/"
    assert worth.rater.endswith("on published input, no meta-judge, prompts 1/manners + 1/wit")
    assert session.values.get(key="wit").rater.endswith(f"on published input by the rubric wit, {alone}wit")
    assert session.values.get(key="judge").rater.endswith(f"on published input, {alone}manners")


def test_what_both_come_to_follows_each_verdict_and_each_figure(session: Session, judge: Judge) -> None:
    judge("", 4)
    judge("wit", 0)
    judge("wit", 3)
    asked = session.values.get(key="questions").value
    assert values_of(session, "worth") == [80.0 + 15.0 - asked]
    Score.objects.filter(session=session).update(tried="", figures={"questions": 1, "evidence": {}})
    judge("wit", 3)
    assert values_of(session, "worth") == [80.0 + 20.0 - 1]
    score_session(session=session)
    assert values_of(session, "worth") == [80.0 + 20.0 - asked]


def test_ratings_of_other_judges_and_other_prompts_are_not_joined(session: Session, judge: Judge) -> None:
    stern = endpoint_at("http://127.0.0.1:9", "stern")
    judge("", 4)
    judge("wit", 2, by=stern)
    assert values_of(session, "worth") == []
    judge("wit", 1)
    judge("wit", 3, prompts="1/later")
    asked = session.values.get(key="questions").value
    assert values_of(session, "worth") == [80.0 + 10.0 - asked, 80.0 + 30.0 - asked]
    raters = session.values.filter(key="worth").values_list("rater", flat=True)
    assert all("wise" in rater for rater in raters) and len(set(raters)) == 2


def test_pages_files_and_reports_tell_the_rubrics_apart(
    client: Client, session: Session, judge: Judge
) -> None:
    run = run_of(session, "rated")
    games = [*run.sessions.all()]
    judge("", 4, *games)
    batch = judge("wit", 2, *games)
    page = tight(page_of(client, f"/sessions/{games[0].pk}/"))
    for words in ("manners (wise", "wit of both (wise", "worth of the game (wise"):
        assert words in page
    assert "wit of both" in page_of(client, batch.get_absolute_url())
    assert "Ratings from 0 to 3" in page_of(client, batch.get_absolute_url())
    assert "wit of both" in page_of(client, "/judging/")
    assert "published input · wit of both" in tight(page_of(client, f"/sessions/{games[0].pk}/?tab=judge"))
    page = tight(page_of(client, run.get_absolute_url()))
    for head in ("Manners", "Wit", "Worth"):
        assert f">{head}</th>" in page
    assert "on published input by the rubric wit" in page
    rows = rows_of(client, f"/runs/{run.pk}/sessions.csv")
    asked = float(rows[0]["questions"])
    assert [(row["judge"], row["wit"], row["worth"]) for row in rows] == [
        ("80.0", "75.0", str(100.0 - asked))
    ] * len(games)
    assert rows[0]["prompts"] == "1/manners; 1/wit"
    check_report(client, run, 100.0 - asked)


def check_report(client: Client, run: Run, worth: float) -> None:
    told = json.loads(page_of(client, f"/reports/report.json?runs={run.pk}"))
    parts = {name: part["rows"] for name, part in told["parts"].items()}
    (row,) = parts["main_results"]
    assert [row[key]["value"] for key in ("judge", "wit", "worth")] == [80.0, 75.0, worth]
    assert {(row["rubric"], row["in_figures"]) for row in parts["judges"]} == {
        ("judge", "yes"),
        ("wit", "yes"),
    }
    rated = [(row["dimension"], row["score"]["value"]) for row in parts["judge_dimensions"]]
    assert rated == [("interaction_quality", 80.0), ("wit", 75.0)]
    given = [row["rating"] for row in parts["judge_ratings"] if row["dimension"] == "wit"]
    assert given == ["0", "1", "2", "3"]
    pairs = [told["judged_by"], *told["judged_beside_by"]]
    assert sorted(pair.get("rubric", "") for pair in pairs) == ["", "wit"]
    page = tight(page_of(client, f"/reports/?runs={run.pk}"))
    assert "by the rubric wit" in page and page.count('<option value="wise') == 1


def test_one_judge_is_one_rater_of_pairs_by_whatever_rubrics_a_side_is_rated(
    session: Session, judge: Judge
) -> None:
    left, right = run_of(session, "pair").sessions.order_by("pk")
    judge("", 4, left, right)
    judge("wit", 2, left, right)
    whole = left.values.get(key="worth").rater
    right.values.filter(key="worth").update(rater=whole.replace(" + 1/wit", ""), value=5.0)
    study = make_study(suite="toy")
    add_item(study, session.task, left, right)
    pairs = Pairs(study, "plain")
    [source] = [source for source in pairs.sources if source.metric and source.metric.key == "worth"]
    assert source.name == whole
    assert pairs.values_by_rater()[whole, "worth"].keys() == {left.pk, right.pk}
    judge("wit", 2, left, prompts="1/later")
    named = [source.metric.key for source in Pairs(study, "plain").sources if source.metric]
    assert named.count("worth") == 3, "with several versions of prompts nobody can tell which belong together"


def test_lists_know_what_both_come_to(session: Session, judge: Judge) -> None:
    judge("", 4)
    judge("wit", 2)
    worth = session.values.get(key="worth")
    orders, alone = selectors.orders(), worth.rater.split(" + ")[0]
    assert (orders[f"worth@{worth.rater}"].metric.key, orders[f"judge@{alone}"].metric.key) == (
        "worth",
        "judge",
    )
    assert selectors.listed_values(session).keys() == {"questions"}
    assert Entry.objects.get(session=session).values[f"worth@{worth.rater}"] == worth.value


def test_a_rubric_is_chosen_in_the_form_and_by_the_command(client: Client, session: Session) -> None:
    with model_server() as server:
        endpoint_at(server.url, "good-judge")
        page = page_of(client, "/judging/new/")
        assert '<option value="wit">wit of both</option>' in tight(page)
        given = {"sessions": session.pk, "judge": "good-judge", "rubric": "wit", "repeats": "1"}
        assert client.post("/judging/new/", given).status_code in (200, 204, 302)
        assert JudgeBatch.objects.get().rubric == "wit"
        call_command("judge", session.pk, "--model", "good-judge")
        assert values_of(session, "judge") == [80.0]
        with pytest.raises(CommandError, match=r"has no rubric “style”\. Choose one of these: wit"):
            call_command("judge", session.pk, "--model", "good-judge", "--rubric", "style")
        with pytest.raises(CommandError, match=r"has no score|have no score"):
            call_command("judge", session.pk, "--model", "good-judge", "--rubric", "wit")
    assert [batch.rubric for batch in JudgeBatch.objects.order_by("created_at")] == ["wit", "", "wit"]


def test_a_benchmark_with_one_rubric_offers_no_choice(
    client: Client, session: Session, wise: ModelEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.toysuite.suite.SUITE", replace(SUITE, rating=Rating((RUBRIC,))))
    assert '<option value="wit"' not in page_of(client, "/judging/new/")
    with pytest.raises(ChoiceRefused, match=r"has one rubric\. Leave out the name “wit”"):
        services.start_batch(sessions=[session], judge=wise, rubric="wit")


def test_a_run_is_followed_by_every_rubric(session: Session, wise: ModelEndpoint) -> None:
    run = run_of(session, "followed")
    assert [batch.rubric for batch in services.follow_run(run=run, judge=wise)] == ["", "wit"]


def test_ratings_are_read_on_the_scale_of_their_dimension() -> None:
    def read(score: object) -> Judged:
        return read_judgement(json.dumps({"wit": {"score": score, "rationale": "so"}}), WIT.dimensions, ())

    assert [read(score).scores for score in (0, "3/3", "3/5", 4)] == [{"wit": 0}, {"wit": 3}, {}, {}]
    faults = [fault.as_json() for fault in read(4).faults if fault.kind == "out_of_range"]
    assert faults_words(faults, "toy") == ["wit: is not between 0 and 3 (4)"]
    assert scale_words(RUBRIC).startswith("Ratings from 1 to 5, S from 0 to 100")
    both = replace(RUBRIC, dimensions=(*RUBRIC.dimensions, *WIT.dimensions))
    assert scale_words(both).startswith("Ratings: politeness from 1 to 5, wit from 0 to 3;")


@pytest.mark.parametrize(
    ("rubrics", "problem"),
    [
        ((RUBRIC, replace(WIT, name="")), "these names of rubrics are there twice: ''"),
        (
            (WIT, replace(RUBRIC, name="")),
            "every rubric after the first, and every one of messages, needs a name",
        ),
        ((RUBRIC, replace(WIT, metric="judge")), "these metrics of rubrics are there twice: 'judge'"),
        ((RUBRIC, replace(WIT, dimensions=RUBRIC.dimensions)), "these dimensions .*'interaction_quality'"),
    ],
)
def test_rubrics_that_could_not_be_told_apart_are_refused(rubrics: tuple[object, ...], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Rating(rubrics)  # type: ignore[arg-type]
