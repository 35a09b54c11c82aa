"""The form of a search for weights."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from benchmark.labelling.weights import Grid, GridError, read_grid
from benchmark.suites import suite_named
from benchmark.text.spelling import FieldSpellings
from webapp.forms import ChoiceRefused
from webapp.labelling.models import LabelStudy
from webapp.labelling.weights import OWN, SMALL, LabelledPairs, grids_for, lacking_metrics

MOST_SAMPLES = 2_000
MOST_FOLDS = 20
EXAMPLE = '{"gu": [0, 0.5, 1], "gf": [0.2, 0.6, 1]}'


class WeightsForm(forms.Form):
    """Which values, which grid, and how far its result is tested."""

    profile = forms.ChoiceField(label=_("Profile of scoring"))
    unit = forms.BooleanField(
        required=False,
        initial=True,
        label=_("Scale every metric to 0 to 1"),
        help_text=_("Over the values of these pairs. Otherwise metrics count in their own units."),
    )
    grid = forms.ChoiceField(label=_("Grid"))
    own = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "placeholder": EXAMPLE}),
        label=_("Own grid"),
        help_text=_(
            "JSON: metrics with the weights to try, or groups, each with a name, weights and metrics."
        ),
    )
    folds = forms.IntegerField(
        min_value=0,
        max_value=MOST_FOLDS,
        initial=5,
        label=_("Folds"),
        help_text=_("Stratified cross-validation with a search of its own inside each fold. 0 for none."),
    )
    bootstrap = forms.IntegerField(
        min_value=0, max_value=MOST_SAMPLES, initial=1000, label=_("Bootstrap samples")
    )
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, initial=0, label=_("Seed"))
    drop_neither = forms.BooleanField(
        required=False,
        label=_("Leave out “neither”"),
        help_text=_("Otherwise equal scores of both plans count as right where people say “neither”."),
    )

    def __init__(self, data: Any = None, *, study: LabelStudy, **options: Any) -> None:
        super().__init__(data, **options)
        self._study = study
        profiles = list(suite_named(study.suite).scoring.profiles)
        self._choice("profile", [(name, name) for name in profiles])
        chosen = self["profile"].value()
        self.pairs = LabelledPairs(
            study, chosen if chosen in profiles else profiles[0], bool(self["unit"].value())
        )
        self.grids = grids_for(study.suite, list(self.pairs.values))
        self.spellings = FieldSpellings()
        for metric in self.pairs.values:
            self.spellings.plain("name", metric)
        names = {SMALL: _("the same few weights for every metric"), OWN: _("your own grid, below")}
        shown = {name: self._grid_words(name, grid) for name, grid in self.grids.items()}
        self._choice("grid", [(name, names.get(name) or shown[name]) for name in (*self.grids, OWN)])

    def _grid_words(self, name: str, grid: Grid) -> str:
        """The name of a grid, and which of its metrics have no values here."""
        lacking = lacking_metrics(self._study.suite, name, grid)
        words = _("%(name)s, without %(metrics)s")
        return words % {"name": name, "metrics": ", ".join(lacking)} if lacking else name

    def _choice(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def says_grid(self) -> bool:
        """Whether a grid is chosen or written."""
        name = self["grid"].value() or next(iter(self.grids), OWN)
        return name in self.grids or bool((self["own"].value() or "").strip())

    def chosen_grid(self) -> Grid:
        """The grid that is asked for, whatever the other fields say.

        Raises:
            ChoiceRefused: an own grid is none.
        """
        name = self["grid"].value() or next(iter(self.grids), OWN)
        if name in self.grids:
            return self.grids[name]
        if not (own := (self["own"].value() or "").strip()):
            raise ChoiceRefused(str(_("Write the grid here, or choose one above.")), "own")
        try:
            return read_grid(own, self.spellings)
        except GridError as error:
            raise ChoiceRefused(str(error), "own") from error

    def clean(self) -> dict[str, Any]:
        """With the grid itself."""
        given = super().clean() or {}
        try:
            given["chosen"] = self.chosen_grid()
        except ChoiceRefused as refusal:
            self.add_error(refusal.field, str(refusal))
        if given.get("grid") in self.grids and given.get("own", "").strip():
            self.add_error(
                "own", _("This grid is not the one chosen above: choose your own grid there, or empty this.")
            )
        return given

    def creation(self) -> dict[str, Any]:
        """The arguments of `start_search`."""
        given = self.cleaned_data
        options = {name: given[name] for name in ("folds", "bootstrap", "seed", "drop_neither")}
        return {
            "profile": given["profile"],
            "grid": given["chosen"],
            "unit": given["unit"],
            "options": options,
        }
