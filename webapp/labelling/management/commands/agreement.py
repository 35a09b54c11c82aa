"""`manage.py agreement LABELS.csv`: how far the raters of any table of labels agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _

from benchmark.inputs import open_unpacked
from benchmark.labelling.agreement import Agreement, agreement_of
from benchmark.labelling.cohen import pair_key
from benchmark.labelling.statistic import Statistic
from benchmark.labelling.tables import SCALES, LabelTable, Scale, read_table
from webapp.commands import BAD_INPUT, UncheckedCommand, add_json, print_result
from webapp.labelling.wording import interval_words
from webapp.terminal import table, text_of
from webapp.wording.numbers import number_words, share_words
from webapp.wording.remarks import reasons, remark_words

MOST_PAIRS = 20
"""Pairs of raters that are listed in words; JSON has all."""
_COHEN = "cohen_kappa"


class Command(UncheckedCommand):
    help = (
        "Tell how far raters agree, from a table (CSV, .gz too) with the columns item, rater and label. An empty "
        "label is a missing one. --json prints percent_agreement, cohen_kappa, fleiss_kappa, krippendorff_alpha, "
        "gwet_ac1, on scales of numbers icc_2k, n_items and n_raters, null where one is undefined, under reasons "
        "why, and under intervals the bootstrap interval of each (95 %). cohen_kappa has a key for each "
        "pair of raters, R1|R2 in the order of their names; a | within a name is written \\|, a \\ as \\\\. The "
        "reason of a pair has the key cohen_kappa.R1|R2. Pairs of ratings count alike in percent_agreement, whatever "
        "item they are of; cohen_kappa is unweighted on every scale; fleiss_kappa takes the items with the commonest "
        "number of ratings, and what it leaves out is said on standard error."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("labels", type=Path, metavar="LABELS.csv")
        parser.add_argument(
            "--scale",
            choices=SCALES,
            default=SCALES[0],
            help="Of the labels, by default %(default)s: text. The others take numbers",
        )
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        agreement = agreement_of(_table(options["labels"], options["scale"]))
        print_result(self, options, _result(agreement), "" if options["json"] else _words(agreement))
        for remark in agreement.table.spelling_remarks:
            self.stderr.write(remark_words(remark), self.style.WARNING)
        for sentence in (
            _sentences(agreement.fleiss) if options["json"] and agreement.fleiss.value is not None else ()
        ):
            self.stderr.write(f"{_(agreement.fleiss.definition.name)}: {sentence}", self.style.WARNING)


def _table(path: Path, scale: Scale) -> LabelTable:
    try:
        with open_unpacked(path) as file:
            return read_table(file, scale)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=BAD_INPUT) from error
    except ValueError as error:
        named = "" if str(error).startswith(f"{path}: ") else f"{path}: "
        raise CommandError(f"{named}{error}", returncode=BAD_INPUT) from error


def _result(agreement: Agreement) -> dict[str, Any]:
    kappas = {pair_key(*pair): kappa for pair, kappa in agreement.cohen.items()}
    figures = {
        "percent_agreement": agreement.percent,
        "fleiss_kappa": agreement.fleiss,
        "krippendorff_alpha": agreement.alpha,
        "gwet_ac1": agreement.ac1,
        **({"icc_2k": agreement.icc} if agreement.icc else {}),
    }
    why = reasons(figures | {f"{_COHEN}.{key}": kappa for key, kappa in kappas.items()})
    if not kappas:
        why[_COHEN] = _("there is only one rater")
    return {
        **{key: figure.value for key, figure in figures.items()},
        _COHEN: {key: kappa.value for key, kappa in kappas.items()},
        "intervals": {
            **{key: _ends(figure) for key, figure in figures.items()},
            **{f"{_COHEN}.{key}": _ends(kappa) for key, kappa in kappas.items()},
        },
        "n_items": len(agreement.table.items),
        "n_raters": len(agreement.table.raters),
        "reasons": why,
    }


def _ends(statistic: Statistic) -> list[float] | None:
    return None if statistic.low is None or statistic.high is None else [statistic.low, statistic.high]


def _words(agreement: Agreement) -> str:
    shown = table(_("statistic"), _("value"), _("95 % interval"), _("items"), _("ratings"))
    listed = agreement.table_statistics
    for statistic in listed:
        shown.add_row(_(statistic.definition.name), *_cells(statistic))
    pairs = [(pair, kappa) for pair, kappa in agreement.cohen.items() if kappa.size.items][:MOST_PAIRS]
    for pair, kappa in pairs:
        shown.add_row(f"{_(kappa.definition.name)}, {pair_key(*pair)}", *_cells(kappa))
    counted = _("%(items)s items, %(raters)s raters") % {
        "items": f"{len(agreement.table.items):,}",
        "raters": f"{len(agreement.table.raters):,}",
    }
    left = len(agreement.cohen) - len(pairs)
    more = [_("pairs of raters not listed: %(n)s; --json has all") % {"n": f"{left:,}"}] if left else []
    told = [
        f"{_(statistic.definition.name)}: {sentence}"
        for statistic in listed
        for sentence in _sentences(statistic)
    ]
    return "\n".join([counted, text_of(shown, None).rstrip(), *told, *more])


def _cells(statistic: Statistic) -> tuple[str, str, str, str]:
    value = number_words(statistic.value, 4)
    if statistic.definition.share and statistic.value is not None:
        value = f"{share_words(statistic.value)} %"
    return (
        value,
        interval_words(statistic),
        f"{statistic.size.items:,}" if statistic.size.items else "",
        f"{statistic.size.ratings:,}" if statistic.size.ratings else "",
    )


def _sentences(statistic: Statistic) -> list[str]:
    said = (statistic.reason, *statistic.remarks) if statistic.value is None else statistic.remarks
    return [remark_words(remark) for remark in said if remark]
