"""What holds data of people, for the audit log."""

from __future__ import annotations

from django.db.models import Q

from webapp.audits.subjects import KINDS, SubjectKind
from webapp.people.models import Guest


def _of_session(pk: str) -> int:
    """Those who sat in it, or in the one that its log is from."""
    from_there = Q(seat__session__forks=pk) | Q(seat__session__replays=pk)
    return Guest.objects.filter(Q(seat__session=pk) | from_there).distinct().count()


def _of_run(pk: str) -> int:
    from_there = Q(seat__session__forks__run=pk) | Q(seat__session__replays__run=pk)
    return Guest.objects.filter(Q(seat__session__run=pk) | from_there).distinct().count()


def _of_set(pk: str) -> int:
    return Guest.objects.filter(seat__session__sets=int(pk)).distinct().count()


def _of_person(pk: str) -> int:
    return Guest.objects.filter(pk=pk).count()


def _of_all(_pk: str) -> int:
    """Of what shows whatever is found: all that there are."""
    return Guest.objects.count()


def register() -> None:
    """Say which addresses are of what."""
    KINDS.extend(
        [
            SubjectKind("set", _of_set, ("pk",), ("session_set",)),
            SubjectKind("labelling", _of_all, ("study_id",), ("label_", "known_label", "adjudicate_label")),
            SubjectKind(
                "labelling", _of_all, (), ("label_", "next_adjudication", "adjudicate_", "api_v1_labels")
            ),
            SubjectKind("judging", _of_all, ("batch_id",), ("judge_batch",)),
            SubjectKind("judging", _of_all, (), ("api_v1_judgements",)),
            SubjectKind("search", _of_all, (), ("search",)),
            SubjectKind("notes", _of_all, (), ("notes",)),
            SubjectKind("session", _of_session, ("session_id",)),
            SubjectKind("run", _of_run, ("run_id",)),
            SubjectKind("person", _of_person, ("guest_id",)),
        ]
    )
