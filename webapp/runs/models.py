"""Runs: many sessions of one configuration."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse

from webapp.fields import OrderedJSONField
from webapp.sessions.models import Mode

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_run_id() -> str:
    """Six characters that can be read aloud."""
    return "".join(secrets.choice(ALPHABET) for _ in range(6))


class Run(models.Model):
    """Tasks times trials, all played alike; in `isolated` its sessions share what was simulated.

    setup: what the sessions have in common: agent, users, protocol, contract, world, and as each of their logs has
    them the sandbox and the models (agent_model, user_model, simulator_model: None, or absent from older runs, where
    none is needed), and as seats the travellers that are something else than users, where there are any. seed:
    of the first trial of each task; the next trials count on. trials: sessions a task.
    """

    id = models.CharField(primary_key=True, max_length=12, default=new_run_id, editable=False)
    name = models.CharField(max_length=100)
    setup: models.Field[Any, Any] = OrderedJSONField(default=dict)
    seed = models.IntegerField(default=0)
    trials = models.PositiveSmallIntegerField(default=1)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.id} {self.name}"

    def get_absolute_url(self) -> str:
        return reverse("run", args=[self.id])

    @property
    def has_cache(self) -> bool:
        """Whether there is a cache that its tool calls can hit."""
        return bool(self.setup.get("sandbox", {}).get("mode") != Mode.WORLD)

    @property
    def contract(self) -> str:
        """What its travellers over models are held to, "" without any; older runs name none, and were strict."""
        apart = self.setup.get("seats", {}).values()
        over_models = self.setup.get("user_model") or any(seat["model"] for seat in apart)
        return str(self.setup.get("contract", "strict")) if over_models else ""

    @property
    def apart(self) -> list[dict[str, Any]]:
        """The travellers that are something else than the others: name, kind and model."""
        return [{"name": name, **seat} for name, seat in self.setup.get("seats", {}).items()]
