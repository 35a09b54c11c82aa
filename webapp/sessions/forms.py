"""Forms of sessions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from benchmark.metrics import of_rules
from benchmark.suites.metrics import metrics_of
from webapp.caches.forms import SandboxForm
from webapp.catalogue.models import Task
from webapp.catalogue.selectors import listed, search, tasks
from webapp.endpoints.choice import ModelRefused, agents, check_model, needs_model, travellers
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import offered
from webapp.fields import NUL
from webapp.form_fields import TextField
from webapp.sessions.models import Status
from webapp.sessions.services import Setup
from webapp.sessions.worlds import WorldForm
from webapp.wording.metrics import session_head

if TYPE_CHECKING:
    from benchmark.core.participant import Kind

MAX_PACE_S = 60
MAX_SEED = 2**31 - 1
SHOWN_TASKS = 20
"""Tasks of a search that are offered at once."""


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


@dataclass(frozen=True, slots=True)
class Part:
    """One field of a form. field: None while it is not needed."""

    name: str
    field: forms.BoundField | None


class ParticipantsForm(SandboxForm):
    """Who plays: kinds of participants, the models that they need, and the protocol."""

    PLAYERS = (("agent", "agent_model", agents), ("users", "user_model", travellers))
    """A choice of kind, the choice of its model, and the kinds."""
    DECIDING: ClassVar[tuple[str, ...]] = ("agent", "users")
    """The fields on which the look of others depends."""
    DEPENDENT: ClassVar[tuple[str, ...]] = ("agent_model", "user_model", "contract")
    """The parts of the form that are drawn anew when one of these changes."""
    APART: tuple[str, ...] = ()
    """Fields that are drawn with others."""

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

    def parts(self) -> list[Part]:
        """The fields that everybody looks at, one by one."""
        hidden = {model for kind, model, kinds in self.PLAYERS if not self._shows(kind, model, kinds())}
        hidden |= {"contract"} if "user_model" in hidden else set()
        shown = [field for field in self.main_fields() if field.name not in self.APART]
        return [Part(field.name, None if field.name in hidden else field) for field in shown]

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


def order_choices() -> list[tuple[str, str]]:
    """Newest first, or by any metric of the rules."""
    chosen = [("", gettext("newest first"))]
    for metric in of_rules(metrics_of()):
        label = session_head(metric).label
        chosen += [
            (metric.key, gettext("%(metric)s, best first") % {"metric": label}),
            (f"-{metric.key}", gettext("%(metric)s, worst first") % {"metric": label}),
        ]
    return chosen


class SessionFilterForm(forms.Form):
    """What the list of sessions is narrowed to, and in which order it stands."""

    status = forms.ChoiceField(
        required=False, choices=[("", _("any status")), *Status.choices], label=_("Status")
    )
    task = TextField(required=False, max_length=200, label=_("Task"))
    order = forms.ChoiceField(required=False, choices=order_choices, label=_("Order"))

    def wanted(self) -> dict[str, str]:
        """The filters that can be understood."""
        self.is_valid()
        return {
            "status": self.cleaned_data.get("status", ""),
            "task": self.cleaned_data.get("task", "").strip(),
            "order": self.cleaned_data.get("order", ""),
        }

    def query(self) -> str:
        """The same filters as the end of an address."""
        return urlencode({key: value for key, value in self.cleaned_data.items() if value})


class SessionForm(WorldForm, ParticipantsForm):
    """A new session: task, world, participants, seed, protocol, pace, sandbox. find: a search among the tasks."""

    DECIDING = (*ParticipantsForm.DECIDING, "task", "world", "mode")
    DEPENDENT = (*ParticipantsForm.DEPENDENT, "world", "cache", "offers")
    APART = ("find", "other_worlds")

    field_order = (
        *("task", "world", "agent", "agent_model", "users", "user_model", "contract"),
        *("seed", "protocol", "pace", "mode", "cache"),
    )

    find = TextField(required=False, max_length=200, strip=False, label=_("Search"))
    task = forms.ModelChoiceField(Task.objects.none(), to_field_name="task_id", label=_("Task"))
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
        field = self.fields["task"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = tasks()
        field.error_messages["required"] = _("Choose a task.")

    def asked_tasks(self) -> QuerySet[Task]:
        """The task that is chosen, as far as there is such."""
        return tasks().filter(task_id=str(self["task"].value() or "").replace(NUL, ""))

    @cached_property
    def chosen_task(self) -> Task | None:
        """The same, alone."""
        return self.asked_tasks().defer("definition").first()

    @cached_property
    def found(self) -> list[Task]:
        """The first tasks that the search finds, one more than are shown."""
        return listed(search(str(self["find"].value() or "")), SHOWN_TASKS + 1)

    def offered_tasks(self) -> list[Task]:
        """The chosen task, then those that the search finds."""
        chosen = [self.chosen_task] if self.chosen_task else []
        return chosen + [task for task in self.found[:SHOWN_TASKS] if task != self.chosen_task]

    def has_more(self) -> bool:
        """Whether the search finds more than is shown."""
        return len(self.found) > SHOWN_TASKS

    def creation(self) -> dict[str, Any]:
        """The arguments of `create_session`."""
        given = self.cleaned_data
        setup = Setup(**self.common(), pace=given["pace"] or None)
        return {"task": given["task"], "world": given["world"], "setup": setup}
