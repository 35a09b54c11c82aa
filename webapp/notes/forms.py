"""What a person writes on a session or an event."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.forms import TextField
from webapp.notes.models import LONGEST_COMMENT, LONGEST_TAG, Kind
from webapp.sessions.models import Session


class NoteForm(forms.Form):
    """A note on a session or one of its events."""

    kind: str
    seq = forms.IntegerField(required=False, min_value=0, label=_("Event"))

    def __init__(self, session: Session, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.session = session

    def clean_seq(self) -> int:
        """The number of an event that there is, 0 for the whole session."""
        seq: int = self.cleaned_data["seq"] or 0
        if seq > self.session.last_seq:
            raise forms.ValidationError(
                _("There is no event %(seq)s; the last one is %(last)s."),
                params={"seq": seq, "last": self.session.last_seq},
            )
        return seq


class StarForm(NoteForm):
    """A star has no text."""

    kind = Kind.STAR


class TagForm(NoteForm):
    """One word or a few."""

    kind = Kind.TAG
    text = TextField(max_length=LONGEST_TAG, label=_("Tag"))


class CommentForm(NoteForm):
    """Any text."""

    kind = Kind.COMMENT
    text = forms.CharField(
        max_length=LONGEST_COMMENT, label=_("Comment"), widget=forms.Textarea(attrs={"rows": 3})
    )


FORMS: dict[str, type[NoteForm]] = {form.kind: form for form in (StarForm, TagForm, CommentForm)}


class NotesFilterForm(forms.Form):
    """What the list of notes is narrowed to."""

    q = TextField(required=False, max_length=200, label=_("Text"))
    kind = forms.ChoiceField(required=False, choices=[("", _("any kind")), *Kind.choices], label=_("Kind"))
    author = TextField(required=False, max_length=150, label=_("Person"))
    run = TextField(required=False, max_length=12, label=_("Run"))

    def filters(self) -> dict[str, str]:
        """The filters that can be understood."""
        self.is_valid()
        return {name: self.cleaned_data.get(name, "").strip() for name in self.fields}
