"""The pages of judgements: starting, progress, figures, and the panel beside a session."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from tests.webapp.conftest import Writer
from tests.webapp.judging.conftest import HOSTILE, Answers, written
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.services import delete_endpoint
from webapp.judging import selectors, services
from webapp.judging.models import JudgeBatch, Judgement, Status
from webapp.judging.wording import pieces
from webapp.sessions.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def text(response: object) -> str:
    return unescape(response.content.decode())  # type: ignore[attr-defined]


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
    assert "a judge is a model, and there is none yet" in panel(as_researcher, eventful)
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
    assert f">\n{eventful.pk}</textarea>" in form and "the judge itself" in form
    given = {"sessions": eventful.pk, "judge": "wise", "repeats": "3"}
    page = as_researcher.post("/judging/new/", given)
    batch = JudgeBatch.objects.get()
    assert page["Location"] == f"/judging/{batch.pk}/"
    assert (batch.meta_judge, batch.repeats, batch.judgements.count()) == (judge, 3, 3)
    assert batch.judge_setup["model"] == "some/judge" and batch.created_by is not None
    waiting = panel(as_researcher, eventful)
    assert waiting.count("waiting for the judge") == 3 and 'hx-trigger="every 2s"' in waiting


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"sessions": ""}, "Choose a run, or name sessions"),
        ({"sessions": "nothing"}, "No session that has ended: nothing"),
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
    row = answers(1, written())
    shown = panel(as_researcher, eventful)
    assert (
        shown.count('saw [<a href="#e12">12</a>] and [<s class="bad" title="There is no such turn.">999</s>]')
        == 5
    )
    assert shown.count("cites turns that do not exist (999)") == 5
    assert 'Sound [<a href="#e12">12</a>]' in shown
    assert f"S {row.score:.1f}" in shown and "prompts 1-abc" in shown
    assert "1200 + 80 tokens · 0.0125 USD · 900 ms" in shown
    assert "The judge's answer as it came" in shown
    head = text(as_researcher.get(f"/sessions/{eventful.pk}/"))
    assert f"<b>{row.score:.1f}</b><span>judge (wise)</span>" in head
    chat = head[head.index('id="chat"') :]
    assert 'id="e12"' in chat


def test_a_seven_is_kept_as_it_came_and_counts_for_nothing(
    as_researcher: Client, eventful: Session, answers: Answers
) -> None:
    row = answers(1, written(7))
    shown = panel(as_researcher, eventful)
    assert (row.status, row.score) == (Status.BROKEN, None)
    assert "Unusable answer" in shown and "free of invention: is not between 1 and 5 (7)" in shown
    assert '"score": 7' in shown and "judge (no model)" in text(
        as_researcher.get(f"/sessions/{eventful.pk}/")
    )
    assert "waiting for the judge" in shown


def test_a_broken_answer_is_shown_as_it_came(
    as_researcher: Client, eventful: Session, answers: Answers
) -> None:
    answers(1, f"I would rather not {HOSTILE}")
    shown = panel(as_researcher, eventful)
    assert "the answer holds no JSON object" in shown and "I would rather not" in shown


def test_ratings_stay_where_the_meta_judge_says_nothing_usable(
    as_researcher: Client, eventful: Session, answers: Answers
) -> None:
    row = answers(1, written(), "five")
    assert (row.status, row.rated, row.score) == (Status.BROKEN, True, None)
    shown = panel(as_researcher, eventful)
    assert "of the meta-judge, so there is no S" in shown
    assert "meta-judge: the answer holds no JSON object" in shown


def test_repeats_show_how_stable_the_judge_is(
    as_researcher: Client, eventful: Session, batch: JudgeBatch, answers: Answers
) -> None:
    answers(1, written(2))
    answers(2, written(4))
    page = text(as_researcher.get(f"/judging/{batch.pk}/"))
    for shown in (panel(as_researcher, eventful), page):
        assert "3.00 ± 1.41" in shown and "4.00 ± 0.00" in shown and "mean ± std" in shown
    assert "± 7.1" in page  # S: 65 and 75
    assert "70.0 ± 7.1" in text(as_researcher.get("/judging/"))
    verdicts = selectors.verdicts_of([eventful.pk])[eventful.pk]
    assert [(one.repeat, one.score) for one in verdicts] == [(1, pytest.approx(65)), (2, pytest.approx(75))]


def test_the_page_of_a_batch_tells_progress_and_cost(
    as_researcher: Client, batch: JudgeBatch, answers: Answers
) -> None:
    answers(1, written())
    live = text(as_researcher.get(f"/judging/{batch.pk}/live/"))
    assert "1 of 2 judged" in live and 'every 2s"' in live and 'id="stop-judging"' in live
    assert "0.0250 USD" in live
    Judgement.objects.filter(repeat=2).update(expires_at=timezone.now() + services.LEASE)
    assert "1 being asked" in text(as_researcher.get(f"/judging/{batch.pk}/live/"))


def test_a_batch_is_stopped_and_asked_again(
    as_researcher: Client, batch: JudgeBatch, answers: Answers
) -> None:
    answers(1, written())
    as_researcher.post(f"/judging/{batch.pk}/stop/")
    page = text(as_researcher.get(f"/judging/{batch.pk}/"))
    assert "1 of 2 judged" in page and "1 stopped" in page and "every 2s" not in page
    assert selectors.due_judgements() == []
    as_researcher.post(f"/judging/{batch.pk}/again/")
    assert [row.status for row in batch.judgements.all()] == [Status.JUDGED, Status.QUEUED]
    assert len(selectors.due_judgements()) == 1


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


def test_a_model_that_judged_stays(batch: JudgeBatch, judge: ModelEndpoint) -> None:
    assert not delete_endpoint(endpoint=judge)


def test_a_run_has_a_way_to_its_judge(as_researcher: Client, judge: ModelEndpoint, db: None) -> None:
    from webapp.runs.models import Run

    run = Run.objects.create(name="my run", setup={"sandbox": {"mode": "world"}})
    form = text(as_researcher.get(f"/judging/new/?run={run.pk}"))
    assert f'<option value="{run.pk}" selected>' in form
    page = as_researcher.post("/judging/new/", {"run": run.pk, "judge": "wise", "repeats": "1"})
    assert "No session of this run has finished yet" in text(page)


def test_ranges_and_lists_are_cited_once() -> None:
    made = list(pieces("See [3-5] and [9].", [3, 4, 5, 9, 12], [9]))
    assert "".join(piece.text for piece in made) == "See [3-5] and [9]. · 12"
    assert [(piece.turn, piece.there) for piece in made if piece.turn] == [
        (3, True),
        (5, True),
        (9, False),
        (12, True),
    ]
