"""Forms of accounts."""

from __future__ import annotations

from django.contrib.auth.forms import AuthenticationForm
from django.utils.translation import gettext_lazy as _


class SigninForm(AuthenticationForm):
    """Name and password."""

    error_messages = {
        "invalid_login": _("No account has this name and password. Both are case-sensitive."),
        "inactive": _("This account is closed."),
    }
