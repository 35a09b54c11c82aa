"""What statistics of labels say beside their value."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from benchmark.labelling.statistic import Remark, Statistic


def remark_words(remark: Remark) -> str:
    """A sentence in the reader's language."""
    return _(remark.text) % remark.values


def reasons(statistics: Mapping[str, Statistic]) -> dict[str, str]:
    """Why those have no value that have none, by key."""
    return {
        key: remark_words(one.reason) for key, one in statistics.items() if one.value is None and one.reason
    }
