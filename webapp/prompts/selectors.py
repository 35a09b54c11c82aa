"""Reading sets of prompts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count

from benchmark.core.events import PromptSetChosen
from benchmark.promptsets import ROLES, PromptFile, PromptLibrary, PromptPart
from benchmark.suites import SUITES, suite_named
from webapp.prompts.models import PromptSet, PromptSetVersion


@dataclass(frozen=True)
class SetRow:
    """A set in the list: its newest version, how many there are, and which parts it says otherwise."""

    prompt_set: PromptSet
    newest: PromptSetVersion
    versions: int
    sessions: int


def shipped_sets() -> list[tuple[str, str, list[tuple[PromptPart, int]]]]:
    """The shipped set of each benchmark: its name, its title, and its parts with their numbers of templates."""
    return [(name, suite_named(name).title, counted_parts(suite_named(name).library)) for name in SUITES]


def counted_parts(library: PromptLibrary) -> list[tuple[PromptPart, int]]:
    """The parts with templates, by role, and how many each has in a language."""
    parts = sorted(library.parts, key=lambda part: ROLES.index(part.role))
    counts = [(part, sum(f.part is part for f in library.files.values()) // 2) for part in parts]
    return [(part, count) for part, count in counts if count]


def set_rows() -> list[SetRow]:
    """All sets that researchers made, those that are offered first."""
    rows = PromptSetVersion.objects.select_related("prompt_set", "created_by").defer("files")
    by_set: dict[int, list[PromptSetVersion]] = {}
    used = dict(PromptSetVersion.objects.order_by().annotate(n=Count("sessions")).values_list("pk", "n"))
    for version in rows.order_by("prompt_set__retired", "prompt_set__name", "-number"):
        by_set.setdefault(version.prompt_set_id, []).append(version)
    return [
        SetRow(own[0].prompt_set, own[0], len(own), sum(used[version.pk] for version in own))
        for own in by_set.values()
    ]


def version_in_log(chosen: PromptSetChosen | None) -> PromptSetVersion | None:
    """The version that a log names, None where it names none, or one that is not here with the same words."""
    if chosen is None or not chosen.name:
        return None
    rows = PromptSetVersion.objects.select_related("prompt_set").filter(digest=chosen.digest)
    return rows.filter(prompt_set__name=chosen.name, number=chosen.set_version).first()


def versions_of(made: PromptSet) -> list[tuple[PromptSetVersion, int]]:
    """Its versions, the newest one first, each with how many sessions were told its words."""
    used = dict(made.versions.order_by().annotate(n=Count("sessions")).values_list("pk", "n"))
    rows = made.versions.select_related("prompt_set", "created_by").defer("files").order_by("-number")
    return [(version, used[version.pk]) for version in rows]


def offered_versions(
    suite: str, *, whole: bool = False
) -> Iterator[tuple[PromptSet, list[PromptSetVersion]]]:
    """The sets of a benchmark that are not retired, with their versions, the newest one first. whole: with files."""
    rows = PromptSetVersion.objects.filter(prompt_set__suite=suite, prompt_set__retired=False)
    ordered = rows.select_related("prompt_set").order_by("prompt_set__name", "-number")
    ordered = ordered if whole else ordered.defer("files")
    for made, versions in groupby(ordered, key=lambda version: version.prompt_set):
        yield made, list(versions)


def files_by_part(library: PromptLibrary, language: str) -> list[tuple[PromptPart, list[PromptFile]]]:
    """The templates in a language, part by part."""
    files = [file for file in library.files.values() if file.language == language]
    parts = [part for part, _count in counted_parts(library)]
    return [(part, [file for file in files if file.part is part]) for part in parts]
