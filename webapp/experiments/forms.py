"""The form of an experiment, beside its messages: tools, parameters, whom to ask, how often."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from benchmark.models import ChatRequest, ModelSetup
from webapp.cassettes.forking import Players
from webapp.cassettes.forms import add_other_words
from webapp.endpoints.choice import agents, needs_model, travellers
from webapp.endpoints.models import Thinking
from webapp.endpoints.selectors import offered_endpoints
from webapp.experiments.requests import read_tools
from webapp.experiments.services import MOST_ANSWERS
from webapp.forms import ChoiceRefused
from webapp.pages import pages_of
from webapp.prompts.fields import NAME as OTHER_WORDS
from webapp.sessions.forms import model_field, pace_field
from webapp.sessions.models import Session
from webapp.sessions.services import MAX_SEED

USUAL_TIMES = 3
MOST_TOKENS = 1_000_000


class ExperimentForm(forms.Form):
    """Empty parameters are those of the model's settings; a temperature that is empty is the one of the role."""

    endpoint = forms.ModelChoiceField(
        offered_endpoints(),
        to_field_name="name",
        label=_("Model"),
        empty_label=_("choose a model"),
        error_messages={"invalid_choice": _("There is no such model, or it is retired; choose another.")},
    )
    times = forms.IntegerField(min_value=1, max_value=MOST_ANSWERS, label=_("Answers"))
    temperature = forms.FloatField(min_value=0, max_value=2, required=False, label=_("Temperature"))
    top_p = forms.FloatField(min_value=0, max_value=1, required=False, label="top_p")
    max_tokens = forms.IntegerField(
        min_value=1, max_value=MOST_TOKENS, required=False, label=_("Longest answer, tokens")
    )
    thinking = forms.ChoiceField(
        choices=[("", _("as the model's settings say")), *Thinking.choices],
        required=False,
        label=_("Thinking"),
    )
    json_object = forms.BooleanField(
        required=False,
        label=_("JSON object"),
        help_text=_("Asked for only where the model's settings say that it can write one."),
    )
    tools = forms.CharField(
        required=False,
        strip=False,
        label=_("Tools"),
        widget=forms.Textarea({"rows": 12, "spellcheck": "false"}),
        help_text=_("A list of function definitions as JSON; empty for no tools."),
    )

    PARAMETERS = ("temperature", "top_p", "max_tokens", "thinking", "json_object")

    def __init__(self, data: Any = None, *, initial: dict[str, Any]) -> None:
        super().__init__(data, initial=initial)
        self.fields["endpoint"].queryset = offered_endpoints()  # type: ignore[attr-defined]
        if not initial.get("tools"):
            self.fields["tools"].widget.attrs["rows"] = 3

    def parameters(self) -> list[forms.BoundField]:
        """The fields of what is sent beside messages and tools."""
        return [self[name] for name in self.PARAMETERS]

    @property
    def has_models(self) -> bool:
        """Whether there is any to choose."""
        return offered_endpoints().exists()

    def clean_top_p(self) -> float | None:
        """A share above 0."""
        top_p: float | None = self.cleaned_data["top_p"]
        if top_p == 0:
            raise forms.ValidationError(_("A share above 0 is needed, or nothing."))
        return top_p

    def clean_tools(self) -> tuple[dict[str, Any], ...]:
        """The definitions."""
        tools, faults = read_tools(self.cleaned_data["tools"].replace("\r\n", "\n"))
        if faults:
            raise forms.ValidationError([fault.words for fault in faults])
        return tools


def usual_temperature(request: ChatRequest, setup: ModelSetup | None) -> float:
    """What is sent where nobody says anything: the endpoint's own, else what the role asks for."""
    own = setup.temperature if setup is not None else None
    return request.temperature if own is None else own


class AnswerForkForm(forms.Form):
    """Who plays on after an answer: the same kinds of participants, over models of choice."""

    PLAYERS = (("agent", "agent_model", agents), ("users", "user_model", travellers))
    """A kind of `Players`, the choice of its model, and the kinds."""

    agent_model = model_field(_("Agent's model"))
    user_model = model_field("")
    seed = forms.IntegerField(
        min_value=0, max_value=MAX_SEED, label=_("Seed"), help_text=_("For what follows the answer.")
    )
    pace = pace_field()

    def __init__(self, session: Session, data: Any = None) -> None:
        self.own = Players.of(session)
        named = {"agent_model": self.own.agent_model, "user_model": self.own.user_model}
        initial = {name: model.name for name, model in named.items() if model}
        super().__init__(data, initial=initial | {"seed": self.own.seed, "pace": session.pace})
        self.has_models = offered_endpoints().exists()
        self.fields["user_model"].label = f"{pages_of(session.suite).task.users.all}: {_('Model')}"
        add_other_words(self, session)
        self.order_fields(("agent_model", "user_model", OTHER_WORDS))
        for kind, model, kinds in self.PLAYERS:
            if needs_model(kinds(session.suite).get(getattr(self.own, kind))):
                self.fields[model].required = True
            else:
                del self.fields[model]

    def players(self) -> Players:
        """Those that were chosen, of a form that is valid."""
        given = self.cleaned_data
        models = {name: given[name] for name in ("agent_model", "user_model") if name in given}
        return replace(self.own, seed=given["seed"], words=given.get(OTHER_WORDS), **models)

    def refuse(self, refusal: ChoiceRefused) -> None:
        """Say what is wrong at the field to change."""
        self.add_error(refusal.field if refusal.field in self.fields else None, str(refusal))
