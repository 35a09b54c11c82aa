"""How lists are answered: page by page, or whole as lines of JSON that are sent as they are read."""

from __future__ import annotations

import logging
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext as _
from pydantic import BaseModel

from benchmark.jsonlines import json_line
from webapp.apis import Problem, Refusal
from webapp.storage import STORAGE_ERRORS
from webapp.storage import words as storage_words

MOST = 1000
"""Items of a page."""
USUAL = 100
AT_ONCE = 200
"""Rows that are read, and lines that are sent, together."""
LINES = "application/x-ndjson"
log = logging.getLogger(__name__)
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Slice(Generic[Row]):
    """A page of rows. next: where the following one begins, "" on the last. total: None where nobody counts."""

    rows: Sequence[Row]
    next: str
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Source(Generic[Row]):
    """What a list is made of. page: the rows after a cursor, at most so many; every: all of them, some at a time;
    items: what is told of rows, of which some may be told nothing.
    """

    page: Callable[[str, int], Slice[Row]]
    every: Callable[[], Iterable[Row]]
    items: Callable[[Sequence[Row]], Iterable[BaseModel]]


def answer(request: HttpRequest, source: Source[Any], cursor: str, limit: int) -> HttpResponseBase:
    """A list as it was asked for."""
    if wants_lines(request):
        return lines(item for some in _batches(source.every()) for item in source.items(some))
    page = source.page(cursor, limit)
    items = [item.model_dump(mode="json") for item in source.items(page.rows)]
    return json_response({"items": items, "next": page.next or None, "total": page.total})


def _batches(rows: Iterable[Row]) -> Iterator[Sequence[Row]]:
    some: list[Row] = []
    for row in rows:
        some.append(row)
        if len(some) == AT_ONCE:
            yield some
            some = []
    if some:
        yield some


def wants_lines(request: HttpRequest) -> bool:
    """Whether the list is to come whole."""
    return LINES in request.headers.get("Accept", "")


def json_response(value: Any, status: int = 200) -> HttpResponse:
    """A value, with null for what is no number in JSON."""
    return HttpResponse(json_line(value), content_type="application/json", status=status)


def lines(items: Iterator[BaseModel]) -> StreamingHttpResponse:
    """A line of JSON each, of which only some are held at a time.

    Where the database goes away meanwhile, the last line is an object with a `problem` alone: a client could not tell
    a list that ends early from a whole one.
    """
    return StreamingHttpResponse(_texts(items), content_type=f"{LINES}; charset=utf-8")


def _texts(items: Iterator[BaseModel]) -> Iterator[bytes]:
    try:
        some: list[bytes] = []
        for item in items:
            some.append(json_line(item.model_dump(mode="json")))
            if len(some) == AT_ONCE:
                yield b"".join(some)
                some = []
        if some:
            yield b"".join(some)
    except STORAGE_ERRORS as error:
        problem = Problem(detail=storage_words(error), code="storage")
        yield json_line({"problem": problem.model_dump()})
    except Exception:
        log.exception("a list could not be read to its end")
        words = _("The list could not be read to its end. The log of the server says why.")
        yield json_line({"problem": Problem(detail=words, code="broken").model_dump()})


def by_number(
    rows: QuerySet[Any], *, key: str = "pk"
) -> tuple[Callable[..., Slice[Any]], Callable[..., Any]]:
    """The `page` and `every` of rows in the order of a number, which cursors name."""

    def page(cursor: str, limit: int) -> Slice[Any]:
        some = list(rows.filter(**{f"{key}__gt": number_in(cursor)}).order_by(key)[: limit + 1])
        more = len(some) > limit
        last = getattr(some[limit - 1], key) if more else 0
        return Slice(some[:limit], write_cursor(last) if more else "")

    def every() -> Any:
        return rows.order_by(key).iterator(chunk_size=AT_ONCE)

    return page, every


def write_cursor(number: int) -> str:
    """The cursor after this number."""
    return urlsafe_b64encode(str(number).encode()).decode()


def number_in(cursor: str) -> int:
    """The number that a cursor names, 0 for none. Raises Refusal."""
    if not cursor:
        return 0
    try:
        return int(urlsafe_b64decode(cursor.encode()).decode("ascii")[:18])
    except ValueError:
        raise bad_cursor() from None


def bad_cursor() -> Refusal:
    """What is said to a cursor that is none."""
    words = _("This is no cursor. Send the “next” of the page before, with the same filters and order.")
    return Refusal(422, "unfit", words, where="cursor")


def answer_with_tag(request: HttpRequest, tag: str, make: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """An answer that does not change any more, with the ETag by which a client asks whether it has it.

    tag: what the answer depends on; `make` is called only where the client has another one.
    """
    etag = f'"{sha256(tag.encode()).hexdigest()[:32]}"'
    known = get_conditional_response(request, etag=etag)
    response = known if known is not None and known.status_code == 304 else make()
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Accept", "Authorization"])
    return response


def answer_with_digest(request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
    """The same of an answer that is there: its content tells whether it is another one."""
    content = response.content
    return answer_with_tag(request, content.decode("utf-8", "replace"), lambda: response)
