"""The API by which a program plays a seat, below /api/ (docs/own-agent.md)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from limits import RateLimitItem, RateLimitItemPerMinute
from ninja import NinjaAPI, Query, Status
from ninja.security import HttpBearer

from webapp.accounts.addresses import client_address
from webapp.apis import ANYTHING, Refusal, addresses_of, count_request, tell_refusals
from webapp.people import programs
from webapp.people.api_models import MOST_WAIT_S, Act, Delivery, Join, Problem, Table, TakenSeat
from webapp.people.models import Guest
from webapp.people.polling import poll_of
from webapp.people.programs import Caller
from webapp.seats.models import Role

CALLS = RateLimitItemPerMinute(1_200, namespace="seat-api")
"""Of one token: a program that waits as documented stays far below it."""
WRONG = RateLimitItemPerMinute(60, namespace="seat-api-wrong")
"""Requests from one address with tokens that nobody has."""
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
    words = _(
        "Too many requests. Wait %(seconds)s s, and let GET /api/seat/view wait for news (?wait=) "
        "instead of polling."
    )
    count_request(item, key, words)


tell_refusals(api, document="/api/openapi.json", no_token=_not_found_words)
urlpatterns = addresses_of(api)
