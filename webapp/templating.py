"""Templates whose text can always be sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.template.backends.django import DjangoTemplates, Template
from django.utils.safestring import SafeString

from webapp.pages import tag_libraries


class Templates(DjangoTemplates):
    """Django's templates. What no encoding has, half of a surrogate pair that a model's JSON gave, shows as "?"."""

    def get_templatetag_libraries(self, custom_libraries: dict[str, str]) -> dict[str, str]:
        return super().get_templatetag_libraries(tag_libraries() | custom_libraries)

    def get_template(self, template_name: str) -> _Template:
        return _Template(self.engine.get_template(template_name), self)


class _Template(Template):
    def render(self, context: dict[str, Any] | None = None, request: HttpRequest | None = None) -> str:
        return SafeString(_sendable(super().render(context, request)))


def stream_page(page: HttpResponse, place: str, filling: Callable[[], str]) -> StreamingHttpResponse:
    """The page from its top, which is sent before `filling` is called for what stands at `place`."""
    before, _, after = page.content.partition(place.encode())

    async def parts() -> AsyncIterator[bytes]:
        yield before
        yield _sendable(await sync_to_async(filling)()).encode()
        yield after

    return StreamingHttpResponse(parts(), headers=page.headers)


def _sendable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text
