"""Form fields that refuse what is too long instead of cutting it."""

from __future__ import annotations

from typing import Any

from django import forms


class _Whole(forms.CharField):
    """Without `maxlength` on the page: a browser would cut a pasted text there, and nobody would notice."""

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {name: value for name, value in super().widget_attrs(widget).items() if name != "maxlength"}


class TextField(_Whole):
    """One line of text."""


class NameField(_Whole, forms.SlugField):
    """Letters, digits, - and _."""
