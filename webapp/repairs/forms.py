"""The form of a repair."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import offered_endpoints


class RepairForm(forms.Form):
    """Which model writes the replies again."""

    model = forms.ModelChoiceField(
        ModelEndpoint.objects.none(), to_field_name="name", label=_("Model"), empty_label=_("choose a model")
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["model"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = offered_endpoints()

    @property
    def has_models(self) -> bool:
        """Whether there is any to choose."""
        field = self.fields["model"]
        assert isinstance(field, forms.ModelChoiceField)
        return bool(field.queryset and field.queryset.exists())
