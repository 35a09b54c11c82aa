"""Pages of adjudicators: what waits for a decision, and one item after the other.

Until an item is decided the page names neither agents nor raters, masks names in plans and reasons, and shows the
plans in an order drawn for the item and the adjudicator.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from webapp.accounts.access import researcher_of, researchers_only
from webapp.labelling import adjudication
from webapp.labelling.answer_history import Look, answers_of, decisions_of, skips_of
from webapp.labelling.blind import shown_item
from webapp.labelling.choices import shown_choice
from webapp.labelling.forms import DecisionForm
from webapp.labelling.guidelines import choice_words
from webapp.labelling.item_views import PAGE, item_named
from webapp.labelling.items import ItemRefused
from webapp.labelling.models import LabelItem, LabelStudy
from webapp.labelling.rows import ItemRow, item_rows, queue_of
from webapp.labelling.study_views import study_named


@researchers_only
def queue(request: HttpRequest, study_id: str) -> HttpResponse:
    """The items that somebody should decide, and those that were."""
    study = study_named(study_id)
    rows = item_rows(study)
    reader = researcher_of(request)
    page = Paginator(queue_of(rows), PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "tab": "adjudication",
        "page": page,
        "waiting": [
            (row, row.votes_as(adjudication.swapped_for_reader(study, row.pk, reader)))
            for row in page.object_list
        ],
        "decided": [row for row in rows if row.is_decided],
    }
    return render(request, "labelling/adjudication.html", context)


@researchers_only
def adjudicate(request: HttpRequest, study_id: str, number: int) -> HttpResponse:
    """Decide one item, with all that was said of it; then on to the next one of the queue."""
    study = study_named(study_id)
    item = item_named(study, number)
    form = DecisionForm(request.POST, study=study) if request.method == "POST" else None
    if form is not None and "undecide" in request.POST:
        adjudication.undecide(item=item)
        messages.success(request, _("The decision on item %(n)s was taken back.") % {"n": number})
        return redirect("adjudicate_label", study.pk, number)
    if form is not None and form.is_valid():
        try:
            _decide(request, item, form)
            return _on(request, study, number)
        except ItemRefused as refusal:
            form.add_error(None, str(refusal))
    return _page(request, item, form)


def _swapped(request: HttpRequest, item: LabelItem) -> bool:
    reader = researcher_of(request)
    return item.right_id is not None and adjudication.swapped_for_reader(item.study, item.pk, reader)


def _decide(request: HttpRequest, item: LabelItem, form: DecisionForm) -> None:
    swapped = _swapped(request, item)
    adjudication.decide(
        item=item,
        answer=_turn_answer(form.answer(), swapped),
        note=form.cleaned_data["note"],
        decided_by=researcher_of(request),
        swapped=swapped,
    )


def _turn_answer(answer: dict[str, Any], swapped: bool) -> dict[str, Any]:
    """An answer by the item's own sides from one by those that are shown, and back."""
    return {**answer, "choice": shown_choice(answer["choice"], swapped)} if "choice" in answer else answer


def _page(request: HttpRequest, item: LabelItem, form: DecisionForm | None) -> HttpResponse:
    study, rows = item.study, item_rows(item.study)
    row = next(row for row in rows if row.pk == item.pk)
    left = [item_left for item_left in queue_of(rows) if item_left.pk != item.pk]
    look = Look(swapped=_swapped(request, item), blind=not row.is_decided)
    decisions = decisions_of(item, look)
    current = next((decision.answer for _words, decision in decisions if decision.current), None)
    answer = _turn_answer(current, look.swapped) if current else None
    context = {
        "study": study,
        "item": item,
        "row": row,
        "votes": row.votes_as(look.swapped),
        "final": row.final_as(look.swapped),
        "tab": "adjudication",
        "named": not look.blind,
        "swapped": look.swapped,
        "shown": shown_item(item, swapped=look.swapped),
        "answers": answers_of(item, look),
        "skips": skips_of(item, look),
        "decisions": decisions,
        "decided": row.is_decided,
        "decision_form": form or DecisionForm(study=study, answer=answer),
        "keys": ", ".join(key.upper() for _sent, key, _words in choice_words(study)),
        "left": len(left),
        "following": _following(left, item.number),
    }
    return render(
        request, "labelling/adjudicate.html", context, status=200 if request.method == "GET" else 422
    )


def _following(left: list[ItemRow], number: int) -> int | None:
    after = [row.number for row in left if row.number > number] or [row.number for row in left]
    return after[0] if after else None


def _on(request: HttpRequest, study: LabelStudy, number: int) -> HttpResponse:
    left = queue_of(item_rows(study))
    messages.success(request, _("Item %(n)s was decided.") % {"n": number})
    following = _following(left, number)
    if following is None:
        return redirect("label_adjudication", study.pk)
    return redirect("adjudicate_label", study.pk, following)


@researchers_only
def next_undecided(request: HttpRequest, study_id: str) -> HttpResponse:
    """To the first item of the queue."""
    study = study_named(study_id)
    left = queue_of(item_rows(study))
    if not left:
        raise Http404
    return redirect("adjudicate_label", study.pk, left[0].number)
