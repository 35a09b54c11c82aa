"""The API by which a program plays a seat, below /api/ (docs/own-agent.md)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern
from django.utils.translation import gettext as _
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.strategies import MovingWindowRateLimiter
from ninja import NinjaAPI, Query, Status
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.security import HttpBearer

from webapp.accounts.addresses import client_address
from webapp.accounts.throttle import own_limiter, redis_limiter
from webapp.people import programs
from webapp.people.api_models import MOST_WAIT_S, Act, Delivery, Join, Place, Problem, Table, TakenSeat
from webapp.people.models import Guest
from webapp.people.polling import poll_of
from webapp.people.programs import Caller, Refusal
from webapp.seats.models import Role
from webapp.storage import RETRY_AFTER_S, STORAGE_ERRORS
from webapp.storage import words as storage_words

CALLS = RateLimitItemPerMinute(1_200, namespace="seat-api")
"""Of one token: a program that waits as documented stays far below it."""
WRONG = RateLimitItemPerMinute(60, namespace="seat-api-wrong")
"""Requests from one address with tokens that nobody has."""
MOST_BODY = 1024 * 1024
"""Bytes of a request: more than the longest message takes, however it is written."""
MOST_PROBLEMS = 20
MOST_WORDS = 300
"""Characters of what is told of one field: it may repeat what was sent."""
REFUSALS = dict.fromkeys((401, 403, 404, 409, 413, 422, 429, 503), Problem)


class Token(HttpBearer):
    """The token of the invitation: the last part of its link."""

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """Whom it stands for. Raises Refusal."""
        caller = programs.caller_by(token)
        if caller is None:
            _count(WRONG, client_address(request) or "unknown")
            raise Refusal(401, "token", _not_found_words())
        if not poll_of(request).is_repeat:
            _count(CALLS, token)
        return caller


api = NinjaAPI(
    title="Caravan: a program takes a seat",
    version="1",
    description="A program joins a session by the token of an invitation, waits for its turns, and acts in them.",
    openapi_url=None,
    docs_url=None,
    auth=Token(),
)


@api.post("/seat/join", response={200: TakenSeat, **REFUSALS}, url_name="api_join", operation_id="join")
def join(request: HttpRequest, sent: Join) -> TakenSeat:
    """Take the seat that the token leads to, or get it back: call it at every start of the program."""
    guest = programs.join(_caller(request), sent.program, sent.version, sent.client_id)
    seat = guest.seat
    return TakenSeat(
        session=seat.session_id,
        seat=seat.name,
        role="agent" if seat.role == Role.AGENT else "traveller",
        language="en" if guest.language == "en" else "zh",
        suite=seat.session.suite,
        status=programs.table_of(guest).status,
        token=programs.token_of(guest),
    )


@api.get("/seat/view", response={200: Table, **REFUSALS}, url_name="api_view", operation_id="view")
def view(
    request: HttpRequest,
    after: int = Query(0, ge=0, description="`seq` of the last answer; 0 for an answer at once."),  # type: ignore[type-arg]
    wait: float = Query(0, ge=0, le=MOST_WAIT_S, description="Seconds to wait for something after it."),  # type: ignore[type-arg]
) -> Table:
    """What this seat knows, and whether it is its turn. With `after` and `wait` the answer comes as soon as something
    new has reached the seat, or after `wait` seconds; it may come sooner.
    """
    guest = _guest(request)
    table = programs.table_of(guest)
    if table.seq <= after and table.status != "ended":
        poll_of(request).session = table.session
    return table


@api.post("/seat/actions", response={200: Delivery, **REFUSALS}, url_name="api_act", operation_id="act")
def act(request: HttpRequest, sent: Act) -> Delivery:
    """Answer a turn: say something, pass, or call tools. The same `client_id` again is the same action."""
    message = programs.act(_guest(request), sent)
    return Delivery(client_id=message.client_id, taken=message.taken_at_seq is not None)


@api.post("/seat/here", response={204: None, **REFUSALS}, url_name="api_here", operation_id="here")
def heartbeat(request: HttpRequest) -> Status[None]:
    """Say that the program is there, every ten seconds while it thinks. One that is not heard of for 20 seconds
    counts as disconnected, and loses its seat after some time. A request that waits says it too.
    """
    _guest(request)
    return Status(204, None)


@api.post("/seat/leave", response={204: None, **REFUSALS}, url_name="api_leave", operation_id="leave")
def leave(request: HttpRequest) -> Status[None]:
    """Give the seat up for good. What follows is as the session says: others take over, or it ends."""
    guest = _caller(request).guest
    if guest is None or guest.left_at is None:  # a second time it has left already
        programs.leave(_guest(request))
    return Status(204, None)


@api.get("/openapi.json", auth=None, include_in_schema=False, url_name="api_openapi")
def openapi(request: HttpRequest) -> dict[str, Any]:
    """This API as an OpenAPI file."""
    return api.get_openapi_schema(path_prefix="/api/")


ANYTHING = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]


@api.api_operation(ANYTHING, "/{path:rest}", auth=None, include_in_schema=False, url_name="api_unknown")
def unknown_path(request: HttpRequest, rest: str) -> None:
    """Anything else."""
    raise Refusal(
        404, "unknown", _("There is nothing at this address. GET /api/openapi.json lists all addresses.")
    )


@api.api_operation(ANYTHING, "/", auth=None, include_in_schema=False, url_name="api_nothing")
def nothing(request: HttpRequest) -> None:
    """The address without a rest."""
    unknown_path(request, "")


# Who asks, and how often.


def _caller(request: HttpRequest) -> Caller:
    caller: Caller = request.auth  # type: ignore[attr-defined]  # what Token gave
    return caller


def _guest(request: HttpRequest) -> Guest:
    guest = programs.guest_of(_caller(request))
    programs.record_heartbeat(guest)
    return guest


def _not_found_words() -> str:
    return _(
        "This token is not valid, or has expired. Send the last part of the link as “Authorization: Bearer …”, or "
        "ask whoever sent the link for a new one."
    )


def _count(item: RateLimitItem, key: str) -> None:
    """Raises Refusal: too many."""
    try:
        _hit(redis_limiter(), item, key)
    except StorageError:
        _hit(own_limiter(), item, key)


def _hit(limiter: MovingWindowRateLimiter, item: RateLimitItem, key: str) -> None:
    if limiter.hit(item, key):
        return
    wait_s = programs.later(limiter.get_window_stats(item, key).reset_time)
    words = _(
        "Too many requests. Wait %(seconds)s s, and let GET /api/seat/view wait for news (?wait=) "
        "instead of polling."
    )
    raise Refusal(429, "too_many", words % {"seconds": wait_s}, again_in_s=wait_s)


# What is wrong, in words.


def _problem(
    request: HttpRequest, status: int, problem: Problem, again_in_s: int | None = None
) -> HttpResponse:
    response = api.create_response(request, problem.model_dump(), status=status)
    if again_in_s is not None:
        response["Retry-After"] = str(again_in_s)
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


@api.exception_handler(Refusal)
def _refusal_response(request: HttpRequest, error: Refusal) -> HttpResponse:
    places = [Place(where=error.where, what=error.words)] if error.where else []
    problem = Problem(detail=error.words, code=error.code, problems=places)
    return _problem(request, error.status, problem, error.again_in_s)


@api.exception_handler(AuthenticationError)
def _without_token(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    return _problem(request, 401, Problem(detail=_not_found_words(), code="token"))


@api.exception_handler(ValidationError)
def _unfit(request: HttpRequest, error: ValidationError) -> HttpResponse:
    places = [
        Place(where=_where(problem["loc"])[:MOST_WORDS], what=problem["msg"][:MOST_WORDS])
        for problem in error.errors[:MOST_PROBLEMS]
    ]
    told = "; ".join(f"{place.where}: {place.what}" for place in places[:5])
    words = _("The request does not match /api/openapi.json: %(problems)s") % {"problems": told}
    return _problem(request, 422, Problem(detail=words, code="unfit", problems=places))


def _where(place: Any) -> str:
    """The field of a request, without what only tells which of several forms was tried."""
    if place[0] != "body":
        return str(place[-1])
    names = list(map(str, place[2:]))
    if len(names) > 1 and names[0] == "action":
        del names[1]
    if "arguments" in names[:-1]:
        names = names[: names.index("arguments") + 1]
    return ".".join(names) or "body"


@api.exception_handler(HttpError)
def _unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    words = _("The body could not be read. Send one JSON object, in UTF-8.")
    places = [Place(where="body", what=words)]
    return _problem(request, 422, Problem(detail=words, code="unfit", problems=places))


def _storage_problem(request: HttpRequest, error: Any) -> HttpResponse:
    return _problem(request, 503, Problem(detail=storage_words(error), code="storage"), RETRY_AFTER_S)


for each in STORAGE_ERRORS:
    api.add_exception_handler(each, _storage_problem)


def _in_json(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view whose refusals of methods and of large bodies are told as all others."""

    @wraps(view)
    def answer(request: HttpRequest, *given: Any, **named: Any) -> HttpResponse:
        try:
            large = len(request.body) > MOST_BODY
        except RequestDataTooBig:
            large = True
        if large:
            words = _("The request is larger than %(most)s bytes. Send less.") % {"most": MOST_BODY}
            places = [Place(where="body", what=words)]
            return _problem(request, 413, Problem(detail=words, code="too_large", problems=places))
        response = view(request, *given, **named)
        if not isinstance(response, HttpResponseNotAllowed):
            return response
        words = _("%(method)s is not possible here. Use %(allowed)s.")
        details = {"method": request.method, "allowed": response["Allow"]}
        refusal = _problem(request, 405, Problem(detail=words % details, code="method"))
        refusal["Allow"] = response["Allow"]
        return refusal

    return answer


urlpatterns = [each for each in api.urls[0] if isinstance(each, URLPattern) and each.name != "api-root"]
for pattern in urlpatterns:
    pattern.callback = login_not_required(_in_json(pattern.callback))  # a token is asked for
