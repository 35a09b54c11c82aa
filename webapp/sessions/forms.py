"""Forms of sessions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.caches.forms import SandboxForm
from webapp.catalogue.fitting import fits
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import ModelRefused, agents, check_model, needs_model, travellers
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import offered
from webapp.fields import NUL
from webapp.sessions.models import Status
from webapp.sessions.services import Setup

if TYPE_CHECKING:
    from benchmark.participants.registry import Kind

MAX_PACE_S = 60
MAX_SEED = 2**31 - 1


def _model_field(label: Any) -> forms.ModelChoiceField[ModelEndpoint]:
    return forms.ModelChoiceField(
        ModelEndpoint.objects.none(),
        to_field_name="name",
        required=False,
        label=label,
        empty_label=_("choose a model"),
    )


def agent_choices() -> list[tuple[str, str]]:
    """The registered agents."""
    return [(name, name) for name in agents()]


def user_choices() -> list[tuple[str, str]]:
    """The registered travellers."""
    return [(name, name) for name in travellers()]


class ParticipantsForm(SandboxForm):
    """Who plays: kinds of participants, the models that they need, and the protocol."""

    PLAYERS = (("agent", "agent_model", agents), ("users", "user_model", travellers))
    """A choice of kind, the choice of its model, and the kinds."""

    agent = forms.ChoiceField(choices=agent_choices, label=_("Agent"))
    agent_model = _model_field(_("Agent's model"))
    users = forms.ChoiceField(choices=user_choices, label=_("Travellers"))
    user_model = _model_field(_("Their model"))
    protocol = forms.ChoiceField(
        choices=[("published", _("published")), ("paper", _("paper (stricter)"))],
        initial="published",
        label=_("Protocol"),
    )
    contract = forms.ChoiceField(
        required=False,
        choices=[
            ("", _("as the protocol has it")),
            ("markers", _("only compromise markers (published)")),
            ("strict", _("every reply that breaks a rule (strict)")),
        ],
        label=_("Travellers are asked again for"),
        help_text=_("The published runner asks again for compromise markers alone."),
    )

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.has_models = offered().exists()
        for _kind, model, _kinds in self.PLAYERS:
            field = self.fields[model]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = offered()
            field.error_messages["invalid_choice"] = _(
                "There is no such model, or it is retired; choose another."
            )

    def main_fields(self) -> list[forms.BoundField]:
        """Without the choice of a model, and of the travellers' contract, where none is needed."""
        hidden = {model for kind, model, kinds in self.PLAYERS if not self._shows(kind, model, kinds())}
        hidden |= {"contract"} if "user_model" in hidden else set()
        return [field for field in super().main_fields() if field.name not in hidden]

    def _shows(self, kind: str, model: str, kinds: Mapping[str, Kind]) -> bool:
        return bool(self[model].errors) or needs_model(kinds.get(str(self[kind].value() or "")))

    def clean(self) -> dict[str, Any]:
        """A model where the kind needs one, and none where it does not."""
        given = super().clean()
        for kind, model, kinds in self.PLAYERS:
            if kind in given and model not in self.errors:
                try:
                    check_model(given[kind], kinds(), given.get(model), model)
                except ModelRefused as refusal:
                    self.add_error(refusal.field, str(refusal))
        return given

    def common(self) -> dict[str, Any]:
        """What the setup of a session and of a run have in common."""
        names = ("agent", "agent_model", "users", "user_model", "seed", "protocol")
        given = {name: self.cleaned_data[name] for name in names}
        return {**given, "contract": self.cleaned_data["contract"] or None, "sandbox": self.sandbox()}


class SessionFilterForm(forms.Form):
    """What the list of sessions is narrowed to."""

    status = forms.ChoiceField(
        required=False, choices=[("", _("any status")), *Status.choices], label=_("Status")
    )
    task = forms.CharField(required=False, max_length=200, label=_("Task"))

    def wanted(self) -> dict[str, str]:
        """The filters that can be understood."""
        self.is_valid()
        return {
            "status": self.cleaned_data.get("status", ""),
            "task": self.cleaned_data.get("task", "").strip(),
        }

    def query(self) -> str:
        """The same filters as the end of an address."""
        return urlencode({key: value for key, value in self.cleaned_data.items() if value})


class SessionForm(ParticipantsForm):
    """A new session: task, world, participants, seed, protocol, pace, sandbox."""

    REDRAW = ("task", "mode", "agent", "users")
    """The fields on which the look of others depends."""

    field_order = (
        *("task", "world", "agent", "agent_model", "users", "user_model"),
        *("contract", "seed", "protocol", "pace", "mode", "cache"),
    )

    task = forms.ModelChoiceField(
        Task.objects.none(), to_field_name="task_id", label=_("Task"), empty_label=_("choose a task")
    )
    world = forms.ModelChoiceField(
        World.objects.none(), to_field_name="name", label=_("World"), empty_label=_("choose a world")
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        initial=0,
        label=_("Seed"),
        help_text=_("The same seed gives the same session, where no model speaks."),
    )
    pace = forms.FloatField(
        required=False,
        min_value=0,
        max_value=MAX_PACE_S,
        label=_("Pace"),
        help_text=_("Seconds between visible events; empty for as fast as possible."),
    )

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.has_worlds = World.objects.exists()
        self._field("task").queryset = Task.objects.select_related("collection").defer("definition")
        self._field("world").queryset = World.objects.defer("report")
        self._limit_worlds()

    def _field(self, name: str) -> forms.ModelChoiceField[Any]:
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)
        return field

    def chosen_task(self) -> Task | None:
        """The task that is asked for, whether or not the rest is right."""
        asked = str(self["task"].value() or "")
        return Task.objects.filter(task_id=asked).first() if asked and NUL not in asked else None

    def _limit_worlds(self) -> None:
        """Offer the worlds that hold every city of the task, and say what is wrong with the others."""
        task = self.chosen_task()
        known = fits([task.parsed]) if task is not None else []
        isolated = self["mode"].value() == "isolated"
        self.unfit = [fit for fit in known if fit.problem or (fit.missing and not isolated)]
        if task is None:
            return
        field = self._field("world")
        field.queryset = World.objects.exclude(pk__in=[fit.world.pk for fit in self.unfit]).defer("report")
        if len(known) - len(self.unfit) == 1:
            field.empty_label = None
        field.error_messages["invalid_choice"] = _("This world lacks cities of the task; choose another.")
        if known and len(known) == len(self.unfit):
            field.error_messages["required"] = _("No world holds every city of this task; import one.")

    def creation(self) -> dict[str, Any]:
        """The arguments of `create_session`."""
        given = self.cleaned_data
        setup = Setup(**self.common(), pace=given["pace"] or None)
        return {"task": given["task"], "world": given["world"], "setup": setup}
