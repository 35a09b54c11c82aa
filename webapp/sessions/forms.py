"""Forms of sessions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from benchmark.suites import DEFAULT_SUITE, suite_named
from benchmark.suites.base import Option
from webapp.catalogue.models import Task
from webapp.catalogue.selectors import first_tasks, search, tasks
from webapp.endpoints.choice import (
    SeatPlayer,
    agents,
    check_model,
    chosen_seat,
    kind_choices,
    kind_words,
    needs_model,
    refuse_strangers,
    travellers,
)
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import offered_endpoints
from webapp.fields import NUL
from webapp.forms import ChoiceRefused, TextField
from webapp.optionfields import WithOptions
from webapp.pages import UserWords, pages_of
from webapp.prompts.fields import NAME as PROMPT_SET
from webapp.prompts.fields import PromptSetField
from webapp.sessions.sampling import WithSampling
from webapp.sessions.services import MAX_SEED, Setup
from webapp.sessions.studies import WithStudy
from webapp.sessions.worlds import WorldForm

if TYPE_CHECKING:
    from benchmark.core.participant import Kind

MAX_PACE_S = 60
SHOWN_TASKS = 20
"""Tasks of a search that are offered at once."""


def model_field(label: Any) -> forms.ModelChoiceField[ModelEndpoint]:
    """A choice among the models that are offered, by their names."""
    return forms.ModelChoiceField(
        offered_endpoints(),
        to_field_name="name",
        required=False,
        label=label,
        empty_label=_("choose a model"),
        error_messages={"invalid_choice": _("There is no such model, or it is retired; choose another.")},
    )


def pace_field() -> forms.FloatField:
    """How slowly a session goes, for those who watch it."""
    return forms.FloatField(
        required=False,
        min_value=0,
        max_value=MAX_PACE_S,
        label=_("Pace"),
        help_text=_("Seconds between visible events. Leave empty to go as fast as possible."),
    )


def seat_choices(suite: str) -> list[tuple[str, str]]:
    """Who can take a traveller's seat, in the words of `--seat`."""
    return kind_choices_with_models(travellers(suite))


def kind_choices_with_models(kinds: Mapping[str, Kind]) -> list[tuple[str, str]]:
    """These kinds, each that speaks through a model with every one that is offered."""
    models = list(offered_endpoints())
    return [
        choice
        for name, kind in kinds.items()
        for choice in (
            [(f"{name}:{model.name}", f"{name} · {model.name}") for model in models]
            if needs_model(kind)
            else [(name, kind_words(name))]
        )
    ]


def name_users(form: forms.Form, suite: str) -> None:
    """Label the choices `users` and `user_model` as the benchmark calls those who talk with the agent."""
    words = pages_of(suite).task.users
    form.fields["users"].label, form.fields["user_model"].label = str(words.all), str(words.model)


class ParticipantsForm(WithOptions, WithSampling, WithStudy, WorldForm):
    """Who plays: kinds of participants, the models that they need; by which options; and where (`WorldForm`).

    The study that people and programs belong to, where there are such (`WithStudy`).

    shared_users: the travellers whom all tasks have, each with a field of its own (`SEAT` and its name) that says who
    plays it in words such as `--seat` takes.
    """

    PLAYERS = (("agent", "agent_model", agents), ("users", "user_model", travellers))
    """A choice of kind, the choice of its model, and the kinds."""
    DECIDING: ClassVar[tuple[str, ...]] = ("agent", "users", "seats", "world", "mode")
    """The fields on which the look of others depends."""
    DEPENDENT: ClassVar[tuple[str, ...]] = (
        *("agent", "agent_model", "users", "user_model", "users_options", "each", "seats"),
        *("prompt_set", "sampling", "study", "options", "scoring", "world", "cache"),
    )
    """The parts of the form that are drawn anew when one of these changes."""
    SCORING = "scoring"
    """The part with the options of scoring, which is folded."""
    SAMPLING = "sampling"
    """The part that says how models are asked, which is folded; it has heads of its own."""
    SEPARATE_FIELDS: tuple[str, ...] = ("other_worlds",)
    """Fields that are drawn with others."""
    OPTIONS_AFTER: ClassVar[Mapping[str, bool]] = {"user_model": True}
    """The fields after which options are drawn: those of users over models, or the others."""

    agent = forms.ChoiceField(label=_("Agent"))
    agent_model = model_field(_("Agent's model"))
    users = forms.ChoiceField()
    user_model = model_field("")

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.has_models = offered_endpoints().exists()
        for kind, _model, kinds in self.PLAYERS:
            self.fields[kind].choices = kind_choices(kinds(self.suite))  # type: ignore[attr-defined]
        name_users(self, self.suite)
        self.fields["users"].required = self.has_users
        self.shared_users = self._shared_users()
        self._add_seats()
        self.fields[PROMPT_SET] = PromptSetField(self.suite)
        self.add_sampling({"agent": _("Agent"), "users": self.user_words.all})
        self.add_study()
        self.add_options(suite_named(self.suite).options)
        self.order_fields(self.field_order)

    @cached_property
    def suite(self) -> str:
        """The benchmark of the tasks."""
        return self.read_tasks[0].suite if self.read_tasks else DEFAULT_SUITE

    @property
    def has_users(self) -> bool:
        """Whether anybody of the benchmark can talk with the agent."""
        return bool(suite_named(self.suite).play.cast().users)

    def _shared_users(self) -> list[str]:
        tasks = [task.parsed_definition.users for task in self.read_tasks]
        return [name for name in tasks[0] if all(name in users for users in tasks)] if tasks else []

    def _add_seats(self) -> None:
        """A field for each traveller, and for each other one that was sent in, which `clean` refuses."""
        sent = [name.removeprefix(self.SEAT) for name in self.data if name.startswith(self.SEAT)]
        names = dict.fromkeys(self.shared_users + [name for name in sent if self.data[self.SEAT + name]])
        choices = [("", self.user_words.same), *seat_choices(self.suite)] if names else []
        for place, name in enumerate(names):
            self.fields[self.SEAT + name] = forms.CharField(
                required=False, label=name, widget=forms.Select({"id": f"id_seat_{place}"}, choices)
            )

    @property
    def user_words(self) -> UserWords:
        """What the benchmark calls those who talk with the agent."""
        return pages_of(self.suite).task.users

    def seats(self) -> list[forms.BoundField]:
        """The fields of the travellers."""
        return [field for field in self if field.name.startswith(self.SEAT)]

    def seats_changed(self) -> bool:
        """Whether the fields of the travellers have to be shown at once."""
        return any(field.errors or field.value() for field in self.seats())

    def parts(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """What everybody looks at, by name: a field, none while it is not needed, or several options."""
        hidden = {
            model for kind, model, kinds in self.PLAYERS if not self._shows(kind, model, kinds(self.suite))
        }
        hidden |= set() if self.has_users else {"users"}
        over_model = any(":" in str(field.value()) for field in self.seats())
        over_model |= "user_model" not in hidden
        hidden |= set() if self.shows_study() else {"study"}
        hidden |= set() if self._shows_prompt_sets() else {PROMPT_SET}
        sampled = {name for role in self.sampling_words for name in self.sampling_names(role)}
        apart = {*self.SEPARATE_FIELDS, *self.options, *sampled, *(field.name for field in self.seats())}
        for field in self.main_fields():
            if field.name not in apart:
                yield field.name, [] if field.name in hidden else [field]
            if field.name == PROMPT_SET:
                yield self.SAMPLING, [field for _words, own in self.sampling_parts() for field in own]
            if (of_users := self.OPTIONS_AFTER.get(field.name)) is not None:
                asked = over_model or not of_users
                fields = self.option_fields(of_users=of_users) if asked else []
                scoring = [field for field in fields if self.options[field.name] in self.scoring_options]
                yield "users_options" if of_users else "options", [f for f in fields if f not in scoring]
                if not of_users:
                    yield self.SCORING, scoring

    def _shows_prompt_sets(self) -> bool:
        field = self.fields[PROMPT_SET]
        assert isinstance(field, PromptSetField)
        return field.has_sets or bool(self[PROMPT_SET].value())

    def asks_model(self, role: str) -> bool:
        """Whether somebody of this role speaks through a model, as far as is chosen."""
        kinds = agents(self.suite) if role == "agent" else travellers(self.suite)
        others = role == "users" and any(":" in str(field.value()) for field in self.seats())
        return others or needs_model(kinds.get(str(self[role].value() or "")))

    @property
    def scoring_options(self) -> tuple[Option, ...]:
        """What figures alone depend on, which most leave as it is."""
        return suite_named(self.suite).scoring.options

    def scoring_changed(self) -> bool:
        """Whether the fields of scoring have to be shown at once."""
        names = [name for name, option in self.options.items() if option in self.scoring_options]
        return any(self[name].errors or self[name].value() != self[name].initial for name in names)

    def _shows(self, kind: str, model: str, kinds: Mapping[str, Kind]) -> bool:
        return bool(self[model].errors) or needs_model(kinds.get(str(self[kind].value() or "")))

    def clean(self) -> dict[str, Any]:
        """A model where the kind needs one, and none where it does not."""
        given = super().clean()
        for kind, model, kinds in self.PLAYERS:
            if kind in given and model not in self.errors:
                try:
                    check_model(given[kind], kinds(self.suite), given.get(model), model)
                except ChoiceRefused as refusal:
                    self.add_error(refusal.field, str(refusal))
        self.chosen_seats = dict(self._chosen_seats(given))
        return given

    def _chosen_seats(self, given: Mapping[str, Any]) -> Iterator[tuple[str, SeatPlayer]]:
        for name, words in list(given.items()):  # a refusal takes its name out
            seat = name.removeprefix(self.SEAT)
            if seat == name or not words:
                continue
            try:
                refuse_strangers([seat], self.shared_users)
                yield seat, chosen_seat(seat, words, self.suite)
            except ChoiceRefused as refusal:
                self.add_error(name, str(refusal))

    def common(self) -> dict[str, Any]:
        """What the setup of a session and of a run have in common."""
        names = ("agent", "agent_model", "users", "user_model", "seed")
        given = {name: self.cleaned_data[name] for name in names}
        chosen = {"options": self.chosen_options(), "seats": self.chosen_seats}
        chosen |= {"prompt_set": self.cleaned_data[PROMPT_SET], "sampling": self.chosen_sampling()}
        common = {**given, **chosen, "sandbox": self.sandbox()}
        return {**common, **self.waiting()}

    def refuse(self, refusal: ChoiceRefused) -> None:
        """Say what is wrong at the field to change; travellers whom some tasks lack have none of their own."""
        self.add_error(refusal.field if refusal.field in self.fields else None, str(refusal))


class SessionForm(ParticipantsForm):
    """A new session: task, world, participants, seed, options, pace, sandbox. find: a search among the tasks."""

    DECIDING = (*ParticipantsForm.DECIDING, "task")
    DEPENDENT = (*ParticipantsForm.DEPENDENT, "offers")
    SEPARATE_FIELDS = (*ParticipantsForm.SEPARATE_FIELDS, "find")

    field_order = (
        *("task", "world", "agent", "agent_model", "users", "user_model", PROMPT_SET),
        *("study", "seed", "pace", "mode", "cache"),
    )
    OPTIONS_AFTER: ClassVar[Mapping[str, bool]] = {"user_model": True, "seed": False}

    can_try = True
    """The one who starts it may take a seat at once."""
    find = TextField(required=False, max_length=200, strip=False, label=_("Search"))
    task = forms.ModelChoiceField(
        tasks(), to_field_name="task_id", label=_("Task"), error_messages={"required": _("Choose a task.")}
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        initial=0,
        label=_("Seed"),
        help_text=_("The same seed gives the same session if no model takes part."),
    )
    pace = pace_field()

    def asked_tasks(self) -> QuerySet[Task]:
        """The task that is chosen, as far as there is such."""
        return tasks().filter(task_id=str(self["task"].value() or "").replace(NUL, ""))

    @cached_property
    def chosen_task(self) -> Task | None:
        """The same, alone."""
        return self.asked_tasks().defer("definition").first()

    @cached_property
    def tasks_found(self) -> list[Task]:
        """The first tasks that the search finds, one more than are shown."""
        return first_tasks(search(str(self["find"].value() or "")), SHOWN_TASKS + 1)

    def offered_tasks(self) -> list[Task]:
        """The chosen task, then those that the search finds."""
        chosen = [self.chosen_task] if self.chosen_task else []
        return chosen + [task for task in self.tasks_found[:SHOWN_TASKS] if task != self.chosen_task]

    def has_more(self) -> bool:
        """Whether the search finds more than is shown."""
        return len(self.tasks_found) > SHOWN_TASKS

    def creation(self) -> dict[str, Any]:
        """The arguments of `create_session`."""
        given = self.cleaned_data
        setup = Setup(**self.common(), pace=given["pace"] or None)
        return {"task": given["task"], "world": given["world"], "setup": setup}
