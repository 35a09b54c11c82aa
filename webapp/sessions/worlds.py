"""The part of a form that says where sessions play."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from webapp.caches.forms import SandboxForm
from webapp.catalogue.fitting import MAX_CHECKED_TASKS, Fit, fit_of, fits, made_for
from webapp.catalogue.models import Task, World


class WorldForm(SandboxForm):
    """The world that the tasks were made for; another one that fits only where it is asked for, or none is named.

    fits: what the worlds in question lack. own: the world that the tasks were made for, None where they have none or
    several.
    """

    world = forms.ModelChoiceField(
        World.objects.none(),
        to_field_name="name",
        required=False,
        label=_("World"),
        empty_label=_("choose a world"),
    )
    other_worlds = forms.BooleanField(required=False, label=_("Other worlds"))

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.has_worlds = World.objects.exists()
        self.made_for = made_for(self.asked_tasks())
        self.own = self.made_for[0] if len(self.made_for) == 1 else None
        self.fits = self._fits() if self.made_for else []
        self.offered_worlds = [fit.world for fit in self.fits if self._may_run(fit)]
        self._pick()
        self._offer()

    def asked_tasks(self) -> QuerySet[Task]:
        """The tasks that are asked for, whether or not the rest is right."""
        raise NotImplementedError

    @cached_property
    def read_tasks(self) -> list[Task]:
        """As many of these tasks as are read before they run."""
        return list(self.asked_tasks()[:MAX_CHECKED_TASKS])

    def unnamed_collections(self) -> list[str]:
        """The collections of these tasks for which nobody has named a world."""
        if None not in self.made_for:
            return []
        nameless = self.asked_tasks().order_by().filter(collection__world=None)
        return list(nameless.values_list("collection__name", flat=True).distinct())

    def shows_other_worlds(self) -> bool:
        """Whether worlds are offered for which the tasks were not made."""
        return bool(self["other_worlds"].value()) or self.own is None

    def _fits(self) -> list[Fit]:
        needs = [task.needs for task in self.read_tasks]
        return fits(needs) if self.own is None or self.shows_other_worlds() else [fit_of(self.own, needs)]

    def _offer(self) -> None:
        field = self.fields["world"]
        assert isinstance(field, forms.ModelChoiceField)
        known = World.objects.defer("report")
        field.queryset = known.filter(pk__in=[w.pk for w in self.offered_worlds]) if self.made_for else known
        if self.own in self.offered_worlds:
            field.empty_label = None
        if self._field_holds("world", str(self["world"].value() or "")):
            field.error_messages["invalid_choice"] = self._refusal()

    def _may_run(self, fit: Fit) -> bool:
        return fit.suits_isolated if self["mode"].value() == "isolated" else fit.suits

    def _refusal(self) -> str:
        if self.own is not None and not self.shows_other_worlds():
            return _now(
                "These tasks were made for world “%(world)s”. Choose it, or show other worlds and "
                "choose one of them."
            ) % {"world": self.own.name}
        return _now("This world lacks what the task needs; choose another.")

    def _pick(self) -> None:
        """Keep the world that was picked where it is offered; else the tasks' own takes its place."""
        names = {world.name for world in self.offered_worlds}
        if self.made_for and not self.is_bound:
            own = self.own.name if self.own is not None and self.own.name in names else ""
            picked = self.initial.get("world")
            self.initial["world"] = picked if picked in names else own

    def clean_world(self) -> World:
        """The world that was chosen, by default the one that the tasks were made for."""
        chosen: World | None = self.cleaned_data.get("world")
        if chosen is not None:
            return chosen
        if self.own is not None and self.own in self.offered_worlds:
            return self.own
        if self.made_for and not self.offered_worlds:
            raise forms.ValidationError(_("No world has all that this task needs; import one that does."))
        raise forms.ValidationError(_("Choose a world."))
