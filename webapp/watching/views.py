"""What monitors ask for: no person, so no page and no words to translate."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

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
