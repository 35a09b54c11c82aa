"""What monitors ask for: no person, so no page and no words to translate."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from webapp.accounts.addresses import from_loopback
from webapp.watching.metrics import exposition
from webapp.watching.readiness import readiness


@require_safe
@login_not_required
def health(_request: HttpRequest) -> JsonResponse:
    """Says that this process answers; touches nothing else."""
    return JsonResponse({"alive": True})


@require_safe
@login_not_required
def ready(_request: HttpRequest) -> JsonResponse:
    """Says whether database and broker are there, and how it stands with workers and jobs; 503 if one is away."""
    told = readiness()
    return JsonResponse(told.as_json(), status=200 if told.ready else 503)


@require_safe
@login_not_required
def metrics(request: HttpRequest) -> HttpResponse:
    """All metrics as Prometheus reads them; for whoever may not, there is no such page."""
    if not _may_read_metrics(request):
        raise Http404
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST)


def _may_read_metrics(request: HttpRequest) -> bool:
    token = settings.CARAVAN_METRICS_TOKEN
    if not token:
        return from_loopback(request)
    return constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}")
