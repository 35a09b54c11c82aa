"""Studies: listed, made, changed and deleted; the choice of one; and the sessions that belong to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Count, ProtectedError, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from benchmark.core.participant import Kind
from benchmark.suites import SUITES, suite_named
from webapp.accounts.access import researcher_of, researchers_only
from webapp.endpoints.choice import needs_model
from webapp.endpoints.models import ModelEndpoint
from webapp.people.models import Sitting, Study
from webapp.people.questionnaire import QuestionsField
from webapp.people.retention import removals
from webapp.sessions.services import Draft

DAY_S = 86_400

if TYPE_CHECKING:
    _Base = forms.ModelForm[Study]
else:
    _Base = forms.ModelForm


def study_field() -> forms.ModelChoiceField[Study]:
    """The choice of a study on the forms that start sessions."""
    said = _now("What people read, and how long the session waits for them.")
    return forms.ModelChoiceField(
        Study.objects.all(),
        required=False,
        label=_("User study"),
        empty_label=_("the standard settings"),
        help_text=format_html('{} <a href="{}">{}</a>', said, reverse("studies"), _now("User studies")),
        error_messages={"invalid_choice": _("There is no such study; choose another.")},
    )


def store_sittings(*, drafts: Sequence[Draft], **_signal: Any) -> None:
    """Keep to what studies new sessions belong."""
    Sitting.objects.bulk_create(
        Sitting(session=draft.session, study_id=draft.study) for draft in drafts if draft.study is not None
    )


def _substitutes() -> dict[str, Kind]:
    """Who can take a seat over, by kind, in any benchmark."""
    casts = [suite_named(name).play.cast() for name in SUITES]
    return {
        name: kind for cast in casts for kinds in (cast.users, cast.agents) for name, kind in kinds.items()
    }


def _seconds(
    label: Any, help_text: Any, *, least: float = 1, most: float = DAY_S, required: bool = True
) -> Any:
    return forms.FloatField(
        label=label, help_text=help_text, min_value=least, max_value=most, required=required
    )


class StudyForm(_Base):
    """All settings of a study."""

    SECTIONS = (
        ("", ("name",)),
        (
            _("What people read first"),
            ("consent_zh", "consent_en", "instructions_zh", "instructions_en", "practice", "own_wishes"),
        ),
        (_("Time for answers"), ("turn_s", "remind_s", "away_s", "misses")),
        (
            _("Missing people"),
            ("gather_s", "lacking", "dropout", "substitute", "substitute_model"),
        ),
        (_("After the session"), ("questions", "completion", "delete_withdrawn", "keep_days")),
    )
    """The fields under their headings."""

    turn_s = _seconds(
        _("Seconds for a turn"),
        _("After this time the turn is passed. Leave empty for no limit."),
        required=False,
    )
    remind_s = _seconds(
        _("Reminder"),
        _("Seconds before the end of the turn at which the page reminds. 0 for no reminder."),
        least=0,
    )
    away_s = _seconds(_("Counts as gone after"), _("Seconds for which the page is closed or disconnected."))
    gather_s = _seconds(
        _("Wait for all"),
        _("Seconds until all seats must be taken. Leave empty to wait without a limit."),
        most=30 * DAY_S,
        required=False,
    )
    misses = forms.IntegerField(
        label=_("Missed turns"),
        min_value=1,
        max_value=100,
        help_text=_("Somebody who misses this many turns in a row counts as gone."),
    )
    substitute = forms.ChoiceField(
        required=False,
        label=_("Who takes over"),
        help_text=_(
            "If the seat can't have this kind, the benchmark's built-in one takes over, which needs no model."
        ),
    )

    questions = QuestionsField()

    class Meta:
        model = Study
        exclude = ("created_by",)
        widgets = {
            name: forms.Textarea({"rows": 5})
            for name in ("consent_zh", "consent_en", "instructions_zh", "instructions_en")
        }
        help_texts = {
            "name": _("Researchers see it, people who take part do not."),
            "consent_zh": _("Leave this field, or one of the next three, empty for Caravan's own text."),
            "practice": _("Everybody tries out the page with made-up messages before the conversation."),
            "own_wishes": _(
                "People get an empty card, and what they fill in becomes their table instead of the task's."
            ),
            "delete_withdrawn": _("Otherwise their messages stay until they, or you, ask for their removal."),
            "keep_days": _(
                "So long after somebody was last there, their name and all that they wrote are removed for good; "
                "scores, plans and answers on scales stay. Leave empty to keep what the installation keeps."
            ),
            "completion": _(
                "What people see at the end, for a panel for instance. Leave empty to give each a "
                "code of their own."
            ),
            "substitute_model": _("The model that the substitute uses."),
        }
        error_messages = {
            "name": {"unique": _("A study with this name already exists; choose another name.")}
        }

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.fields["keep_days"].widget.attrs["min"] = 1  # the kind of column says 0
        own = ("", _now("the benchmark's own, without a model"))
        choices = [own, *((name, name) for name in _substitutes())]
        self.fields["substitute"].choices = choices  # type: ignore[attr-defined]
        models = self.fields["substitute_model"]
        assert isinstance(models, forms.ModelChoiceField)
        kept = self.instance.substitute_model_id or 0
        models.queryset = ModelEndpoint.objects.filter(Q(retired=False) | Q(pk=kept))
        models.empty_label = _now("none")

    def sections(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The headings, each with its fields."""
        return [(title, [self[name] for name in names]) for title, names in self.SECTIONS]

    def clean(self) -> dict[str, Any]:
        """A reminder before the end of the turn, and a model where the substitute needs one."""
        given: dict[str, Any] = super().clean() or {}
        turn_s, remind_s = given.get("turn_s"), given.get("remind_s")
        if turn_s is not None and remind_s is not None and remind_s >= turn_s:
            self.add_error(
                "remind_s",
                _now("The reminder comes before the turn is over: choose less than the turn's time."),
            )
        needs, model = (
            needs_model(_substitutes().get(given.get("substitute", ""))),
            given.get("substitute_model"),
        )
        if needs and model is None and "substitute_model" not in self.errors:
            self.add_error("substitute_model", _now("The substitute needs a model; choose one."))
        elif model is not None and not needs and "substitute" not in self.errors:
            self.add_error("substitute_model", _now("The substitute needs no model; choose none."))
        return given


def _studies_with_use() -> QuerySet[Study]:
    return Study.objects.annotate(sessions=Count("sittings"))


@researchers_only
def study_list(request: HttpRequest) -> HttpResponse:
    """All studies."""
    return render(request, "people/studies/list.html", {"studies": _studies_with_use()})


@researchers_only
def new_study(request: HttpRequest) -> HttpResponse:
    """Make one."""
    form = StudyForm(request.POST or None, instance=Study(created_by=researcher_of(request)))
    return _save_form(request, form)


@researchers_only
def study(request: HttpRequest, study_id: int) -> HttpResponse:
    """Look at one, and change it."""
    return _save_form(
        request, StudyForm(request.POST or None, instance=get_object_or_404(_studies_with_use(), pk=study_id))
    )


def _save_form(request: HttpRequest, form: StudyForm) -> HttpResponse:
    if form.is_bound and form.is_valid():
        form.save()
        return redirect("studies")
    name = Study.objects.filter(pk=form.instance.pk).values_list("name", flat=True).first()
    due = list(removals(form.instance)) if name else []
    context = {"form": form, "study": form.instance, "name": name or "", "due": due}
    return render(request, "people/studies/edit.html", context)


@require_POST
@researchers_only
def delete_study(request: HttpRequest, study_id: int) -> HttpResponse:
    """Delete one to which no session belongs."""
    study = get_object_or_404(Study, pk=study_id)
    try:
        study.delete()
    except ProtectedError:
        context = {
            "form": StudyForm(instance=study),
            "study": get_object_or_404(_studies_with_use(), pk=study_id),
            "name": study.name,
            "refused": _now(
                "This study has sessions, so it can't be deleted: their pages refer to its settings."
            ),
        }
        return render(request, "people/studies/edit.html", context, status=409)
    return redirect("studies")
