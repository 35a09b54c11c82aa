"""The table of sessions: what it shows, in which order, and what filters leave."""

from __future__ import annotations

import csv
import json
import re
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.markup import text, tight
from tests.properties import examples
from tests.webapp.conftest import Writer
from tests.webapp.runs.conftest import end, use
from webapp.catalogue.models import Task, World
from webapp.sessions.models import MetricValue, Session, Status
from webapp.sessions.services import Setup, create_session
from webapp.tables import selectors
from webapp.tables.columns import keys_joined, keys_of
from webapp.tables.entries import fill_after_migration, refresh
from webapp.tables.models import Entry, SavedView
from webapp.tables.selectors import Order, entries, order_rows, page
from webapp.tables.session_columns import columns

pytestmark = [pytest.mark.storage, pytest.mark.django_db]


@pytest.fixture
def three(starter_tasks: list[Task], starter_world: World) -> dict[str, Session]:
    """Ended sessions by what stands in their names; `none` has no value and is the newest."""
    made = {}
    for name, values in {
        "high": {"gu": 9.0, "issues": 0.0},
        "low": {"gu": -2.5, "issues": 4.0},
        "none": {},
    }.items():
        made[name] = create_session(task=starter_tasks[0], world=starter_world, setup=Setup(), start=False)
        Session.objects.filter(pk=made[name].pk).update(status=Status.FINISHED)
        for key, value in values.items():
            MetricValue.objects.create(session=made[name], profile="published", key=key, value=value)
    for own in ({"profile": "paper", "rater": ""}, {"profile": "published", "rater": "Ann"}):
        MetricValue.objects.create(session=made["low"], key="gu", value=100.0, **own)  # counts for neither
    for rater, rated in {"Ann, a__b": {"low": 90.0, "high": 12.34}, "Ben": {"none": 50.0}}.items():
        for name, value in rated.items():
            told = {"profile": "", "rater": rater, "key": "judge", "value": value}
            MetricValue.objects.create(session=made[name], **told)
    refresh(session.pk for session in made.values())
    return made


def names(client: Client, three: dict[str, Session], **query: Any) -> list[str]:
    known = {session.pk: name for name, session in three.items()}
    return [known[row[0].pk] for row in client.get("/sessions/", query).context["rows"]]


def test_a_click_on_a_value_leaves_the_rows_that_have_it(
    as_researcher: Client, three: dict[str, Session]
) -> None:
    Entry.objects.filter(pk=three["low"].pk).update(
        status="crashed",
        reason="runtime_error",
        world="elsewhere",
        model="/odd",
        cities="|杭州|",
        issues="|cost_mismatch|",
    )
    shown = "status,reason,world,model,agent,origin,cities,issue_types,gu,started"
    page = as_researcher.get("/sessions/", {"columns": shown})
    found = re.findall(r'<a class="only" tabindex="-1" href="(\?[^"]*)"', page.content.decode())
    addresses = [unescape(address) for address in found]
    given = [QueryDict(address[1:]) for address in addresses]
    by_column = {
        name: {one[name] for one in given if name in one} for name in ("status", "world", "city", "of")
    }
    assert by_column["status"] == {"finished", "crashed"} and {"elsewhere"} < by_column["world"]
    assert "杭州" in by_column["city"] and by_column["of"] == {"gu"}
    assert not any("model" in one for one in given), "what would be read as an expression is no link"
    for name, value, expected in (
        ("status", "crashed", ["low"]),
        ("reason", "runtime_error", ["low"]),
        ("world", "elsewhere", ["low"]),
        ("issue", "cost_mismatch", ["low"]),
        ("low", "9.0", ["high"]),
        ("origin", "own", ["none", "low", "high"]),
    ):
        address = next(one for one in addresses if QueryDict(one[1:]).get(name) == value)
        answer = as_researcher.get(f"/sessions/{address}")
        known = {session.pk: key for key, session in three.items()}
        assert [known[row[0].pk] for row in answer.context["rows"]] == expected, address
        again = re.findall(r'class="only" tabindex="-1" href="\?([^"]*)"', answer.content.decode())
        assert all(unescape(f"?{one}") != address for one in again), "a value that is asked for is no link"


@pytest.mark.both_engines
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("gu", ["high", "low", "none"]),
        ("-gu", ["low", "high", "none"]),
        ("issues", ["high", "low", "none"]),  # fewer are better
        ("-issues", ["low", "high", "none"]),
        ("judge@Ann, a__b", ["low", "high", "none"]),
        ("-judge@Ann, a__b", ["high", "low", "none"]),
        ("judge@Ben", ["none", "high", "low"]),
        ("created", ["none", "low", "high"]),
        ("", ["none", "low", "high"]),
        ("nonsense", ["none", "low", "high"]),
    ],
)
def test_the_best_come_first_and_what_has_no_value_last(
    as_researcher: Client, three: dict[str, Session], order: str, expected: list[str]
) -> None:
    found = names(as_researcher, three, order=order)
    if order == "judge@Ben":
        assert found[0] == "none"
    else:
        assert found == expected


@pytest.mark.both_engines
def test_each_filter_leaves_what_it_says(as_researcher: Client, three: dict[str, Session]) -> None:
    MetricValue.objects.filter(session=three["high"]).delete()
    end(three["high"], uses={"search_poi": use(6, errors=2)}, reason="max_turn_reached", gu=9.0)
    Session.objects.filter(pk=three["low"].pk).update(replay_of=three["high"])
    refresh(session.pk for session in three.values())
    task = three["high"].task
    for query, expected in (
        ({"status": "finished"}, {"high", "low", "none"}),
        ({"reason": "max_turn_reached"}, {"high"}),
        ({"origin": "re-run"}, {"low"}),
        ({"origin": "own"}, {"high", "none"}),
        ({"of": "tool_errors", "low": "2"}, {"high"}),
        ({"of": "gu", "high": "0"}, {"low"}),
        ({"of": "gu", "low": "-3", "high": "5"}, {"low"}),
        ({"issue": "missing_hotel"}, set()),
        ({"issue": "no such type", "reason": "no such reason"}, {"high", "low", "none"}),
        ({"task": task.task_id}, {"high", "low", "none"}),
        ({"task": "no such words"}, set()),
        ({"city": task.cities[0]}, {"high", "low", "none"}),
        ({"difficulty": task.difficulty, "size": task.size + task.children}, {"high", "low", "none"}),
        ({"size": "x", "of": "no", "low": "y"}, {"high", "low", "none"}),
        ({"agent": "reference", "task": "\x00"}, {"high", "low", "none"}),
    ):
        assert set(names(as_researcher, three, **query)) == expected, query


def test_the_address_holds_filters_order_and_columns(
    as_researcher: Client, three: dict[str, Session]
) -> None:
    given = {"status": "finished", "order": "-gu", "columns": "gu,tokens"}
    answer = as_researcher.get("/sessions/", given)
    assert answer.context["query"] == "status=finished&order=-gu&columns=gu%2Ctokens"
    page_ = tight(answer.content.decode())
    assert (
        'aria-sort="ascending"><a href="?status=finished&amp;order=gu&amp;columns=gu%2Ctokens">GU ↑</a>'
        in page_
    )
    assert heads(page_) == 2
    assert page_.count('<option value="missing_hotel">') == page_.count('<option value="rate_limit">') == 1


def heads(page_: str) -> int:
    """Columns of a table beside the box and the link of each row."""
    return tight(page_).count("<th ") - 2


def test_columns_of_a_link_are_of_that_visit_and_own_ones_stay(
    as_researcher: Client, three: dict[str, Session]
) -> None:
    usual = heads(as_researcher.get("/sessions/").content.decode())
    assert heads(as_researcher.get("/sessions/?columns=gu,tokens").content.decode()) == 2 != usual
    assert heads(as_researcher.get("/sessions/").content.decode()) == usual
    picked = {"column": ["gu", "judge@Ann, a__b", "no such"], "status": "finished"}
    chosen = as_researcher.get("/sessions/", picked, follow=True)
    assert chosen.redirect_chain == [
        ("/sessions/?status=finished&columns=gu%2C%22judge%40Ann%2C+a__b%22", 302)
    ]
    assert [column.key for column in chosen.context["look"].shown_columns] == ["gu", "judge@Ann, a__b"]
    assert heads(as_researcher.get("/sessions/").content.decode()) == 2
    back = as_researcher.get("/sessions/?status=finished&columns=gu").context["look"].usual_query
    page_ = as_researcher.get(f"/sessions/?{back}", follow=True).content.decode()
    assert heads(page_) == usual and "Usual columns" not in page_
    assert heads(as_researcher.get("/sessions/").content.decode()) == usual


def test_a_judge_whose_name_holds_commas_is_shown_and_exported(
    as_researcher: Client, three: dict[str, Session]
) -> None:
    key = "judge@Ann, a__b"
    query = f"?{as_researcher.get('/sessions/', {'column': ['gu', key]}, follow=True).context['query']}&order={key}"
    assert "90.0" in tight(as_researcher.get(f"/sessions/{query}").content.decode())
    text = b"".join(as_researcher.get(f"/sessions/table.csv{query}").streaming_content).decode()  # type: ignore[attr-defined]
    assert [row[key] for row in csv.DictReader(StringIO(text))] == ["90.0", "12.34", ""]


@given(st.lists(st.text(max_size=8), max_size=4))
def test_keys_of_columns_come_back_from_an_address(keys: list[str]) -> None:
    assert keys_of(keys_joined(keys)) == keys
    for joined in keys:
        assert isinstance(keys_of(joined), list)


@pytest.mark.both_engines
def test_a_figure_is_filtered_in_the_unit_that_is_shown(
    as_researcher: Client, three: dict[str, Session]
) -> None:
    for name, share in {"high": 2 / 3, "low": 0.5, "none": 0.0}.items():
        MetricValue.objects.create(session=three[name], profile="published", key="pc", value=share)
    refresh(session.pk for session in three.values())
    assert 'value="pc">PC %</option>' in as_researcher.get("/sessions/").content.decode()
    for low, high, expected in (
        ("0", "60", {"low", "none"}),
        ("60", "100", {"high"}),
        ("66.7", "66.7", {"high"}),  # as it is shown
        ("66.8", "", set()),
        ("", "50", {"low", "none"}),
        ("0.4", "0.6", set()),
    ):
        assert set(names(as_researcher, three, of="pc", low=low, high=high)) == expected, (low, high)


def test_marked_sessions_are_compared(as_researcher: Client, three: dict[str, Session]) -> None:
    page = as_researcher.get("/sessions/").content.decode()
    assert '<form method="get" action="/sessions/compare/">' in page
    assert all(f'name="session" value="{one.pk}"' in page for one in three.values())


def test_views_are_saved_by_person(
    as_researcher: Client, as_local: Client, three: dict[str, Session]
) -> None:
    as_researcher.post("/sessions/views/", {"name": "worst", "query": "order=-gu"})
    as_researcher.post("/sessions/views/", {"name": "worst", "query": "order=-pc"})
    view = SavedView.objects.get()
    assert '<a href="/sessions/?order=-pc">worst</a>' in tight(
        as_researcher.get("/sessions/").content.decode()
    )
    assert "worst</a>" not in as_local.get("/sessions/").content.decode()
    as_local.post(f"/sessions/views/{view.pk}/delete/")
    assert SavedView.objects.exists()
    as_researcher.post(f"/sessions/views/{view.pk}/delete/")
    assert not SavedView.objects.exists()


@pytest.mark.parametrize(
    ("name", "query", "why"),
    [
        ("x" * 61, "", "Name</a>: Ensure this value has at most 60 characters"),
        ("", "", "Name</a>: This field is required."),
        ("long", "q" * 20_000, "Filters and columns</a>: Ensure this value has at most"),
    ],
)
def test_a_view_that_can_not_be_saved_is_told(as_researcher: Client, name: str, query: str, why: str) -> None:
    answer = as_researcher.post("/sessions/views/", {"name": name, "query": query})
    assert answer.status_code == 400 and why in text(answer)
    assert not SavedView.objects.exists()


@pytest.mark.parametrize("table", ["sessions", "runs", "tasks"])
def test_a_filter_that_can_not_be_understood_is_told(
    as_researcher: Client, three: dict[str, Session], table: str
) -> None:
    wrong = {"sessions": "size=x", "runs": "low=x", "tasks": "size=x"}[table]
    page = text(as_researcher.get(f"/{table}/?{wrong}"))
    assert "is left out. Enter a" in page and "is left out" not in text(as_researcher.get(f"/{table}/"))


def test_files_hold_every_row_of_the_view_and_no_formula(
    as_researcher: Client, three: dict[str, Session]
) -> None:
    Entry.objects.filter(pk=three["high"].pk).update(run_name="=HYPERLINK()")
    query = "?order=gu&columns=gu,run,created"
    text = b"".join(as_researcher.get(f"/sessions/table.csv{query}").streaming_content).decode()  # type: ignore[attr-defined]
    rows = list(csv.DictReader(StringIO(text)))
    assert [row["session"] for row in rows] == [three[name].pk for name in ("high", "low", "none")]
    assert rows[0]["run"] == "'=HYPERLINK()" and rows[0]["gu"] == "9.0"
    lines = b"".join(as_researcher.get(f"/sessions/table.jsonl{query}").streaming_content).splitlines()  # type: ignore[attr-defined]
    assert [json.loads(line)["gu"] for line in lines] == [9.0, -2.5, None]
    assert as_researcher.get("/sessions/table.exe").status_code == 404


@pytest.mark.both_engines
def test_a_row_follows_its_session(begin: Any, eventful: Session) -> None:
    writer: Writer = begin()
    assert Entry.objects.get(pk=writer.session.pk).status == "queued"
    writer.call(1)
    assert Entry.objects.get(pk=writer.session.pk).status == "running"
    entry = Entry.objects.get(pk=eventful.pk)
    assert (entry.status, entry.events) == ("finished", eventful.last_seq)
    assert entry.tool_calls == 2 and entry.tool_errors == 1 and entry.values["gu"] is not None
    assert "|missing_hotel|" in entry.issues


@pytest.mark.both_engines
def test_rows_that_are_missing_come_with_the_next_migration(three: dict[str, Session]) -> None:
    before = {entry.pk: entry.values for entry in Entry.objects.all()}
    Entry.objects.filter(pk=three["low"].pk).delete()
    fill_after_migration(None, using="default")
    assert {entry.pk: entry.values for entry in Entry.objects.all()} == before


@pytest.mark.both_engines
def test_more_sessions_ask_no_more_queries(
    as_researcher: Client, three: dict[str, Session], starter_tasks: list[Task], starter_world: World
) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            as_researcher.get("/sessions/?order=gu&status=finished")
        return len(queries)

    count()
    few = count()
    for task in starter_tasks:
        create_session(task=task, world=starter_world, setup=Setup(), start=False)
    assert count() == few <= 15


KEYS = st.sampled_from(["gu", 'x"gu', 'a, "gu', "issues@分", "%s"]) | st.text('u" :{,\\', max_size=3)


class TestNumbers(TestCase):
    @settings(max_examples=examples(40))
    @given(
        st.dictionaries(KEYS, st.floats(-1e9, 1e9, width=32) | st.integers(-9, 10**9), max_size=9),
        st.lists(KEYS, min_size=3, max_size=3),
    )
    def test_a_number_is_that_of_its_key_whatever_stands_beside_it(
        self, values: dict[str, float], others: list[str]
    ) -> None:
        from django.utils import timezone

        from webapp.catalogue.models import Task, TaskCollection
        from webapp.tables.columns import NumberAt

        told = {"collection": TaskCollection.objects.create(name="c"), "position": 0, "definition": {}}
        session = Session.objects.create(task=Task.objects.create(task_id="t", **told), agent="a", users="u")
        Entry.objects.create(session=session, created_at=timezone.now(), values=values)
        for key in [*values, *others]:
            found = Entry.objects.values_list(NumberAt(key), flat=True).get()
            assert found == (None if key not in values else pytest.approx(values[key], rel=1e-12))


class TestWalking(TestCase):
    @settings(max_examples=examples(15))
    @given(
        st.lists(st.none() | st.sampled_from([0.0, 1.0, 1.5, -2.0]), max_size=12),
        st.sampled_from(["gu", "-gu", "seconds", "-seconds", "agent", "-agent", "started", "-created"]),
        st.sampled_from([{}, {"of": "gu", "low": -1.0}]),
    )
    def test_walking_page_by_page_gives_and_counts_each_row_once_in_order(
        self, values: list[float | None], named: str, wanted: dict[str, Any]
    ) -> None:
        from django.utils import timezone

        from webapp.catalogue.models import Task, TaskCollection

        task, _ = Task.objects.get_or_create(
            task_id="t",
            defaults={"collection": TaskCollection.objects.create(name="c"), "position": 0, "definition": {}},
        )
        Session.objects.all().delete()
        now = timezone.now()
        for n, value in enumerate(values):
            session = Session.objects.create(id=f"s{n:03}", task=task, agent="a" if value else "b", users="u")
            Entry.objects.create(
                session=session,
                created_at=now,
                started_at=None if value is None else now,
                status="finished",
                agent=session.agent,
                seconds=value,
                values={} if value is None else {"gu": value},
            )
        known = columns()
        order = Order(known[named.removeprefix("-")], named.startswith("-"))
        found = entries(wanted, known)
        walked, after = [], ""
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(selectors, "PAGE", 2)
            while True:
                one = page(found, order, after)
                assert one.total == found.count()
                walked += [entry.pk for entry in one.entries]
                after = one.after
                if not after:
                    break
        assert walked == [entry.pk for entry in order_rows(found, order)]
        assert len(walked) == sum(not wanted or (value is not None and value >= -1) for value in values)
