"""The page of a researcher's tokens for the API."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from webapp.accounts.access import researcher_of, researchers_only
from webapp.accounts.forms import TokenForm
from webapp.accounts.tokens import SCOPES, issue_token, revoke_token, tokens_of


@researchers_only
def tokens(request: HttpRequest) -> HttpResponse:
    """A person's tokens, and a form for a new one, whose text is shown in the answer to that form alone."""
    form, new, text = TokenForm(request.POST or None), None, ""
    if request.method == "POST" and form.is_valid():
        new, text = issue_token(user=researcher_of(request), **form.cleaned_data)
        form = TokenForm()
    now = timezone.now()
    context = {
        "form": form,
        "new": new,
        "text": text,
        "rows": [(token, token.is_usable(now)) for token in tokens_of(researcher_of(request))],
        "scopes": SCOPES,
    }
    return render(request, "accounts/tokens.html", context)


@require_POST
@researchers_only
def revoke(request: HttpRequest, pk: int) -> HttpResponseBase:
    """End one of a person's own tokens."""
    if not revoke_token(user=researcher_of(request), pk=pk):
        raise Http404
    messages.success(request, _("The token was revoked. Programs that use it are refused from now on."))
    return redirect("api_tokens")
