"""What the forms of all parts have in common."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.forms.utils import flatatt
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.functional import lazy
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.translation import gettext as _


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


MB = 1024 * 1024
LARGEST_UPLOAD = settings.DATA_UPLOAD_MAX_MEMORY_SIZE - 64 * 1024
"""Bytes of all files of a form together: a request has some more, and the server takes no larger one."""
UPLOAD_MB = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // MB


def upload_limit() -> str:
    """The limit of every upload, in words."""
    return _("At most %(most)s MB. Files compressed with gzip (.gz) are accepted.") % {"most": UPLOAD_MB}


def too_large() -> str:
    """What is said of files beyond that limit."""
    words = _(
        "The file has more than %(most)s MB, the most that can be uploaded. Compress it with "
        "gzip, split it, or import it at the command line."
    )
    return words % {"most": UPLOAD_MB}


class UploadField(forms.FileField):
    """A file that is sent in; the page names the limit, and says so before a larger one is sent."""

    def __init__(self, *, accept: str, help_text: Any = "", **options: Any) -> None:
        attrs = {"accept": accept, "data-most": LARGEST_UPLOAD, "data-refused": lazy(too_large, str)()}
        limit = lazy(upload_limit, str)()
        named = format_lazy("{} {}", help_text, limit) if help_text else limit
        super().__init__(help_text=named, widget=forms.ClearableFileInput(attrs=attrs), **options)

    def validate(self, value: Any) -> None:
        """Refuse what is beyond the limit."""
        super().validate(value)
        if value is not None and (getattr(value, "size", 0) or 0) > LARGEST_UPLOAD:
            raise forms.ValidationError(too_large())


class NameField(_Whole, forms.SlugField):
    """Letters, digits, - and _."""


class _Select(forms.Select):
    """Django's, drawn without three templates for each of its options, of which a page has many."""

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        shown = self.get_context(name, value, attrs)["widget"]
        groups = [
            (title, SafeString("\n".join(map(self._option, options))))
            for title, options, _number in shown["optgroups"]
        ]
        options = [
            format_html('<optgroup label="{}">{}</optgroup>', *group) if group[0] else group[1]
            for group in groups
        ]
        return format_html(
            '<select name="{}"{}>{}</select>',
            shown["name"],
            flatatt(shown["attrs"]),
            SafeString("\n".join(options)),
        )

    @staticmethod
    def _option(option: dict[str, Any]) -> str:
        attributes = flatatt(option["attrs"]) if option["attrs"] else ""
        value, label = conditional_escape(str(option["value"])), conditional_escape(option["label"])
        return f'<option value="{value}"{attributes}>{label}</option>'


class OneOf(forms.ChoiceField):
    """One of a list."""

    widget = _Select


def gone_to(request: HttpRequest, where: Any) -> HttpResponse:
    """On to a page; by the browser itself where the form was sent by htmx, so that going back finds the form."""
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": resolve_url(where)})
    return redirect(where)
