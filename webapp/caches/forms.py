"""The part of a form that says who answers tool calls."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from sandbox.cache.cache import POINTER
from webapp.caches.choice import SandboxChoice
from webapp.caches.models import ToolCache, caches_folder
from webapp.endpoints.selectors import offered_endpoints
from webapp.fields import NUL
from webapp.forms import NameField


class NewCacheForm(forms.Form):
    """The name of a new cache, and the language of its answers."""

    name = NameField(
        max_length=60,
        label=_("Name"),
        error_messages={"invalid": _("Use letters, digits, - and _ in a name.")},
    )
    language = forms.ChoiceField(choices=[("zh", _("Chinese")), ("en", _("English"))], label=_("Language"))

    def clean_name(self) -> str:
        """A name that is free, or whose cache is gone from the disk."""
        name: str = self.cleaned_data["name"]
        if ToolCache.objects.filter(name=name).exists() and (caches_folder() / name / POINTER).exists():
            raise forms.ValidationError(_("A cache with this name already exists; choose another name."))
        return name


MODES = [
    ("world", _("world: computed from the world")),
    ("isolated", _("isolated: the cache, else a simulator")),
    ("online", _("online: the cache, else live services, whose answers it keeps")),
]


class SandboxForm(forms.Form):
    """Mode and cache, and how isolated answers are made."""

    mode = forms.ChoiceField(choices=MODES, initial="world", label=_("Sandbox"))
    cache = forms.ModelChoiceField(
        ToolCache.objects.all(),
        to_field_name="name",
        required=False,
        label=_("Cache"),
        empty_label=_("none"),
        help_text=_("For isolated and online."),
    )
    normalisation = forms.ChoiceField(
        choices=[
            ("published", _("published: exactly the published keys")),
            (
                "strict-semantic",
                _("strict-semantic: ignores defaults, forms of numbers, character width and outer spaces"),
            ),
        ],
        initial="published",
        label=_("Call matching"),
    )
    simulator_model = forms.ModelChoiceField(
        offered_endpoints(),
        to_field_name="name",
        required=False,
        label=_("Simulator"),
        empty_label=_("built in"),
        help_text=_("Or a model, which writes the answers that the cache lacks."),
        error_messages={"invalid_choice": _("There is no such model, or it is retired; choose another.")},
    )
    embedder = forms.ChoiceField(
        choices=[("fields", _("fields: built in")), ("endpoint", _("endpoint: CARAVAN_EMBEDDINGS_*"))],
        initial="fields",
        label=_("Embedder"),
    )
    index = forms.ChoiceField(
        choices=[("exact", _("exact")), ("approximate", _("approximate: faster, finds about 99 of 100"))],
        initial="exact",
        label=_("Index"),
    )
    examples = forms.IntegerField(
        min_value=1,
        max_value=64,
        initial=8,
        label=_("Examples"),
        help_text=_("Similar calls that the simulator sees; 8 in the papers."),
    )
    FINE = ("normalisation", "simulator_model", "embedder", "index", "examples")
    """What a researcher seldom changes; absent from the data, each stays as it is."""

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(_with_initial_values(data), **options)
        self.unknown_world = self._named_nowhere()

    def clean(self) -> dict[str, Any]:
        """Isolated and online need a cache."""
        given: dict[str, Any] = super().clean() or {}
        if (
            given.get("mode") in ("isolated", "online")
            and not given.get("cache")
            and "cache" not in self.errors
        ):
            self.add_error("cache", _("This mode needs a cache; choose one."))
        return given

    def sandbox(self) -> SandboxChoice:
        """What was chosen."""
        return SandboxChoice(**{name: self.cleaned_data[name] for name in ("mode", "cache", *self.FINE)})

    def _named_nowhere(self) -> dict[str, str]:
        """What a link names that there is not, by the field that would offer it."""
        if self.is_bound:
            return {}
        named = {name: str(self.get_initial_for_field(f, name) or "") for name, f in self.fields.items()}
        return {name: value for name, value in named.items() if value and not self._field_holds(name, value)}

    def _field_holds(self, name: str, value: str) -> bool:
        field = self.fields[name]
        if not isinstance(field, forms.ModelChoiceField) or field.queryset is None:
            return True
        rows = field.queryset.model._default_manager.filter(**{field.to_field_name or "pk": value})
        return NUL not in value and rows.exists()

    def main_fields(self) -> list[forms.BoundField]:
        """What everybody looks at."""
        return [field for field in self if field.name not in self.FINE]

    def fine_fields(self) -> list[forms.BoundField]:
        """The rest."""
        return [self[name] for name in self.FINE]

    def fine_changed(self) -> bool:
        """Whether the rest has to be shown at once."""
        return any(
            self[name].errors or str(self[name].value() or "") != str(self.fields[name].initial or "")
            for name in self.FINE
        )


def _with_initial_values(data: Any) -> Any:
    """Data with the initial values of what is absent from it: links and scripts name only what matters to them."""
    if data is None:
        return None
    filled = data.copy()
    for name, field in SandboxForm.base_fields.items():
        if name != "cache" and name not in filled:
            filled[name] = field.initial
    return filled
