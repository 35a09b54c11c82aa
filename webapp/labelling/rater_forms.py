"""The form by which a model is asked about the pairs of a study."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import offered_endpoints
from webapp.judging.models import Rater


class CompareForm(forms.Form):
    """Which model, and how it is asked."""

    endpoint = forms.ModelChoiceField(
        ModelEndpoint.objects.none(), to_field_name="name", label=_("Model"), empty_label=_("choose a model")
    )
    method = forms.ChoiceField(
        choices=[
            (Rater.Kind.PAIRWISE, _("pair by pair: which of the two is better, asked in both orders")),
            (Rater.Kind.POINTWISE, _("plan by plan: 0 to 100 points for each plan alone")),
        ],
        label=_("Method"),
        help_text=_(
            "Two requests per pair. Where the two orders disagree, or both plans have the same "
            "points, the model says “neither”."
        ),
    )

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        field = self.fields["endpoint"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = offered_endpoints()
        self.has_models = offered_endpoints().exists()
