"""Pages of model endpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from webapp.accounts.access import researcher_of, researchers_only
from webapp.endpoints import selectors, services
from webapp.endpoints.findings import Findings
from webapp.endpoints.forms import EndpointForm
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.wording import suggestion_words


@researchers_only
def endpoint_list(request: HttpRequest) -> HttpResponse:
    """All endpoints: what works, and what they were used for."""
    return render(request, "endpoints/list.html", {"rows": list(selectors.endpoint_rows())})


@researchers_only
def failing_models(request: HttpRequest) -> HttpResponse:
    """The part of the list that changes: models that do not answer."""
    return render(request, "endpoints/failing.html")


@researchers_only
def new_endpoint(request: HttpRequest) -> HttpResponse:
    """Add an endpoint."""
    form = EndpointForm(
        request.POST if request.method == "POST" else None, administrator=_administers(request)
    )
    if request.method == "POST" and form.is_valid():
        return redirect(services.create_endpoint(**form.cleaned_data))
    return render(request, "endpoints/edit.html", {"form": form})


@researchers_only
def edit_endpoint(request: HttpRequest, name: str) -> HttpResponse:
    """Change how an endpoint is called by later sessions."""
    endpoint = _endpoint(name)
    data = request.POST if request.method == "POST" else None
    form = EndpointForm(data, endpoint=endpoint, administrator=_administers(request))
    if request.method == "POST" and form.is_valid():
        services.change_endpoint(endpoint=endpoint, **form.cleaned_data)
        return redirect(endpoint)
    return render(request, "endpoints/edit.html", {"form": form, "endpoint": endpoint})


@researchers_only
def endpoint_page(request: HttpRequest, name: str) -> HttpResponse:
    """One endpoint: its settings, what its last test found, its use."""
    endpoint = _endpoint(name)
    used = selectors.use_by_endpoint(endpoint).get(endpoint.name, selectors.EndpointUse())
    context = {
        **_test_context(request, endpoint),
        "key_state": selectors.key_state(endpoint),
        "key_refusal": selectors.key_refusal(endpoint),
        "used": used,
        "known_endpoints": {endpoint.name},
        "example": _example(endpoint),
    }
    return render(request, "endpoints/endpoint.html", context)


def _administers(request: HttpRequest) -> bool:
    """Whether this is whoever runs Caravan on their own machine."""
    return researcher_of(request).is_superuser


def _endpoint(name: str) -> ModelEndpoint:
    return get_object_or_404(ModelEndpoint, name=name)


def _test_context(request: HttpRequest, endpoint: ModelEndpoint) -> dict[str, Any]:
    findings = Findings.of(endpoint)
    findings = findings if _administers(request) else findings.for_researchers
    suggested = suggestion_words(findings.suggested_settings(endpoint))
    return {
        "endpoint": endpoint,
        "findings": findings,
        "suggested": suggested,
        "warnings": findings.warnings(endpoint),
    }


def _example(endpoint: ModelEndpoint) -> str:
    try:
        return orjson.dumps(selectors.example(endpoint), option=orjson.OPT_INDENT_2).decode()
    except ValueError:
        return ""


@researchers_only
def findings(request: HttpRequest, name: str) -> HttpResponse:
    """What the last test found, or how far it is."""
    return render(request, "endpoints/findings.html", _test_context(request, _endpoint(name)))


def _asking(do: Callable[..., None]) -> Callable[..., HttpResponseBase]:
    """A view that does something with an endpoint, and shows its page."""

    @require_POST
    @researchers_only
    def view(request: HttpRequest, name: str) -> HttpResponse:
        endpoint = _endpoint(name)
        do(endpoint=endpoint)
        return redirect(endpoint)

    return view


test, apply = _asking(services.request_test), _asking(services.apply_suggestion)


@require_POST
@researchers_only
def retire(request: HttpRequest, name: str) -> HttpResponse:
    """Offer it no longer; with `back` in the data, again."""
    endpoint = _endpoint(name)
    services.retire(endpoint=endpoint, retired="back" not in request.POST)
    return redirect(endpoint)


@researchers_only
def delete(request: HttpRequest, name: str) -> HttpResponse:
    """Delete an endpoint that nothing has used, after a question."""
    endpoint = _endpoint(name)
    if request.method != "POST":
        return render(request, "endpoints/delete.html", {"endpoint": endpoint})
    if services.delete_endpoint(endpoint=endpoint):
        messages.success(request, _("The model “%(name)s” was deleted.") % {"name": name})
        return redirect("endpoints")
    messages.warning(
        request, _("Sessions or judges have used this model, so it can't be deleted. Retire it instead.")
    )
    return redirect(endpoint)
