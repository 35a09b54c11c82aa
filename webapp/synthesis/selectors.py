"""Reading sets of tasks."""

from __future__ import annotations

from benchmark.core.model_use import ModelUse
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import EndpointUse
from webapp.synthesis.models import TaskSynthesis


def used_models(endpoint: ModelEndpoint | None = None) -> dict[str, EndpointUse]:
    """How sets of tasks, and their previews, used every endpoint, or one, by its name."""
    wanted = TaskSynthesis.objects.exclude(endpoint=None).exclude(model_use=None).order_by()
    if endpoint is not None:
        wanted = wanted.filter(endpoint=endpoint)
    models: dict[str, EndpointUse] = {}
    for name, stored in wanted.values_list("endpoint__name", "model_use").iterator():
        models.setdefault(name, EndpointUse()).uses.append(ModelUse.of(stored))
    return models
