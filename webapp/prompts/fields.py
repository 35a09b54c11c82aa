"""The choice of a set of prompts on the forms that start sessions and judges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.suites import SUITES, suite_named
from webapp.forms import ChoiceRefused, OneOf
from webapp.prompts.choice import SHIPPED
from webapp.prompts.models import PromptSetVersion
from webapp.prompts.selectors import offered_versions
from webapp.prompts.services import version_named

NAME = "prompt_set"


def set_choices(suite: str) -> Iterator[tuple[str, Any]]:
    """The shipped words, then each set of a benchmark with its versions, the newest one first."""
    yield "", _("as shipped")
    for made, versions in offered_versions(suite):
        yield made.name, [(str(version), version_words(version)) for version in versions]


def judged_set_choices() -> Iterator[tuple[str, Any]]:
    """The shipped words, then the versions of all sets that tell judges otherwise."""
    yield "", _("as shipped")
    for suite in map(suite_named, SUITES):
        for made, versions in offered_versions(suite.name, whole=True):
            own = [each for each in versions if "judge" in suite.library.digests(each.files)]
            if own:
                yield f"{suite.title}: {made.name}", [(str(each), version_words(each)) for each in own]


def version_words(version: PromptSetVersion) -> str:
    """A version in a list, with its comment."""
    return f"{version}: {version.comment}" if version.comment else str(version)


class PromptSetField(OneOf):
    """One version of a set of a benchmark's prompts, None for the shipped words.

    has_sets: whether there is anything but the shipped words. named_choices: the sets, without the shipped words.
    """

    def __init__(self, suite: str) -> None:
        offered = list(set_choices(suite))
        self.named_choices = [choice for choice in offered if choice[0]]
        self.has_sets = bool(self.named_choices)
        super().__init__(
            required=False,
            choices=offered,
            label=gettext_lazy("Prompts"),
            help_text=gettext_lazy("What models are told."),
        )

    def valid_value(self, value: Any) -> bool:
        """Which version it is, `clean` finds out: a link may name one that the list does not offer any more."""
        return True

    def clean(self, value: Any) -> Any:
        """The version that was chosen."""
        named = str(super().clean(value) or "")
        if not named:
            return None
        try:
            return version_named(named)
        except ChoiceRefused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal


class OtherWordsField(PromptSetField):
    """What a fork tells its models: None for what its origin does, `SHIPPED`, or a version of a set.

    own: the set of the origin as a list names it, "" for none.
    """

    def __init__(self, suite: str, own: str) -> None:
        super().__init__(suite)
        same = _("as in the session: %(words)s") % {"words": own or _("as shipped")}
        shipped = [(SHIPPED, _("as shipped"))] if own else []
        self.choices = [("", same), *shipped, *self.named_choices]

    def clean(self, value: Any) -> Any:
        """What was chosen."""
        return SHIPPED if value == SHIPPED else super().clean(value)
