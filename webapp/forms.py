"""What the forms of all parts have in common."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url


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


def gone_to(request: HttpRequest, where: Any) -> HttpResponse:
    """On to a page; by the browser itself where the form was sent by htmx, so that going back finds the form."""
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": resolve_url(where)})
    return redirect(where)
