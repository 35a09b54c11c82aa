"""The fields of a form that ask for the options of a benchmark."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from benchmark.core.options import Value
from benchmark.suites.base import Follows, Option, OptionRefused
from webapp.wording.remarks import remark_words


class OptionField(forms.Field):
    """One option. Its value is None where nothing is chosen."""

    def __init__(self, option: Option) -> None:
        self.option = option
        super().__init__(
            required=False,
            label=_(option.label),
            help_text=_(option.help) if option.help else "",
            widget=_widget(option),
            initial="" if isinstance(option.default, Follows) else _text_of(option.default),
        )

    def clean(self, value: Any) -> Value | None:
        """The value that was written."""
        if value in (None, ""):
            return None
        try:
            return self.option.read(value)
        except OptionRefused as refusal:
            raise forms.ValidationError(remark_words(refusal.remark)) from refusal


def _text_of(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _widget(option: Option) -> forms.Widget:
    follows = [("", _(option.default.label))] if isinstance(option.default, Follows) else []
    if option.values:
        return forms.Select(choices=[*follows, *((key, _(label)) for key, label in option.values.items())])
    if option.type is bool:
        return forms.Select(choices=[*follows, ("true", _("yes")), ("false", _("no"))])
    if option.type is str:
        return forms.TextInput()
    return forms.NumberInput({"step": "any" if option.type is float else "1"})


class WithOptions(forms.Form):
    """A form with a field for each option of a benchmark."""

    def add_options(self, declared: Iterable[Option]) -> None:
        """A field for each; it is named as the option is, unless another field is named so."""
        self.options: dict[str, Option] = {}
        for option in declared:
            name = f"option_{option.key}" if option.key in self.fields else option.key
            self.fields[name] = OptionField(option)
            self.options[name] = option

    def option_fields(self, *, of_users: bool) -> list[forms.BoundField]:
        """The fields of those options that matter only where users speak through models, or of the others."""
        return [self[name] for name, option in self.options.items() if option.of_users == of_users]

    def chosen_options(self) -> dict[str, Value]:
        """What was chosen, by the keys of the options."""
        values = {option.key: self.cleaned_data.get(name) for name, option in self.options.items()}
        return {key: value for key, value in values.items() if value is not None}
