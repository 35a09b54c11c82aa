"""What the APIs for programs have in common: how requests are counted, and how refusals are told."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern
from django.utils.translation import gettext as _
from limits import RateLimitItem
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import Field

from webapp.accounts.throttle import seconds_to_wait
from webapp.fields import NUL
from webapp.storage import RETRY_AFTER_S, STORAGE_ERRORS
from webapp.storage import words as storage_words

MOST_BODY = 1024 * 1024
"""Bytes of a request: more than the longest message takes, however it is written."""
MOST_PROBLEMS = 20
MOST_WORDS = 300
"""Characters of what is told of one field: it may repeat what was sent."""
ANYTHING = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]


class Place(Schema):
    """What is wrong with one field of a request."""

    where: str = Field(description="The field, with dots; `body` where it is the whole body.")
    what: str


class Problem(Schema):
    """Why a request was refused, and what helps."""

    detail: str = Field(description="In words.")
    code: str = Field(description="For the program.")
    problems: list[Place] = Field(
        default=[], description="The fields that are to be mended, where it is a field."
    )


class Refusal(Exception):
    """What a program asked for can't be done. status: of HTTP; code: for the program; the words say what helps.

    where: the field that is to be mended, "" where it is none. places: several of them, each with its words.
    """

    def __init__(
        self,
        status: int,
        code: str,
        words: str,
        *,
        where: str = "",
        again_in_s: int | None = None,
        places: list[Place] | None = None,
    ) -> None:
        super().__init__(words)
        self.status, self.code, self.words = status, code, words
        self.places = places or ([Place(where=where, what=words)] if where else [])
        self.again_in_s = again_in_s

    def problem(self) -> Problem:
        """As it is told."""
        return Problem(detail=self.words, code=self.code, problems=self.places)


def count_request(item: RateLimitItem, key: str, words: str) -> None:
    """Count a request of `key`. words: what a refusal says, with `%(seconds)s`.

    Raises:
        Refusal: there were too many.
    """
    if wait_s := seconds_to_wait(item, key):
        raise Refusal(429, "too_many", words % {"seconds": wait_s}, again_in_s=wait_s)


def problem_response(
    api: NinjaAPI, request: HttpRequest, status: int, problem: Problem, again_in_s: int | None = None
) -> HttpResponse:
    """A refusal as JSON."""
    response = api.create_response(request, problem.model_dump(), status=status)
    if again_in_s is not None:
        response["Retry-After"] = str(again_in_s)
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


def tell_refusals(api: NinjaAPI, *, document: str, no_token: Callable[[], str]) -> None:
    """Have an API tell all that it refuses as a `Problem`.

    document: the address of its OpenAPI file. no_token: what is said to a program without a token, in words.
    """

    def tell_refusal(request: HttpRequest, error: Any) -> HttpResponse:
        return problem_response(api, request, error.status, error.problem(), error.again_in_s)

    def without_token(request: HttpRequest, error: Any) -> HttpResponse:
        return problem_response(api, request, 401, Problem(detail=no_token(), code="token"))

    def unfit(request: HttpRequest, error: Any) -> HttpResponse:
        places = [
            Place(where=_where(problem["loc"])[:MOST_WORDS], what=problem["msg"][:MOST_WORDS])
            for problem in error.errors[:MOST_PROBLEMS]
        ]
        told = "; ".join(f"{place.where}: {place.what}" for place in places[:5])
        words = _("The request does not match %(document)s: %(problems)s")
        detail = words % {"document": document, "problems": told}
        return problem_response(api, request, 422, Problem(detail=detail, code="unfit", problems=places))

    def unreadable(request: HttpRequest, error: Any) -> HttpResponse:
        words = _("The body could not be read. Send one JSON object, in UTF-8.")
        places = [Place(where="body", what=words)]
        return problem_response(api, request, 422, Problem(detail=words, code="unfit", problems=places))

    def storage_fails(request: HttpRequest, error: Any) -> HttpResponse:
        problem = Problem(detail=storage_words(error), code="storage")
        return problem_response(api, request, 503, problem, RETRY_AFTER_S)

    api.add_exception_handler(Refusal, tell_refusal)
    api.add_exception_handler(AuthenticationError, without_token)
    api.add_exception_handler(ValidationError, unfit)
    api.add_exception_handler(HttpError, unreadable)
    for each in STORAGE_ERRORS:
        api.add_exception_handler(each, storage_fails)


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


def addresses_of(api: NinjaAPI) -> list[URLPattern]:
    """The addresses of an API, which asks for a token and for no session."""
    patterns = [each for each in api.urls[0] if isinstance(each, URLPattern) and each.name != "api-root"]
    for pattern in patterns:
        pattern.callback = login_not_required(_in_json(api, pattern.callback))
    return patterns


def _in_json(api: NinjaAPI, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view whose refusals of methods, of large bodies and of odd characters are told as all others."""

    @wraps(view)
    def answer(request: HttpRequest, *given: Any, **named: Any) -> HttpResponse:
        try:
            large = len(request.body) > MOST_BODY
        except RequestDataTooBig:
            large = True
        if large:
            words = _("The request is larger than %(most)s bytes. Send less.") % {"most": MOST_BODY}
            places = [Place(where="body", what=words)]
            problem = Problem(detail=words, code="too_large", problems=places)
            return problem_response(api, request, 413, problem)
        if where := _place_of_nul(request):
            words = _("Remove the character U+0000.")  # PostgreSQL has no such character
            problem = Problem(detail=words, code="unfit", problems=[Place(where=where, what=words)])
            return problem_response(api, request, 422, problem)
        response = view(request, *given, **named)
        if not isinstance(response, HttpResponseNotAllowed):
            return response
        words = _("%(method)s is not possible here. Use %(allowed)s.")
        details = {"method": request.method, "allowed": response["Allow"]}
        refusal = problem_response(api, request, 405, Problem(detail=words % details, code="method"))
        refusal["Allow"] = response["Allow"]
        return refusal

    return answer


def _place_of_nul(request: HttpRequest) -> str:
    """The parameter of an address that has U+0000, `path` for the address itself, "" for none."""
    if NUL in request.path:
        return "path"
    for name, values in request.GET.lists():
        if any(NUL in text for text in (name, *values)):
            return name.replace(NUL, "")[:60] or "query"
    return ""
