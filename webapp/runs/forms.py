"""Forms of runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.db.models import Count, QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from webapp.catalogue.forms import collection_choices, difficulty_choices
from webapp.catalogue.models import Task
from webapp.endpoints.choice import first_agent, first_traveller, needs_model
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import offered_endpoints
from webapp.fields import NUL
from webapp.forms import TextField
from webapp.runs.budget import MOST, Budget
from webapp.runs.choosing import ChosenTasks, TaskChoice, choose_tasks, ids_in
from webapp.runs.estimation import Estimate, Players, estimate_run
from webapp.runs.services import MAX_AT_ONCE, refuse_size
from webapp.runs.wording import estimate_basis_words, estimate_words
from webapp.sessions.forms import ParticipantsForm, model_field
from webapp.sessions.models import BUDGET_ALARM, MOST_FAILED, PAUSE_AFTER, TOKENS
from webapp.sessions.services import MAX_SEED, Setup

MAX_TRIALS = 100
SHOWN_UNKNOWN = 10
SHOWN_LETTERS = 60
"""Of ids that name no task: so many of them, and of each so much."""


def unit_choices() -> list[tuple[str, Any]]:
    """Tokens, and the currencies in which models have prices."""
    currencies = offered_endpoints().order_by("currency").values_list("currency", flat=True).distinct()
    return [(TOKENS, _("tokens")), *((currency, currency) for currency in currencies)]


class LimitsForm(forms.Form):
    """How many sessions of a run go on at once, and what they may spend."""

    at_once = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_AT_ONCE,
        label=_("Sessions at once"),
        help_text=_("Over all workers. Leave empty for no limit. A paused session counts too."),
    )
    budget = forms.FloatField(
        required=False,
        min_value=0,
        max_value=MOST,
        label=_("Budget"),
        help_text=_(
            "For all models of its sessions, without judges. A run that has spent its budget pauses, "
            "and you can raise the budget. Requests that were already sent still cost."
        ),
    )
    budget_unit = forms.ChoiceField(
        required=False, choices=unit_choices, initial=TOKENS, label=_("Unit of the budget")
    )

    budget_alarm = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=100,
        initial=BUDGET_ALARM,
        label=_("Alarm at % of the budget"),
        help_text=_("The lists and the page of the run say so then. Leave empty for no alarm."),
    )
    pause_after = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_FAILED,
        initial=PAUSE_AFTER,
        label=_("Pause after failed requests"),
        help_text=_("The run pauses after this many failed requests to one model in a row. 0 for never."),
    )

    def limits(self) -> dict[str, Any]:
        """at_once, budget and pause_after, as services take them."""
        given = self.cleaned_data
        unit = given["budget_unit"] or TOKENS
        budget = None if given["budget"] is None else Budget(given["budget"], unit, given["budget_alarm"])
        after = PAUSE_AFTER if given["pause_after"] is None else given["pause_after"]
        return {"at_once": given["at_once"], "budget": budget, "pause_after": after}


def judge_field() -> forms.ModelChoiceField[ModelEndpoint]:
    """Who judges the sessions, or nobody."""
    field = model_field(_("Judge"))
    field.empty_label = _("none")
    field.help_text = _(
        "Judges each session when it ends, and is its own meta-judge. A run can also be judged later."
    )
    return field


class RunForm(LimitsForm, ParticipantsForm):
    """A new run: its name, its tasks, what its sessions have in common, and how often each task is played."""

    field_order = (
        "name",
        "collection",
        "difficulty",
        "tasks",
        "trials",
        "seed",
        "world",
        "agent",
        "agent_model",
        "users",
        "user_model",
        "prompt_set",
        "study",
        "mode",
        "cache",
        "judge",
        "at_once",
        "budget",
        "budget_unit",
        "budget_alarm",
        "pause_after",
    )
    OPTIONS_AFTER: ClassVar[Mapping[str, bool]] = {"user_model": True, "study": False}
    CHOOSING = ("collection", "difficulty", "tasks", "trials")
    """The fields that say which tasks, and how often each."""
    EXPECTED_BY = ("agent_model", "user_model", "at_once")
    """The fields on which nothing depends but what the run is expected to take."""
    DECIDING = (*ParticipantsForm.DECIDING, *CHOOSING, *EXPECTED_BY)
    DEPENDENT = (*ParticipantsForm.DEPENDENT, "size")

    name = TextField(max_length=100, label=_("Name"))
    collection = forms.ChoiceField(required=False, choices=collection_choices, label=_("Collection"))
    difficulty = forms.ChoiceField(required=False, choices=difficulty_choices, label=_("Difficulty"))
    tasks = TextField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        label=_("Or these tasks"),
        help_text=_(
            "Ids, one per line or separated by spaces or commas, instead of a collection and a difficulty."
        ),
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        initial=0,
        label=_("First seed"),
        help_text=_("The seed of each task's first trial; further trials count up from it."),
    )
    trials = forms.IntegerField(min_value=1, max_value=MAX_TRIALS, initial=1, label=_("Trials per task"))
    judge = judge_field()

    def asked_tasks(self) -> QuerySet[Task]:
        """The tasks that are chosen, as far as there are such."""
        return self.chosen_tasks.tasks

    def choice(self) -> TaskChoice:
        """The tasks that are asked for, whether or not the rest is right."""
        asked = {name: str(self[name].value() or "") for name in ("collection", "difficulty", "tasks")}
        return TaskChoice(ids_in(asked["tasks"]), asked["collection"], asked["difficulty"])

    @cached_property
    def chosen_tasks(self) -> ChosenTasks:
        """What that comes to."""
        return choose_tasks(self.choice())

    def size(self) -> str:
        """How many sessions the fields come to, "" while no task is chosen."""
        if not self.choice().made:
            return ""
        count, trials = self.chosen_tasks.count, str(self["trials"].value())
        tasks = ngettext("%(n)s task", "%(n)s tasks", count) % {"n": count}
        if not (trials.isascii() and trials.isdigit() and len(trials) < 4):
            return tasks
        sessions = count * int(trials)
        words = ngettext(
            "%(tasks)s × %(trials)s = %(n)s session", "%(tasks)s × %(trials)s = %(n)s sessions", sessions
        )
        return words % {"tasks": tasks, "trials": int(trials), "n": sessions}

    @cached_property
    def estimate(self) -> Estimate | None:
        """What the run is expected to take; None while that can't be told."""
        trials = str(self["trials"].value())
        if not (self.choice().made and trials.isascii() and trials.isdigit() and len(trials) < 4):
            return None
        tasks = self.chosen_tasks.tasks.order_by().values_list("difficulty")
        counts = {level: n * int(trials) for level, n in tasks.annotate(n=Count("pk")) if int(trials)}
        at_once = str(self["at_once"].value() or "")
        most = int(at_once) if at_once.isascii() and at_once.isdigit() and int(at_once) else None
        return estimate_run(self._players(), counts, most) if counts else None

    def expectations(self) -> list[str]:
        """The same in words, with where it comes from; none where it can't be told."""
        if self.estimate is None or not (words := estimate_words(self.estimate)):
            return []
        return [words, estimate_basis_words(self.estimate)]

    def _players(self) -> Players:
        """Those that are chosen so far."""
        fields = ("agent", "agent_model", "users", "user_model")
        chosen = {name: str(self[name].value() or "").replace(NUL, "") for name in fields}
        models = {
            model.name: model
            for model in offered_endpoints().filter(name__in=(chosen["agent_model"], chosen["user_model"]))
        }
        over_models = {
            kind: needs_model(kinds(self.suite).get(chosen[kind])) for kind, _, kinds in self.PLAYERS
        }
        return Players(
            self.suite,
            chosen["agent"] or first_agent(self.suite),
            chosen["users"] or first_traveller(self.suite),
            agent_model=models.get(chosen["agent_model"]) if over_models["agent"] else None,
            user_model=models.get(chosen["user_model"]) if over_models["users"] else None,
        )

    def clean(self) -> dict[str, Any]:
        """One way of choosing tasks, and tasks that there are."""
        given = super().clean()
        if not self.errors.keys() & set(self.CHOOSING):
            self._check_choice()
        return given

    def _check_choice(self) -> None:
        choice = self.choice()
        if choice.ids and (choice.collection or choice.difficulty):
            self.add_error("tasks", _("Choose by collection and difficulty, or paste ids; not both."))
        elif not choice.made:
            self.add_error("tasks", _("Choose a collection or a difficulty, or paste ids."))
        elif self.chosen_tasks.unknown_ids:
            self.add_error("tasks", self.unknown_ids())
        elif not self.chosen_tasks.count:
            self.add_error("difficulty", _("No task of this collection has this difficulty."))

    def creation(self) -> dict[str, Any]:
        """The arguments of `create_run`. Raises ChoiceRefused for too many sessions."""
        given = self.cleaned_data
        setup = Setup(**self.common())
        kept = {name: given[name] for name in ("name", "world", "trials", "judge")}
        refuse_size(self.chosen_tasks.count, given["trials"], setup.seed)  # before they are read
        return {**kept, **self.limits(), "tasks": self.chosen_tasks.in_order(), "setup": setup}

    def unknown_ids(self) -> str:
        """The pasted ids that name no task, in words; "" when all do."""
        ids = list(self.chosen_tasks.unknown_ids)
        if not ids:
            return ""
        cut = [
            task_id if len(task_id) <= SHOWN_LETTERS else f"{task_id[:SHOWN_LETTERS]}…"
            for task_id in ids[:SHOWN_UNKNOWN]
        ]
        shown = ", ".join(cut) + (" …" if len(ids) > SHOWN_UNKNOWN else "")
        words = ngettext(
            "%(n)s id belongs to no task here: %(ids)s", "%(n)s ids belong to no task here: %(ids)s", len(ids)
        )
        return words % {"n": len(ids), "ids": shown}


class NameForm(forms.Form):
    """What a run is called."""

    name = TextField(max_length=100, label=_("Name"))


class TrialsForm(forms.Form):
    """How many trials of each task a run shall have."""

    trials = forms.IntegerField(
        min_value=1,
        max_value=MAX_TRIALS,
        label=_("Trials per task"),
        help_text=_(
            "A larger number than now. The new trials have the settings of the others and the seeds "
            "that follow."
        ),
    )
