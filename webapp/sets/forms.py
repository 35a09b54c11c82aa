"""Forms of sets of sessions."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.forms import TextField
from webapp.sets.models import LONGEST_NAME


class NameForm(forms.Form):
    """What a set is called."""

    name = TextField(max_length=LONGEST_NAME, label=_("Name"))
