"""Names in the statistics of GroupTravelBench's tasks that its catalogues of groups and fields hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.functional import Promise, lazy
from django.utils.translation import get_language

from benchmark.suites.grouptravel.preferences import FIELDS, PreferenceField
from benchmark.suites.grouptravel.statistics.items import NAMES
from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES
from webapp.suites.grouptravel.wording.fields import field_label


def archetype_words(name: str) -> str:
    """`2-1 Couple`, in the language of the page."""
    known = ARCHETYPES[name]
    return f"{name} {known.name('zh' if (get_language() or '').startswith('zh') else 'en')}"


_archetype_lazy: Callable[[str], Promise] = lazy(archetype_words, str)  # type: ignore[assignment]  # stubs say str
_field_lazy: Callable[[PreferenceField], Promise] = lazy(field_label, str)  # type: ignore[assignment]

STATISTICS_NAMES: Mapping[str, Mapping[str, Promise]] = {
    "archetype": {name: _archetype_lazy(name) for name in ARCHETYPES},
    "field": {NAMES[field]: _field_lazy(field) for field in FIELDS},
}
