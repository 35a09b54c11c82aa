"""Forms of sessions."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.caches.forms import SandboxForm
from webapp.catalogue.models import Task, World
from webapp.catalogue.selectors import fits
from webapp.fields import NUL
from webapp.sessions.models import Status
from webapp.sessions.services import Setup

MAX_PACE_S = 60
MAX_SEED = 2**31 - 1


def agent_choices() -> list[tuple[str, str]]:
    """The registered agents; imported late, since they bring solvers along."""
    from benchmark.participants.registry import AGENTS

    return [(name, name) for name in AGENTS]


def user_choices() -> list[tuple[str, str]]:
    """The registered travellers."""
    from benchmark.participants.registry import USERS

    return [(name, name) for name in USERS]


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


class SessionForm(SandboxForm):
    """A new session: task, world, participants, seed, protocol, pace, sandbox."""

    field_order = ("task", "world", "agent", "users", "seed", "protocol", "pace", "mode", "cache")

    task = forms.ModelChoiceField(
        Task.objects.none(), to_field_name="task_id", label=_("Task"), empty_label=_("choose a task")
    )
    world = forms.ModelChoiceField(
        World.objects.none(), to_field_name="name", label=_("World"), empty_label=_("choose a world")
    )
    agent = forms.ChoiceField(choices=agent_choices, label=_("Agent"))
    users = forms.ChoiceField(choices=user_choices, label=_("Travellers"))
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        initial=0,
        label=_("Seed"),
        help_text=_("The same seed gives the same session."),
    )
    protocol = forms.ChoiceField(
        choices=[("published", _("published")), ("paper", _("paper (stricter)"))],
        initial="published",
        label=_("Protocol"),
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
        known = fits(task) if task is not None else []
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
        names = ("agent", "users", "seed", "protocol")
        chosen = {name: given[name] for name in names}
        setup = Setup(**chosen, pace=given["pace"] or None, sandbox=self.sandbox())
        return {"task": given["task"], "world": given["world"], "setup": setup}
