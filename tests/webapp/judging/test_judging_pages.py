"""The pages of judgements: starting, progress, figures, and the panel beside a session."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client

from benchmark.judging import Fault
from tests.markup import tight
from tests.webapp.conftest import Writer
from tests.webapp.judging.conftest import HOSTILE, Answers, claim_of, judge_answer, judge_call
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.services import delete_endpoint
from webapp.jobs.services import due
from webapp.judging import services
from webapp.judging.jobs import JUDGEMENT
from webapp.judging.models import JudgeBatch, Status
from webapp.judging.verdicts import verdicts_of
from webapp.judging.wording import faults_words, pieces
from webapp.sessions.models import Run, Session

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]


def text(response: object) -> str:
    return unescape(tight(response.content.decode()))  # type: ignore[attr-defined]


def panel(client: Client, session: Session) -> str:
    response = client.get(f"/sessions/{session.pk}/panel/judge/")
    assert response.status_code == 200 and HOSTILE not in response.content.decode()
    return text(response)


def test_only_researchers_see_judgements(as_annotator: Client, batch: JudgeBatch) -> None:
    for address in ("", "new/", f"{batch.pk}/", f"{batch.pk}/live/"):
        assert as_annotator.get(f"/judging/{address}").status_code == 403
        assert Client().get(f"/judging/{address}").status_code == 302
    for verb in ("stop", "again"):
        assert as_annotator.post(f"/judging/{batch.pk}/{verb}/").status_code == 403
    assert not JudgeBatch.objects.get().stop_requested


def test_what_is_not_there_is_not_found(as_researcher: Client) -> None:
    assert as_researcher.get("/judging/nobody/").status_code == 404
    assert as_researcher.get("/judging/x/stop/").status_code == 405
    assert "Nothing has been judged yet" in text(as_researcher.get("/judging/"))


def test_without_a_model_the_panel_invents_nothing(as_researcher: Client, eventful: Session) -> None:
    assert "a judge is a model, and there is no model yet" in panel(as_researcher, eventful)
    assert "judge (no model)" in text(as_researcher.get(f"/sessions/{eventful.pk}/"))
    assert "there is none yet" in text(as_researcher.get("/judging/new/"))


def test_a_session_that_goes_on_is_not_judged(
    as_researcher: Client, begin: object, judge: ModelEndpoint
) -> None:
    writer: Writer = begin()  # type: ignore[operator]
    assert "when it has ended" in panel(as_researcher, writer.session)


def test_a_session_is_sent_to_its_judge_from_the_panel(
    as_researcher: Client, eventful: Session, judge: ModelEndpoint
) -> None:
    shown = panel(as_researcher, eventful)
    link = re.search(r'id="judge-session"[^>]*href="([^"]*)"', shown)
    assert link is not None
    form = text(as_researcher.get(link[1]))
    assert f">{eventful.pk}</textarea>" in form and "the judge itself" in form
    given = {"sessions": eventful.pk, "judge": "wise", "repeats": "3"}
    page = as_researcher.post("/judging/new/", given)
    batch = JudgeBatch.objects.get()
    assert page["Location"] == f"/judging/{batch.pk}/"
    assert (batch.meta_judge, batch.repeats, batch.judgements.count()) == (judge, 3, 3)
    assert batch.judge_setup["model"] == "some/judge" and batch.created_by is not None
    waiting = panel(as_researcher, eventful)
    assert waiting.count("waiting for the judge") == 3 and 'hx-trigger="every 2s"' in waiting


def test_a_session_that_counts_0_unasked_says_why(
    as_researcher: Client, batch: JudgeBatch, eventful: Session
) -> None:
    row = batch.judgements.get(repeat=1)
    services.store_empty(claimed=claim_of(row), prompts="1-abc")
    assert "S 0.0" in panel(as_researcher, eventful)
    assert "crashed without a conversation, so no judge was asked" in panel(as_researcher, eventful)
    shown = text(as_researcher.get(batch.get_absolute_url()))
    assert "1 without a conversation, score 0" in shown and "No conversation, score 0" in shown
    assert "1 session crashed without a conversation and counts 0" in shown


@pytest.mark.parametrize(("chosen", "form"), [({}, "published"), ({"form": "caravan"}, "caravan")])
def test_the_input_is_chosen_on_the_form_and_named_where_its_verdicts_are(
    as_researcher: Client, eventful: Session, judge: ModelEndpoint, chosen: dict[str, str], form: str
) -> None:
    given = {"sessions": eventful.pk, "judge": "wise", "repeats": "1", **chosen}
    as_researcher.post("/judging/new/", given)
    batch = JudgeBatch.objects.get()
    assert batch.form == form
    for address in ("/judging/", batch.get_absolute_url()):
        assert f"{form} input" in text(as_researcher.get(address))
    assert f"{form} input" in panel(as_researcher, eventful)


@pytest.mark.parametrize("uncalibrated", [True, False])
def test_that_no_meta_judge_is_asked_is_chosen_and_named(
    as_researcher: Client, eventful: Session, judge: ModelEndpoint, uncalibrated: bool
) -> None:
    given = {"sessions": eventful.pk, "judge": "wise", "repeats": "1"}
    as_researcher.post("/judging/new/", given | ({"uncalibrated": "on"} if uncalibrated else {}))
    batch = JudgeBatch.objects.get()
    assert batch.calibrated is not uncalibrated
    assert ("no meta-judge" in text(as_researcher.get(batch.get_absolute_url()))) is uncalibrated
    assert ("no meta-judge" in panel(as_researcher, eventful)) is uncalibrated


@pytest.mark.parametrize("anew", [True, False])
def test_ratings_are_re_used_unless_all_is_to_be_asked_anew(
    as_researcher: Client, eventful: Session, judge: ModelEndpoint, anew: bool
) -> None:
    given = {"sessions": eventful.pk, "judge": "wise", "repeats": "1"}
    as_researcher.post("/judging/new/", given | ({"ask_anew": "on"} if anew else {}))
    assert JudgeBatch.objects.get().reuses_ratings is not anew
    link = re.search(r'id="judge-session"[^>]*href="([^"]*)"', panel(as_researcher, eventful))
    assert link
    form = as_researcher.get(link[1]).content.decode()
    assert re.search(r'<input[^>]*name="ask_anew"[^>]*checked', form), "who judges again wants another answer"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"form": "other"}, "not one of the available choices"),
        (
            {"meta_judge": "wise", "uncalibrated": "on"},
            "Name a meta-judge or choose none, exactly one of the two.",
        ),
        ({"sessions": ""}, "Choose a run or a set, or name sessions"),
        ({"sessions": "nothing"}, "There is no such session: nothing"),
        ({"judge": "nobody"}, "not one of the available choices"),
        ({"judge": ""}, "This field is required"),
        ({"repeats": "21"}, "less than or equal to 20"),
        ({"run": "nobody"}, "not one of the available choices"),
        ({"sessions": "a\0b"}, "Null characters"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    as_researcher: Client, eventful: Session, judge: ModelEndpoint, given: dict[str, str], words: str
) -> None:
    asked = {"sessions": eventful.pk, "judge": "wise", "repeats": "1", **given}
    page = as_researcher.post("/judging/new/", asked)
    assert page.status_code == 200 and words in text(page)
    assert not JudgeBatch.objects.exists()


def test_rationales_open_the_cited_turn_and_flag_the_invented_one(
    as_researcher: Client, eventful: Session, answers: Answers
) -> None:
    row = answers(1, judge_answer())
    shown = panel(as_researcher, eventful)
    assert (
        shown.count('saw [<a href="#e12">12</a>] and [<s class="bad" title="There is no such turn.">999</s>]')
        == 5
    )
    assert shown.count("cites turns that do not exist (999)") == 1
    assert "hallucination (5 = free of it), tool-use reasoning, interaction quality," in shown
    assert "conflict coordination, plan humanization: cites" in shown
    assert 'Sound [<a href="#e12">12</a>]' in shown
    assert f"S {row.score:.1f}" in shown and "prompts 1-abc" in shown
    assert "1,200 + 80 tokens · 0.0125 USD · 900 ms" in shown
    assert "The judge's answer, unchanged" in shown
    head = text(as_researcher.get(f"/sessions/{eventful.pk}/"))
    who = "wise (some/judge) on caravan input, calibrated by wise (some/judge)"
    told = f"Judged by {who}, prompts 1-abc. 1 judgement."
    assert f'<b>{row.score:.1f}</b> <span title="{told}">judge (wise, caravan input)</span>' in head
    chat = head[head.index('id="chat"') :]
    assert 'id="e12"' in chat


def test_a_seven_is_kept_as_it_came_and_counts_for_nothing(
    as_researcher: Client, eventful: Session, answers: Answers
) -> None:
    row = answers(1, judge_answer(7))
    shown = panel(as_researcher, eventful)
    assert (row.status, row.score) == (Status.BROKEN, None)
    assert (
        "Unusable answer" in shown and "hallucination (5 = free of it): is not between 1 and 5 (7)" in shown
    )
    assert '"score": 7' in shown and "judge (being asked)" in text(
        as_researcher.get(f"/sessions/{eventful.pk}/")
    )
    assert "waiting for the judge" in shown


def test_a_broken_answer_is_shown_as_it_came(
    as_researcher: Client, eventful: Session, answers: Answers
) -> None:
    answers(1, f"I would rather not {HOSTILE}")
    shown = panel(as_researcher, eventful)
    assert "the answer contains no JSON object" in shown and "I would rather not" in shown


def test_ratings_stay_where_the_meta_judge_says_nothing_usable(
    as_researcher: Client, eventful: Session, answers: Answers
) -> None:
    row = answers(1, judge_answer(), "five")
    assert (row.status, row.rated, row.score) == (Status.BROKEN, True, None)
    shown = panel(as_researcher, eventful)
    assert "by the meta-judge, so there is no S" in shown
    assert "meta-judge: the answer contains no JSON object" in shown


def test_repeats_show_how_stable_the_judge_is(
    as_researcher: Client, eventful: Session, batch: JudgeBatch, answers: Answers
) -> None:
    answers(1, judge_answer(2))
    answers(2, judge_answer(4))
    page = text(as_researcher.get(f"/judging/{batch.pk}/"))
    for shown in (panel(as_researcher, eventful), page):
        assert "3.00 ± 1.41" in shown and "4.00 ± 0.00" in shown and "mean ± std" in shown
    assert "± 7.1" in page  # S: 65 and 75
    assert "70.0 ± 7.1" in text(as_researcher.get("/judging/"))
    assert [one.score for one in verdicts_of([eventful.pk])[eventful.pk]] == [65, 75]


def test_the_page_of_a_batch_tells_progress_and_cost(
    as_researcher: Client, batch: JudgeBatch, answers: Answers
) -> None:
    answers(1, judge_answer())
    live = text(as_researcher.get(f"/judging/{batch.pk}/live/"))
    assert "1 of 2 judged" in live and 'every 2s"' in live and 'id="stop-judging"' in live
    assert "0.0250 USD" in live
    assert "1 judgement rates every dimension" in live and "1 also has a calibration" in live
    assert services.claim(judgement_id=batch.judgements.get(repeat=2).pk)
    assert "1 being asked" in text(as_researcher.get(f"/judging/{batch.pk}/live/"))


def test_a_batch_is_stopped_and_asked_again(
    as_researcher: Client, batch: JudgeBatch, answers: Answers
) -> None:
    answers(1, judge_answer())
    as_researcher.post(f"/judging/{batch.pk}/stop/")
    page = text(as_researcher.get(f"/judging/{batch.pk}/"))
    assert "1 of 2 judged" in page and "1 stopped" in page and "every 2s" not in page
    assert due(kind=JUDGEMENT) == []
    listed = text(as_researcher.get("/judging/"))
    assert "1 of 2 · 1 stopped" in listed and "without a score" not in listed
    as_researcher.post(f"/judging/{batch.pk}/again/")
    assert [row.status for row in batch.judgements.all()] == [Status.JUDGED, Status.QUEUED]
    assert len(due(kind=JUDGEMENT)) == 1


def test_ratings_without_a_meta_judge_count_for_the_dimensions_alone(
    as_researcher: Client, eventful: Session, batch: JudgeBatch, answers: Answers
) -> None:
    answers(1, judge_answer(2))
    answers(2, judge_answer(4), "five")
    page = text(as_researcher.get(f"/judging/{batch.pk}/"))
    assert (
        "2 judgements rate every dimension and count in the means of dimensions; 1 also has a calibration"
        in page
    )
    assert "3.00 ± 1.41" in page and "count nowhere" not in page
    assert "2 of 2 judgements; S from 1" in panel(as_researcher, eventful)


def test_an_answer_that_is_asked_for_again_is_shown_as_an_earlier_one(
    as_researcher: Client, eventful: Session, batch: JudgeBatch, answers: Answers
) -> None:
    answers(1, judge_answer(7))
    answers(2, judge_answer(), "five")
    assert "earlier" not in panel(as_researcher, eventful)
    services.retry_batch(batch=batch)
    shown = panel(as_researcher, eventful)
    assert "earlier answer: hallucination (5 = free of it): is not between 1 and 5 (7)" in shown
    assert "The judge's earlier answer, unchanged" in shown and '"score": 7' in shown
    assert "meta-judge, earlier answer: the answer contains no JSON" in shown
    assert "The meta-judge's earlier answer" in shown
    assert "earlier answer: hallucination (5 = free of it)" in text(
        as_researcher.get(f"/judging/{batch.pk}/")
    )


def test_a_session_that_was_stopped_is_not_judged(
    as_researcher: Client, eventful: Session, judge: ModelEndpoint
) -> None:
    Session.objects.update(status="stopped")
    shown = panel(as_researcher, eventful)
    assert "a researcher stopped is not judged" in shown and "judge-session" not in shown
    page = as_researcher.post("/judging/new/", {"sessions": eventful.pk, "judge": "wise", "repeats": "1"})
    assert "A researcher stopped these sessions" in text(page) and not JudgeBatch.objects.exists()


def test_of_a_run_what_is_not_judged_is_said(
    as_researcher: Client, begin: Callable[[], Writer], judge: ModelEndpoint
) -> None:
    run = Run.objects.create(name="my run", setup={"sandbox": {"mode": "world"}})
    states = ("finished", "crashed", "stopped", "stopped", "running")
    for status in states:
        Session.objects.filter(pk=begin().session.pk).update(run=run, status=status)
    told = "2 sessions are left out, since a researcher stopped them; 1 session is left out"
    assert told in text(as_researcher.get(f"/judging/new/?run={run.pk}"))
    given = {"run": run.pk, "judge": "wise", "repeats": "1"}
    assert told in text(as_researcher.post("/judging/new/", given, follow=True))
    chosen = JudgeBatch.objects.get().judgements.values_list("session__status", flat=True)
    assert sorted(chosen) == ["crashed", "finished"]


def test_models_tell_what_judges_asked_of_them(
    as_researcher: Client, batch: JudgeBatch, answers: Answers
) -> None:
    answers(1, judge_answer())
    listed = text(as_researcher.get("/models/"))
    assert "2 judgements" in listed and "2,560" in listed and "0.0250 USD" in listed
    page = text(as_researcher.get("/models/wise/"))
    assert re.search(r"judge</small></th><td[^>]*>1</td>", page)
    assert re.search(r"meta-judge</small></th><td[^>]*>1</td>", page)
    assert 'action="/models/wise/delete/"' not in page


def test_a_judge_that_failed_is_told_with_its_reason(
    as_researcher: Client, eventful: Session, batch: JudgeBatch
) -> None:
    for row in batch.judgements.all():
        claimed = services.claim(judgement_id=row.pk)
        assert claimed is not None
        services.end(claimed=claimed, status=Status.FAILED, problem=f"the server answered 503 {HOSTILE}")
    page = as_researcher.get(f"/judging/{batch.pk}/")
    assert "2 without an answer" in text(page) and "the server answered 503" in text(page)
    assert HOSTILE not in page.content.decode()
    assert "the server answered 503" in panel(as_researcher, eventful)


def test_a_judge_that_fails_is_told_with_its_reason_and_when_it_is_asked_again(
    as_researcher: Client, eventful: Session, batch: JudgeBatch
) -> None:
    for row, after_s in zip(batch.judgements.all(), (0.0, 90.0), strict=True):
        claimed = services.claim(judgement_id=row.pk)
        assert claimed is not None
        failed = judge_call().model_copy(update={"outcome": "server", "tokens": None})
        problem = f"status 503, overloaded {HOSTILE}"
        services.postpone(claimed=claimed, after_s=after_s, problem=problem, calls=[failed])
    page = as_researcher.get(f"/judging/{batch.pk}/")
    assert HOSTILE not in page.content.decode() and text(page).count("status 503, overloaded") == 2
    assert "1 failed attempt, asked again when there is a place" in text(page)
    assert "1 failed attempt, asked again in 90 s" in text(page)
    assert "status 503, overloaded" in panel(as_researcher, eventful)
    services.claim(judgement_id=batch.judgements.get(repeat=1).pk)
    assert "being asked again" in text(as_researcher.get(f"/judging/{batch.pk}/live/"))


def test_a_place_that_is_waited_for_leaves_the_last_reason(batch: JudgeBatch) -> None:
    for problem in ("status 503", ""):
        claimed = services.claim(judgement_id=batch.judgements.get(repeat=1).pk)
        assert claimed is not None
        services.postpone(claimed=claimed, after_s=0.0, problem=problem)
    assert batch.judgements.get(repeat=1).problem == "status 503"


def test_a_model_that_judged_stays(batch: JudgeBatch, judge: ModelEndpoint) -> None:
    assert not delete_endpoint(endpoint=judge)


def test_a_run_has_a_way_to_its_judge(as_researcher: Client, judge: ModelEndpoint, db: None) -> None:
    run = Run.objects.create(name="my run", setup={"sandbox": {"mode": "world"}})
    form = text(as_researcher.get(f"/judging/new/?run={run.pk}"))
    assert f'<option value="{run.pk}" selected>' in form
    page = as_researcher.post("/judging/new/", {"run": run.pk, "judge": "wise", "repeats": "1"})
    assert "No session of this run has finished or crashed yet" in text(page)


def test_the_same_fault_of_several_dimensions_is_told_once() -> None:
    found = [
        Fault("unknown_turn", "conflict_coordination", "11"),
        Fault("repaired"),
        Fault("unknown_turn", "interaction_quality", "12"),
        Fault("unknown_turn", "plan_humanization", "11"),
        Fault("ambiguous", detail="hallucination"),
    ]
    assert faults_words([fault.as_json() for fault in found]) == [
        "conflict coordination, plan humanization: cites turns that do not exist (11)",
        "the answer's JSON was broken and had to be repaired",
        "interaction quality: cites turns that do not exist (12)",
        "the answer contains several different ratings, so none of them counts (hallucination (5 = free of it))",
    ]


def test_words_and_gaps_in_a_citation_are_no_links() -> None:
    made = list(pieces("See [turns 3 and 5-9].", [3, 5, 7], []))
    assert "".join(piece.text for piece in made) == "See [turns 3 and 5-9]."
    assert [piece.turn for piece in made if piece.turn] == [3, 5]


def test_ranges_and_lists_are_cited_once() -> None:
    made = list(pieces("See [3-5] and [9].", [3, 4, 5, 9, 12], [9]))
    assert "".join(piece.text for piece in made) == "See [3-5] and [9]. · 12"
    assert [(piece.turn, piece.exists) for piece in made if piece.turn] == [
        (3, True),
        (5, True),
        (9, False),
        (12, True),
    ]
