"""`manage.py create_study NAME --run RUN`: a labelling study over the sessions of runs, or over their messages."""

from __future__ import annotations

from typing import Any, TypeVar

from django import forms
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, print_result
from webapp.labelling.forms import RunsForm, StudyForm
from webapp.labelling.items import ItemRefused, add_from_runs
from webapp.labelling.models import Kind, LabelStudy
from webapp.labelling.studies import StudyRefused, create_study, open_study
from webapp.sessions.options import run_named

Form = TypeVar("Form", bound=forms.BaseForm)


class Command(DatabaseCommand):
    help = (
        "Make a labelling study with items from runs, as a draft or open; all other settings are on its page."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument(
            "--run", action="append", required=True, metavar="RUN", help="Its id or name; repeatable"
        )
        parser.add_argument("--kind", choices=Kind.values, default=Kind.PAIRWISE.value)
        parser.add_argument("--rubric", default="", help="Of judges or of messages, by its name")
        parser.add_argument("--question", default="", help="Of a yes/no study")
        parser.add_argument(
            "--only", action="append", default=[], metavar="KEY=VALUE", help="Such as subset=ais"
        )
        parser.add_argument("--stratum", default="", metavar="KEY", help="What items are balanced by")
        parser.add_argument("--size", type=int, help="Items, or conversations whose messages become items")
        parser.add_argument("--per-item", type=int, default=3, help="Annotators an item")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--open", action="store_true", help="Let annotators in at once")
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        runs = [run_named(name) for name in options["run"]]
        chosen = {name: options[name] for name in ("name", "kind", "rubric", "per_item", "seed")}
        chosen |= {"suite": runs[0].suite, "question_en": options["question"]}
        try:
            with transaction.atomic():
                study = create_study(**_valid_form(StudyForm({**_usual_settings(), **chosen})).settings())
                wanted = {name: options[name] for name in ("only", "stratum", "size", "seed")}
                given = {f"runs-{name}": value for name, value in wanted.items() if value is not None}
                form = RunsForm(
                    {**given, "runs-runs": [run.pk for run in runs], "runs-differing": "1"}, study=study
                )
                count = len(add_from_runs(study=study, wanted=_valid_form(form).item_request()))
                if options["open"]:
                    open_study(study=study)
        except (ItemRefused, StudyRefused) as refusal:
            raise CommandError(str(refusal), returncode=BAD_INPUT) from refusal
        result = {"study": study.pk, "items": count, "status": study.status}
        print_result(self, options, result, f"study {study.pk}: {count} items, {study.status}")


def _usual_settings() -> dict[str, Any]:
    """What the page of a new study starts with."""
    form = StudyForm(instance=LabelStudy())
    usual = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    return {name: value for name, value in usual.items() if value not in (None, False)}


def _valid_form(form: Form) -> Form:
    """The form. Raises CommandError where something in it is wrong."""
    if not form.is_valid():
        faults = (f"{name}: {' '.join(map(str, own))}" for name, own in form.errors.items())
        raise CommandError("\n".join(faults), returncode=BAD_INPUT)
    return form
