"""Annotators at their pages: the link, what they read, items of each kind, and what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from benchmark.labelling.files.exports import letter_of
from benchmark.labelling.files.rows import table_rows
from tests.labelling import add_item, annotator_of, finished_run, finished_session, make_study, plan_of
from webapp.accounts.models import User
from webapp.catalogue.models import Task, World
from webapp.endpoints.services import create_endpoint
from webapp.judging.models import Rater
from webapp.labelling import blind, queue
from webapp.labelling.annotator_quality import care_of
from webapp.labelling.annotators import admit, invite, leave, renew_link, revoke
from webapp.labelling.answer_history import answer_words
from webapp.labelling.choices import shown_choice
from webapp.labelling.files import items_of
from webapp.labelling.models import Annotator, Assignment, Kind, Label, LabelItem, LabelStudy
from webapp.sessions.models import Session

LEFT_AGENT, RIGHT_AGENT = "quick-planner-7b", "slow-planner-70b"
SCRIPT = {"HTTP_X_CARAVAN_SCRIPT": "1"}
Purpose = LabelItem.Purpose


@pytest.fixture
def sessions(task: Task, starter_world: World) -> list[Session]:
    """Two finished sessions of one task by two agents."""
    return [finished_session(task, starter_world, agent=name) for name in (LEFT_AGENT, RIGHT_AGENT)]


@pytest.fixture
def study(task: Task, sessions: list[Session]) -> LabelStudy:
    """Three pairs."""
    found = make_study()
    for _ in range(3):
        add_item(found, task, *sessions)
    return found


def link_of(annotator: Annotator) -> str:
    return reverse("annotator_link", args=[annotator.token])


class Browser:
    """An annotator's browser that came by the link."""

    def __init__(self, annotator: Annotator, **options: Any) -> None:
        self.annotator, self.client = annotator, Client(**options)
        self.open_page = ""
        response = self.client.post(link_of(annotator))
        assert response.status_code == 302, response.content.decode()

    @property
    def path(self) -> str:
        return reverse("annotate", args=[self.annotator.pk])

    def page(self) -> Any:
        response = self.client.get(self.path)
        self.open_page = response.content.decode()
        return response

    def text(self) -> str:
        return str(self.page().content.decode())

    def at_work(self) -> Assignment:
        return Assignment.objects.get(annotator=self.annotator, status=Assignment.Status.OPEN)

    def form(self, **given: Any) -> dict[str, Any]:
        """What the form of the open page sends, of the next page where that has none."""
        given_by = re.compile(r'name="client_id" value="(\w+)"')
        found = given_by.search(self.open_page) or given_by.search(self.text())
        sent = {
            "assignment": self.at_work().pk,
            "client_id": found.group(1) if found else "",
            "seconds": "30",
        }
        return {**sent, **given}

    def post(self, name: str, given: dict[str, Any], **extra: Any) -> Any:
        self.open_page = ""
        return self.client.post(reverse(f"annotate_{name}", args=[self.annotator.pk]), given, **extra)

    def answer(self, **given: Any) -> Any:
        return self.post("answer", self.form(**given))


@pytest.fixture
def browser(study: LabelStudy) -> Browser:
    return Browser(annotator_of(study))


# --- coming in


def test_opening_a_link_takes_nothing_and_its_button_lets_in(study: LabelStudy) -> None:
    annotator = invite(study=study, name="Ada")
    client = Client()
    opened = client.get(link_of(annotator))
    assert opened.status_code == 200 and opened.headers["Referrer-Policy"] == "origin"
    annotator.refresh_from_db()
    assert annotator.opened_at is None
    assert client.get(reverse("annotate", args=[annotator.pk])).status_code == 404
    assert client.post(link_of(annotator)).headers["Location"] == reverse("annotate", args=[annotator.pk])
    annotator.refresh_from_db()
    assert annotator.opened_at is not None
    assert client.get(link_of(annotator)).status_code == 302  # who is in goes on
    assert client.get(reverse("annotate", args=[annotator.pk])).headers["Cache-Control"] == "no-store"


def test_whoever_comes_by_a_link_gets_a_new_session_key(study: LabelStudy) -> None:
    client = Client()
    planted = client.session.session_key
    assert client.post(link_of(invite(study=study, name="N"))).status_code == 302
    assert client.session.session_key != planted
    assert not client.session.exists(planted)


def test_a_link_that_is_unknown_withdrawn_or_expired_says_so(study: LabelStudy) -> None:
    withdrawn, expired = invite(study=study, name="Ada"), invite(study=study, name="Bo")
    revoke(annotator=withdrawn)
    Annotator.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(1))
    for method in ("get", "post"):
        for token, status in (("nobody-0000", 404), (withdrawn.token, 403), (expired.token, 410)):
            response = getattr(Client(), method)(reverse("annotator_link", args=[token]))
            assert response.status_code == status
            assert "Ask whoever sent it" in response.content.decode() or "ask for a new one" in str(
                response.content
            )


def test_a_browser_that_was_in_is_told_that_the_link_was_withdrawn_or_has_expired(browser: Browser) -> None:
    Annotator.objects.filter(pk=browser.annotator.pk).update(expires_at=timezone.now() - timedelta(1))
    assert browser.page().status_code == 410
    revoke(annotator=browser.annotator)
    assert browser.page().status_code == 403
    renew_link(annotator=browser.annotator)
    assert browser.page().status_code == 404  # the new link is another one


def test_a_forged_id_finds_nothing_whether_it_exists_or_not(study: LabelStudy, browser: Browser) -> None:
    other = annotator_of(study)
    answers = [
        browser.client.get(reverse(name, args=[pk]))
        for pk in (other.pk, "nosuchannotator1")
        for name in ("annotate", "annotate_guidelines", "annotate_leave", "annotate_waiting")
    ]
    assert {answer.status_code for answer in answers} == {404}
    bodies = {re.sub(rb'value="[\w/]+"', b"", answer.content) for answer in answers}
    assert len(bodies) == 1
    assert browser.client.post(reverse("annotate_answer", args=[other.pk]), {}).status_code == 404


def test_an_annotator_gets_nobody_elses_item_and_no_page_of_researchers(
    study: LabelStudy, browser: Browser, sessions: list[Session]
) -> None:
    other = annotator_of(study)
    theirs = queue.next_for(other)
    assert theirs is not None
    for name in ("answer", "draft", "skip"):
        given = {"assignment": theirs.pk, "choice": "left", "reason": "x"}
        assert browser.post(name, given).status_code == 404
        assert browser.post(name, {**given, "assignment": "9" * 30}).status_code == 404
        assert browser.post(name, {**given, "assignment": "x"}).status_code == 404
    assert not Label.objects.exists()
    for path in ("/sessions/", sessions[0].get_absolute_url(), "/runs/", "/judging/"):
        assert browser.client.get(path).status_code == 302


def test_every_form_needs_its_token(study: LabelStudy) -> None:
    annotator = annotator_of(study)
    client = Client(enforce_csrf_checks=True)
    assert client.post(link_of(annotator)).status_code == 403
    for name in ("answer", "draft", "skip", "undo", "leave", "guidelines"):
        assert client.post(reverse(f"annotate_{name}", args=[annotator.pk]), {}).status_code == 403


# --- before the items


def test_guidelines_come_first_and_again_once_they_changed(study: LabelStudy) -> None:
    LabelStudy.objects.filter(pk=study.pk).update(
        guidelines_en="# Do\n\n*well* <script>alert(1)</script> [x](javascript:alert(1))"
    )
    browser = Browser(invite(study=study, name="Ada"))
    text = browser.text()
    assert "<h3>Do</h3>" in text and "<em>well</em>" in text
    assert "<script>alert" not in text and 'href="javascript' not in text
    assert not Assignment.objects.exists()
    browser.post("guidelines", {"version": "1"})
    assert 'id="answer"' in browser.text()
    LabelStudy.objects.filter(pk=study.pk).update(guidelines_version=2)
    assert "have changed" in browser.text()
    browser.post("guidelines", {"version": "1"})  # a page from before
    assert "have changed" in browser.text()
    browser.post("guidelines", {"version": "2"})
    assert 'id="answer"' in browser.text()


@pytest.mark.parametrize("kind", Kind.values)
@pytest.mark.parametrize(("language", "words"), [("zh", "请独立判断"), ("en", "Judge by yourself")])
def test_a_study_without_guidelines_has_ours(
    db: None, kind: str, language: str, words: str, settings: Any
) -> None:
    study = make_study(kind)
    browser = Browser(invite(study=study, name="Ada", language=language))
    assert words in browser.text()


def test_examples_are_shown_with_their_answer_and_why(
    study: LabelStudy, task: Task, sessions: list[Session]
) -> None:
    answer = {"choice": "right"}
    add_item(
        study,
        task,
        *sessions,
        purpose=Purpose.EXAMPLE,
        answer=answer,
        explanation="B has <b>time</b> to eat.",
    )
    browser = Browser(annotator_of(study))
    address = reverse("annotate_example", args=[browser.annotator.pk, 1])
    guidelines = reverse("annotate_guidelines", args=[browser.annotator.pk])
    assert address in browser.client.get(guidelines).content.decode()
    text = browser.client.get(address).content.decode()
    assert "Plan B is better" in text and "B has &lt;b&gt;time&lt;/b&gt; to eat." in text
    assert browser.client.get(address.replace("/1/", "/2/")).status_code == 404


@pytest.mark.parametrize(
    ("choice", "passes", "words"), [("left", True, "You passed"), ("right", False, "go on to the study")]
)
def test_qualification_lets_on_or_does_not(
    task: Task, sessions: list[Session], choice: str, passes: bool, words: str
) -> None:
    study = make_study()
    add_item(study, task, *sessions)
    add_item(study, task, *sessions, purpose=Purpose.QUALIFICATION, answer={"choice": "left"})
    browser = Browser(annotator_of(study))
    assert "the answer to this item is known" in browser.text()
    shown = shown_choice(choice, browser.at_work().swapped)
    response = browser.answer(choice=shown)
    assert words in browser.client.get(response.headers["Location"]).content.decode()
    assert ('id="answer"' in browser.text()) is passes


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("s", "You skipped the only qualification item. Nobody goes on without an answer to it."),
        ("ss", "You skipped all 2 qualification items. Nobody goes on without answers to them."),
        ("w", "Your answer to the qualification item does not agree with the known one."),
        ("rw", "the known ones on 1 of 2 qualification items; at least 2 must agree."),
        (
            "rws",
            "on 1 of 3 qualification items; at least 3 must agree. You skipped 1 item, which counts as an answer",
        ),
    ],
)
def test_who_did_not_pass_is_told_what_happened(
    task: Task, sessions: list[Session], said: str, words: str
) -> None:
    study = make_study()
    add_item(study, task, *sessions)
    for _ in said:
        add_item(study, task, *sessions, purpose=Purpose.QUALIFICATION, answer={"choice": "left"})
    browser = Browser(annotator_of(study))
    assert "A skipped qualification item counts as an answer that does not agree" in browser.text()
    for each in said:
        form = browser.form(reason="I have never been there")
        right = {"r": "left", "w": "right"}
        if each in right:
            form["choice"] = shown_choice(right[each], browser.at_work().swapped)
        browser.post("answer" if each in right else "skip", form)
    page = " ".join(browser.text().split())
    assert "go on to the study" in page and words in page
    assert ("they can ask you once more" in page) is ("s" in said)
    assert "left</span>" not in page and "0 answered" not in page  # nothing is left for them


def test_who_passes_by_a_skip_is_told_so(task: Task, sessions: list[Session]) -> None:
    study = make_study(qualification=0.5)
    add_item(study, task, *sessions)
    for _ in range(2):
        add_item(study, task, *sessions, purpose=Purpose.QUALIFICATION, answer={"choice": "left"})
    browser = Browser(annotator_of(study))
    browser.page()
    browser.answer(choice=shown_choice("left", browser.at_work().swapped))
    told = browser.post("skip", browser.form(reason="too far"))
    assert told.headers["Location"] == reverse("annotate_passed", args=[browser.annotator.pk])


def test_who_skipped_the_qualification_can_be_asked_once_more(task: Task, sessions: list[Session]) -> None:
    study = make_study()
    add_item(study, task, *sessions)
    add_item(study, task, *sessions, purpose=Purpose.QUALIFICATION, answer={"choice": "left"})
    browser = Browser(annotator_of(study))
    browser.page()
    browser.post("skip", browser.form(reason="the page was blank"))
    assert "You skipped the only qualification item." in " ".join(browser.text().split())
    admit(annotator=browser.annotator)
    assert "the answer to this item is known" in browser.text()
    browser.answer(choice=shown_choice("left", browser.at_work().swapped))
    assert 'id="answer"' in browser.text()
    browser.annotator.refresh_from_db()
    assert browser.annotator.qualified_at is not None


def test_the_annotators_language_is_spoken_until_they_switch(study: LabelStudy) -> None:
    chinese = Browser(annotator_of(study, language="zh"))
    assert '<html lang="zh-hans">' in chinese.text()
    chinese.client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    assert '<html lang="en">' in chinese.text()
    any_language = Browser(annotator_of(study))
    page = any_language.client.get(any_language.path, headers={"accept-language": "zh-CN"})
    assert '<html lang="zh-hans">' in page.content.decode()


# --- items of each kind


def test_a_pair_is_answered_and_the_next_one_comes(browser: Browser) -> None:
    first = browser.at_work() if browser.page() else None
    assert first is not None
    assert "0 answered, 3 left" in " ".join(browser.text().split())
    response = browser.answer(choice="left", rationale="more time", seconds="12.5")
    assert response.headers["Location"] == browser.path
    label = Label.objects.get()
    assert label.choice == shown_choice("left", first.swapped)
    assert (label.rationale, label.seconds, label.assignment) == ("more time", 12.5, first)
    assert browser.at_work() if browser.page() else None
    assert "1 answered, 2 left" in " ".join(browser.text().split())


def test_sides_of_the_page_are_as_the_assignment_swaps_them(
    task: Task, sessions: list[Session], study: LabelStudy
) -> None:
    browser = Browser(annotator_of(study))
    browser.page()
    for swapped, first in ((False, LEFT_AGENT), (True, RIGHT_AGENT)):
        Assignment.objects.update(swapped=swapped)
        shown = browser.text()
        at = {letter: shown.index("公园", shown.index(f"side-{letter} day")) for letter in "AB"}
        assert at["A"] < at["B"]
        assert LEFT_AGENT not in shown and RIGHT_AGENT not in shown
        assert first  # masked names leave the places' other words


def test_what_only_one_plan_has_is_marked_in_words(task: Task, starter_world: World) -> None:
    study = make_study()
    plans = [plan_of(task, place="西湖"), plan_of(task, place="雷峰塔")]
    plans[1]["days"][0]["city_segments"][0]["activities"][1]["avg_cost"] = 200  # a meal of 80
    add_item(
        study,
        task,
        *(finished_session(task, starter_world, agent=f"a-{n}", plan=p) for n, p in enumerate(plans)),
    )
    text = Browser(annotator_of(study)).text()
    assert text.count("only here") == 2
    assert text.count("¥120 more") == text.count("¥120 less") == len(task.parsed_definition.users)


def test_a_tie_is_an_answer_only_where_the_study_allows_it(study: LabelStudy, browser: Browser) -> None:
    assert 'value="tie"' not in browser.text()
    assert browser.answer(choice="tie").status_code == 422
    LabelStudy.objects.filter(pk=study.pk).update(allow_tie=True)
    assert 'value="tie"' in browser.text()
    browser.answer(choice="tie")
    assert Label.objects.get().choice == "tie"


def test_a_rubric_is_rated_over_plan_and_conversation(task: Task, sessions: list[Session]) -> None:
    study = make_study(Kind.RUBRIC)
    add_item(study, task, sessions[0])
    browser = Browser(annotator_of(study))
    text = browser.text()
    assert text.count("<fieldset") == len(study.dimension_names) and "Here is the plan." in text
    scores = {f"score_{name}": str(n % 5 + 1) for n, name in enumerate(study.dimension_names)}
    some = dict(list(scores.items())[:-1])
    refused = browser.post("answer", browser.form(**some))
    assert refused.status_code == 422 and refused.content.decode().count(" checked") == len(some)
    for bad in ("0", "6", "2.5", "x"):
        assert browser.answer(**{**scores, next(iter(scores)): bad}).status_code == 422
    browser.answer(**scores)
    assert Label.objects.get().answer["scores"] == {
        name: n % 5 + 1 for n, name in enumerate(study.dimension_names)
    }


def test_own_dimensions_are_asked_in_the_annotators_language(task: Task, sessions: list[Session]) -> None:
    study = make_study(Kind.RUBRIC, dimensions={"fun": {"zh": "有趣吗", "en": "Is it fun"}})
    add_item(study, task, sessions[0])
    assert "有趣吗" in Browser(annotator_of(study, language="zh")).text()
    assert "Is it fun" in Browser(annotator_of(study)).text()


@pytest.mark.parametrize("with_session", [False, True])
def test_a_yes_no_question_is_asked_of_a_task_or_a_session(
    task: Task, sessions: list[Session], with_session: bool
) -> None:
    study = make_study(Kind.BINARY, question_en="Can it be solved?")
    add_item(study, task, sessions[0] if with_session else None)
    browser = Browser(annotator_of(study))
    text = browser.text()
    assert "Can it be solved?" in text and ("Cost per person" in text) is with_session
    browser.answer(choice="no")
    assert Label.objects.get().choice == "no"


# --- nothing of who made it


def test_nothing_of_authorship_leaves_the_server(task: Task, starter_world: World) -> None:
    endpoint = create_endpoint(
        name="house-endpoint", base_url="http://x.test/v1", model="maker/secret-model-9b"
    )
    said = f"I am {LEFT_AGENT}, made with secret-model-9b at house-endpoint. As GPT-4o, I chose it.\n— {LEFT_AGENT}"
    plan = plan_of(task, place=f"{LEFT_AGENT} 推荐的西湖")
    runs = [finished_run([task], starter_world, agent=name) for name in (LEFT_AGENT, RIGHT_AGENT)]
    for kind in (Kind.PAIRWISE, Kind.RUBRIC):
        study = make_study(kind, name=f"secret study {kind}", show_chat=True)
        shown = [
            finished_session(task, starter_world, agent=name, run=run, plan=plan, said=said)
            for name, run in zip((LEFT_AGENT, RIGHT_AGENT), runs, strict=True)
        ]
        Session.objects.filter(pk__in=[one.pk for one in shown]).update(agent_model=endpoint)
        item = add_item(study, task, *shown[: 2 if kind == Kind.PAIRWISE else 1])
        browser = Browser(annotator_of(study, name="Secret Name"))
        page = browser.page().content.decode()
        hidden = [
            LEFT_AGENT,
            RIGHT_AGENT,
            "house-endpoint",
            "secret-model-9b",
            "GPT-4o",
            study.name,
            study.pk,
            "Secret Name",
        ]
        hidden += [one.pk for one in shown] + [run.pk for run in runs] + [run.name for run in runs]
        hidden += [task.task_id, f"#{item.number}", "/sessions/", "/worlds/", "utility", "valid"]
        assert [name for name in hidden if name.lower() in page.lower()] == []
        assert "西湖" in page and "I chose it" in page


def test_hostile_texts_are_shown_as_texts(eventful: Session, task: Task) -> None:
    study = make_study(Kind.RUBRIC)
    add_item(study, task, eventful)
    text = Browser(annotator_of(study)).text()
    assert "<script>alert" not in text and "<img src=x" not in text
    assert "&lt;script&gt;" in text


def test_others_answers_are_nowhere_to_be_seen(study: LabelStudy, browser: Browser) -> None:
    browser.answer(choice="neither", rationale="a telling reason")
    other = Browser(annotator_of(study))
    assert "a telling reason" not in other.text()


# --- refusals, drafts, leases


def test_no_answer_or_a_missing_reason_is_refused_and_what_was_written_stays(
    study: LabelStudy, browser: Browser
) -> None:
    refused = browser.answer(rationale="my words")
    assert refused.status_code == 422
    assert "Choose an answer first." in refused.content.decode() and "my words" in refused.content.decode()
    LabelStudy.objects.filter(pk=study.pk).update(rationale_required=True)
    refused = browser.answer(choice="right")
    assert "asks for a reason" in refused.content.decode()
    assert re.search(r'value="right"[^>]* checked', refused.content.decode())
    assert not Label.objects.exists()


def test_a_script_is_told_in_json(browser: Browser) -> None:
    refused = browser.post("answer", browser.form(), **SCRIPT)
    assert refused.status_code == 422 and refused.json() == {
        "refused": "Choose an answer first.",
        "gone": False,
    }
    taken = browser.post("answer", browser.form(choice="left"), **SCRIPT)
    assert taken.json() == {"next": browser.path}


def test_an_answer_sent_twice_counts_once(browser: Browser) -> None:
    sent = browser.form(choice="left")
    assert browser.post("answer", sent, **SCRIPT).status_code == 200
    assert browser.post("answer", sent, **SCRIPT).status_code == 200
    assert Label.objects.count() == 1
    again = browser.post("answer", {**sent, "client_id": "another", "choice": "right"}, **SCRIPT)
    assert again.status_code == 422 and again.json()["gone"]
    assert Label.objects.count() == 1


def test_what_comes_next_is_drawn_ahead_and_told_to_nobody(browser: Browser) -> None:
    browser.page()
    coming = queue.coming_for(browser.annotator)
    ahead = reverse("annotate_ahead", args=[browser.annotator.pk])
    response = browser.client.get(ahead)
    assert (response.status_code, response.content) == (204, b"")
    assert Assignment.objects.count() == 1  # the one at work
    assert browser.client.post(ahead).status_code == 405
    browser.answer(choice="left")
    browser.page()
    given = Assignment.objects.latest("pk")
    assert coming == (given.item, given.swapped)


def test_nothing_is_drawn_ahead_of_who_may_not_work(study: LabelStudy, browser: Browser) -> None:
    browser.page()
    ahead = reverse("annotate_ahead", args=[browser.annotator.pk])
    LabelStudy.objects.filter(pk=study.pk).update(status=LabelStudy.Status.PAUSED)
    blind._pages.clear()
    assert browser.client.get(ahead).status_code == 204
    assert not blind._pages
    LabelStudy.objects.filter(pk=study.pk).update(status=LabelStudy.Status.OPEN)
    assert browser.client.get(ahead).status_code == 204
    assert len(blind._pages) == 1
    assert Client().get(ahead).status_code == 404


def test_a_draft_is_kept_and_shown_again(browser: Browser) -> None:
    sent = browser.form(choice="neither", rationale="not sure yet", seconds="7")
    assert browser.post("draft", sent).status_code == 204
    assert not Label.objects.exists()
    text = browser.text()
    assert "not sure yet" in text and re.search(r'value="neither"[^>]* checked', text)
    assert 'data-seconds="7.0"' in text


def test_a_draft_keeps_the_lease_and_one_that_ran_out_goes_to_others(
    study: LabelStudy, task: Task, sessions: list[Session]
) -> None:
    LabelStudy.objects.filter(pk=study.pk).update(per_item=1)
    study.items.exclude(number=1).delete()
    browser, other = Browser(annotator_of(study)), Browser(annotator_of(study))
    sent = browser.form(choice="left", rationale="took long")
    Assignment.objects.update(leased_until=timezone.now() + timedelta(seconds=1))
    browser.post("draft", sent)
    assert browser.at_work().leased_until > timezone.now() + timedelta(minutes=20)
    assert "Nothing for you now" in other.text()
    Assignment.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert 'id="answer"' in other.text()
    late = browser.post("answer", sent)
    assert late.status_code == 422
    assert "somebody else has it now" in late.content.decode() and "took long" in late.content.decode()
    other.answer(choice="right")
    assert Label.objects.get().rater == other.annotator.rater


def test_an_answer_after_the_lease_ran_out_is_taken_while_nobody_else_has_the_item(browser: Browser) -> None:
    sent = browser.form(choice="left")
    Assignment.objects.update(status=Assignment.Status.EXPIRED)
    assert browser.post("answer", sent).status_code == 302
    assert Label.objects.count() == 1


def test_a_skip_needs_a_reason_and_brings_the_next_item(browser: Browser) -> None:
    first = browser.form()
    refused = browser.post("skip", {**first, "reason": " "})
    assert refused.status_code == 422 and "why you skip it" in refused.content.decode()
    assert browser.post("skip", {**first, "reason": "I do not know the city"}).status_code == 302
    skipped = Assignment.objects.get(status=Assignment.Status.SKIPPED)
    assert (skipped.pk, skipped.reason) == (first["assignment"], "I do not know the city")
    text = browser.text()
    assert browser.at_work().item != skipped.item
    assert "Go back to the skipped item" in text and "Take the last answer back" not in text
    LabelItem.objects.filter(pk=skipped.item_id).update(withdrawn_at=timezone.now())
    assert 'id="undo"' not in browser.text()
    refused = browser.post("undo", {})
    assert refused.status_code == 422 and "taken out of the study" in refused.content.decode()


def test_the_last_answer_can_be_taken_back(browser: Browser) -> None:
    assert 'id="undo"' not in browser.text()
    browser.answer(choice="right", rationale="hasty")
    assert 'id="undo"' in browser.text()
    first = Label.objects.get().assignment
    assert browser.post("undo", {}).status_code == 302
    text = browser.text()
    assert re.search(r'value="right"[^>]* checked', text) and "hasty" in text
    sent = re.search(r'name="assignment" value="(\d+)"', text)
    assert first is not None and sent is not None and int(sent.group(1)) == first.pk
    assert not Label.objects.filter(current=True).exists()
    refused = browser.post("undo", {})
    assert refused.status_code == 422 and "no answer to take back" in refused.content.decode()


def test_a_faster_answer_than_the_study_wants_is_flagged_not_refused(
    study: LabelStudy, browser: Browser
) -> None:
    LabelStudy.objects.filter(pk=study.pk).update(min_view_s=10)
    browser.answer(choice="left", seconds="3")
    browser.answer(choice="left", seconds="30")
    browser.answer(choice="left", seconds="nan")
    assert [label.hurried for label in Label.objects.order_by("pk")] == [True, False, True]


# --- a study that changes midway, and its end


def test_a_study_closed_midway_takes_no_more_and_keeps_the_words(study: LabelStudy, browser: Browser) -> None:
    sent = browser.form(choice="left", rationale="nearly done")
    LabelStudy.objects.filter(pk=study.pk).update(status=LabelStudy.Status.CLOSED)
    late = browser.post("answer", sent)
    assert late.status_code == 422
    assert "closed" in late.content.decode() and "nearly done" in late.content.decode()
    assert "The study is closed" in browser.text()
    assert not Label.objects.exists()


def test_a_paused_study_takes_what_is_at_work_and_gives_out_nothing(
    study: LabelStudy, browser: Browser
) -> None:
    sent = browser.form(choice="left")
    LabelStudy.objects.filter(pk=study.pk).update(status=LabelStudy.Status.PAUSED)
    assert "The study is paused" in browser.text()
    assert browser.post("answer", sent).status_code == 302
    assert "The study is paused" in browser.text()
    waiting = reverse("annotate_waiting", args=[browser.annotator.pk])
    assert browser.client.get(waiting).json()["shut"] == "paused"
    LabelStudy.objects.filter(pk=study.pk).update(status=LabelStudy.Status.OPEN)
    assert browser.client.get(waiting).json() == {"shut": "", "left": 2, "waiting": False}


def test_an_item_taken_out_midway_is_refused_and_the_next_one_comes(browser: Browser) -> None:
    sent = browser.form(choice="left")
    LabelItem.objects.filter(assignments__pk=sent["assignment"]).update(withdrawn_at=timezone.now())
    late = browser.post("answer", sent)
    assert late.status_code == 422 and "taken out of the study" in late.content.decode()
    assert 'id="answer"' in browser.text()


def test_who_is_done_finds_the_completion_code_once_the_study_is_closed(
    study: LabelStudy, browser: Browser
) -> None:
    LabelStudy.objects.filter(pk=study.pk).update(completion_code="C0DE", per_item=1)
    browser.answer(choice="left")
    LabelStudy.objects.filter(pk=study.pk).update(status=LabelStudy.Status.CLOSED)
    assert "C0DE" not in browser.text()  # two are left
    LabelStudy.objects.filter(pk=study.pk).update(status=LabelStudy.Status.OPEN)
    for _ in range(2):
        browser.answer(choice="left")
    LabelStudy.objects.filter(pk=study.pk).update(status=LabelStudy.Status.CLOSED)
    text = browser.text()
    assert "The study is closed" in text and 'value="C0DE"' in text


def test_who_answered_everything_is_thanked(study: LabelStudy, browser: Browser) -> None:
    for _ in range(3):
        browser.answer(choice="left")
    assert "Done, thank you" in browser.text()
    assert 'id="undo"' in browser.text()


def test_stopping_is_asked_once_more_frees_the_item_and_can_be_undone(browser: Browser) -> None:
    browser.page()
    path = reverse("annotate_leave", args=[browser.annotator.pk])
    assert browser.client.get(path).status_code == 200
    assert Assignment.objects.filter(status=Assignment.Status.OPEN).exists()
    assert browser.client.post(path).status_code == 302
    assert not Assignment.objects.filter(status=Assignment.Status.OPEN).exists()
    assert "You have stopped" in browser.text()
    browser.client.post(link_of(browser.annotator))
    assert 'id="answer"' in browser.text()


def test_an_answer_of_who_has_left_or_was_shut_out_is_refused(browser: Browser) -> None:
    sent = browser.form(choice="left", rationale="kept words")
    leave(annotator=browser.annotator)
    for _ in range(2):
        late = browser.post("answer", sent)
        assert late.status_code == 422 and "kept words" in late.content.decode()
        revoke(annotator=browser.annotator)
    assert not Label.objects.exists()


def test_a_study_in_draft_gives_out_nothing(study: LabelStudy, browser: Browser) -> None:
    LabelStudy.objects.filter(pk=study.pk).update(status=LabelStudy.Status.DRAFT)
    assert browser.page().status_code == 403
    assert not Assignment.objects.exists()


def test_one_person_in_two_browsers_works_on_one_item(browser: Browser) -> None:
    second = Browser(browser.annotator)
    browser.page(), second.page()
    assert Assignment.objects.count() == 1
    assert second.answer(choice="left").status_code == 302


def test_a_researcher_who_signed_in_annotates_by_a_link_alone(
    study: LabelStudy, researcher: User, as_researcher: Client
) -> None:
    annotator = annotator_of(study)
    assert as_researcher.get(reverse("annotate", args=[annotator.pk])).status_code == 404
    as_researcher.post(link_of(annotator))
    assert as_researcher.get(reverse("annotate", args=[annotator.pk])).status_code == 200


def test_known_people_are_let_in_to_several_studies(task: Task, sessions: list[Session]) -> None:
    studies = [make_study(), make_study()]
    for study in studies:
        add_item(study, task, *sessions)
    client = Client()
    both = [annotator_of(study) for study in studies]
    for annotator in both:
        client.post(link_of(annotator))
    assert [client.get(reverse("annotate", args=[one.pk])).status_code for one in both] == [200, 200]
    assert Rater.objects.filter(kind=Rater.Kind.PERSON).count() == 2


def test_maps_tell_no_addresses(browser: Browser) -> None:
    text = browser.text()
    for told in re.findall(r'<template id="plan-map-[AB]">(.*?)</template>', text):
        assert all(not point.get("href") for point in json.loads(told)["points"])


MakeSession = Callable[..., Session]


# --- both plans seen


def test_an_answer_waits_until_both_plans_were_seen_and_what_was_seen_is_kept(study: LabelStudy) -> None:
    LabelStudy.objects.filter(pk=study.pk).update(see_both=True)
    study.refresh_from_db()
    browser = Browser(annotator_of(study))
    refused = browser.answer(choice="left", rationale="my words")
    assert refused.status_code == 422 and not Label.objects.exists()
    assert "Look at A and at B to their ends first" in refused.content.decode()
    assert browser.post("draft", browser.form(choice="left", seen_B="1")).status_code == 204
    page = browser.text()
    assert re.search(r'name="seen_B"[^>]* checked', page) and not re.search(
        r'name="seen_A"[^>]* checked', page
    )
    told = browser.post("answer", browser.form(choice="left", seen_B="1"), **SCRIPT)
    assert told.json() == {"refused": "Look at A to its end first, then send.", "gone": False}
    assert browser.answer(choice="left", seen_A="1").status_code == 302
    last = Label.objects.get()
    browser.post("undo", {"last": last.assignment_id})
    assert browser.answer(choice="right").status_code == 302  # both were seen before it was taken back


def test_a_study_that_does_not_ask_it_takes_an_answer_at_once(browser: Browser) -> None:
    assert "seen_A" not in browser.text()
    assert browser.answer(choice="left").status_code == 302


# --- training


def test_training_comes_first_shows_the_known_answer_after_theirs_and_never_counts(
    task: Task, sessions: list[Session], study: LabelStudy
) -> None:
    known = {"answer": {"choice": "left"}, "explanation": "It leaves <time>."}
    add_item(study, task, *sessions, purpose=Purpose.QUALIFICATION, answer={"choice": "left"})
    add_item(study, task, *sessions, purpose=Purpose.TRAINING, **known)
    browser = Browser(annotator_of(study))
    text = browser.text()
    assert "Training: the known answer is shown after yours" in text and "It leaves" not in text
    assert "0 answered, 3 left" in " ".join(text.split())
    at_work = browser.at_work()
    feedback = reverse("annotate_training", args=[browser.annotator.pk, at_work.pk])
    assert browser.client.get(feedback).status_code == 404  # nothing is told before the answer
    wrong = shown_choice("right", at_work.swapped)
    told = browser.post("answer", browser.form(choice=wrong), **SCRIPT)
    assert told.json() == {"next": feedback}
    page = browser.client.get(feedback).content.decode()
    assert "The known answer is different" in page and "It leaves &lt;time&gt;." in page
    letters = re.findall(r"<b>Plan (\w) is better</b>", page)
    assert letters == (["A", "B"] if wrong == "left" else ["B", "A"])
    label = Label.objects.get()
    assert not label.counts and label.choice == "right"
    refused = browser.post("undo", {"last": at_work.pk})
    assert refused.status_code == 422 and "you have seen the known answer" in refused.content.decode()
    assert "Qualification: the answer" in browser.text()
    browser.annotator.refresh_from_db()
    assert (browser.annotator.qualified_at, browser.annotator.failed_at) == (None, None)
    assert Client().get(feedback).status_code == 404


def test_training_items_keep_the_sides_that_their_reason_speaks_of(
    task: Task, sessions: list[Session], study: LabelStudy
) -> None:
    for _ in range(3):
        known = {"answer": {"choice": "left"}, "explanation": "Plan A leaves time."}
        add_item(study, task, *sessions, purpose=Purpose.TRAINING, **known)
    for _ in range(3):
        browser = Browser(annotator_of(study))
        for _item in range(3):
            told = browser.answer(choice="left")
            page = browser.client.get(told.headers["Location"]).content.decode()
            assert "Your answer is the known one" in page and "<b>Plan A is better</b>" in page
    assert not Assignment.objects.filter(item__purpose=Purpose.TRAINING, swapped=True).exists()


def test_training_that_is_added_later_stops_nobody_and_tells_nothing_of_care(
    task: Task, sessions: list[Session], study: LabelStudy
) -> None:
    begun = Browser(annotator_of(study))
    begun.answer(choice="left")
    add_item(study, task, *sessions, purpose=Purpose.TRAINING, answer={"choice": "left"})
    begun.answer(choice="left")
    assert not Label.objects.filter(item__purpose=Purpose.TRAINING).exists()
    fresh = Browser(annotator_of(study))
    fresh.answer(choice=shown_choice("right", queue.next_for(fresh.annotator).swapped))  # type: ignore[union-attr]
    assert Label.objects.filter(item__purpose=Purpose.TRAINING).count() == 1
    assert [one.rater.pk for one in care_of(study)] == [begun.annotator.rater_id]


@pytest.mark.parametrize("purpose", [Purpose.TRAINING, Purpose.QUALIFICATION])
def test_nobody_trains_or_qualifies_for_nothing(
    task: Task, sessions: list[Session], purpose: LabelItem.Purpose
) -> None:
    study = make_study(per_item=1, panel=True)
    add_item(study, task, *sessions)
    first = Browser(annotator_of(study))
    first.answer(choice="left")
    add_item(study, task, *sessions, purpose=purpose, answer={"choice": "left"})
    late = Browser(annotator_of(study)).text()
    assert "No item is left" in late and "Others have answered all items" in late
    came = Client().post(f"{reverse('panel_link', args=[study.panel_token])}?PROLIFIC_PID=5f0c")
    assert came.status_code == 403 and "are answered or with others now" in came.content.decode()
    assert study.annotators.count() == 2


# --- slightly better


def test_slightly_better_counts_as_its_side_and_keeps_its_strength(study: LabelStudy) -> None:
    LabelStudy.objects.filter(pk=study.pk).update(allow_slight=True)
    study.refresh_from_db()
    browser = Browser(annotator_of(study))
    assert re.findall(r'name="choice" value="(\w+)"', browser.text()) == [
        *("left", "slight_left", "slight_right", "right", "neither")
    ]
    swapped = browser.at_work().swapped
    assert browser.answer(choice="slight_left").status_code == 302
    label = Label.objects.get()
    assert label.choice == shown_choice("left", swapped)
    assert label.answer == {"choice": label.choice, "strength": "slight"}
    assert answer_words(study, label.answer).startswith("slightly ")
    exported = next(iter(items_of(study)))
    assert [row["strength"] for row in table_rows(exported, everything=True)] == ["slight"]
    assert table_rows(exported, everything=True).__next__()["label"] == letter_of(label.choice)
    browser.post("undo", {"last": label.assignment_id})
    assert re.search(r'value="slight_left"[^>]* checked', browser.text())


def test_a_slight_answer_is_refused_where_the_study_has_none(browser: Browser) -> None:
    for choice in ("slight_left", "slight_neither"):
        assert browser.answer(choice=choice).status_code == 422
    assert not Label.objects.exists()
