"""Templates whose text can always be sent."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
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
        text = super().render(context, request)
        try:
            text.encode()
        except UnicodeEncodeError:
            return SafeString(text.encode(errors="replace").decode())
        return text
