"""Annotators as researchers invite and see them."""

from __future__ import annotations

import csv
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.labelling import add_item, annotator_of, answer, answer_all, make_study, pairs_study
from webapp.accounts.redaction import without_tokens
from webapp.catalogue.models import Task, World
from webapp.judging.models import Rater
from webapp.labelling import queue
from webapp.labelling.annotators import annotator_by, invite, invite_again, renew_link, revoke
from webapp.labelling.guidelines import invitation_words
from webapp.labelling.models import Annotator, Kind, LabelStudy
from webapp.labelling.people import invite_people
from webapp.labelling.studies import close_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(starter_tasks: list[Task], starter_world: World) -> LabelStudy:
    return pairs_study(starter_tasks, starter_world, items=3)


def test_people_are_invited_a_line_each_with_the_cities_that_they_know(
    as_researcher: Client, study: LabelStudy
) -> None:
    people = "Li Wei: 杭州市, 苏州市\n\n王芳：成都市、重庆市\nBob"
    response = as_researcher.post(f"/labelling/{study.pk}/annotators/invite/", {"people": people, "days": 7})
    assert response.status_code == 302
    found = [(one.rater.name, one.rater.cities) for one in study.annotators.select_related("rater")]
    assert found == [("Li Wei", ["杭州市", "苏州市"]), ("王芳", ["成都市", "重庆市"]), ("Bob", [])]
    left = study.annotators.first().expires_at - timezone.now()  # type: ignore[union-attr]
    assert timedelta(days=6) < left <= timedelta(days=7)


def test_a_line_without_a_name_or_a_name_that_comes_twice_invites_nobody(
    as_researcher: Client, study: LabelStudy
) -> None:
    path = f"/labelling/{study.pk}/annotators/invite/"
    page = as_researcher.post(path, {"people": "Ann\n: 杭州市", "days": 7}).content.decode()
    assert "Line 2 has no name" in page
    page = as_researcher.post(path, {"people": "Ann\nAnn", "days": 7}).content.decode()
    assert "Ann: this name is taken already." in page
    assert not Annotator.objects.exists() and not Rater.objects.exists()


def test_a_name_that_the_study_has_is_refused(study: LabelStudy) -> None:
    annotator_of(study, "Ann")
    with pytest.raises(ValueError, match="this name is taken already"):
        invite_people(study=study, people=[("Bob", []), ("Ann", [])], valid_for=timedelta(days=1))
    assert study.annotators.count() == 1


def test_the_page_shows_links_that_work_and_how_far_everybody_is(
    as_researcher: Client, study: LabelStudy
) -> None:
    annotator = annotator_of(study, "Ann")
    answer_all(annotator)
    page = as_researcher.get(f"/labelling/{study.pk}/annotators/").content.decode()
    assert f"/annotate/join/{annotator.token}/" in page
    assert "has not started" in page
    assert "data:image/svg+xml" in page
    live = as_researcher.get(f"/labelling/{study.pk}/annotators/live/").content.decode()
    assert "Ann" in live and "<html" not in live


def test_a_new_link_ends_the_old_one(as_researcher: Client, study: LabelStudy) -> None:
    annotator = annotator_of(study)
    old = annotator.token
    as_researcher.post(f"/labelling/{study.pk}/annotators/{annotator.pk}/renew/")
    annotator.refresh_from_db()
    assert annotator.token != old
    assert annotator_by(old) is None
    assert annotator_by(annotator.token) == annotator


def test_a_withdrawn_link_shuts_out_frees_the_item_and_keeps_what_was_answered(
    as_researcher: Client, study: LabelStudy
) -> None:
    annotator = annotator_of(study)
    first = queue.next_for(annotator)
    assert first is not None
    answer(first)
    queue.next_for(annotator)
    as_researcher.post(f"/labelling/{study.pk}/annotators/{annotator.pk}/withdraw/")
    annotator.refresh_from_db()
    assert not annotator.usable()
    assert queue.next_for(annotator) is None
    statuses = sorted(annotator.assignments.values_list("status", flat=True))
    assert statuses == ["answered", "expired"]
    page = as_researcher.get(f"/labelling/{study.pk}/annotators/").content.decode()
    assert "link withdrawn" in page and annotator.token not in page


def test_a_link_of_another_study_is_not_found(as_researcher: Client, study: LabelStudy) -> None:
    other = annotator_of(make_study())
    assert as_researcher.post(f"/labelling/{study.pk}/annotators/{other.pk}/renew/").status_code == 404
    own = annotator_of(study)
    assert as_researcher.post(f"/labelling/{study.pk}/annotators/{own.pk}/dance/").status_code == 404


def test_links_come_as_a_file(as_researcher: Client, study: LabelStudy) -> None:
    kept, gone = annotator_of(study, "=Ann", cities=["杭州市"]), annotator_of(study, "Bob")
    revoke(annotator=gone)
    text = as_researcher.get(f"/labelling/{study.pk}/annotators/links.csv").content.decode()
    lines = list(csv.DictReader(StringIO(text)))
    assert [line["name"] for line in lines] == ["'=Ann", "Bob"]
    assert lines[0]["link"].endswith(f"/annotate/join/{kept.token}/")
    assert (lines[0]["cities"], lines[1]["link"]) == ("杭州市", "")


def test_people_of_other_studies_are_invited_again_under_the_same_rater(
    as_researcher: Client, study: LabelStudy
) -> None:
    before = annotator_of(make_study(), "Ann")
    page = as_researcher.get(f"/labelling/{study.pk}/annotators/").content.decode()
    assert f'<option value="{before.rater_id}">Ann' in page
    as_researcher.post(f"/labelling/{study.pk}/annotators/known/", {"raters": [before.rater_id]})
    assert study.annotators.get().rater == before.rater
    page = as_researcher.post(f"/labelling/{study.pk}/annotators/known/", {"raters": []}).content.decode()
    assert "Choose whom to invite." in page
    with pytest.raises(ValueError, match="invited to this study already"):
        invite_again(study=study, rater=before.rater)


def test_models_are_never_invited(study: LabelStudy) -> None:
    model = Rater.objects.create(kind=Rater.Kind.PAIRWISE, name="gpt")
    with pytest.raises(ValueError, match="a model, not a person"):
        invite_again(study=study, rater=model)


def test_the_page_tells_who_passed_the_qualification(
    as_researcher: Client, study: LabelStudy, starter_tasks: list[Task]
) -> None:
    first = study.items.order_by("number").first()
    assert first is not None
    add_item(study, first.task, first.left, first.right, purpose="qualification", answer={"choice": "left"})
    for name, choice in (("Ann", "left"), ("Bob", "right")):
        given = queue.next_for(annotator_of(study, name))
        assert given is not None
        answer(given, choice)
    given = queue.next_for(annotator_of(study, "Cai"))
    assert given is not None
    queue.skip(given, reason="I have never been there")
    page = as_researcher.get(f"/labelling/{study.pk}/annotators/").content.decode()
    assert "passed" in page and "failed: 0 of 1 right" in page and "not qualified" in page
    assert "failed: 0 of 1 right, 1 skipped" in page


def test_a_renewed_link_lets_in_who_gave_up(study: LabelStudy) -> None:
    annotator = annotator_of(study)
    annotator.left_at = timezone.now()
    annotator.save()
    assert queue.next_for(annotator) is None
    renew_link(annotator=annotator)
    assert queue.next_for(annotator) is not None


# --- people of a panel


def panel_study(**fields: Any) -> LabelStudy:
    return make_study(panel=True, consent_en="I am **18** or older.", completion_code="C0DE", **fields)


def test_people_of_a_panel_come_by_one_link_each_as_somebody_of_their_own(client: Client) -> None:
    study = panel_study()
    path = reverse("panel_link", args=[study.panel_token])
    for who, count in (("p1", 1), ("p2", 2), ("p1", 2)):
        browser = Client()
        assert browser.get(f"{path}?PROLIFIC_PID={who}&STUDY_ID=s&SESSION_ID=x").status_code == 200
        there = browser.post(f"{path}?PROLIFIC_PID={who}&STUDY_ID=s&SESSION_ID=x")
        annotator = study.annotators.get(rater__name=who)
        assert there.headers["Location"] == annotator.get_absolute_url()
        assert study.annotators.count() == count
        assert annotator.panel == {"who": who, "PROLIFIC_PID": who, "STUDY_ID": "s", "SESSION_ID": "x"}
    for bad in ("", "?PROLIFIC_PID=", "?PROLIFIC_PID={{%25PROLIFIC_PID%25}}"):
        page = client.get(path + bad)
        assert page.status_code == 403 and "does not say who you are" in page.content.decode()
    close_study(study=study)
    assert client.post(f"{path}?workerId=late").status_code == 403
    assert client.get(path.replace(study.panel_token[-4:], "0000")).status_code == 404
    study.panel = False
    study.save()
    assert client.get(f"{path}?workerId=w").status_code == 404


def test_consent_is_asked_once_before_the_first_item(client: Client) -> None:
    study = panel_study()
    annotator = invite(study=study, name="Ann")
    client.post(reverse("annotator_link", args=[annotator.token]))
    page = client.get(annotator.get_absolute_url()).content.decode()
    assert "I am <strong>18</strong> or older." in page
    read = reverse("annotate_guidelines", args=[annotator.pk])
    refused = client.post(read, {"version": 1})
    assert refused.status_code == 422 and "Tick that you agree" in refused.content.decode()
    annotator.refresh_from_db()
    assert (annotator.consented_at, annotator.guidelines_read) == (None, 0)
    client.post(read, {"version": 1, "consent": "1"})
    annotator.refresh_from_db()
    assert annotator.consented_at is not None and annotator.guidelines_read == 1
    assert "I am <strong>18" not in client.get(read).content.decode()


def test_who_is_done_gets_the_code_and_the_way_back(
    client: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    url = "https://panel.test/complete?cc=C0DE"
    study = pairs_study(starter_tasks, starter_world, items=1, completion_code="C0DE", completion_url=url)
    annotator = annotator_of(study)
    client.post(reverse("annotator_link", args=[annotator.token]))
    assert "C0DE" not in client.get(annotator.get_absolute_url()).content.decode()
    answer_all(annotator)
    page = client.get(annotator.get_absolute_url()).content.decode()
    assert 'value="C0DE"' in page and f'href="{url}"' in page and 'data-copies="completion-code"' in page


def test_the_token_of_a_panel_stands_in_no_log() -> None:
    study = panel_study()
    path = reverse("panel_link", args=[study.panel_token])
    line = without_tokens(f'"GET {path}?PROLIFIC_PID=x" 200')
    assert study.panel_token[-32:] not in line and "/annotate/panel/***/?PROLIFIC_PID=x" in line
    assert without_tokens("GET /sessions/demo/panel/plan/") == "GET /sessions/demo/panel/plan/"


def test_the_page_of_annotators_has_the_link_for_the_panel(as_researcher: Client) -> None:
    study = panel_study()
    page = as_researcher.get(f"/labelling/{study.pk}/annotators/").content.decode()
    assert f"{study.panel_token}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}" in page


@pytest.mark.parametrize("kind", Kind.values)
def test_an_invitation_names_what_is_judged(kind: str) -> None:
    words = {
        suite: invitation_words(LabelStudy(kind=kind, suite=suite))
        for suite in ("grouptravel", "travelbench")
    }
    assert "travel plans" in words["grouptravel"] and "travel requests" in words["travelbench"]
