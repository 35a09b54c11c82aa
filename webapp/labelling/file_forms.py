"""The form that sends labels in."""

from __future__ import annotations

from pathlib import Path
from tempfile import NamedTemporaryFile

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.forms import UploadField
from webapp.labelling.incoming import ImportCounts, import_labels
from webapp.labelling.models import LabelStudy

READ_AS = [
    ("", _("detected from its name and first line")),
    ("csv", _("table (CSV) with the columns item, rater and label")),
    ("jsonl", _("our items with all labels (JSONL)")),
    ("label-studio", _("Label Studio's export (JSON)")),
]


class LabelsForm(forms.Form):
    """A file of labels for one study."""

    file = UploadField(
        label=_("File"),
        help_text=_(
            "Items are matched by their numbers. Raters whom the study does not know become people. "
            "A file with a bad line changes nothing, and existing answers are never changed. Use "
            "manage.py import_labels for larger files."
        ),
        accept=".csv,.jsonl,.json,.gz",
    )
    read_as = forms.ChoiceField(label=_("Read it as"), choices=READ_AS, required=False)

    def bring_into(self, study: LabelStudy) -> ImportCounts:
        """Bring the labels in. Raises what `import_labels` raises."""
        upload = self.cleaned_data["file"]
        ending = ".gz" if str(upload.name).endswith(".gz") else ""
        with NamedTemporaryFile(suffix=ending) as kept:
            for piece in upload.chunks():
                kept.write(piece)
            kept.flush()
            try:
                return import_labels(
                    study=study,
                    path=Path(kept.name),
                    name=str(upload.name),
                    format_=self.cleaned_data["read_as"],
                )
            except ValueError as error:
                if str(error).startswith(kept.name):
                    raise ValueError(str(error).replace(f"{kept.name}: ", "")) from error
                raise
