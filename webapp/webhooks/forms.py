"""The form of a webhook."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from webapp.fields import NUL
from webapp.forms import TextField
from webapp.sessions.models import Run
from webapp.webhooks.models import LONGEST_URL


class WebhookForm(forms.Form):
    """Where it is, and what it is told of."""

    url = TextField(
        max_length=LONGEST_URL,
        label=_("Address"),
        help_text=_(
            "Caravan sends a signed POST there. It must be public, unless whoever runs Caravan allows it."
        ),
    )
    run = TextField(
        required=False,
        max_length=100,
        label=_("Run"),
        help_text=_("An id. Leave empty for all runs that you start."),
    )

    def clean_run(self) -> Run | None:
        """The run of this id."""
        given: Any = self.cleaned_data["run"].replace(NUL, "")
        if not given:
            return None
        run = Run.objects.filter(pk=given).first()
        if run is None:
            raise forms.ValidationError(_now("There is no run %(id)s.") % {"id": given[:60]})
        return run
