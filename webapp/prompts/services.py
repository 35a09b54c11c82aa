"""Writing sets of prompts: a version is added, and never changed."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.db.models import Max, ProtectedError
from django.utils.translation import gettext as _

from benchmark.promptsets import Files, Problem, check_files, digest_of, plain_text, serious
from benchmark.suites import suite_named
from webapp.accounts.models import User
from webapp.forms import ChoiceRefused
from webapp.prompts.choice import problem_line
from webapp.prompts.models import PromptSet, PromptSetVersion
from webapp.prompts.packing import PackedSet

MOST_TOLD = 20
"""Problems that are told of a set at once."""


class SetRefused(ChoiceRefused):
    """Words that can't be kept. problems: all that is wrong, by file and line."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        lines = [problem_line(problem) for problem in problems[:MOST_TOLD]]
        more = [_("and %(n)s more") % {"n": len(problems) - MOST_TOLD}] if len(problems) > MOST_TOLD else []
        super().__init__(" ".join([*lines, *more]), "files")
        self.problems = problems


def kept_files(suite: str, files: Files) -> dict[str, str]:
    """Those of these files that are not as shipped, as sets hold them.

    Raises:
        SetRefused: they can't be told.
    """
    library = suite_named(suite).library
    changed = library.changed_files({path: plain_text(text) for path, text in files.items()})
    if problems := serious(check_files(library, changed)):
        raise SetRefused(problems)
    return changed


def create_set(
    *, name: str, suite: str, files: Files | None = None, comment: str = "", created_by: User | None = None
) -> PromptSetVersion:
    """The first version of a new set. files: those that are not as shipped; others may be among them.

    Raises:
        ChoiceRefused: the name is taken, or the words can't be told. Nothing is stored.
    """
    kept = kept_files(suite, files or {})
    taken = _("There is a set “%(name)s” already. Choose another name.") % {"name": name}
    if PromptSet.objects.filter(name=name).exists():
        raise ChoiceRefused(taken, "name")
    try:
        with transaction.atomic():
            made = PromptSet.objects.create(name=name, suite=suite, created_by=created_by)
            return _add(made, 1, kept, comment, created_by)
    except IntegrityError as error:
        raise ChoiceRefused(taken, "name") from error


def save_version(
    *,
    prompt_set: PromptSet,
    files: Files,
    comment: str = "",
    after: int | None = None,
    created_by: User | None = None,
) -> PromptSetVersion:
    """A new version with these words. after: the number of the version that was edited, None for whichever is newest.

    Raises:
        ChoiceRefused: the words can't be told, are those of the newest version, or somebody has saved another one
            since.
    """
    kept = kept_files(prompt_set.suite, files)
    newest = newest_of(prompt_set)
    if after is not None and newest.number != after:
        words = _("Version %(number)s was saved in the meantime. Compare it with your words, and save again.")
        raise ChoiceRefused(words % {"number": newest.number}, "after")
    if kept == newest.files:
        words = _("Nothing is different from version %(number)s, so there is no new version.")
        raise ChoiceRefused(words % {"number": newest.number}, "files")
    try:
        with transaction.atomic():
            return _add(prompt_set, newest.number + 1, kept, comment, created_by)
    except IntegrityError as error:
        words = _("Version %(number)s was saved in the meantime. Compare it with your words, and save again.")
        raise ChoiceRefused(words % {"number": newest.number + 1}, "after") from error


def _add(
    made: PromptSet, number: int, files: dict[str, str], comment: str, created_by: User | None
) -> PromptSetVersion:
    return PromptSetVersion.objects.create(
        prompt_set=made,
        number=number,
        files=files,
        digest=digest_of(files),
        comment=comment[:200],
        created_by=created_by,
    )


def newest_of(prompt_set: PromptSet) -> PromptSetVersion:
    """The version that was saved last."""
    return prompt_set.versions.select_related("prompt_set").order_by("-number")[0]


def retire(prompt_set: PromptSet, *, retired: bool) -> None:
    """Offer it no longer, or again."""
    PromptSet.objects.filter(pk=prompt_set.pk).update(retired=retired)


def may_delete(user: User, prompt_set: PromptSet) -> bool:
    """Whether somebody may delete a set: its maker and administrators, and anybody where its maker is not known."""
    return user.is_superuser or prompt_set.created_by_id in (None, user.pk)


def delete_set(prompt_set: PromptSet) -> bool:
    """Delete a set with all its versions; False, and nothing is deleted, where something has used one."""
    try:
        prompt_set.delete()
    except ProtectedError:
        return False
    return True


def version_named(text: str) -> PromptSetVersion:
    """The version that `NAME@NUMBER` names; the newest one of `NAME`.

    Raises:
        ChoiceRefused: there is none.
    """
    name, at, number = text.partition("@")
    made = PromptSet.objects.filter(name=name).first()
    if made is None:
        known = ", ".join(PromptSet.objects.values_list("name", flat=True)) or _("none")
        words = _("There is no set of prompts “%(name)s”; there are: %(known)s.")
        raise ChoiceRefused(words % {"name": name, "known": known}, "prompt_set")
    if not at:
        return newest_of(made)
    versions = made.versions.select_related("prompt_set")
    if number.isascii() and number.isdigit() and len(number) < 10:
        found = versions.filter(number=int(number)).first()
        if found is not None:
            return found
    newest = made.versions.aggregate(Max("number"))["number__max"]
    words = _("The set “%(name)s” has no version “%(number)s”; its versions are 1 to %(newest)s.")
    raise ChoiceRefused(words % {"name": name, "number": number, "newest": newest}, "prompt_set")


def take_in(
    *,
    packed: PackedSet,
    into: PromptSet | None = None,
    name: str = "",
    suite: str = "",
    comment: str = "",
    created_by: User | None = None,
) -> PromptSetVersion:
    """What a zip holds, as a new set or as the next version of one.

    name, suite, comment: "" for what its manifest says.

    Raises:
        ChoiceRefused: a name or a benchmark is missing, they contradict, or as `create_set` and `save_version`.
            Nothing is stored.
    """
    said, comment = packed.suite or suite, comment or packed.comment
    if suite and packed.suite and suite != packed.suite:
        words = _("The file is of %(its)s. Leave the benchmark as the file says.")
        raise ChoiceRefused(words % {"its": suite_named(packed.suite).title}, "suite")
    if into is not None:
        if said and said != into.suite:
            words = _("The file is of %(its)s, and the set “%(set)s” of %(suite)s. Choose another set.")
            titles = {"its": suite_named(said).title, "suite": suite_named(into.suite).title}
            raise ChoiceRefused(words % {"set": into.name, **titles}, "into")
        return save_version(prompt_set=into, files=packed.files, comment=comment, created_by=created_by)
    if not said:
        raise ChoiceRefused(_("The file has no manifest: choose its benchmark."), "suite")
    if not (name or packed.name):
        raise ChoiceRefused(_("The file names no set: write a name."), "name")
    return create_set(
        name=name or packed.name, suite=said, files=packed.files, comment=comment, created_by=created_by
    )
