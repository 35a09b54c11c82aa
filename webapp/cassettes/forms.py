"""The form of a fork."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.cassettes.forking import Players
from webapp.endpoints.choice import agents, needs_model, travellers
from webapp.forms import ChoiceRefused
from webapp.sessions.forms import MAX_PACE_S, model_field
from webapp.sessions.models import Session
from webapp.sessions.services import MAX_SEED


class ForkForm(forms.Form):
    """From which event a session is continued, and by whom; what the session itself has is filled in."""

    at = forms.IntegerField(min_value=1, label=_("Event"), help_text=_("The last one that the fork keeps."))
    agent = forms.ChoiceField(label=_("Agent"))
    agent_model = model_field(_("Agent's model"))
    users = forms.ChoiceField(label=_("Travellers"))
    user_model = model_field(_("Their model"))
    seed = forms.IntegerField(min_value=0, max_value=MAX_SEED, label=_("Seed"))
    pace = forms.FloatField(
        required=False,
        min_value=0,
        max_value=MAX_PACE_S,
        label=_("Pace"),
        help_text=_("Seconds between visible events; empty for as fast as possible."),
    )

    def __init__(self, session: Session, data: Any = None, *, initial: dict[str, Any]) -> None:
        self.session = session
        models = {"agent_model": session.agent_model, "user_model": session.user_model}
        named = {name: model.name for name, model in models.items() if model}
        own = {"agent": session.agent, "users": session.users, "seed": session.seed, "pace": session.pace}
        super().__init__(data, initial={**own, **named, **initial})
        for name, kinds in (("agent", agents), ("users", travellers)):
            self.fields[name].choices = [(kind, kind) for kind in kinds(session.suite)]  # type: ignore[attr-defined]

    def choice(self) -> dict[str, Any]:
        """The arguments of `fork`, of a form that is valid. A kind that needs no model takes none along."""
        given = dict(self.cleaned_data)
        for kind, model, kinds in (("agent", "agent_model", agents), ("users", "user_model", travellers)):
            if not needs_model(kinds(self.session.suite).get(given[kind])):
                given[model] = None
        chosen, pace = given.pop("at"), given.pop("pace")
        return {"chosen": chosen, "pace": pace or None, "players": Players(**given)}

    def refuse(self, refusal: ChoiceRefused) -> None:
        """Say what is wrong at the field to change."""
        self.add_error(refusal.field if refusal.field in self.fields else None, str(refusal))
