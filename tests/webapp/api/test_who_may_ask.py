"""Who may ask what: every operation of the OpenAPI file, by everybody who might ask it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.webapp.api.conftest import Program, check_refusal
from webapp.accounts import throttle
from webapp.accounts.models import ApiToken, Role, User
from webapp.accounts.tokens import READ_EVENTS, READ_LABELS, READ_RUNS, SCOPES, WRITE_RUNS, issue_token
from webapp.catalogue.models import Task, World
from webapp.people.invitations import invite
from webapp.seats.models import Seat
from webapp.sessions.models import Event, Run, Session

pytestmark = pytest.mark.django_db

WHAT_MAY_BE_ASKED: dict[str, tuple[str, int]] = {
    "GET /runs": (READ_RUNS, 200),
    "POST /runs": (WRITE_RUNS, 422),
    "GET /runs/{run_id}": (READ_RUNS, 200),
    "GET /runs/{run_id}/sessions": (READ_RUNS, 200),
    "POST /runs/{run_id}/{act}": (WRITE_RUNS, 200),
    "GET /sessions": (READ_RUNS, 200),
    "GET /sessions/{session_id}": (READ_RUNS, 200),
    "GET /sessions/{session_id}/events": (READ_EVENTS, 200),
    "GET /scores": (READ_RUNS, 200),
    "GET /judgements": (READ_RUNS, 200),
    "GET /labels": (READ_LABELS, 200),
    "GET /reports": (READ_RUNS, 200),
    "GET /reports/{part}": (READ_RUNS, 200),
    "GET /reports/{part}/{ending}": (READ_RUNS, 200),
    "GET /tasks": (READ_RUNS, 200),
    "GET /tasks/{task_id}": (READ_RUNS, 200),
    "GET /worlds": (READ_RUNS, 200),
}
"""By operation, its scope and the answer to who has that. A new operation fails until it is listed."""
QUERIES = {"reports": "?runs={run_id}"}
VALUES = {"act": "pause", "part": "main_results", "ending": "csv"}


@pytest.fixture
def session(recorded_session: Callable[..., Session]) -> Session:
    """One that has ended, of a run."""
    session = recorded_session("easy")
    run = Run.objects.create(name="asked for", suite=session.suite)
    Session.objects.filter(pk=session.pk).update(run=run)
    session.refresh_from_db()
    from webapp.tables.entries import refresh

    refresh([session.pk])
    return session


def operations(document: dict[str, Any], session: Session) -> Iterator[tuple[str, str, str]]:
    """Each with its method and an address of it."""
    values = {**VALUES, "run_id": session.run_id, "session_id": session.pk, "task_id": session.task.task_id}
    for path, methods in document["paths"].items():
        own = path.removeprefix("/api/v1")
        for method in methods:
            query = QUERIES.get(own.split("/")[1], "")
            yield f"{method.upper()} {own}", method.upper(), f"/api/v1{own}{query}".format(**values)


@pytest.fixture
def strangers(researcher: User, session: Session) -> dict[str, Client]:
    """Those who may ask nothing, by what is wrong with them."""

    def token(user: User, scopes: Any = SCOPES) -> tuple[ApiToken, str]:
        return issue_token(user=user, name="tests", scopes=scopes)

    def with_header(value: str) -> Client:
        return Client(headers={"Authorization": value}, enforce_csrf_checks=True)

    expired, revoked = token(researcher), token(researcher)
    ApiToken.objects.filter(pk=expired[0].pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    ApiToken.objects.filter(pk=revoked[0].pk).update(revoked_at=timezone.now())
    closed = User.objects.create_user("closed", role=Role.RESEARCHER)
    former = User.objects.create_user("former", role=Role.RESEARCHER)
    of_closed, of_former = token(closed), token(former)
    User.objects.filter(pk=closed.pk).update(is_active=False)
    User.objects.filter(pk=former.pk).update(role=Role.ANNOTATOR)
    seat = Seat.objects.filter(session=session).first()
    assert seat is not None
    signed_in = Client(enforce_csrf_checks=True)
    signed_in.force_login(researcher)
    whole = token(researcher)[1]
    return {
        "nobody": Client(),
        "a browser of a researcher": signed_in,
        "no token": with_header("Bearer"),
        "a wrong token": with_header("Bearer caravan_" + "x" * 43),
        "an expired token": with_header(f"Bearer {expired[1]}"),
        "a revoked token": with_header(f"Bearer {revoked[1]}"),
        "a closed account": with_header(f"Bearer {of_closed[1]}"),
        "an annotator": with_header(f"Bearer {of_former[1]}"),
        "a person at a seat": with_header(f"Bearer {invite(seat=seat).token}"),
        "the hash of a token": with_header(f"Bearer {revoked[0].token_hash}"),
        "another kind of header": with_header(f"Basic {whole}"),
        "the beginning of a token": with_header(f"Bearer {whole[:-1]}"),
        "a token with more": with_header(f"Bearer {whole}x"),
        "a token in capitals": with_header(f"Bearer {whole.upper()}"),
    }


def test_every_operation_by_everybody(
    program: Program, researcher: User, session: Session, strangers: dict[str, Client]
) -> None:
    asked = list(operations(program.get("openapi.json"), session))
    assert {name for name, _method, _address in asked} == WHAT_MAY_BE_ASKED.keys()
    programs = {
        scope: Client(
            headers={"Authorization": f"Bearer {issue_token(user=researcher, name=scope, scopes=[scope])[1]}"}
        )
        for scope in SCOPES
    }
    wrong = []
    for name, method, address in asked:
        needed, allowed = WHAT_MAY_BE_ASKED[name]
        expected = {**dict.fromkeys(strangers, 401), **dict.fromkeys(programs, 403), needed: allowed}
        throttle.redis_limiter().storage.reset()  # so many wrong tokens would be sent away
        for who, asking in {**strangers, **programs}.items():
            response = asking.generic(method, address, "{}", content_type="application/json")
            if response.status_code != expected[who]:
                wrong.append((name, who, response.status_code))
            if expected[who] in (401, 403):
                assert response.json().keys() == {"detail", "code", "problems"}
                assert "ETag" not in response and response["Cache-Control"] == "no-store"
    assert wrong == []


def test_a_tag_that_is_known_lets_nobody_in(
    program: Program, program_with: Callable[..., Program], session: Session, strangers: dict[str, Client]
) -> None:
    for path in (f"sessions/{session.pk}", f"sessions/{session.pk}/events"):
        whole = program.ask(path)
        kept = whole["Cache-Control"]
        assert "private" in kept and "no-cache" in kept and "Authorization" in whole["Vary"]
        known = {"If-None-Match": whole["ETag"]}
        assert program.ask(path, **known).status_code == 304
        throttle.redis_limiter().storage.reset()
        asked = {who: each.get(f"/api/v1/{path}", headers=known) for who, each in strangers.items()}
        assert {who for who, answer in asked.items() if answer.status_code != 401} == set()
        assert program_with(WRITE_RUNS).ask(path, **known).status_code == 403


@pytest.mark.parametrize(
    "forged",
    [
        *("x", "%00", "LTE=", "OTk5OTk5OTk5OTk5OTk5OTk5", "MSBPUiAxPTE=", "WzFd", "W251bGwsIG51bGxd"),
        *(
            "WzFlOTk5LCAxXQ==",
            "W1siYSJdLCB7fV0=",
            "WyJhIiwgMTAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMF0=",
            "/w==",
            "é",
        ),
        *("WyIyMDI2LTAxLTAxVDAwOjAwOjAwIiwgIlx1MDAwMCJd", "WyIyMDI2LTAxLTAxVDAwOjAwOjAwIiwgMV0="),
        "WyI5OTk5LTEyLTMxVDIzOjU5OjU5LTIzOjU5IiwgIngiXQ==",
    ],
)
def test_forged_cursors_do_no_harm(forged: str, program: Program, session: Session) -> None:
    lists = ["runs", "sessions", "scores", "judgements", "labels", "tasks", "worlds"]
    for path in [*lists, "sessions?order=gu", f"sessions/{session.pk}/events"]:
        response = program.ask(f"{path}{'&' if '?' in path else '?'}cursor={forged}")
        assert response.status_code in (200, 422), (path, response.status_code)


NUL = "a%00b"


@pytest.mark.parametrize(
    ("path", "statuses"),
    [
        (f"runs/{NUL}", (422,)),
        (f"sessions/{NUL}/events", (422,)),
        (f"tasks/{NUL}", (422,)),
        ("sessions/%ED%A0%80", (404,)),
        (f"reports/{NUL}?runs=a", (422,)),
        (f"reports?runs={NUL}", (422,)),
        (f"reports?runs=a&judge={NUL}", (422,)),
        ("sessions/%2e%2e/runs", (404,)),
        ("tasks/../../../etc/passwd", (404,)),
        ("reports/main_results/..%2Fcsv?runs=x", (404, 422)),
        ("sessions?limit=1000000", (422,)),
        ("sessions?limit=-1", (422,)),
        ("sessions?order=run__created_by__password", (422,)),
        ("sessions?session__run__created_by=1", (422,)),
        (f"sessions?task={NUL}", (422,)),
        ("sessions?said=%22", (422,)),
        ("sessions?find=x' OR 1=1 --", (422,)),
        ("runs?find=x' OR 1=1 --", (200,)),
        ("scores?session=x' OR 1=1 --", (200,)),
        ("scores?rater=person:1", (200,)),
        (f"labels?study={NUL}", (422,)),
        ("judgements?status=x", (422,)),
    ],
)
def test_odd_addresses_are_refused(
    path: str, statuses: tuple[int, ...], program: Program, session: Session
) -> None:
    response = program.client.get(f"/api/v1/{path}", headers={"Authorization": f"Bearer {program.token}"})
    assert response.status_code in statuses, response.content
    if response.status_code == 200:
        assert response.json()["items"] == []
    else:
        assert response.json().keys() == {"detail", "code", "problems"}


@pytest.mark.parametrize(
    "change",
    [
        *(
            {"name": "a\x00b"},
            {"tasks": ["a\x00"]},
            {"agent_model": "\x00"},
            {"seats": {"User1": "model:\x00"}},
        ),
        *({"options": {"protocol": "\x00"}}, {"collection": "\x00"}, {"world": "\x00"}, {"cache": "\x00"}),
        *({"name": "\ud800"}, {"judge": "\x00"}, {"seed": 10**30}, {"budget": 1e300}, {"trials": 2**70}),
    ],
)
def test_odd_fields_of_a_run_are_refused(
    change: dict[str, Any], program: Program, starter_tasks: list[Task], starter_world: World
) -> None:
    response = program.post("runs", json.dumps({"name": "odd", "tasks": ["starter_01"], **change}))
    assert response.status_code == 422, response.content
    assert not Run.objects.exists()


def test_odd_parameters_of_a_log(program: Program, session: Session) -> None:
    path = f"sessions/{session.pk}/events"
    for query in ("types=a%00b", "types=%ED%A0%80", "wait=nan", "wait=1e9", "limit=0", "limit=1e3"):
        response = program.ask(f"{path}?{query}")
        assert response.status_code == 422 or response.json()["items"] == [], query
    assert len(program.get(f"{path}?limit=5")["items"]) == 5 < Event.objects.filter(session=session).count()


def test_nothing_is_changed_by_who_only_reads_or_by_a_browser(
    as_researcher: Client,
    program_with: Callable[..., Program],
    starter_tasks: list[Task],
    starter_world: World,
) -> None:
    body = {"name": "not mine", "tasks": ["starter_01"]}
    check_refusal(as_researcher.post("/api/v1/runs", body, content_type="application/json"), 401, "token")
    reader = program_with(READ_RUNS, READ_EVENTS, READ_LABELS)
    check_refusal(reader.post("runs", body), 403, "scope", WRITE_RUNS)
    for method in ("PUT", "PATCH", "DELETE"):
        for path in ("runs", "sessions/x", "tasks"):
            headers = {"Authorization": f"Bearer {reader.token}"}
            assert reader.client.generic(method, f"/api/v1/{path}", headers=headers).status_code == 405
    assert not Run.objects.exists()


def test_tokens_stay_out_of_logs() -> None:
    from webapp.accounts.redaction import without_tokens

    _row, text = issue_token(
        user=User.objects.create_user("someone", role=Role.RESEARCHER), name="x", scopes=[READ_RUNS]
    )
    line = without_tokens(f'"GET /api/v1/runs?token={text}&limit=5" 401')
    assert text[8:] not in line and "&limit=5" in line
