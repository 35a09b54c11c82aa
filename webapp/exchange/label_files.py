"""A study of pairs from two files of run records: both come in, and the study is made, or nothing is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils.translation import gettext as _

from webapp.accounts.models import User
from webapp.exchange.imports import (
    Choice,
    Part,
    RecordFileError,
    RecordImportResult,
    clear,
    import_together,
    incoming_of,
)
from webapp.exchange.jobs import LABEL_FILES
from webapp.exchange.uploads import kept_upload, named_as_sent, uploads_folder
from webapp.jobs import services as jobs
from webapp.labelling.items import ItemRefused, ItemRequest, add_from_runs
from webapp.labelling.models import Kind, LabelStudy
from webapp.labelling.studies import StudyRefused, create_study
from webapp.sessions.models import RecordImport

STUDY = "label_study"
"""Key of what the first import of a pair keeps of its study, beside what was chosen for its file."""
_CHOICE_FIELDS = {field.name for field in fields(Choice)}


@dataclass(frozen=True)
class StudyRequest:
    """The study that is wanted. size: pairs at most, None for all. study_id: its id, once it is there."""

    name: str
    differing: bool = True
    size: int | None = None
    study_id: str = ""


@dataclass(frozen=True)
class Pair:
    """Two imports that belong together. study: None until it is made, or where it was deleted since."""

    first: RecordImport
    second: RecordImport
    study: LabelStudy | None = None

    @property
    def subject(self) -> str:
        """As jobs and addresses name it."""
        return f"{self.first.pk}-{self.second.pk}"

    @property
    def files(self) -> tuple[RecordImport, RecordImport]:
        return self.first, self.second

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.first.complete or bool(self.first.refusal)


def start_pair(
    *,
    uploads: tuple[UploadedFile[Any], UploadedFile[Any]],
    choices: tuple[Choice, Choice],
    asked: StudyRequest,
    user: User,
) -> Pair:
    """Keep two files, and have a worker bring them in and make the study."""
    paths = [kept_upload(upload) for upload in uploads]
    with transaction.atomic():
        first, second = (
            incoming_of(name=str(upload.name), choice=choice, created_by=user, file=path.name)
            for upload, choice, path in zip(uploads, choices, paths, strict=True)
        )
        first.choice = {**first.choice, STUDY: {**asdict(asked), "second": second.pk}}
        first.save(update_fields=["choice"])
        pair = Pair(first, second)
        jobs.add(kind=LABEL_FILES, subjects=[pair.subject])
    jobs.hand_over(kind=LABEL_FILES, subject=pair.subject)
    return pair


def pair_of(first: int, second: int) -> Pair | None:
    """The imports of these numbers, if they were sent in together."""
    rows = RecordImport.objects.select_related("tasks", "run")
    files = {number: row for number in (first, second) if (row := rows.filter(pk=number).first())}
    own = files[first].choice.get(STUDY) if first in files else None
    if own is None or own["second"] != second or second not in files:
        return None
    study_id = own.get("study_id", own.get("made"))  # rows of earlier versions call it `made`
    study = LabelStudy.objects.filter(pk=study_id).first() if study_id else None
    return Pair(files[first], files[second], study)


def _pair(subject: str) -> Pair:
    pair = pair_of(*map(int, subject.split("-")))
    assert pair is not None
    return pair


def run_pair(*, subject: str, progress: Callable[[int], None]) -> None:
    """Bring both files in and make the study; what is wrong stands on the rows of the imports."""
    pair = _pair(subject)
    if pair.is_over:
        return
    try:
        with named_as_sent(pair.files):
            import_together(parts=[_part(file) for file in pair.files], progress=progress, then=_making(pair))
    except RecordFileError as error:
        _refuse(pair, error)
    except (ItemRefused, StudyRefused) as error:
        _refuse_both(pair, str(error))
    _forget(pair)


def fail_pair(subject: str, problem: str) -> None:
    """Say on the page of a pair why nothing came in."""
    pair = _pair(subject)
    for file in pair.files:
        clear(file)
    _refuse_both(pair, problem)
    _forget(pair)


def _part(incoming: RecordImport) -> Part:
    choice = Choice(**{name: value for name, value in incoming.choice.items() if name in _CHOICE_FIELDS})
    return Part(choice.records.stream(uploads_folder() / incoming.file), choice, incoming)


def _making(pair: Pair) -> Callable[[list[RecordImportResult]], None]:
    own = pair.first.choice[STUDY]

    def make(done: list[RecordImportResult]) -> None:
        suite = pair.first.choice["suite"]
        created_by = pair.first.created_by
        study = create_study(created_by=created_by, name=own["name"], kind=Kind.PAIRWISE, suite=suite)
        runs = [file.run for file in done]
        add_from_runs(study=study, wanted=ItemRequest(runs, differing=own["differing"], size=own["size"]))
        kept = {**pair.first.choice, STUDY: {**own, "study_id": study.pk}}
        RecordImport.objects.filter(pk=pair.first.pk).update(choice=kept)

    return make


def _refuse(pair: Pair, error: RecordFileError) -> None:
    """The lines of one file are bad; the other one says so."""
    listed = [[problem.line, problem.field, problem.message] for problem in error.problems.problems]
    bad = {"refusal": "lines", "problems": listed, "problem_count": error.problems.count}
    other = _("The other file was refused, so this one was not imported either.")
    for file in pair.files:
        own = bad if error.incoming is not None and file.pk == error.incoming.pk else {"refusal": other}
        RecordImport.objects.filter(pk=file.pk).update(**own)


def _refuse_both(pair: Pair, problem: str) -> None:
    RecordImport.objects.filter(pk__in=[file.pk for file in pair.files]).update(refusal=problem)


def _forget(pair: Pair) -> None:
    for file in pair.files:
        (uploads_folder() / file.file).unlink(missing_ok=True)
