"""The choice of a study on the forms that start sessions. Studies belong to an app above, which brings the field."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _

from benchmark.core.attendance import Attendance
from webapp.endpoints.choice import from_outside

FIELDS: list[Callable[[], forms.ModelChoiceField[Any]]] = []
"""What makes the field, where an app above has studies. What is chosen there has a key and an `attendance`."""
NAME = "study"

if TYPE_CHECKING:
    _Form = forms.Form
else:
    _Form = object


class WithStudy(_Form):
    """A form whose seats people and programs can take, and which says then to what study its sessions belong."""

    PLAYED_BY = ("agent", "users")
    """The fields that say who plays, beside those that begin with `SEAT`."""
    SEAT = "seat_"

    def add_study(self) -> None:
        """Add the field; call it when those of the seats are there."""
        for made in FIELDS:
            self.fields[NAME] = made()

    def has_outside(self) -> bool:
        """Whether a person or a program is chosen for a seat."""
        names = [*self.PLAYED_BY, *(name for name in self.fields if name.startswith(self.SEAT))]
        return from_outside(str(self[name].value() or "") for name in names)

    def shows_study(self) -> bool:
        """Whether there is something to choose."""
        return NAME in self.fields and (self.has_outside() or bool(self[NAME].errors))

    def clean_study(self) -> Any:
        """A study that can be held by what is stored of it."""
        study = self.cleaned_data.get(NAME)
        try:
            return study if study is None or study.attendance else None
        except ValueError as error:
            words = _("This study can't be used as it is stored. Open it and save it again.")
            raise forms.ValidationError(words) from error

    def waiting(self, *, new: bool = True) -> dict[str, Any]:
        """How people are waited for, and the study, as a session's setup has them; nothing where nobody is.

        new: for a session that begins; a fork has begun.
        """
        if not self.has_outside():
            return {}
        study = self.cleaned_data.get(NAME)
        return waiting(study, new=new)


def waiting(study: Any, *, new: bool = True) -> dict[str, Any]:
    """The same for a study, None for the standard settings."""
    begins = {"own_wishes": bool(study and study.own_wishes)} if new else {}
    return {
        **begins,
        "study": study.pk if study else None,
        "attendance": study.attendance if study else Attendance(),
    }
