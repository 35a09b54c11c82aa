"""The part of a form that says how models are asked beside what their endpoints have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from benchmark.models.sampling import MOST_SEED, Sampling
from webapp.endpoints.forms import MOST_TOKENS

if TYPE_CHECKING:
    _Form = forms.Form
else:
    _Form = object

ROLES: Final = ("agent", "users")
SAMPLING_FIELDS: Final = tuple(Sampling.model_fields)


_WORDS: Final[Mapping[str, Promise]] = {
    "agent": _("agent's model: %(chosen)s"),
    "users": _("users' models: %(chosen)s"),
}


def sampling_words(role: str, stored: Mapping[str, Any]) -> str:
    """What is chosen for a role in one line, by the names of the parameters."""
    chosen = ", ".join(f"{name} {value}" for name, value in stored.items())
    return str(_WORDS[role]) % {"chosen": chosen}


class OpenShare(forms.FloatField):
    """A share above 0."""

    def validate(self, value: Any) -> None:
        """0 would leave no token to draw."""
        super().validate(value)
        if value is not None and value <= 0:
            raise forms.ValidationError(_("Write a number above 0, such as 0.9, or leave it empty."))


def sampling_fields() -> dict[str, forms.Field]:
    """A field for each thing that can be chosen, by its name in `Sampling`."""
    number = {"step": "any"}
    return {
        "temperature": forms.FloatField(
            required=False,
            min_value=0,
            max_value=2,
            label=_("Temperature"),
            widget=forms.NumberInput(number),
        ),
        "top_p": OpenShare(
            required=False,
            max_value=1,
            label=_("Top p"),
            widget=forms.NumberInput(number),
            help_text=_("The share of the probability that tokens are drawn from, above 0, at most 1."),
        ),
        "max_tokens": forms.IntegerField(
            required=False,
            min_value=1,
            max_value=MOST_TOKENS,
            label=_("Longest answer"),
            help_text=_("In tokens."),
        ),
        "seed": forms.IntegerField(
            required=False,
            min_value=0,
            max_value=MOST_SEED,
            label=_("Seed of the model"),
            help_text=_(
                "Sent with each request; further trials count up from it. Not every server takes one."
            ),
        ),
        "thinking": forms.ChoiceField(
            required=False,
            choices=[("", _("as the model's settings say")), ("on", _("on")), ("off", _("off"))],
            label=_("Thinking"),
        ),
    }


class WithSampling(_Form):
    """A form that says how the models of the agent and of the travellers are asked."""

    def add_sampling(self, roles: dict[str, str | Promise]) -> None:
        """Add the fields. roles: what those are called who are asked, by `agent` and `users`."""
        self.sampling_words = roles
        for role in roles:
            self.fields.update({f"{role}_{name}": field for name, field in sampling_fields().items()})

    def sampling_names(self, role: str) -> list[str]:
        """The names of the fields of a role."""
        return [f"{role}_{name}" for name in SAMPLING_FIELDS if f"{role}_{name}" in self.fields]

    def sampling_parts(self) -> Iterator[tuple[str | Promise, list[forms.BoundField]]]:
        """What each of those that speak through models is called, with its fields."""
        for role, words in self.sampling_words.items():
            if self.asks_model(role):
                yield words, [self[name] for name in self.sampling_names(role)]

    def asks_model(self, role: str) -> bool:
        """Whether somebody of this role speaks through a model, as far as is chosen."""
        raise NotImplementedError

    def sampling_changed(self) -> bool:
        """Whether the fields have to be shown at once."""
        names = [name for role in self.sampling_words for name in self.sampling_names(role)]
        return any(self[name].errors or self[name].value() not in (None, "") for name in names)

    def chosen_sampling(self) -> dict[str, Sampling]:
        """What was chosen, by role, of those that speak through models."""
        chosen = {}
        for role in self.sampling_words:
            given = {name: self.cleaned_data.get(f"{role}_{name}") for name in SAMPLING_FIELDS}
            own = Sampling.model_validate(
                {name: value for name, value in given.items() if value not in (None, "")}
            )
            if own and self.asks_model(role):
                chosen[role] = own
        return chosen
