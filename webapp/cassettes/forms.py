"""The form of a fork."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.cassettes.forking import Players
from webapp.endpoints.choice import (
    SeatPlayer,
    agents,
    chosen_seat,
    kind_choices,
    kind_words,
    needs_model,
    travellers,
)
from webapp.endpoints.selectors import offered_endpoints
from webapp.forms import ChoiceRefused
from webapp.pages import UserWords, pages_of
from webapp.prompts.fields import NAME as OTHER_WORDS
from webapp.prompts.fields import OtherWordsField
from webapp.sessions.forms import model_field, name_users, pace_field, seat_choices
from webapp.sessions.models import Session
from webapp.sessions.services import MAX_SEED
from webapp.sessions.studies import NAME as STUDY
from webapp.sessions.studies import WithStudy

if TYPE_CHECKING:
    from benchmark.core.participant import Kind

MOST_FORKS = 20
SEAT = WithStudy.SEAT
"""Before a traveller's name: the field that says who plays it."""


def add_other_words(form: forms.Form, session: Session) -> None:
    """The choice of what models are told from there on, where there is any."""
    own = str(session.prompt_set) if session.prompt_set is not None else ""
    field = OtherWordsField(session.suite, own)
    if own or field.has_sets:
        form.fields[OTHER_WORDS] = field


class ForkForm(WithStudy, forms.Form):
    """From which event a session is continued, and by whom; what the session itself has is filled in."""

    PLAYERS = (("agent", "agent_model", agents), ("users", "user_model", travellers))
    """A choice of kind, the choice of its model, and the kinds."""

    at = forms.IntegerField(min_value=1, label=_("Event"), help_text=_("The last event that the fork keeps."))
    agent = forms.ChoiceField(label=_("Agent"))
    agent_model = model_field(_("Agent's model"))
    users = forms.ChoiceField()
    user_model = model_field("")
    seed = forms.IntegerField(
        min_value=0, max_value=MAX_SEED, label=_("Seed"), help_text=_("For what follows the event.")
    )
    times = forms.IntegerField(
        min_value=1,
        max_value=MOST_FORKS,
        initial=1,
        label=_("Forks"),
        help_text=_("With more than one, each gets the next seed."),
    )
    pace = pace_field()

    def __init__(
        self, session: Session, data: Any = None, *, at: int, looked: Mapping[str, str] | None = None
    ) -> None:
        """looked: what is chosen so far, while nothing is sent."""
        self.session = session
        self.own = Players.of(session)
        self.has_models = offered_endpoints().exists()
        named = {"agent_model": self.own.agent_model, "user_model": self.own.user_model}
        initial = {"agent": self.own.agent, "users": self.own.users, "seed": self.own.seed, "at": at}
        initial |= {name: model.name for name, model in named.items() if model}
        initial |= {"pace": session.pace, STUDY: getattr(getattr(session, "sitting", None), "study_id", None)}
        super().__init__(data, initial=initial | dict(looked or {}))
        for name, _model, kinds in self.PLAYERS:
            self.fields[name].choices = kind_choices(kinds(session.suite))  # type: ignore[attr-defined]
        name_users(self, session.suite)
        self._add_seats()
        self.add_study()
        add_other_words(self, session)
        self.order_fields(("at", "agent", "agent_model", "users", "user_model", OTHER_WORDS))

    def _add_seats(self) -> None:
        """A field for each traveller; one that sits apart from the others may stay as it is."""
        choices = [("", self.user_words.same), *seat_choices(self.session.suite)]
        for place, name in enumerate(self.session.task.parsed_definition.users):
            stays = _words(self.own.seat_overrides.get(name))
            known = stays in dict(choices)
            self.fields[SEAT + name] = forms.ChoiceField(
                required=False,
                label=name,
                initial=stays,
                choices=choices if known else [*choices, (stays, kind_words(stays).replace(":", " · "))],
                widget=forms.Select({"id": f"id_seat_{place}"}),
            )

    @property
    def user_words(self) -> UserWords:
        """What the benchmark calls those who talk with the agent."""
        return pages_of(self.session.suite).task.users

    def seats(self) -> list[forms.BoundField]:
        """The fields of the travellers."""
        return [field for field in self if field.name.startswith(SEAT)]

    def parts(self) -> list[tuple[str, forms.BoundField | None]]:
        """The names of all other fields, each with its field, None for a model where the kind needs none."""
        fields = [field for field in self if not field.name.startswith(SEAT) and field.name != STUDY]
        unused = {model for kind, model, kinds in self.PLAYERS if not self._shows(kind, model, kinds)}
        return [(field.name, None if field.name in unused else field) for field in fields]

    def _shows(self, kind: str, model: str, kinds: Callable[[str], Mapping[str, Kind]]) -> bool:
        chosen = kinds(self.session.suite).get(str(self[kind].value() or ""))
        return bool(self[model].errors) or needs_model(chosen)

    def study_field(self) -> forms.BoundField | None:
        """The choice of a study, None while nobody takes a seat from outside."""
        return self[STUDY] if self.shows_study() else None

    def seats_changed(self) -> bool:
        """Whether the fields of the travellers have to be shown at once."""
        return any(field.errors or field.value() for field in self.seats())

    def choices(self) -> list[dict[str, Any]]:
        """The arguments of `fork` for each one, of a form that is valid. A kind that needs no model takes none along.

        Raises:
            ChoiceRefused: a traveller and its model do not go together.
        """
        given = dict(self.cleaned_data)
        for kind, model, kinds in self.PLAYERS:
            if not needs_model(kinds(self.session.suite).get(given[kind])):
                given[model] = None
        names = ("agent", "users", "agent_model", "user_model", "seed")
        players = Players(
            **{name: given[name] for name in names},
            seat_overrides=dict(self._seat_overrides(given)),
            words=given.get(OTHER_WORDS),
            **self.waiting(new=False),
        )
        each = [replace(players, seed=players.seed + n) for n in range(given["times"])]
        return [
            {"chosen": given["at"], "pace": given["pace"] or None, "players": players} for players in each
        ]

    def clean(self) -> dict[str, Any]:
        """The last seed is one too."""
        given = super().clean() or {}
        if given.get("seed", 0) + given.get("times", 1) - 1 > MAX_SEED:
            self.add_error(
                "seed", _("The seeds go beyond %(most)s; choose a lower one.") % {"most": MAX_SEED}
            )
        return given

    def _seat_overrides(self, given: dict[str, Any]) -> Iterator[tuple[str, SeatPlayer]]:
        for field in self.seats():
            name, words = field.name.removeprefix(SEAT), given[field.name]
            if words:
                stays = self.own.seat_overrides.get(name)
                yield name, stays if stays and words == _words(stays) else self._seat(name, words)

    def _seat(self, name: str, words: str) -> SeatPlayer:
        try:
            return chosen_seat(name, words, self.session.suite)
        except ChoiceRefused as refusal:
            raise ChoiceRefused(str(refusal), SEAT + name) from refusal

    def refuse(self, refusal: ChoiceRefused) -> None:
        """Say what is wrong at the field to change."""
        self.add_error(refusal.field if refusal.field in self.fields else None, str(refusal))


def _words(seated: SeatPlayer | None) -> str:
    """As `--seat` takes them."""
    if seated is None:
        return ""
    return f"{seated.kind}:{seated.model.name}" if seated.model else seated.kind
