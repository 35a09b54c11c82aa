"""Studies made, changed, opened and closed, copied and deleted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from webapp.accounts.models import User
from webapp.labelling.annotators import invite_again
from webapp.labelling.models import Assignment, Decision, Kind, Label, LabelItem, LabelStudy
from webapp.labelling.retention import forget_names

SEEN_FIELDS = (
    *("question_zh", "question_en", "rubric", "dimensions", "allow_tie", "rationale_required"),
    *("allow_slight", "see_both", "show_chat", "show_ticks", "show_profile", "blind"),
)
"""What annotators see of a study, beside the guidelines."""
GUIDELINES = ("guidelines_zh", "guidelines_en")
FIXED_FIELDS = ("kind", "suite", "rubric", "dimensions", "pilot")
"""What can't change once there are answers: they would be answers to something else."""
COPIED_FIELDS = (
    *("kind", "suite", "allow_tie", "rationale_required", "see_both", "allow_slight"),
    *("show_chat", "show_ticks", "show_profile", "blind"),
    *("rubric", "dimensions"),
    *("question_zh", "question_en", "guidelines_zh", "guidelines_en", "per_item", "by_city", "lease_min"),
    *("min_view_s", "gold_every", "repeat_every", "qualification", "seed", "consent_zh", "consent_en"),
    *("panel", "completion_code", "completion_url", "keep_days"),
)
Status = LabelStudy.Status


class StudyRefused(ValueError):
    """What was asked of a study can't be; `reasons` say why and what helps. field: the setting to change, or ""."""

    def __init__(self, *reasons: str, field: str = "") -> None:
        super().__init__(" ".join(reasons))
        self.reasons = reasons
        self.field = field


def has_labels(study: LabelStudy) -> bool:
    """Whether anybody has answered anything, models too."""
    return Label.objects.filter(item__study=study).exists()


def create_study(*, created_by: User | None = None, **fields: Any) -> LabelStudy:
    """A draft.

    Raises:
        StudyRefused: its name is taken.
    """
    study = LabelStudy(created_by=created_by, **fields)
    _refuse_taken_name(study)
    study.save(force_insert=True)
    return study


def change_study(*, study: LabelStudy, **fields: Any) -> LabelStudy:
    """Change settings. The version rises when annotators see something else, that of the guidelines with them.

    Raises:
        StudyRefused: the name is taken, or there are answers to what would change.
    """
    with transaction.atomic():
        kept = LabelStudy.objects.select_for_update().get(pk=study.pk)
        changed = {name: value for name, value in fields.items() if getattr(kept, name) != value}
        for name in FIXED_FIELDS:
            if name in changed and has_labels(kept):
                raise StudyRefused(_fixed_words(name), field=name)
        for name, value in changed.items():
            setattr(kept, name, value)
        _refuse_taken_name(kept)
        guided = changed.keys() & set(GUIDELINES)
        if guided:
            kept.guidelines_version += 1
        if guided or changed.keys() & set(SEEN_FIELDS):
            kept.version += 1
        kept.save()
    return kept


def _fixed_words(name: str) -> str:
    words = {
        "kind": _(
            "This study already has answers, so its kind can't be changed. Copy the study to ask in "
            "another way."
        ),
        "suite": _("This study already has answers, so its benchmark can't be changed. Make another study."),
        "rubric": _(
            "This study already has ratings, so its rubric can't be changed. Copy the study to ask in another way."
        ),
        "dimensions": _(
            "This study already has ratings, so its dimensions can't be changed. Copy the study to "
            "ask in another way."
        ),
        "pilot": _(
            "Annotators have already answered, so a pilot can't become a real study, or a real study "
            "a pilot. Copy the study instead."
        ),
    }
    return words[name]


def _refuse_taken_name(study: LabelStudy) -> None:
    try:
        study.validate_unique()
    except ValidationError:
        raise StudyRefused(
            _("A study with this name already exists; choose another name."), field="name"
        ) from None


def why_not_open(study: LabelStudy) -> list[str]:
    """What a study lacks, without which nobody could answer."""
    reasons = []
    if not study.items.filter(purpose=LabelItem.Purpose.NORMAL, withdrawn_at=None).exists():
        reasons.append(_("The study has no items. Add some, from runs or from files."))
    if study.kind == Kind.BINARY and not (study.question_zh or study.question_en):
        reasons.append(_("The study asks no question. Write one under Settings."))
    if study.kind == Kind.RUBRIC and not study.dimension_names:
        reasons.append(
            _(
                "The study has no dimensions, and its benchmark has no judge whose dimensions it could use. Choose a "
                "rubric under Settings, or write dimensions of your own."
            )
        )
    return reasons


def open_study(*, study: LabelStudy) -> None:
    """Let annotators work.

    Raises:
        StudyRefused: something is missing, or the data of its annotators was removed.
    """
    if reasons := why_not_open(study):
        raise StudyRefused(*reasons)
    _set_status(study, Status.OPEN)


def pause_study(*, study: LabelStudy) -> None:
    """Give out nothing more for now; what annotators have before them can still be sent.

    Raises:
        StudyRefused: it is not open.
    """
    if study.status != Status.OPEN:
        raise StudyRefused(_("Only an open study can be paused."))
    _set_status(study, Status.PAUSED)


def close_study(*, study: LabelStudy) -> None:
    """Take no more answers. It can be opened again."""
    with transaction.atomic():
        _set_status(study, Status.CLOSED)
        at_work = Assignment.objects.filter(item__study=study, status=Assignment.Status.OPEN)
        at_work.update(status=Assignment.Status.EXPIRED, ended_at=timezone.now())


def _set_status(study: LabelStudy, status: str) -> None:
    kept = LabelStudy.objects.filter(pk=study.pk, data_removed_at=None)
    if not kept.update(status=status, kept_from=timezone.now()):
        raise StudyRefused(
            _(
                "The names of this study's annotators and what they wrote were removed, so it stays closed. Copy the "
                "study to ask again."
            )
        )
    study.status = status


VERBS: Mapping[str, Callable[..., None]] = {"open": open_study, "pause": pause_study, "close": close_study}
"""What changes the state of a study, by name in addresses."""


def duplicate(
    *,
    study: LabelStudy,
    name: str,
    pilot: bool,
    annotators: bool = False,
    created_by: User | None = None,
) -> LabelStudy:
    """A draft with the same settings and items and no answers. annotators: invite the same people to it, too.

    Raises:
        StudyRefused: the name is taken, or nobody knows by now who the annotators were.
    """
    if annotators and study.data_removed_at is not None:
        raise StudyRefused(
            _(
                "The names of this study's annotators were removed, so the copy can't have the same annotators."
            )
        )
    with transaction.atomic():
        fields = {field: getattr(study, field) for field in COPIED_FIELDS}
        copy = create_study(created_by=created_by, name=name, pilot=pilot, **fields)
        items = list(study.items.filter(withdrawn_at=None).order_by("number"))
        for number, item in enumerate(items, 1):
            item.pk, item.study, item.number = None, copy, number
        LabelItem.objects.bulk_create(items, batch_size=500)
        if annotators:
            for annotator in study.annotators.select_related("rater"):
                invite_again(study=copy, rater=annotator.rater)
    return copy


def delete_study(*, study: LabelStudy) -> None:
    """Delete a study that nobody has answered, with its items and links, and names that no other study has.

    Raises:
        StudyRefused: there are answers.
    """
    with transaction.atomic():
        LabelStudy.objects.select_for_update().get(pk=study.pk)
        if has_labels(study) or Decision.objects.filter(item__study=study).exists():
            raise StudyRefused(_("This study has answers, so it can't be deleted. Close it instead."))
        raters = list(study.annotators.values_list("rater", flat=True))
        study.delete()
        forget_names(raters)
