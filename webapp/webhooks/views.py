"""Pages of webhooks: a researcher sees their own."""

from __future__ import annotations

from collections.abc import Callable

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from webapp.accounts.access import researcher_of, researchers_only
from webapp.forms import ChoiceRefused
from webapp.webhooks import services
from webapp.webhooks.forms import WebhookForm
from webapp.webhooks.models import Delivery, Webhook

PAGE = 50


@researchers_only
def webhooks(request: HttpRequest) -> HttpResponse:
    """A person's webhooks, and a form for a new one; `?run=` names its run."""
    form = WebhookForm(request.POST or None, initial={"run": request.GET.get("run", "")})
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(services.create_webhook(user=researcher_of(request), **form.cleaned_data))
        except ChoiceRefused as refusal:
            form.add_error(refusal.field or None, str(refusal))
    rows = Webhook.objects.filter(user=researcher_of(request)).select_related("run")
    return render(request, "webhooks/list.html", {"form": form, "webhooks": rows})


@researchers_only
def webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """One of them: its secret, and what it was told."""
    found = _own(request, pk)
    page = Paginator(found.deliveries.select_related("run"), PAGE).get_page(request.GET.get("page"))
    return render(request, "webhooks/webhook.html", {"webhook": found, "page": page})


def _own(request: HttpRequest, pk: int) -> Webhook:
    return get_object_or_404(Webhook.objects.select_related("run"), pk=pk, user=researcher_of(request))


def _acting(
    act: Callable[[Webhook], object], *, leads_to_list: bool = False
) -> Callable[..., HttpResponseBase]:
    """A view that does something with one's own webhook."""

    @require_POST
    @researchers_only
    def view(request: HttpRequest, pk: int) -> HttpResponseBase:
        found = _own(request, pk)
        act(found)
        return redirect("webhooks") if leads_to_list else redirect(found)

    return view


send_test = _acting(services.send_test)
delete = _acting(lambda found: found.delete(), leads_to_list=True)


@require_POST
@researchers_only
def redeliver(request: HttpRequest, pk: int, delivery: int) -> HttpResponseBase:
    """Send something again."""
    found = _own(request, pk)
    services.redeliver(get_object_or_404(Delivery, pk=delivery, webhook=found))
    return redirect(found)
