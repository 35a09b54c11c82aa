"""The form of a model endpoint."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from benchmark.models import ModelSetup
from sandbox.endpoints import AddressFault
from webapp.endpoints.hosts import HostRefused, check_host
from webapp.endpoints.keys import KeyRefused, check_choice, may_hold_key
from webapp.endpoints.models import Dialect, LimitParameter, ModelEndpoint, Thinking, ToolProtocol
from webapp.forms import NameField, TextField

KEY_LIKE = re.compile(
    r"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{16,}|[A-Za-z0-9]{32,}|\b(hf|gsk)_[A-Za-z0-9]{10,}", re.ASCII
)
"""What names of variables have not: a long run of letters and digits, as keys are made of."""
KEY_BEGUN = re.compile(
    r"(?<![A-Za-z0-9-])(sk-[A-Za-z0-9_-]{12,}|(hf|gsk)_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|AIza[A-Za-z0-9_-]{30,})"
)
"""Keys as common providers begin them, with more behind it than a model's name has."""
ADDRESS_FAULTS: dict[AddressFault, Promise] = {
    "form": _("Write http:// or https:// and a host, without name and password."),
    "blank": _("Remove the spaces from the address."),
    "query": _(
        "Remove ? and #, and everything after them, from the address. Put a key into an "
        "environment variable, and write the name of the variable into the field Key variable."
    ),
    "port": _("The port of the address must be a number from 1 to 65535."),
}
RESERVED_NAMES = ("new",)
MOST_TOKENS = 10_000_000
LONGEST_S = 7200
MOST_PATIENCE_S = 86_400
DEFAULTS = ModelSetup(name="x", base_url="http://x", model="x")


def _switch(label: Any, initial: bool, help_text: Any) -> forms.TypedChoiceField:
    """Yes or no, where absent does not mean no."""
    return forms.TypedChoiceField(
        choices=[("True", _("yes")), ("False", _("no"))],
        coerce=lambda chosen: chosen == "True",
        initial=str(initial),
        label=label,
        help_text=help_text,
    )


class EndpointForm(forms.Form):
    """An endpoint: name, address and model, and the variable of its key; the rest has defaults that suit most."""

    MAIN = ("name", "base_url", "model", "key_variable")

    name = NameField(
        max_length=60,
        label=_("Name"),
        help_text=_("The name that sessions and runs use: letters, digits, - and _."),
        error_messages={"invalid": _("Use letters, digits, - and _ in a name.")},
    )
    base_url = TextField(
        max_length=400,
        label=_("Address"),
        help_text=_("The part before /chat/completions, such as http://127.0.0.1:8000/v1."),
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false", "autocapitalize": "none"}),
    )
    model = TextField(
        max_length=200,
        label=_("Model"),
        help_text=_("The server's name for the model."),
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocapitalize": "none"}),
    )
    key_variable = TextField(
        required=False,
        max_length=100,
        label=_("Key variable"),
        help_text=_(
            "The name of the environment variable that holds the key, such as OPENAI_API_KEY, never "
            "the key itself. It is sent to one server only. Leave empty where no key is needed."
        ),
        widget=forms.TextInput(
            attrs={"spellcheck": "false", "autocapitalize": "none", "autocomplete": "off"}
        ),
    )
    tools = forms.ChoiceField(
        choices=ToolProtocol.choices,
        initial=DEFAULTS.tools,
        label=_("Tools"),
        help_text=_(
            "The text protocol is for models without native tool calls; the test of the "
            "model shows which it needs."
        ),
    )
    streams = _switch(
        _("Streaming"),
        DEFAULTS.streams,
        _("Whether the server sends an answer in pieces while the model writes it."),
    )
    json_mode = _switch(
        _("JSON mode"), DEFAULTS.json_mode, _("Whether the server may be told to write a JSON object.")
    )
    logprobs = _switch(
        _("Log-probabilities"),
        DEFAULTS.logprobs,
        _(
            "Whether the server is asked for the log-probability of each token of an agent. They are kept with its "
            "answers, for training: about 8 bytes a token."
        ),
    )
    temperature = forms.FloatField(
        required=False,
        min_value=0,
        max_value=2,
        label=_("Temperature"),
        help_text=_("Leave empty for the default of the role: 0.7 for agents, 0 for travellers."),
    )
    max_tokens = forms.IntegerField(
        min_value=1,
        max_value=MOST_TOKENS,
        initial=DEFAULTS.max_tokens,
        label=_("Longest answer"),
        help_text=_("In tokens."),
    )
    limit_parameter = forms.ChoiceField(
        required=False,
        choices=LimitParameter.choices,
        label=_("Limit parameter"),
        help_text=_("The parameter of the request that limits the length of an answer."),
    )
    context_limit = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_TOKENS,
        label=_("Context limit"),
        help_text=_("Tokens of question and answer together. Leave empty if unknown."),
    )
    thinking = forms.ChoiceField(choices=Thinking.choices, initial=DEFAULTS.thinking, label=_("Thinking"))
    dialect = forms.ChoiceField(
        choices=Dialect.choices,
        initial=DEFAULTS.dialect,
        label=_("Thinking parameter"),
        help_text=_("How a request turns thinking on or off."),
    )
    input_price = forms.FloatField(
        required=False, min_value=0, label=_("Price of input"), help_text=_("Per million tokens.")
    )
    cached_price = forms.FloatField(
        required=False,
        min_value=0,
        label=_("Price of cached input"),
        help_text=_(
            "Per million tokens of input that the server had cached. Leave empty for the price of input."
        ),
    )
    output_price = forms.FloatField(
        required=False, min_value=0, label=_("Price of output"), help_text=_("Per million tokens.")
    )
    currency = TextField(
        max_length=3,
        initial=DEFAULTS.currency,
        label=_("Currency"),
        validators=[RegexValidator(r"\A[A-Z]{3}\Z", _("Three capital letters, such as USD or CNY."))],
    )
    timeout_s = forms.FloatField(
        min_value=0.1,
        max_value=LONGEST_S,
        initial=DEFAULTS.timeout_s,
        label=_("Idle timeout"),
        help_text=_("Seconds without receiving a byte."),
    )
    deadline_s = forms.FloatField(
        min_value=0.1,
        max_value=LONGEST_S,
        initial=DEFAULTS.deadline_s,
        label=_("Time limit"),
        help_text=_("Seconds for a whole answer."),
    )
    patience_s = forms.FloatField(
        min_value=0,
        max_value=MOST_PATIENCE_S,
        initial=DEFAULTS.patience_s,
        label=_("Retry time"),
        help_text=_(
            "How many seconds a failed request is retried, with pauses (while the server restarts, "
            "for instance), before the session crashes."
        ),
    )
    concurrency = forms.IntegerField(
        min_value=1,
        max_value=500,
        initial=8,
        label=_("Concurrent requests"),
        help_text=_("Requests at the same time, over all workers."),
    )
    requests_per_minute = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=1_000_000,
        label=_("Requests per minute"),
        help_text=_("Empty for no limit."),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        endpoint: ModelEndpoint | None = None,
        administrator: bool = False,
        **options: Any,
    ) -> None:
        self.endpoint, self.administrator = endpoint, administrator
        if endpoint is not None:
            options["initial"] = _stored_values(endpoint)
        super().__init__(data, **options)
        if endpoint is not None:
            self.fields["name"].disabled = True
            self.fields["name"].help_text = _("Sessions use this name, so it can't be changed.")
        if data is not None:
            self.data = self._with_initial_values(data)

    def _with_initial_values(self, data: Any) -> Any:
        """Data with the initial values of what is absent from it: scripts name only what matters to them."""
        filled = data.copy()
        for name in self.fields:
            if name not in filled and name not in self.MAIN:
                filled[name] = self.get_initial_for_field(self.fields[name], name)
        return {name: "" if value is None else value for name, value in filled.items()}

    def main_fields(self) -> list[forms.BoundField]:
        """What everybody fills in."""
        return [self[name] for name in self.MAIN]

    def fine_fields(self) -> list[forms.BoundField]:
        """The rest."""
        return [field for field in self if field.name not in self.MAIN]

    def fine_changed(self) -> bool:
        """Whether the rest has to be shown at once."""
        return any(field.errors for field in self.fine_fields())

    def clean_name(self) -> str:
        """A name that is free."""
        name: str = self.cleaned_data["name"]
        if self.endpoint is not None:
            return self.endpoint.name
        if name in RESERVED_NAMES or ModelEndpoint.objects.filter(name=name).exists():
            raise forms.ValidationError(_now("A model with this name already exists; choose another name."))
        return name

    def clean_base_url(self) -> str:
        """An address that can be asked."""
        address: str = self.cleaned_data["base_url"].rstrip("/")
        try:
            ModelSetup(name=DEFAULTS.name, model=DEFAULTS.model, base_url=address)
        except ValidationError as error:
            fault: AddressFault = error.errors()[0]["ctx"]["error"].fault
            raise forms.ValidationError(str(ADDRESS_FAULTS[fault])) from None
        if address.endswith("/chat/completions"):
            raise forms.ValidationError(_now("Leave /chat/completions out; Caravan adds it."))
        try:
            check_host(address)
        except HostRefused as refused:
            raise forms.ValidationError(str(refused)) from None
        return address

    def clean_model(self) -> str:
        """A model's name; what may be a key is neither kept nor shown again."""
        model: str = self.cleaned_data["model"]
        if KEY_BEGUN.search(model):
            raise forms.ValidationError(
                _now(
                    "This looks like a key, not like a model's name, so it was not stored. Set an "
                    "environment variable to the key where Caravan runs, and write the variable's "
                    "name into the field Key variable."
                )
            )
        return model

    def clean_key_variable(self) -> str:
        """A variable that may hold a key; what may be a key itself is neither kept nor shown again."""
        variable: str = self.cleaned_data["key_variable"]
        if variable and not may_hold_key(variable):
            raise forms.ValidationError(
                _now(
                    "This is not the name of a variable for keys, and may be a key, so it was not "
                    "stored. Where Caravan runs, put the key into a variable whose name ends in "
                    "_API_KEY or that CARAVAN_KEY_VARIABLES lists, and write the variable's name "
                    "here."
                )
            )
        return variable

    def clean(self) -> dict[str, Any]:
        """An answer must fit into the context, and a silence into the time for an answer."""
        given: dict[str, Any] = super().clean() or {}
        self._forget_secrets()
        self._check_key(given.get("key_variable"), given.get("base_url"))
        limit, longest = given.get("context_limit"), given.get("max_tokens")
        if limit and longest and longest >= limit:
            self.add_error("max_tokens", _now("An answer must be shorter than the context limit."))
        silence, whole = given.get("timeout_s"), given.get("deadline_s")
        if silence and whole and silence > whole:
            self.add_error("timeout_s", _now("This must not be longer than the time limit."))
        return given

    def _check_key(self, variable: str | None, address: str | None) -> None:
        if not variable or not address:
            return
        try:
            check_choice(variable=variable, address=address, administrator=self.administrator)
        except KeyRefused as refused:
            self.add_error("key_variable", str(refused))

    def _forget_secrets(self) -> None:
        """What may hold a secret is not sent back to the page."""
        for name, may_hold in (
            ("base_url", _address_may_hold_key),
            ("model", bool),
            ("key_variable", _may_be_key),
        ):
            if name in self.errors and may_hold(str(self.data.get(name, ""))):
                self.data = {**self.data, name: ""}


def _may_be_key(text: str) -> bool:
    return not may_hold_key(text)


def _address_may_hold_key(address: str) -> bool:
    """Addresses that are only mistyped stay on the page."""
    return bool(re.search(r"[@?#\s]", address) or KEY_LIKE.search(address) or KEY_BEGUN.search(address))


def _stored_values(endpoint: ModelEndpoint) -> dict[str, Any]:
    return {name: getattr(endpoint, name) for name in EndpointForm.base_fields}
