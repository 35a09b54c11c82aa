"""`manage.py ceiling --classes K --pairwise A --model M`: agreement with people, their own noise taken out."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _

from benchmark.labelling.ceiling import Ceiling, ceiling
from benchmark.labelling.statistic import Statistic
from webapp.commands import BAD_INPUT, UncheckedCommand, add_json, print_result
from webapp.terminal import table, text_of
from webapp.wording.numbers import number_words
from webapp.wording.remarks import reasons, remark_words


class Command(UncheckedCommand):
    help = (
        "Tell how reliable people are, and how near a model comes to them, by the K-class symmetric-noise model. "
        "--json prints r, r_model, ratio and all_agree, null where one is undefined, and under reasons why."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--classes", type=int, required=True, metavar="K", help="How many labels there are"
        )
        parser.add_argument(
            "--pairwise",
            type=float,
            required=True,
            metavar="A",
            help="Agreement of pairs of people, from 0 to 1",
        )
        parser.add_argument(
            "--model", type=float, metavar="M", help="Agreement of model and people, from 0 to 1"
        )
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            label_ceiling = ceiling(options["classes"], options["pairwise"], options["model"])
        except ValueError as error:
            raise CommandError(f"--{error}", returncode=BAD_INPUT) from error
        figures = _figures(label_ceiling)
        result = {key: figure.value for key, figure in figures.items()} | {"reasons": reasons(figures)}
        print_result(self, options, result, _words(figures))


def _figures(label_ceiling: Ceiling) -> dict[str, Statistic]:
    return {
        "r": label_ceiling.r,
        "r_model": label_ceiling.r_model,
        "ratio": label_ceiling.ratio,
        "all_agree": label_ceiling.all_agree,
    }


def _words(figures: dict[str, Statistic]) -> str:
    shown = table(_("figure"), _("value"))
    for key, figure in figures.items():
        shown.add_row(f"{_(figure.definition.name)} ({key})", number_words(figure.value, 4))
    remarks = [
        f"{key}: {remark_words(remark)}"
        for key, figure in figures.items()
        for remark in (figure.reason, *figure.remarks)
        if remark
    ]
    return "\n".join([text_of(shown).rstrip(), *remarks])
