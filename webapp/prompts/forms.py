"""Forms of sets of prompts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from benchmark.promptsets import PromptFile, plain_text
from benchmark.suites import SUITES, suite_named
from webapp.forms import NameField, TextField, UploadField
from webapp.prompts.choice import SHIPPED
from webapp.prompts.models import PromptSet

RESERVED_NAMES = ("new", "import", "compare", SHIPPED)
"""Names that addresses use otherwise."""


def name_field(*, required: bool = True, help_text: Any = "") -> NameField:
    """The name of a new set."""
    return NameField(
        required=required,
        max_length=60,
        label=_("Name"),
        help_text=help_text or _("Letters, digits, - and _."),
        error_messages={"invalid": _("Use letters, digits, - and _ in a name.")},
    )


def free_name(name: str) -> str:
    """A name that a new set can have.

    Raises:
        ValidationError: it is taken, or an address uses it.
    """
    if name.lower() in RESERVED_NAMES or PromptSet.objects.filter(name=name).exists():
        raise forms.ValidationError(_("This name is taken; choose another name."))
    return name


class CopyForm(forms.Form):
    """The name of a set that begins with the words of another one."""

    name = name_field()
    comment = TextField(required=False, max_length=200, label=_("Comment"), help_text=_("What it is for."))

    def clean_name(self) -> str:
        """A free name."""
        return free_name(self.cleaned_data["name"])


class EditForm(forms.Form):
    """Other words of one template. file: the shipped one."""

    text = forms.CharField(
        strip=False,
        required=False,
        label=_("Text of the template"),
        widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "false", "autocapitalize": "none"}),
    )
    comment = TextField(
        required=False, max_length=200, label=_("Comment"), help_text=_("What is different in this version.")
    )
    after = forms.IntegerField(widget=forms.HiddenInput, min_value=1)

    def __init__(self, file: PromptFile, data: Any = None, **options: Any) -> None:
        self.file = file
        super().__init__(data, **options)

    def clean_text(self) -> str:
        """The words as sets hold them."""
        return plain_text(self.cleaned_data["text"])


class ImportForm(forms.Form):
    """A zip of plain files, for a new set or as a new version of one."""

    file = UploadField(
        accept=".zip",
        label=_("File"),
        help_text=_("A zip as the export makes it, or with files PART/LANGUAGE/NAME.txt alone."),
    )
    into = forms.ModelChoiceField(
        PromptSet.objects.filter(retired=False),
        to_field_name="name",
        required=False,
        label=_("As"),
        empty_label=_("a new set"),
        help_text=_("A new set, or the next version of one that is there."),
    )
    name = name_field(
        required=False, help_text=_("Of a new set. Leave empty for the name that the file says.")
    )
    suite = forms.ChoiceField(
        required=False,
        label=_("Benchmark"),
        help_text=_("Only for a file without a manifest."),
    )
    comment = TextField(
        required=False,
        max_length=200,
        label=_("Comment"),
        help_text=_("Leave empty for the one of the file."),
    )

    def __init__(self, data: Any = None, files: Any = None, **options: Any) -> None:
        super().__init__(data, files, **options)
        choices = [("", _("as the file says")), *((name, suite_named(name).title) for name in SUITES)]
        self.fields["suite"].choices = choices  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        """A free name, "" for the file's."""
        name: str = self.cleaned_data["name"]
        return free_name(name) if name else ""
