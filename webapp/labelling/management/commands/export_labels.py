"""`manage.py export_labels STUDY`: the labels of a study for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db.models import Q

from benchmark.outputs import open_output
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, print_result
from webapp.labelling.files import FORMATS, Options, WriteCounts, filled_parts
from webapp.labelling.models import LabelStudy


class Command(DatabaseCommand):
    help = "Write the labels of a study: a table, JSON lines, preference pairs, or tasks of Label Studio."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="A study's id or name")
        parser.add_argument("--format", choices=list(FORMATS), required=True)
        parser.add_argument("--out", type=Path, required=True, help="File to write")
        parser.add_argument("--blind", action="store_true", help="People are R1, R2 … in it, without names")
        parser.add_argument(
            "--everything",
            action="store_true",
            help="A table also has repeats, models, and items with known answers or withdrawn",
        )
        parser.add_argument(
            "--numbered",
            action="store_true",
            help="Label Studio's annotations number raters under completed_by; Label Studio itself refuses numbers "
            "of users that it does not have",
        )
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_with(options["study"])
        path: Path = options["out"]
        told = WriteCounts()
        flags = Options(**{name: options[name] for name in ("blind", "everything", "numbered")})
        try:
            pieces = filled_parts(study, options["format"], flags, told)
            with open_output(path) as file:
                file.writelines(pieces)
        except ValueError as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        except OSError as error:
            raise CommandError(f"{error.filename or path}: {error.strerror}", returncode=BAD_INPUT) from error
        result = {"study": study.pk, "items": told.items, "out": str(path), **_pairs(options["format"], told)}
        print_result(self, options, result, _words(path, study, options["format"], told))


def study_with(key: str) -> LabelStudy:
    """The study of this id or name; an id goes first. Raises CommandError."""
    named = list(LabelStudy.objects.filter(Q(pk=key) | Q(name=key))) if "\0" not in key else []
    if not named:
        raise CommandError(
            f"there is no study {key}; give its name, or its id from the address of its page",
            returncode=BAD_INPUT,
        )
    return min(named, key=lambda study: study.pk != key)


def _pairs(format_: str, told: WriteCounts) -> dict[str, Any]:
    if format_ not in ("preferences", "conversations"):
        return {}
    dropped = told.drops
    why = {"undecided": dropped.undecided, "neither_or_tie": dropped.even, "no_plan": dropped.no_plan}
    return {"pairs": dropped.written, "dropped": why}


def _words(path: Path, study: LabelStudy, format_: str, told: WriteCounts) -> str:
    if format_ == "label-studio-config":
        return f"{path}: the interface of study {study.pk}"
    if not _pairs(format_, told):
        return f"{path}: {told.items} items of study {study.pk}"
    dropped = told.drops
    return (
        f"{path}: {dropped.written} pairs of study {study.pk}; left out: {dropped.undecided} without a majority or a "
        f"decision, {dropped.even} neither or equally good, {dropped.no_plan} without an answer on either side"
    )
