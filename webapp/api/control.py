"""Starting and controlling runs: what the form that starts one and the page of a run do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from webapp.accounts.models import User
from webapp.api import schemas
from webapp.apis import Place, Refusal
from webapp.endpoints.choice import first_agent, first_traveller
from webapp.forms import ChoiceRefused
from webapp.runs import control
from webapp.runs.forms import RunForm
from webapp.runs.services import create_run
from webapp.sessions.models import Run

_PLAIN = (
    *(
        "name",
        "collection",
        "difficulty",
        "world",
        "agent",
        "agent_model",
        "users",
        "user_model",
        "mode",
        "cache",
    ),
    *("normalisation", "simulator_model", "judge", "budget_unit"),
)
_NUMBERS = ("trials", "seed", "at_once", "budget", "pause_after")
ACTS = {"pause": control.pause, "resume": control.resume, "cancel": control.cancel}


def start_run(asked: schemas.NewRun, user: User, also: Callable[[Run], object]) -> Run:
    """A run that has begun. also: what is stored with it or not at all.

    Raises:
        Refusal: the form would not take it; each field that is to be changed is named.
    """
    form = _form(asked)
    if form.is_valid():
        try:
            return create_run(**form.creation(), created_by=user, also=also)
        except ChoiceRefused as refusal:
            form.refuse(refusal)
    places = [
        Place(where=_name(form, field), what=" ".join(map(str, errors)))
        for field, errors in form.errors.items()
        # without tasks there is no world that they were made for
        if field != "world" or asked.world or not form.errors.keys() & set(RunForm.CHOOSING)
    ]
    told = " ".join(f"{place.where}: {place.what}" for place in places[:5])
    raise Refusal(422, "refused", told, places=places)


def _form(asked: schemas.NewRun) -> RunForm:
    """The form as a browser would send it: what is left out has the values that it suggests."""
    given: dict[str, Any] = {name: getattr(asked, name) for name in _PLAIN}
    given |= {name: value for name in _NUMBERS if (value := getattr(asked, name)) is not None}
    given["tasks"] = "\n".join(asked.tasks)
    given |= {RunForm.SEAT + name: words for name, words in asked.seats.items()}
    if asked.world:
        given["other_worlds"] = "on"
    first = RunForm({name: value for name, value in given.items() if value != ""})
    own = {option.key: name for name, option in first.options.items()}
    if unknown := [key for key in asked.options if key not in own]:
        words = _("There is no option “%(name)s”; this benchmark has: %(known)s.")
        places = [
            Place(where=f"options.{key}", what=words % {"name": key[:60], "known": ", ".join(own)})
            for key in unknown
        ]
        raise Refusal(422, "refused", " ".join(place.what for place in places), places=places)
    for key, value in asked.options.items():
        given[own[key]] = str(value).lower() if isinstance(value, bool) else str(value)
    suggested = {
        name: first.get_initial_for_field(field, name)
        for name, field in first.fields.items()
        if name not in first.options
    }
    suggested |= {"agent": first_agent(first.suite), "users": first_traveller(first.suite)}
    filled = {name: value for name, value in suggested.items() if value not in (None, "", False)}
    return RunForm(filled | {name: value for name, value in given.items() if value != ""})


def _name(form: RunForm, field: str) -> str:
    """A field of the form as a request names it."""
    if field in form.options:
        return f"options.{form.options[field].key}"
    if field.startswith(RunForm.SEAT):
        return f"seats.{field.removeprefix(RunForm.SEAT)}"
    return "body" if field == "__all__" else field


def control_run(run: Run, act: str) -> None:
    """Pause, resume or cancel a run. Raises Refusal."""
    try:
        ACTS[act](run)
    except ChoiceRefused as refusal:
        raise Refusal(409, "refused", str(refusal), where=refusal.field) from refusal
