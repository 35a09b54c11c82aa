"""The page of a study's files, the downloads, and the upload of labels made elsewhere."""

from __future__ import annotations

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from benchmark.labelling.tables import BadTable
from webapp.accounts.access import researchers_only
from webapp.forms import UploadField
from webapp.labelling.files import FORMATS, Options, dropped_pairs, filled_parts
from webapp.labelling.incoming import ImportCounts, import_labels
from webapp.labelling.models import Kind, LabelStudy


@researchers_only
def files(request: HttpRequest, study_id: str) -> HttpResponse:
    """What a study can be downloaded as; POST brings labels in."""
    study = get_object_or_404(LabelStudy, pk=study_id)
    form = LabelsForm(request.POST or None, request.FILES or None)
    problems: list[Any] = []
    more = 0
    if request.method == "POST" and form.is_valid():
        try:
            messages.success(request, outcome(form.bring_into(study)))
            return redirect("label_files", study.pk)
        except BadTable as error:
            problems = error.problems.problems
            more = error.problems.count - len(problems)
        except ValueError as error:
            form.add_error("file", str(error))
    context = {"study": study, "tab": "files", "form": form, "problems": problems, "more": more}
    if study.kind == Kind.PAIRWISE:
        context["pairs"] = dropped_pairs(study)
    return render(request, "labelling/files.html", {**context, "formats": _offered_formats(study)})


def _offered_formats(study: LabelStudy) -> list[tuple[str, Any]]:
    return [
        (name, label_format) for name, label_format in FORMATS.items() if study.kind in label_format.kinds
    ]


@researchers_only
def file(request: HttpRequest, study_id: str, format_: str) -> HttpResponseBase:
    """A study as a file of a format, sent as it is read."""
    study = get_object_or_404(LabelStudy, pk=study_id)
    if format_ not in dict(_offered_formats(study)):
        raise Http404
    flags = {name: request.GET.get(name) == "1" for name in ("blind", "everything", "numbered")}
    label_format = FORMATS[format_]
    try:
        pieces = filled_parts(study, format_, Options(**flags))
    except ValueError as nothing:
        messages.error(request, str(nothing))
        return redirect("label_files", study.pk)
    response = StreamingHttpResponse(pieces, content_type=f"{label_format.kind}; charset=utf-8")
    name = f"{slugify(study.name) or study.pk}{label_format.ending}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def outcome(brought: ImportCounts) -> str:
    """What a file came to, in words."""
    n = brought.labels
    words = [ngettext("%(n)s label imported.", "%(n)s labels imported.", n) % {"n": n}]
    if n := brought.decisions:
        words.append(ngettext("%(n)s decision imported.", "%(n)s decisions imported.", n) % {"n": n})
    if n := brought.known_answers:
        words.append(ngettext("%(n)s known answer imported.", "%(n)s known answers imported.", n) % {"n": n})
    if n := brought.raters:
        words.append(ngettext("%(n)s rater is new.", "%(n)s raters are new.", n) % {"n": n})
    if n := brought.skipped:
        words.append(ngettext("%(n)s was already there.", "%(n)s were already there.", n) % {"n": n})
    return " ".join([*words, *(f"{sentence}." for sentence in brought.joined)])


# The form that sends labels in.


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
