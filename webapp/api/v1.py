"""The API for researchers' programs, below /api/v1/ (docs/api.md)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from ninja import Header, NinjaAPI, Query

from benchmark.jsonlines import json_line
from webapp.accounts.tokens import READ_EVENTS, READ_LABELS, READ_RUNS, WRITE_RUNS
from webapp.api import control, lists, reading, schemas
from webapp.api.access import Token, no_token_words, researcher_asking, signed_in
from webapp.api.answers import MOST, USUAL, answer, answer_with_digest, json_response
from webapp.api.document import SCOPE, document_of
from webapp.api.logs import answer_events
from webapp.api.once import KEY_HEADER, start_once
from webapp.api.schemas import Problem
from webapp.apis import ANYTHING, Refusal, addresses_of, tell_refusals
from webapp.people.api_models import MOST_WAIT_S

DOCUMENT = "/api/v1/openapi.json"
View = TypeVar("View", bound=Callable[..., Any])

api = NinjaAPI(
    title="Caravan",
    version="1",
    description="Runs, sessions, scores, judgements, labels, tasks, worlds and reports of a Caravan installation.",
    urls_namespace="api-v1",
    openapi_url=None,
    docs_url=None,
)


def _operation(
    method: Literal["GET", "POST"],
    path: str,
    scope: str,
    response: Any,
    name: str,
    *,
    status: int = 200,
    further: tuple[int, ...] = (),
) -> Callable[[View], View]:
    """Declares an operation. further: refusals that not every operation has."""
    refusals: dict[Any, Any] = dict.fromkeys((401, 403, *further, 422, 429, 503), Problem)
    return api.api_operation(
        [method],
        path,
        auth=Token(scope),
        response={status: response, **refusals},
        url_name=f"api_v1_{name}",
        operation_id=name,
        openapi_extra={SCOPE: scope},
    )


Cursor = Query("", description="`next` of the page before.")  # type: ignore[type-arg]
Limit = Query(USUAL, ge=1, le=MOST, description="Items of a page at most.")  # type: ignore[type-arg]
Types = Query("", description="Only of these types, with commas between them.")  # type: ignore[type-arg]
OnceKey = Header(  # type: ignore[type-arg]
    "", alias=KEY_HEADER, description="Names this request, such as by a UUID; other fields need another one."
)
Wait = Query(  # type: ignore[type-arg]
    0, ge=0, le=MOST_WAIT_S, description="Seconds to wait for more, of a session that goes on."
)


# Runs.


@_operation("GET", "/runs", READ_RUNS, schemas.RunListing, "runs")
def runs(request: HttpRequest, cursor: str = Cursor, limit: int = Limit) -> HttpResponseBase:
    """Runs, the newest first, with the filters of their table."""
    return answer(request, lists.runs(request), cursor, limit)


@_operation("POST", "/runs", WRITE_RUNS, schemas.Run, "start_run", status=201)
def start_run(request: HttpRequest, sent: schemas.NewRun, key: str = OnceKey) -> HttpResponse:
    """Start a run. What it lacks is refused field by field, and then nothing is stored. With an `Idempotency-Key` it
    can be sent again: a day long the same key and fields start no further run, and are answered as the first time.
    """
    user = researcher_asking(request)
    return start_once(
        user=user,
        key=key,
        body=json.dumps(sent.model_dump(), sort_keys=True),
        start=lambda also: control.start_run(sent, user, also),
        tell=lambda run: json_line(reading.whole_run(request, run).model_dump(mode="json")).decode(),
    )


@_operation("GET", "/runs/{run_id}", READ_RUNS, schemas.Run, "run", further=(404,))
def run(request: HttpRequest, run_id: str) -> HttpResponse:
    """One run as it is now."""
    return json_response(reading.whole_run(request, reading.run_named(run_id)).model_dump(mode="json"))


@_operation(
    "GET", "/runs/{run_id}/sessions", READ_RUNS, schemas.SessionListing, "run_sessions", further=(404,)
)
def run_sessions(
    request: HttpRequest, run_id: str, cursor: str = Cursor, limit: int = Limit
) -> HttpResponseBase:
    """The sessions of a run, with the filters of the table of sessions."""
    return answer(request, lists.sessions(request, reading.run_named(run_id)), cursor, limit)


@_operation("POST", "/runs/{run_id}/{act}", WRITE_RUNS, schemas.Run, "control_run", further=(404, 409))
def control_run(request: HttpRequest, run_id: str, act: Literal["pause", "resume", "cancel"]) -> HttpResponse:
    """Pause, resume or cancel a run. The same again does no more."""
    found = reading.run_named(run_id)
    control.control_run(found, act)
    return json_response(reading.whole_run(request, found).model_dump(mode="json"))


# Sessions.


@_operation("GET", "/sessions", READ_RUNS, schemas.SessionListing, "sessions")
def sessions(request: HttpRequest, cursor: str = Cursor, limit: int = Limit) -> HttpResponseBase:
    """Sessions, the newest first, with the filters of their table."""
    return answer(request, lists.sessions(request), cursor, limit)


@_operation("GET", "/sessions/{session_id}", READ_RUNS, schemas.Session, "session", further=(404,))
def session(request: HttpRequest, session_id: str) -> HttpResponseBase:
    """One session. One that has ended has an ETag."""
    found = reading.session_named(session_id)
    response = json_response(reading.whole_session(request, found).model_dump(mode="json"))
    return answer_with_digest(request, response) if found.ended else response


@_operation(
    "GET", "/sessions/{session_id}/events", READ_EVENTS, schemas.EventListing, "events", further=(404,)
)
def events(
    request: HttpRequest,
    session_id: str,
    cursor: str = Cursor,
    limit: int = Limit,
    types: str = Types,
    wait: float = Wait,
) -> HttpResponseBase:
    """The log of a session. With `wait` the answer comes as soon as there is more after `cursor`. A log that has
    ended has an ETag.
    """
    return answer_events(request, reading.session_named(session_id), cursor, limit, types)


# Figures.


@_operation("GET", "/scores", READ_RUNS, schemas.ScoreListing, "scores")
def scores(request: HttpRequest, cursor: str = Cursor, limit: int = Limit) -> HttpResponseBase:
    """Values of metrics, a line each, of the sessions that the filters leave."""
    return answer(request, lists.scores(request), cursor, limit)


@_operation("GET", "/judgements", READ_RUNS, schemas.JudgementListing, "judgements")
def judgements(request: HttpRequest, cursor: str = Cursor, limit: int = Limit) -> HttpResponseBase:
    """What judges said of sessions."""
    return answer(request, lists.judgements(request), cursor, limit)


@_operation("GET", "/labels", READ_LABELS, schemas.LabelListing, "labels")
def labels(request: HttpRequest, cursor: str = Cursor, limit: int = Limit) -> HttpResponseBase:
    """What people and models answered in labelling studies. Until a blind study is closed, no label tells whose plans
    it is about.
    """
    return answer(request, lists.labels(request), cursor, limit)


@_operation("GET", "/reports", READ_RUNS, dict[str, Any], "report")
def report(request: HttpRequest) -> HttpResponse:
    """The report of some runs, as `manage.py report --format json` writes it."""
    return reading.whole_report(request)


@_operation("GET", "/reports/{part}", READ_RUNS, schemas.ReportTable, "report_table", further=(404,))
def report_table(request: HttpRequest, part: str) -> HttpResponse:
    """One table of a report; `main_results` is the paper's main table."""
    return json_response(reading.report_table(request, part).model_dump(mode="json"))


@_operation("GET", "/reports/{part}/{ending}", READ_RUNS, str, "report_file", further=(404,))
def report_file(request: HttpRequest, part: str, ending: Literal["csv", "md", "tex"]) -> HttpResponse:
    """The same table as a file: the one that the report's page offers."""
    return reading.report_file(request, part, ending)


# What sessions are made from.


@_operation("GET", "/tasks", READ_RUNS, schemas.TaskListing, "tasks")
def tasks(request: HttpRequest, cursor: str = Cursor, limit: int = Limit) -> HttpResponseBase:
    """Tasks in the order of their collections, with the filters of their table."""
    return answer(request, lists.tasks(request), cursor, limit)


@_operation("GET", "/tasks/{path:task_id}", READ_RUNS, schemas.Task, "task", further=(404,))
def task(request: HttpRequest, task_id: str) -> HttpResponse:
    """One task with its definition."""
    return json_response(reading.whole_task(request, task_id).model_dump(mode="json"))


@_operation("GET", "/worlds", READ_RUNS, schemas.WorldListing, "worlds")
def worlds(request: HttpRequest, cursor: str = Cursor, limit: int = Limit) -> HttpResponseBase:
    """Worlds, in the order in which they came."""
    return answer(request, lists.worlds(request), cursor, limit)


@api.get("/openapi.json", auth=[Token(), signed_in], include_in_schema=False, url_name="api_v1_openapi")
def openapi(request: HttpRequest) -> dict[str, Any]:
    """This API as an OpenAPI file. Its filters name judges and sets that are here, so no stranger reads it."""
    return document_of(api)


@api.api_operation(ANYTHING, "/{path:rest}", auth=None, include_in_schema=False, url_name="api_v1_unknown")
def unknown_path(request: HttpRequest, rest: str) -> None:
    """Anything else."""
    words = _("There is nothing at this address. GET %(document)s lists all addresses.")
    raise Refusal(404, "unknown", words % {"document": DOCUMENT})


@api.api_operation(ANYTHING, "/", auth=None, include_in_schema=False, url_name="api_v1_nothing")
def nothing(request: HttpRequest) -> None:
    """The address without a rest."""
    unknown_path(request, "")


tell_refusals(api, document=DOCUMENT, no_token=no_token_words)
urlpatterns = addresses_of(api)
