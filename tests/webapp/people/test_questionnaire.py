"""What people are asked at the end, and what becomes of their answers."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.test import Client

from tests.webapp.people.talking import session_with_people, sits, talk
from webapp.catalogue.models import Task, World
from webapp.people.models import Guest, Sitting, Study
from webapp.people.personal import remove_data
from webapp.people.questionnaire import (
    STANDARD,
    Question,
    QuestionsField,
    as_line,
    parse_questions,
    questionnaire,
    questions_of,
    store_answers,
)
from webapp.sessions.models import MetricValue, Session
from webapp.sessions.services import request_stop

LINES = """
fun* | scale | How much fun was it? | 好玩吗？ | none…a lot | 不好玩…很好玩
again | text | Would you do it again? | 还想再来吗？
only_zh|scale||公平吗？||不公平...公平
"""


@pytest.fixture
def guest(hasty: None, starter_tasks: list[Task], starter_world: World) -> Guest:
    """Of an English session that has ended."""
    easy = next(task for task in starter_tasks if task.language == "en")
    session = session_with_people(easy, starter_world, "User1")
    guest = sits(session, "User1")
    talk(session, lambda number: f"fine with me {number}")
    return Guest.objects.select_related("seat__session__task").get(pk=guest.pk)


def of_study(guest: Guest, text: str) -> Study:
    study = Study.objects.create(name="own", questions=parse_questions(text))
    Sitting.objects.create(session=guest.seat.session, study=study)
    return study


def values(session: Session) -> dict[str, float]:
    rows = MetricValue.objects.filter(session=session, rater__startswith="person:", profile="")
    return dict(rows.values_list("key", "value"))


def test_the_standard_questions_are_whole_in_both_languages() -> None:
    assert [question.key for question in STANDARD] == ["satisfaction", "fairness", "heard", "effort", "open"]
    for question in STANDARD:
        assert question.zh and question.en and Question.of(question.plain) == question
        if question.kind == "scale":
            assert all((question.low_zh, question.high_zh, question.low_en, question.high_en))
    assert questions_of(Study()) == STANDARD and not any(question.required for question in STANDARD)


def test_a_study_asks_its_own() -> None:
    own = questions_of(Study(questions=parse_questions(LINES)))
    assert [question.key for question in own] == ["fun", "again", "only_zh"]
    fun, again, only_zh = own
    assert (
        fun.required and fun.ends("en") == ("none", "a lot") and fun.ends("zh-hans") == ("不好玩", "很好玩")
    )
    assert again.kind == "text" and again.words("zh-hans") == "还想再来吗？"
    assert only_zh.words("en") == "公平吗？" and only_zh.ends("en") == ("不公平", "公平")
    assert parse_questions("\n".join(map(as_line, own))) == parse_questions(LINES)
    field = QuestionsField()
    assert field.clean("  \n") is None and field.clean(LINES) == parse_questions(LINES)
    assert parse_questions(field.prepare_value(parse_questions(LINES))) == parse_questions(LINES)
    assert not field.has_changed(parse_questions(LINES), field.prepare_value(parse_questions(LINES)))
    assert field.has_changed(None, LINES)


@pytest.mark.parametrize(
    ("line", "field", "remedy"),
    [
        ("Fun | scale | a", "key", "lower-case letter"),
        ("fun | slider | a", "kind", "scale or text"),
        ("fun | scale | |", "English", "in English, Chinese, or both"),
        ("fun | scale | a | b | low", "low…high", "with … between"),
        ("fun | scale | a | b | | 低", "low…high in Chinese", "with … between"),
        ("fun | text | a | b | low…high", "low…high", "only a scale"),
        ("fun | scale | a | b | c…d | e…f | g", "end", "six parts"),
        (f"fun | scale | {'a' * 501}", "English", "500"),
        (f"fun | scale | a | b | {'l' * 61}…high", "low…high", "60"),
        ("ok | text | a\nok | text | b", "key", "its own"),
    ],
)
def test_a_line_that_cannot_be_read_is_told(line: str, field: str, remedy: str) -> None:
    with pytest.raises(ValidationError) as told:
        QuestionsField().clean(f"\nfirst | text | a\n{line}")
    (message,) = told.value.messages
    assert message.startswith(f"Line {3 + line.count(chr(10))}, {field}: ") and remedy in message


def test_every_bad_line_is_told_at_once() -> None:
    with pytest.raises(ValidationError) as told:
        parse_questions("A | b\nc | d | e\n")
    assert [message[:6] for message in told.value.messages] == ["Line 1", "Line 2"]


@pytest.mark.django_db
def test_the_form_speaks_the_language_of_the_seat_and_keys_reach_it(guest: Guest) -> None:
    form = questionnaire(guest)
    page = render_to_string("people/questionnaire.html", {"form": form, "guest": guest})
    assert "How satisfied are you with the plan?" in page and "completely" in page
    assert page.count('type="radio"') == 4 * 7 and page.count("<fieldset") == page.count("<legend") == 4
    assert page.count('<label for="id_answer') == 4 * 7 + 1 and "required" not in page
    assert f'action="/seat/{guest.pk}/answers/"' in page


@pytest.mark.django_db
def test_answers_are_values_of_the_session(guest: Guest) -> None:
    form = questionnaire(
        guest, {"answer-satisfaction": "6", "answer-effort": "2", "answer-open": " so\x00so "}
    )
    assert not form.is_valid() and set(form.errors) == {"open"}
    form = questionnaire(guest, {"answer-satisfaction": "6", "answer-effort": "2", "answer-open": " so so "})
    assert form.is_valid() and store_answers(guest, form.cleaned_data)
    guest.refresh_from_db()
    assert guest.answers == {"satisfaction": 6, "effort": 2, "open": "so so"} and guest.answered_at
    assert values(guest.seat.session) == {"satisfaction": 6.0, "effort": 2.0}
    assert questionnaire(guest)["effort"].value() == 2
    assert store_answers(guest, {"effort": 3, "unasked": 7})
    assert values(guest.seat.session) == {"effort": 3.0} and guest.answers == {"effort": 3}


@pytest.mark.django_db
@pytest.mark.parametrize("answer", ["0", "8", "x", "1.5", "9" * 400])
def test_an_answer_off_the_scale_is_refused(guest: Guest, answer: str) -> None:
    assert set(questionnaire(guest, {"answer-fairness": answer}).errors) == {"fairness"}


@pytest.mark.django_db
def test_only_what_a_study_marks_has_to_be_answered(guest: Guest) -> None:
    assert questionnaire(guest, {}).is_valid()
    of_study(guest, LINES)
    form = questionnaire(guest, {})
    assert set(form.errors) == {"fun"}
    page = render_to_string("people/questionnaire.html", {"form": form, "guest": guest})
    assert "How much fun was it?" in page and "a lot" in page and 'aria-invalid="true"' in page


@pytest.mark.django_db
def test_the_address_takes_answers_of_that_guest_alone(guest: Guest, client: Client) -> None:
    address = f"/seat/{guest.pk}/answers/"
    assert client.post(address, {"answer-fairness": "5"}).status_code == 403
    browser = client.session
    browser["guests"] = [guest.pk]
    browser.save()
    assert client.get(address).status_code == 405
    assert client.post(address, {"answer-fairness": "9"}).status_code == 422
    assert client.post(address, {"answer-fairness": "5"}).status_code == 302
    assert values(guest.seat.session) == {"fairness": 5.0}


@pytest.mark.django_db
def test_nothing_is_kept_of_who_was_removed_or_is_still_at_the_table(
    guest: Guest, client: Client, starter_world: World
) -> None:
    going = sits(session_with_people(guest.seat.session.task, starter_world, "User1"), "User1")
    browser = client.session
    browser["guests"] = [going.pk]
    browser.save()
    assert client.post(f"/seat/{going.pk}/answers/", {"answer-fairness": "5"}).status_code == 302
    assert values(going.seat.session) == {}
    assert store_answers(guest, {"fairness": 5, "open": "words of mine"})
    assert remove_data(guest) and guest.answers == {"fairness": 5, "open": "[removed]"}
    assert values(guest.seat.session) == {"fairness": 5.0}
    assert not store_answers(guest, {"fairness": 1})
    request_stop(Session.objects.filter(pk=going.seat.session_id))


def test_a_question_keeps_what_it_was_made_of() -> None:
    plain: dict[str, Any] = {"key": "a", "kind": "text", "en": "A?"}
    assert Question.of(plain).plain == plain
