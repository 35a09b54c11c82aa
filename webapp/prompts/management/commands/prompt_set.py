"""`manage.py prompt_set list|export|import`: sets of prompts as plain files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from benchmark.suites import SUITES
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, page_address, print_result, row_named
from webapp.forms import ChoiceRefused
from webapp.prompts import packing, selectors, services
from webapp.prompts.choice import problem_line
from webapp.prompts.models import PromptSet
from webapp.prompts.services import SetRefused


class Command(DatabaseCommand):
    help = "List sets of prompts, write one as a zip of plain files, or take one in. Exit code 2: bad input."

    def add_arguments(self, parser: CommandParser) -> None:
        does = parser.add_subparsers(dest="does", required=True)
        add_json(does.add_parser("list", help="The sets of researchers"))
        export = does.add_parser("export", help="Write a zip with a manifest and every template")
        export.add_argument("set", help="NAME, NAME@VERSION, or a benchmark for its shipped words")
        export.add_argument("file", help="The zip to write")
        take_in = does.add_parser("import", help="Take in a zip, or a folder of files PART/LANGUAGE/NAME.txt")
        take_in.add_argument("file", help="The zip or the folder")
        take_in.add_argument("--name", default="", help="Of the new set, by default as the manifest says")
        take_in.add_argument("--into", metavar="NAME", help="As the next version of this set")
        take_in.add_argument("--suite", default="", choices=["", *SUITES], help="Where there is no manifest")
        take_in.add_argument("--comment", default="", help="What is different")
        add_json(take_in)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            {"list": self._list, "export": self._export, "import": self._import}[options["does"]](options)
        except SetRefused as refusal:
            lines = "\n".join(problem_line(problem) for problem in refusal.problems)
            raise CommandError(lines, returncode=BAD_INPUT) from refusal
        except ChoiceRefused as refusal:
            raise CommandError(str(refusal), returncode=BAD_INPUT) from refusal
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}", returncode=BAD_INPUT) from error

    def _list(self, options: dict[str, Any]) -> None:
        rows = [
            {
                "name": row.prompt_set.name,
                "suite": row.prompt_set.suite,
                "version": row.newest.number,
                "digest": row.newest.digest,
                "comment": row.newest.comment,
                "sessions": row.sessions,
                "retired": row.prompt_set.retired,
            }
            for row in selectors.set_rows()
        ]
        lines = [
            f"{row['name']}@{row['version']}  {row['suite']}  {str(row['digest'])[:8]}  {row['comment']}"
            for row in rows
        ]
        print_result(
            self, options, rows, "\n".join(lines) or "no set yet; the page Prompts copies a shipped one"
        )

    def _export(self, options: dict[str, Any]) -> None:
        named = options["set"]
        packed = (
            packing.pack_shipped(named) if named in SUITES else packing.pack(services.version_named(named))
        )
        Path(options["file"]).write_bytes(packed)
        self.stdout.write(f"{options['file']}: {len(packed)} bytes")

    def _import(self, options: dict[str, Any]) -> None:
        path = Path(options["file"])
        packed = packing.read_folder(path) if path.is_dir() else _unpack(path)
        into = row_named(PromptSet.objects.all(), options["into"], "set", "") if options["into"] else None
        given = {name: options[name] for name in ("name", "suite", "comment")}
        version = services.take_in(packed=packed, into=into, **given)
        result = {"set": str(version), "digest": version.digest, "page": page_address(version)}
        print_result(self, options, result, f"{version}: {len(version.files)} files are not as shipped")


def _unpack(path: Path) -> packing.PackedSet:
    with path.open("rb") as file:
        return packing.unpack(file)
