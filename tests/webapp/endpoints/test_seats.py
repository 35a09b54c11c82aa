"""Who sits where, and what it used: from the form over the log to the pages."""

from __future__ import annotations

import csv
from collections.abc import Callable
from io import StringIO

import pytest
from django.db.models import ProtectedError
from django.test import Client

from benchmark.core.events import DraftWithdrawn, ModelCalled, ParticipantJoined
from benchmark.models import Usage
from tests.markup import text
from tests.webapp.conftest import Writer
from webapp.cassettes.services import replay
from webapp.catalogue.models import Task, World
from webapp.endpoints import selectors
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.services import delete_endpoint, retire
from webapp.forms import ChoiceRefused
from webapp.sessions.log import read_log
from webapp.sessions.models import Run, Session, Status
from webapp.sessions.scoring import score_session
from webapp.sessions.selectors import sessions

pytestmark = pytest.mark.django_db

FORM_FIELDS = {
    "task": "starter_01",
    "world": "starter",
    "agent": "llm",
    "users": "scripted",
    "seed": "5",
    "protocol": "published",
}
RUN = {"name": "a run", "tasks": "starter_01", "world": "starter", "protocol": "published", "seed": "0"}


def joined_events(session: Session) -> list[ParticipantJoined]:
    return [event.body for event in read_log(session) if isinstance(event.body, ParticipantJoined)]


@pytest.mark.storage
def test_every_seat_is_in_the_log_with_its_model(
    make_model_session: Callable[..., Session], endpoint: ModelEndpoint
) -> None:
    seats = joined_events(make_model_session())
    assert [seat.seat for seat in seats] == [
        "Agent",
        *make_model_session().task.definition["user_preferences"],
    ]
    agent, *users = seats
    assert (agent.kind, agent.model) == ("llm", endpoint.setup()) and agent.prompts
    assert all((user.kind, user.model, user.prompts) == ("scripted", None, "") for user in users)


@pytest.mark.storage
def test_a_later_change_leaves_a_session_as_it_began(
    make_model_session: Callable[..., Session], endpoint: ModelEndpoint
) -> None:
    session = make_model_session()
    ModelEndpoint.objects.update(model="another")
    (agent, *_) = joined_events(session)
    assert agent.model is not None and agent.model.model == "some/model:7b"


@pytest.mark.parametrize(
    ("setup", "field"),
    [
        ({"agent_model": None}, "agent_model"),
        ({"users": "llm"}, "user_model"),
        ({"agent": "reference"}, "agent_model"),
    ],
)
def test_kinds_and_models_go_together(
    make_model_session: Callable[..., Session], setup: dict[str, object], field: str
) -> None:
    with pytest.raises(ChoiceRefused) as refused:
        make_model_session(**setup)
    assert refused.value.field == field and not Session.objects.exists()


def test_the_form_asks_for_a_model_only_where_one_is_needed(
    as_researcher: Client, endpoint: ModelEndpoint
) -> None:
    page = text(as_researcher.get("/sessions/new/"))
    assert 'name="agent_model"' not in page and 'name="user_model"' not in page
    page = text(as_researcher.get("/sessions/new/?agent=llm&agent_model=mine"))
    assert '<option value="mine" selected>' in page and 'name="user_model"' not in page
    assert 'name="user_model"' in text(as_researcher.get("/sessions/new/?users=llm"))
    assert 'name="agent_model"' in text(as_researcher.post("/runs/new/", {"look": "1", "agent": "direct"}))


def test_without_any_model_the_form_leads_to_one(as_researcher: Client) -> None:
    assert "There is no model yet." in text(as_researcher.get("/sessions/new/?agent=llm"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "“llm” needs a model; choose one."),
        ({"agent": "reference", "agent_model": "mine"}, "“reference” needs no model; choose none."),
        ({"agent_model": "mine", "users": "llm"}, "“llm” needs a model; choose one."),
        ({"agent_model": "other"}, "There is no such model, or it is retired"),
        ({"agent_model": "old"}, "There is no such model, or it is retired"),
    ],
)
def test_a_wrong_choice_is_told_at_its_field(
    as_researcher: Client,
    endpoint: ModelEndpoint,
    starter_world: World,
    starter_tasks: list[Task],
    changes: dict[str, str],
    words: str,
) -> None:
    ModelEndpoint.objects.create(name="old", base_url="http://h/v1", model="m", retired=True)
    for address, given in (
        ("/sessions/new/", FORM_FIELDS),
        ("/runs/new/", {**FORM_FIELDS, **RUN, "trials": "1"}),
    ):
        page = as_researcher.post(address, {**given, **changes})
        assert page.status_code == 200 and words in text(page)
    assert not Session.objects.exists()


def test_a_session_starts_over_models_and_names_them(
    as_researcher: Client, endpoint: ModelEndpoint, starter_world: World, starter_tasks: list[Task]
) -> None:
    chosen = {**FORM_FIELDS, "agent_model": "mine", "users": "llm", "user_model": "mine"}
    where = as_researcher.post("/sessions/new/", chosen)["Location"]
    session = Session.objects.get()
    assert session.agent_model == session.user_model == endpoint
    page = text(as_researcher.get(where))
    assert "llm agent" in page and "some/model:7b" in page
    assert "some/model:7b" in text(as_researcher.get(f"{where}?tab=models"))
    assert 'href="/models/mine/"' in text(as_researcher.get("/sessions/"))
    assert session.pk in text(as_researcher.get("/models/mine/"))


def test_a_run_names_scaffold_and_model_apart(
    as_researcher: Client, endpoint: ModelEndpoint, starter_world: World, starter_tasks: list[Task]
) -> None:
    as_researcher.post(
        "/runs/new/", {**FORM_FIELDS, **RUN, "trials": "2", "agent": "react", "agent_model": "mine"}
    )
    run = Run.objects.get()
    assert run.setup["agent"] == "react" and run.setup["agent_model"]["name"] == "mine"
    assert run.setup["user_model"] is None
    for address in ("/runs/", f"/runs/{run.pk}/", f"/runs/compare/?runs={run.pk}"):
        page = text(as_researcher.get(address))
        assert "react" in page and 'href="/models/mine/"' in page
    lines = csv.DictReader(StringIO(as_researcher.get(f"/runs/compare.csv?runs={run.pk}").content.decode()))
    assert [(line["agent"], line["agent_model"], line["user_model"]) for line in lines] == [
        ("react", "mine", "")
    ]


def test_a_run_of_before_there_were_models_is_still_shown(
    as_researcher: Client, endpoint: ModelEndpoint, starter_world: World, starter_tasks: list[Task]
) -> None:
    as_researcher.post("/runs/new/", {**FORM_FIELDS, **RUN, "trials": "1", "agent": "reference"})
    run = Run.objects.get()
    run.setup = {k: v for k, v in run.setup.items() if k not in ("agent_model", "user_model")}
    run.save()
    for address in ("/runs/", f"/runs/{run.pk}/", f"/runs/compare/?runs={run.pk}"):
        assert as_researcher.get(address).status_code == 200
    assert "reference" in text(as_researcher.get(f"/runs/compare.csv?runs={run.pk}"))


def with_requests(session: Session) -> Session:
    """The same session after some requests, ended and scored."""
    writer = Writer(session)
    known = Usage(prompt=1200, completion=300, cached=200)
    for call in (
        ModelCalled(seat="Agent", endpoint="mine", outcome="rate_limit", status=429, retry_in_s=1.0),
        ModelCalled(
            seat="Agent",
            endpoint="mine",
            attempt=2,
            tokens=known,
            cost=0.0123,
            currency="USD",
            latency_ms=1500,
        ),
        ModelCalled(seat="Agent", endpoint="mine", outcome="cut", answering=True),
    ):
        writer.add("system", call)
    writer.add("Agent", DraftWithdrawn(speaker="Agent", content="…", why="cut_off"))
    Session.objects.filter(pk=session.pk).update(status=Status.FINISHED, completion_reason="runtime_error")
    score_session(session=session)
    session.refresh_from_db()
    return session


@pytest.mark.both_engines
@pytest.mark.storage
def test_use_is_stored_shown_and_added_up(
    as_researcher: Client, make_model_session: Callable[..., Session], endpoint: ModelEndpoint
) -> None:
    session = with_requests(make_model_session())
    (use,) = selectors.use_by_endpoint()["mine"].uses
    assert (use.calls, use.retries, use.unknown, use.costs) == (3, 1, 1, {"USD": 0.0123})
    for page in (f"/sessions/{session.pk}/?tab=models", "/models/mine/", "/models/"):
        shown = text(as_researcher.get(page))
        assert "0.0123 USD" in shown and "1 request unknown" in shown
    panel = text(as_researcher.get(f"/sessions/{session.pk}/panel/models/"))
    for words in ("1,200", "1.5 s", "too many requests", "cut off"):
        assert words in panel


@pytest.mark.storage
def test_a_replay_asked_nobody(
    as_researcher: Client, make_model_session: Callable[..., Session], endpoint: ModelEndpoint
) -> None:
    session = with_requests(make_model_session())
    again = with_requests(replay(session=session, start=False))
    used = selectors.use_by_endpoint()["mine"]
    assert (used.sessions, used.whole.calls, used.whole.costs) == (1, 3, {"USD": 0.0123})
    assert list(sessions(endpoint=endpoint.name)) == [session]
    words = "Recorded, not asked again"
    assert words in text(as_researcher.get(f"/sessions/{again.pk}/panel/models/"))
    assert words not in text(as_researcher.get(f"/sessions/{session.pk}/panel/models/"))


@pytest.mark.storage
def test_tokens_are_written_one_way(
    as_researcher: Client, make_model_session: Callable[..., Session]
) -> None:
    panel = text(as_researcher.get(f"/sessions/{with_requests(make_model_session()).pk}/panel/models/"))
    assert "1,200 + 300 tokens · 1.5 s" in panel and "1200" not in panel


@pytest.mark.storage
def test_a_model_that_is_not_here_is_named_without_a_link(
    as_researcher: Client, make_model_session: Callable[..., Session], endpoint: ModelEndpoint
) -> None:
    session = with_requests(make_model_session())
    panel = f"/sessions/{session.pk}/panel/models/"
    assert text(as_researcher.get(panel)).count('href="/models/mine/"') == 2
    ModelEndpoint.objects.update(name="other")
    page = text(as_researcher.get(panel))
    assert page.count(">mine<") == 2 and 'href="/models/' not in page


@pytest.mark.storage
def test_a_name_that_is_no_slug_breaks_no_page(
    as_researcher: Client, make_model_session: Callable[..., Session]
) -> None:
    session = make_model_session()
    Writer(session).add("system", ModelCalled(seat="Agent", endpoint="vendor/model v2"))
    assert "vendor/model v2" in text(as_researcher.get(f"/sessions/{session.pk}/panel/models/"))


@pytest.mark.storage
def test_what_nobody_knows_is_said_and_never_nought(
    as_researcher: Client, make_model_session: Callable[..., Session]
) -> None:
    session = make_model_session()
    Writer(session).add("system", ModelCalled(seat="Agent", endpoint="mine"))
    panel = text(as_researcher.get(f"/sessions/{session.pk}/panel/models/"))
    assert panel.count("unknown") >= 5 and ">0<" in panel


@pytest.mark.both_engines
@pytest.mark.storage
def test_a_run_adds_up_and_its_file_leaves_unknown_figures_empty(
    as_researcher: Client, make_model_session: Callable[..., Session], endpoint: ModelEndpoint
) -> None:
    run = Run.objects.create(
        name="r", setup={"agent": "llm", "users": "scripted", "sandbox": {"mode": "world"}}
    )
    session = with_requests(make_model_session())
    Session.objects.filter(pk=session.pk).update(run=run)
    page = text(as_researcher.get(f"/runs/{run.pk}/live/"))
    assert "1,200" in page and "0.0123 USD + 1 request unknown" in page
    (line,) = csv.DictReader(StringIO(as_researcher.get(f"/runs/{run.pk}/sessions.csv").content.decode()))
    assert (line["agent"], line["agent_model"], line["user_model"]) == ("llm", "mine", "")
    assert (line["agent_requests"], line["agent_prompt_tokens"], line["agent_unknown"]) == ("3", "1200", "1")
    assert (line["agent_cost"], line["agent_currency"], line["agent_withdrawn"]) == ("0.012300", "USD", "1")
    assert line["travellers_requests"] == line["travellers_prompt_tokens"] == ""


@pytest.mark.storage
def test_a_used_endpoint_outlives_a_wish_to_delete_it(
    make_model_session: Callable[..., Session], endpoint: ModelEndpoint
) -> None:
    make_model_session()
    assert delete_endpoint(endpoint=endpoint) is False and ModelEndpoint.objects.exists()
    with pytest.raises(ProtectedError):
        endpoint.delete()
    retire(endpoint=endpoint)
    with pytest.raises(ChoiceRefused, match="retired"):
        make_model_session(agent_model=ModelEndpoint.objects.get())


def test_a_session_of_no_model_costs_nothing_and_says_so(
    as_researcher: Client, make_model_session: Callable[..., Session]
) -> None:
    session = make_model_session(agent="reference", agent_model=None)
    assert "No model has been asked." in text(as_researcher.get(f"/sessions/{session.pk}/panel/models/"))
