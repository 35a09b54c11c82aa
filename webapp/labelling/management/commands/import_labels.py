"""`manage.py import_labels STUDY FILE`: labels made elsewhere come into a study, all or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from benchmark.labelling.files.read import FORMATS
from benchmark.labelling.tables import BadTable
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, print_result
from webapp.labelling.file_views import outcome
from webapp.labelling.incoming import import_labels
from webapp.labelling.management.commands.export_labels import study_with


class Command(DatabaseCommand):
    help = "Bring labels of a file into a study. A file with a bad line changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="A study's id or name")
        parser.add_argument("file", type=Path, help="CSV, JSONL, or Label Studio's JSON; gzip too")
        parser.add_argument("--format", choices=list(FORMATS), default="", help="By default by its name")
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        study, path = study_with(options["study"]), options["file"]
        try:
            brought = import_labels(study=study, path=path, format_=options["format"])
        except BadTable as error:
            words = f"{path}: nothing was imported, problems: {error.problems.count}\n{error}"
            raise CommandError(words, returncode=BAD_INPUT) from error
        except ValueError as error:
            raise CommandError(f"{error}\nnothing was imported", returncode=BAD_INPUT) from error
        except OSError as error:
            raise CommandError(f"{error.filename or path}: {error.strerror}", returncode=BAD_INPUT) from error
        print_result(self, options, {"study": study.pk, **vars(brought)}, outcome(brought))
