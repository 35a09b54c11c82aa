"""Forms of accounts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from webapp.accounts.throttle import TooManyTries, count_try, forget_tries
from webapp.accounts.tokens import LONGEST_NAME, MOST_DAYS, READ_RUNS, SCOPES, USUAL_DAYS
from webapp.forms import TextField


class SigninForm(AuthenticationForm):
    """Name and password. wait_s: seconds until the next try is looked at, 0 where this one was."""

    wait_s = 0
    error_messages = {
        "invalid_login": _("No account has this name and password. Both are case-sensitive."),
        "inactive": _("This account is closed."),
    }

    def clean(self) -> dict[str, Any]:
        """Look at the password, unless it was tried too often."""
        username = self.cleaned_data.get("username")
        if self.request is None or not username or not self.cleaned_data.get("password"):
            return super().clean()
        try:
            count_try(request=self.request, username=username)
        except TooManyTries as refused:
            self.wait_s = refused.wait_s
            raise ValidationError(_wait_words(refused.wait_s), code="throttled") from refused
        given = super().clean()
        forget_tries(request=self.request, username=username)
        return given


def _wait_words(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return ngettext(
        "Signing in was tried too often. Try again in %(minutes)d minute.",
        "Signing in was tried too often. Try again in %(minutes)d minutes.",
        minutes,
    ) % {"minutes": minutes}


class TokenForm(forms.Form):
    """A new token of the API."""

    name = TextField(
        max_length=LONGEST_NAME,
        label=_("Name"),
        help_text=_(
            "Of the program or the machine that uses it, so that you know later which one to revoke."
        ),
    )
    scopes = forms.MultipleChoiceField(
        choices=list(SCOPES.items()),
        initial=[READ_RUNS],
        widget=forms.CheckboxSelectMultiple,
        label=_("It may"),
        error_messages={"required": _("Choose at least one thing that the token may do.")},
    )
    days = forms.IntegerField(
        min_value=1,
        max_value=MOST_DAYS,
        initial=USUAL_DAYS,
        label=_("Valid for (days)"),
    )
