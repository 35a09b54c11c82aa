"""The search for what was said in sessions, and for notes."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.db import connection
from django.test import Client

from benchmark.text.search_query import parse
from tests.conftest import store_starter_tasks, store_starter_world
from tests.markup import tight
from tests.webapp.conftest import HOSTILE
from webapp.accounts.models import User
from webapp.notes.models import Note
from webapp.sessions.models import Session, Status
from webapp.sessions.services import Setup, create_session, sessions_changed
from webapp.tables import finding, search, selectors
from webapp.tables.models import SaidText, SessionSearchIndex
from webapp.tables.search import store_lines
from webapp.tables.search_lines import SearchLine, bound_lines

pytestmark = [pytest.mark.storage, pytest.mark.both_engines, pytest.mark.django_db]


@pytest.fixture(scope="module")
def session_ids(module_rows: None, starter_pack: Path) -> dict[str, str]:
    """Ended sessions in which different things were said, by their ids; `zh` is the newest."""
    told = {
        "en": [(3, "I'd like a Hotel near the lake"), (7, "the train G123, please")],
        "odd": [(2, f"{HOSTILE} \x00 100%_of\u2028it \ud800"), (5, "酒水，店面")],
        "zh": [(4, "我们坐高铁去北京，住酒店。"), (9, "酒店预算３０００元，Ｈotel也行"), (12, "高铁票")],
    }
    world, task = store_starter_world(starter_pack), store_starter_tasks()[0]
    ids = {name: create_session(task=task, world=world, setup=Setup(), start=False).pk for name in told}
    Session.objects.update(status=Status.FINISHED)
    store_messages({ids[name]: messages for name, messages in told.items()})
    return ids


def store_messages(messages: dict[str, list[tuple[int, str]]]) -> None:
    """Have sessions found by what the agent said in them."""
    store_lines(
        {
            pk: bound_lines(SearchLine("messages", seq, "Agent", "", text) for seq, text in own)
            for pk, own in messages.items()
        }
    )


@pytest.fixture
def three(db: None, session_ids: dict[str, str]) -> dict[str, Session]:
    return {name: Session.objects.get(pk=pk) for name, pk in session_ids.items()}


def names(client: Client, three: dict[str, Session], **query: Any) -> set[str]:
    known = {session.pk: name for name, session in three.items()}
    answer = client.get("/sessions/", query)
    assert answer.status_code == 200
    return {known[row[0].pk] for row in answer.context["rows"]}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("酒店", {"zh"}),
        ("酒", {"odd", "zh"}),
        ("店", {"odd", "zh"}),
        ("高铁票", {"zh"}),
        ("高铁去北京", {"zh"}),
        ("高铁北京", set()),
        ("北京 预算", {"zh"}),
        ("3000元", {"zh"}),
        ("３０００元", {"zh"}),
        ("hotel", {"en", "zh"}),
        ("HOT", {"en", "zh"}),
        ("otel", set()),
        ("g123,", {"en"}),
        ("I'd like", {"en"}),
        ("100%_of", {"odd"}),
        ("%", {"odd"}),
        ("'", {"en", "odd"}),
        ("-hotel", {"odd"}),
        ("-酒店", {"en", "odd"}),
        ("hotel -train", {"zh"}),
        ('"hotel near the"', {"en"}),
        ('"hotel the near"', set()),
        ('hotel -"hotel near the"', {"zh"}),
        ("-高铁票", {"en", "odd"}),
        (r"/G\d{3}/", {"en"}),
        (r"/g\d{3}/", set()),
        (r"/g\d{3}/i", {"en"}),
        (r"-/g\d{3}/i hotel", {"zh"}),
        ("/^酒店.*行$/", {"zh"}),
        ("speaker:agent hotel", {"en", "zh"}),
        ("-speaker:agent hotel", set()),
        ("speaker:User1", set()),
        ("in:messages 酒店", {"zh"}),
        ("in:arguments 酒店", set()),
        ("suite:grouptravel hotel", {"en", "zh"}),
        ("-suite:grouptravel hotel", set()),
        ("run:none", set()),
        ("<script>", {"odd"}),
        ("* OR NEAR(", set()),
        ("no such word", set()),
        (" ", {"en", "odd", "zh"}),
        ("\x00", {"en", "odd", "zh"}),
    ],
)
def test_sessions_are_found_by_what_was_said_in_them(
    as_researcher: Client, three: dict[str, Session], words: str, expected: set[str]
) -> None:
    assert names(as_researcher, three, said=words) == expected


def test_who_looks_for_nothing_finds_all(three: dict[str, Session]) -> None:
    said = finding.saying(parse(" "))
    assert (said.hit_count, said.among_ids([one.pk for one in three.values()])) == (
        3,
        {one.pk for one in three.values()},
    )


def test_a_hit_is_shown_with_a_link_to_its_message(as_researcher: Client, three: dict[str, Session]) -> None:
    pk = three["zh"].pk
    page = tight(as_researcher.get("/sessions/", {"said": "酒店 hotel"}).content.decode())
    shown = f'href="/sessions/{pk}/?at=9#e9">9</a> <b>Agent</b> <mark>酒店</mark>预算3000元,<mark>Hotel</mark>也行'
    assert shown in page
    hostile = tight(as_researcher.get("/sessions/", {"said": "alert(1)"}).content.decode())
    assert "&lt;script&gt;<mark>alert(1)</mark>&lt;/script&gt;" in hostile


def test_the_search_goes_with_the_other_filters_and_into_files(
    as_researcher: Client, three: dict[str, Session]
) -> None:
    assert names(as_researcher, three, said="hotel", origin="own", order="-gu") == {"en", "zh"}
    assert names(as_researcher, three, said="hotel", status="crashed") == set()
    given = {"said": "hotel lake", "columns": "gu"}
    assert as_researcher.get("/sessions/", given).context["query"] == "said=hotel+lake&columns=gu"
    text = b"".join(as_researcher.get("/sessions/table.jsonl", given).streaming_content)  # type: ignore[attr-defined]
    assert text.decode().count("\n") == 1 and three["en"].pk in text.decode()


def test_what_many_say_is_found_as_what_few_say(
    as_researcher: Client, three: dict[str, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "MANY", 1)
    assert names(as_researcher, three, said="hotel") == {"en", "zh"}
    assert names(as_researcher, three, said="hotel", order="-gu") == {"en", "zh"}
    if connection.vendor == "postgresql":
        with finding.joined_at_once(finding.saying(parse("hotel"))), connection.cursor() as cursor:
            cursor.execute("SHOW enable_nestloop")
            assert cursor.fetchone() == ("off",)


@pytest.mark.parametrize("walked", [1, 2, 800], ids=lambda number: f"{number} walked")
@pytest.mark.parametrize("order", ["created", "-created", "gu"])
def test_what_very_many_say_is_paged_through_without_a_gap(
    as_researcher: Client,
    three: dict[str, Session],
    monkeypatch: pytest.MonkeyPatch,
    walked: int,
    order: str,
) -> None:
    known = {session.pk: name for name, session in three.items()}
    rows = as_researcher.get("/sessions/", {"said": "hotel", "order": order}).context["rows"]
    for name, value in (("MOST_COUNTED", 0), ("PAGE", 1), ("MOST_WALKED", walked)):
        monkeypatch.setattr(selectors, name, value)
    shown, address = [], {"said": "hotel", "order": order}
    while address:
        page = as_researcher.get("/sessions/", address).context
        shown += [row[0].pk for row in page["rows"]]
        assert page["slice"].total is None, "more than it counts"
        address = dict(parse_qsl(page["next"]))
    assert shown == [row[0].pk for row in rows] and {known[pk] for pk in shown} == {"en", "zh"}


def test_as_many_are_told_as_say_it_and_pass_the_filters(
    as_researcher: Client, three: dict[str, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    Session.objects.filter(pk=three["en"].pk).update(status=Status.CRASHED)
    sessions_changed.send(Session, session_ids=[session.pk for session in three.values()])
    monkeypatch.setattr(selectors, "PAGE", 1)
    for words, sessions in (("hotel", 2), ("酒店", 1), ("酒店预算", 1), ("i'd", 1), ("hotel lake", 1)):
        assert as_researcher.get("/sessions/", {"said": words}).context["slice"].total == sessions, words
    assert names(as_researcher, three, said="hotel", status="crashed") == {"en"}
    assert names(as_researcher, three, said="hotel", status="finished") == {"zh"}
    assert names(as_researcher, three, said="酒店预算", status="crashed") == set()


def test_when_very_many_may_match_the_newest_are_looked_through_and_the_page_says_so(
    as_researcher: Client, three: dict[str, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "LOOKED_THROUGH", 1)
    answer = as_researcher.get("/sessions/", {"said": "'"})
    assert not answer.context["said"].all and "2 older sessions that may match were not searched" in tight(
        answer.content.decode()
    )
    assert as_researcher.get("/sessions/", {"said": "酒"}).context["said"].all, "pairs alone tell"


def test_sessions_are_searched_once_they_have_ended(eventful: Session) -> None:
    Session.objects.exclude(pk=eventful.pk).delete()
    SessionSearchIndex.objects.all().delete()
    search.refresh_said([eventful.pk])
    lines = search.stored_lines(SessionSearchIndex.objects.get())
    for part, type_ in (
        ("messages", "message_posted"),
        ("arguments", "tool_called"),
        ("results", "tool_returned"),
    ):
        there = list(eventful.events.filter(type=type_).order_by("seq").values_list("seq", flat=True))
        assert [line.seq for line in lines if line.part == part] == there and there
    stored = SaidText.objects.get().text
    before = SessionSearchIndex.objects.get().pk
    sessions_changed.send(Session, session_ids=[eventful.pk])
    assert SessionSearchIndex.objects.get().pk == before, "its log is the same"
    Session.objects.update(status=Status.RUNNING)
    sessions_changed.send(Session, session_ids=[eventful.pk])
    assert not SessionSearchIndex.objects.exists() and not found_rows()
    Session.objects.update(status=Status.FINISHED)
    search.fill_after_migration(None, using="default")
    assert SaidText.objects.get().text == stored and found_rows() == 1
    eventful.delete()
    assert not found_rows()


def found_rows() -> int:
    table = "tables_said_grams" if connection.vendor == "sqlite" else "tables_said"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")
        return int(cursor.fetchone()[0])


def test_of_messages_without_end_the_beginning_is_searched(
    as_researcher: Client, three: dict[str, Session]
) -> None:
    task, world = three["zh"].task, three["zh"].world
    assert world is not None
    three["long"] = create_session(task=task, world=world, setup=Setup(), start=False)
    every = "".join(map(chr, range(0x4E00, 0x9FA5))) * 4
    store_messages(
        {three["long"].pk: [(1, "a beginning"), (2, f"{every} middle"), (3, every), (4, "endless")]}
    )
    assert names(as_researcher, three, said="beginning") == {"long"}
    assert names(as_researcher, three, said="middle") == {"long"}
    assert names(as_researcher, three, said="endless") == set()


def test_sessions_are_found_by_tags_and_comments(
    as_researcher: Client, three: dict[str, Session], researcher: User
) -> None:
    Note.objects.create(session=three["en"], kind="tag", text="Greedy", author=researcher)
    Note.objects.create(
        session=three["zh"], seq=4, kind="comment", text="not greedy at all", author=researcher
    )
    assert names(as_researcher, three, note="greedy") == {"en", "zh"}
    assert names(as_researcher, three, note="greedy", said="酒店") == {"zh"}
    assert names(as_researcher, three, note="no such") == set()
