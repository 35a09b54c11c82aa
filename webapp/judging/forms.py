"""The form of a batch of judgements."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from benchmark.judging import PUBLISHED
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import offered_endpoints
from webapp.judging.selectors import (
    forms_offered,
    left_out,
    rubrics_offered,
    sessions_named,
    sessions_of_run,
    sessions_of_set,
)
from webapp.judging.services import MAX_REPEATS
from webapp.judging.wording import left_out_words
from webapp.prompts.fields import judged_set_choices
from webapp.prompts.services import version_named
from webapp.sessions.models import Run
from webapp.sets.models import SessionSet


class JudgeForm(forms.Form):
    """What is judged, a run or sessions, by whom, and how often."""

    run = forms.ModelChoiceField(
        Run.objects.none(),
        required=False,
        label=_("Run"),
        empty_label=_("none"),
        help_text=_("Every session that the report of the run counts: those that finished or crashed."),
    )
    sessions = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        label=_("Or sessions"),
        help_text=_("Ids of sessions that finished or crashed, instead of a run."),
    )
    set = forms.ModelChoiceField(
        SessionSet.objects.none(),
        required=False,
        label=_("Or a set"),
        empty_label=_("none"),
        help_text=_("Those of its sessions that finished or crashed."),
    )
    judge = forms.ModelChoiceField(
        ModelEndpoint.objects.none(), to_field_name="name", label=_("Judge"), empty_label=_("choose a model")
    )
    meta_judge = forms.ModelChoiceField(
        ModelEndpoint.objects.none(),
        to_field_name="name",
        required=False,
        label=_("Meta-judge"),
        empty_label=_("the judge itself"),
        help_text=_("Rates from 1 to 5 how reliable the judge's ratings are, which scales the score."),
    )
    uncalibrated = forms.BooleanField(
        required=False,
        label=_("No meta-judge"),
        help_text=_(
            "The ratings are not calibrated: the score is their mean. This takes half as many requests."
        ),
    )
    rubric = forms.ChoiceField(
        required=False,
        choices=lambda: [
            ("", _("the first one of the benchmark")),
            *((name, _now(metric.name)) for name, metric in rubrics_offered().items()),
        ],
        label=_("Rubric"),
        help_text=_("What the judge rates. Each rubric of a benchmark is judged separately."),
    )
    form = forms.TypedChoiceField(
        required=False,
        empty_value=PUBLISHED,
        choices=lambda: [(name, _now(form.label)) for name, form in forms_offered().items()],
        initial=PUBLISHED,
        label=_("Shown to the judge"),
        help_text=_(
            "As the benchmark's own program shows it, or in another way. Ratings of different inputs "
            "are never averaged."
        ),
    )
    prompt_set = forms.ChoiceField(
        required=False,
        choices=judged_set_choices,
        label=_("Prompts"),
        help_text=_("What judges are told. Other words under a judge's name are another judge."),
    )
    repeats = forms.IntegerField(
        min_value=1,
        max_value=MAX_REPEATS,
        initial=1,
        label=_("Judgements per session"),
        help_text=_("More than one judgement shows how stable the judge is."),
    )
    ask_anew = forms.BooleanField(
        required=False,
        label=_("Ask for everything anew"),
        help_text=_(
            "Otherwise ratings of the same plan or conversation, which the same judge has given with the same "
            "prompts and settings, are re-used without a request."
        ),
    )

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self._offer("judge", offered_endpoints())
        self._offer("meta_judge", offered_endpoints())
        self._offer("run", Run.objects.defer("setup"))
        self._offer("set", SessionSet.objects.all())
        if not SessionSet.objects.exists():
            del self.fields["set"]
        if not rubrics_offered():
            del self.fields["rubric"]
        if len(list(judged_set_choices())) == 1:
            del self.fields["prompt_set"]
        self.has_models = offered_endpoints().exists()
        self.left_out = self._left_out()

    def _offer(self, name: str, rows: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = rows

    def _left_out(self) -> str:
        run = Run.objects.filter(pk=self["run"].value() or "").first()
        return left_out_words(left_out(run, self._rubric_asked())) if run else ""

    def _rubric_asked(self) -> str:
        return str(self["rubric"].value() or "") if "rubric" in self.fields else ""

    def clean(self) -> dict[str, Any]:
        """One way of choosing, and sessions that can be judged."""
        given = super().clean() or {}
        ids = given.get("sessions", "").replace(",", " ").split()
        if self.errors.keys() & {"run", "sessions", "set"}:
            return given
        if bool(given.get("run")) + bool(ids) + bool(given.get("set")) != 1:
            self.add_error("sessions", _("Choose a run or a set, or name sessions: exactly one of these."))
        elif given.get("set"):
            given["chosen"] = self._of_set(given["set"])
        elif ids:
            given["chosen"] = self._sessions_by_id(ids)
        else:
            given["chosen"] = self._of_run(given["run"])
        return given

    def _sessions_by_id(self, ids: list[str]) -> Any:
        sessions = sessions_named(ids)
        there = {session.pk for session in sessions}
        if missing := [pk for pk in dict.fromkeys(ids) if pk not in there]:
            words = _now("There is no such session: %(ids)s") % {"ids": ", ".join(missing[:10])}
            self.add_error("sessions", words)
        return sessions

    def _of_set(self, chosen: SessionSet) -> Any:
        sessions = sessions_of_set(chosen, self.cleaned_data.get("rubric", ""))
        if not sessions:
            self.add_error("set", _("No session of this set has finished or crashed yet."))
        return sessions

    def _of_run(self, run: Run) -> Any:
        sessions = sessions_of_run(run, self.cleaned_data.get("rubric", ""))
        if not sessions:
            self.add_error("run", _("No session of this run has finished or crashed yet."))
        return sessions

    def creation(self) -> dict[str, Any]:
        """The arguments of `start_batch`."""
        given = self.cleaned_data
        kept = {name: given[name] for name in ("run", "judge", "meta_judge", "form", "repeats")}
        kept["rubric"] = given.get("rubric", "")
        kept["prompt_set"] = version_named(given["prompt_set"]) if given.get("prompt_set") else None
        kept |= {"calibrated": not given["uncalibrated"], "reuses_ratings": not given["ask_anew"]}
        return {**kept, "sessions": given["chosen"]}
