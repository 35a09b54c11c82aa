"""What the forms of all parts have in common."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString


class ChoiceRefused(ValueError):
    """A choice that can't be taken; the message says why and what helps. field: the choice to change, or ""."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class _Whole(forms.CharField):
    """Without `maxlength` on the page: a browser would cut a pasted text there, and nobody would notice."""

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {name: value for name, value in super().widget_attrs(widget).items() if name != "maxlength"}


class TextField(_Whole):
    """One line of text, refused where it is too long."""


class NameField(_Whole, forms.SlugField):
    """Letters, digits, - and _."""


class _Select(forms.Select):
    """Django's, drawn without three templates for each of its options, of which a page has many."""

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        shown = self.get_context(name, value, attrs)["widget"]
        groups = [
            (title, format_html_join("\n", '<option value="{}"{}>{}</option>', map(self._option, options)))
            for title, options, _number in shown["optgroups"]
        ]
        options = [
            format_html('<optgroup label="{}">{}</optgroup>', *one) if one[0] else one[1] for one in groups
        ]
        return format_html(
            '<select name="{}"{}>{}</select>',
            shown["name"],
            flatatt(shown["attrs"]),
            SafeString("\n".join(options)),
        )

    @staticmethod
    def _option(option: dict[str, Any]) -> tuple[str, SafeString, Any]:
        return str(option["value"]), flatatt(option["attrs"]), option["label"]


class OneOf(forms.ChoiceField):
    """One of a list."""

    widget = _Select


def gone_to(request: HttpRequest, where: Any) -> HttpResponse:
    """On to a page; by the browser itself where the form was sent by htmx, so that going back finds the form."""
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": resolve_url(where)})
    return redirect(where)
