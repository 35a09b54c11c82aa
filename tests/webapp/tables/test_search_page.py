"""The page of the search, and what of a session it finds."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.test import Client

from benchmark.text.search_query import parse
from tests.markup import tight
from webapp.accounts.models import Role, User
from webapp.endpoints.models import ModelEndpoint
from webapp.judging.models import JudgeBatch, Judgement
from webapp.judging.values import ratings_stored
from webapp.sessions.models import Session
from webapp.tables import finding, search, search_views
from webapp.tables.models import ResultText, SaidText, SessionSearchIndex
from webapp.tables.search import store_lines
from webapp.tables.search_lines import SearchLine

pytestmark = [pytest.mark.storage, pytest.mark.both_engines, pytest.mark.django_db]

LINES = [
    SearchLine("messages", 3, "User1", "", "我们坐高铁，住西湖边的酒店"),
    SearchLine("reasoning", 5, "Agent", "", "They want a <b>quiet</b> hotel"),
    SearchLine("arguments", 6, "search_poi", "", '{"city": "杭州市", "keywords": "断桥"}'),
    SearchLine("results", 7, "search_poi", "", '{"pois": [{"name": "断桥残雪"}]}'),
    SearchLine("arguments", 8, "search_trains", "arguments", '{"date": "tomorrow"}'),
    SearchLine("results", 9, "search_trains", "arguments", "date must be YYYY-MM-DD"),
    SearchLine("messages", 12, "Agent", "", "G1234次列车, the hotel is booked"),
    SearchLine("rationales", 0, "a judge", "", "The plan forgets the museum"),
]


@pytest.fixture
def indexed_session(eventful: Session) -> Session:
    """A session that is found by `LINES`."""
    SessionSearchIndex.objects.all().delete()
    store_lines({eventful.pk: LINES})
    return eventful


def places(client: Client, query: str) -> list[int] | None:
    """The events that a query hits in the one session, None where it is not found."""
    answer = client.get("/search/", {"q": query})
    assert answer.status_code == 200
    assert not answer.context["form"].errors, answer.context["form"].errors
    if not answer.context["rows"]:
        return None
    [row] = answer.context["rows"]
    return [hit.seq for hit in row.hits.hits] if row.hits else []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("hotel", [5, 12]),
        ("hotel in:reasoning", [5]),
        ("museum", [0]),
        ("断桥", [6]),
        ("断桥残雪", None),
        ("断桥残雪 in:all", [7]),
        ("in:results 断桥", [7]),
        ("tool:search_trains", [8, 9]),
        ("tool:search_trains error:arguments", [8, 9]),
        ("tool:search_poi error:arguments", None),
        ("error:arguments tomorrow", [8]),
        ("tool:search_poi tomorrow", None),
        ("-tool:search_trains hotel", None),
        ("-error:network hotel", [5, 12]),
        ("speaker:User1", [3]),
        ("speaker:User1 hotel", None),
        ("-speaker:Agent 高铁", [3]),
        ("-speaker:Agent hotel", None),
        (r"/G\d{4}次/", [12]),
        (r"/^G\d{4}/ -museum", None),
        ('"hotel is booked"', [12]),
        ("suite:grouptravel", []),
        ("-run:any", []),
    ],
)
def test_what_a_query_finds(
    as_researcher: Client, indexed_session: Session, query: str, expected: list[int] | None
) -> None:
    assert places(as_researcher, query) == expected
    plan = finding.SearchPlan(parse(query))
    if not plan.has_session_filters and not query.startswith("-tool:"):
        assert plan.is_within(LINES) is (expected is not None), "the index and the texts tell the same"


def test_a_hit_names_who_and_where_and_is_escaped(as_researcher: Client, indexed_session: Session) -> None:
    page = tight(as_researcher.get("/search/", {"q": "quiet"}).content.decode())
    assert f'href="/sessions/{indexed_session.pk}/?at=5#e5">5</a> <b>Agent</b> ' in page
    assert "They want a &lt;b&gt;<mark>quiet</mark>&lt;/b&gt; hotel" in page
    judged = as_researcher.get("/search/", {"q": "museum"}).content.decode()
    assert f'href="/sessions/{indexed_session.pk}/?tab=judge"' in judged


def test_what_cannot_be_read_is_told_and_nothing_is_searched(
    as_researcher: Client, indexed_session: Session
) -> None:
    answer = as_researcher.get("/search/", {"q": "hotel /a(/"})
    page = answer.content.decode()
    assert answer.status_code == 200 and "At character 9: The regular expression can" in page
    assert "rows" not in answer.context
    table = as_researcher.get("/sessions/", {"said": '"hotel'})
    assert "has no closing quote" in table.content.decode() and len(table.context["rows"]) == 1


def test_chips_leave_out_a_piece_and_parts_are_chosen(
    as_researcher: Client, indexed_session: Session
) -> None:
    context = as_researcher.get("/search/", {"q": 'hotel -"a b" in:messages'}).context
    assert [(chip.words, chip.query) for chip in context["chips"]] == [
        ("hotel", "?q=-%22a+b%22+in%3Amessages"),
        ('-"a b"', "?q=hotel+in%3Amessages"),
    ]
    asked = {str(part.label): (part.is_searched, part.query) for part in context["parts"]}
    assert asked["messages"] == (True, "?q=hotel+-%22a+b%22")
    assert asked["tool results"] == (False, "?q=hotel+-%22a+b%22+in%3Amessages%2Cresults")


@pytest.mark.parametrize("query", ["hotel", "断桥边"])
def test_pages_go_on_after_a_session(
    as_researcher: Client, indexed_session: Session, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    others = []
    for name in ("x1", "x2", "x3", "x4"):
        indexed_session.pk = name
        indexed_session.save(force_insert=True)
        others.append(name)
    store_lines({pk: [SearchLine("messages", 1, "Agent", "", "hotel, 断桥边")] for pk in others})
    monkeypatch.setattr(search_views, "PAGE", 2)
    monkeypatch.setattr(finding, "LOOKED_THROUGH", 3)
    shown: list[str] = []
    address = f"?q={query}"
    while address:
        context = as_researcher.get(f"/search/{address}").context
        shown += [row.session.pk for row in context["rows"]]
        address = context["next"] or context["further"]
    assert shown[:4] == ["x4", "x3", "x2", "x1"] and len(shown) == (5 if query == "hotel" else 4)


def test_an_endless_expression_is_given_up(
    as_researcher: Client, indexed_session: Session, monkeypatch: Any
) -> None:
    SessionSearchIndex.objects.all().delete()
    store_lines({indexed_session.pk: [SearchLine("messages", 1, "Agent", "", "a" * 5000 + "!")]})
    monkeypatch.setattr(finding, "MATCH_S", 0.05)
    answer = as_researcher.get("/search/", {"q": "/(a|aa)+$/"})
    assert answer.context["said"].endless and "took too long" in answer.content.decode()


def test_sessions_of_before_are_found_by_their_messages_until_they_are_read(
    as_researcher: Client, indexed_session: Session
) -> None:
    row = SessionSearchIndex.objects.get()
    SaidText.objects.update(text="3\t我们坐高铁，住西湖边的酒店\n12\tthe hotel is booked", about="")
    ResultText.objects.all().delete()
    SessionSearchIndex.objects.update(complete=False)
    assert places(as_researcher, "hotel") == [12] and places(as_researcher, "西湖边的酒店") == [3]
    assert as_researcher.get("/search/", {"q": "hotel"}).context["unread"] == 1
    assert search.complete_some(5) == 1 and search.complete_some(5) == 0
    row.refresh_from_db()
    assert row.complete and {"messages", "arguments", "results"} <= {
        line.part for line in search.stored_lines(row)
    }


def test_what_judges_say_is_found_once_it_is_stored(as_researcher: Client, indexed_session: Session) -> None:
    endpoint = ModelEndpoint.objects.create(name="judge-model", base_url="http://127.0.0.1:9/v1", model="m")
    batch = JudgeBatch.objects.create(judge=endpoint, meta_judge=endpoint, judge_setup={}, meta_setup={})
    Judgement.objects.create(
        batch=batch,
        session=indexed_session,
        score=50.0,
        ratings={"comfort": {"score": 3, "rationale": "An unhurried itinerary"}},
        meta_reasoning="Cites turns that exist",
    )
    ratings_stored.send(Session, session_id=indexed_session.pk)
    assert places(as_researcher, "unhurried itinerary") == [0]
    assert places(as_researcher, "speaker:judge-model exist") == [0]
    assert places(as_researcher, "museum") is None, "no judgement says so"


def test_a_failed_call_leads_to_all_like_it(as_researcher: Client, indexed_session: Session) -> None:
    panel = as_researcher.get(f"/sessions/{indexed_session.pk}/panel/tools/").content.decode()
    [failed, *_others] = re.findall(r'href="/search/(\?q=tool[^"]*)">All calls', panel)
    asked = parse(dict(parse_qsl(unescape(failed)[1:]))["q"])
    assert asked.values("tool") and asked.values("error") and not asked.terms
    assert as_researcher.get(f"/search/{unescape(failed)}").status_code == 200


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.LIVE_USER, None])
def test_nobody_else_searches(client: Client, indexed_session: Session, role: str | None) -> None:
    if role:
        client.force_login(User.objects.create_user("other", password="long enough for all", role=role))
    answer = client.get("/search/", {"q": "hotel"})
    assert answer.status_code == (403 if role else 302) and b"booked" not in answer.content
