"""Pages of annotators: the link, the guidelines, the items one after another, and what comes after."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from webapp.labelling import annotating, annotators, queue
from webapp.labelling.annotating import Gate, speak_language
from webapp.labelling.blind import item_html, language, shown_item
from webapp.labelling.choices import SLIGHTLY, choice_label, is_slight, page_choice
from webapp.labelling.guidelines import (
    choice_words,
    dimension_words,
    guidelines_html,
    markdown_html,
    question_of,
)
from webapp.labelling.models import YES_NO, Annotator, Assignment, LabelItem, LabelStudy
from webapp.labelling.qualifying import is_right, qualifying_of
from webapp.labelling.queue import AnswerRefused
from webapp.labelling.retention import removed_words
from webapp.labelling.scales import keys_of, rating_words
from webapp.people.retention import kept_days

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Annotator, P], HttpResponseBase]
SCRIPT = "X-Caravan-Script"
"""A header of requests that want JSON."""
_PAGES = "labelling/annotate"
_STATUS = {Gate.REVOKED: 403, Gate.EXPIRED: 410, Gate.DRAFT: 403}


def as_annotator(view: View[P]) -> Callable[..., HttpResponseBase]:
    """Let only a browser in that came by this annotator's present link, and speak their language.

    To any other there is nothing at the address, whether the id exists or not.
    """

    @login_not_required
    @wraps(view)
    def guard(request: HttpRequest, annotator_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        annotator = annotators.annotator_in(request.session, annotator_id)
        if annotator is None:
            if annotators.was_forgotten(request.session, annotator_id):
                return _tell_removal(request)
            raise Http404
        with speak_language(request, annotator.rater.language):
            return view(request, annotator, *args, **kwargs)

    return guard


def _tell_removal(request: HttpRequest) -> HttpResponseBase:
    with speak_language(request, ""):
        if request.headers.get(SCRIPT):
            return JsonResponse({"refused": removed_words(), "gone": True}, status=422)
        return render(request, f"{_PAGES}/refused.html", {"why": removed_words()}, status=410)


@login_not_required
def link(request: HttpRequest, token: str) -> HttpResponseBase:
    """Come in by a link and a button: a preview that opens the link takes nothing."""
    annotator = annotators.annotator_by(token)
    with speak_language(request, annotator.rater.language if annotator else ""):
        response = _open_link(request, token, annotator)
    response.headers["Referrer-Policy"] = "origin"  # the address holds the token
    return response


def _open_link(request: HttpRequest, token: str, annotator: Annotator | None) -> HttpResponseBase:
    known = annotator is not None and annotators.annotator_in(request.session, annotator.pk)
    if annotator is not None and known and annotator.usable() and annotator.left_at is None:
        return redirect(annotator)
    try:
        if request.method == "POST" or annotator is None or not annotator.usable():
            return redirect(annotators.enter(request=request, token=token))  # or tells why not
    except annotators.NotAdmitted as refusal:
        status = 404 if annotator is None else 403 if annotator.revoked_at else 410
        return render(request, f"{_PAGES}/refused.html", {"why": str(refusal)}, status=status)
    return render(request, f"{_PAGES}/link.html", {"study": annotator.study})


@login_not_required
def panel_link(request: HttpRequest, token: str) -> HttpResponseBase:
    """Come in by a panel's link, which tells who it is in its parameters; a button takes it."""
    study = annotators.study_by(token)
    if study is None:
        words = _("This link is not valid. Check that you copied all of it, or ask for a new one.")
        return render(request, f"{_PAGES}/refused.html", {"why": words}, status=404)
    with speak_language(request, ""):
        try:
            told = annotators.panel_of(request.GET)
            if request.method == "POST":
                who = annotators.from_panel(study=study, told=told)
                return redirect(annotators.enter(request=request, token=who.token))
        except annotators.NotAdmitted as refusal:
            return render(request, f"{_PAGES}/refused.html", {"why": str(refusal)}, status=403)
        response = render(request, f"{_PAGES}/link.html", {"study": study})
    response.headers["Referrer-Policy"] = "origin"  # the address holds the token
    return response


@as_annotator
def annotate(request: HttpRequest, annotator: Annotator) -> HttpResponseBase:
    """What this annotator does now: reads, answers, waits, or is thanked."""
    annotating.record_visit(annotator)
    shut = annotating.gate(annotator)
    if shut is Gate.UNREAD:
        return _guidelines(request, annotator)
    if shut is not None:
        return _shut(request, annotator, shut)
    assignment = queue.next_for(annotator)
    if assignment is not None:
        return _item(request, annotator, assignment)
    if (shut := annotating.gate(annotator)) is not None:  # the qualification may have been judged just now
        return _shut(request, annotator, shut)
    return _nothing(request, annotator)


def _shut(request: HttpRequest, annotator: Annotator, shut: Gate) -> HttpResponse:
    if shut in (Gate.REVOKED, Gate.EXPIRED):
        words = {
            Gate.REVOKED: _("Your link was withdrawn. The answers that you gave until then are kept."),
            Gate.EXPIRED: _(
                "Your link has expired. Ask whoever sent it for a new one; your answers are kept."
            ),
        }
        return render(request, f"{_PAGES}/refused.html", {"why": words[shut]}, status=_STATUS[shut])
    standing = queue.standing(annotator)
    context = {
        "annotator": annotator,
        "study": annotator.study,
        "shut": str(shut),
        "standing": None if shut in (Gate.FAILED, Gate.CLOSED) else standing,  # nothing is left for them then
        "finished": standing.answered and not (standing.left or standing.waiting),
        "qualifying": qualifying_of(annotator) if shut is Gate.FAILED else None,
    }
    return render(request, f"{_PAGES}/shut.html", context, status=_STATUS.get(shut, 200))


def _nothing(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Done, or nothing for them until somebody else gives an item back."""
    standing = queue.standing(annotator)
    waits = standing.waiting or standing.left > 0
    context = {
        "annotator": annotator,
        "standing": standing,
        "waits": waits,
        "study": annotator.study,
        "undo": annotating.to_take_back(annotator),
    }
    return render(request, f"{_PAGES}/done.html", context)


def _item(
    request: HttpRequest, annotator: Annotator, assignment: Assignment, *, refusal: str = "", **more: Any
) -> HttpResponse:
    """The page of an item. more: what the form holds in place of the draft."""
    study, item = annotator.study, assignment.item
    item.study = study
    held = {**assignment.draft, **more}
    rated, scales = held.get("scores") or {}, study.scales
    context = {
        "annotator": annotator,
        "study": study,
        "assignment": assignment,
        "item_html": item_html(item, swapped=assignment.swapped),
        "draft": held,
        "sides_to_see": queue.SIDES if study.see_both and item.right_id else (),
        "rated_dimensions": [
            (
                name,
                words,
                [(rating, rating_words(rating, scales[name])) for rating in scales[name]],
                rated.get(name),
            )
            for name, words in dimension_words(study, language())
        ],
        "asks_yes_no": YES_NO in scales.values(),
        "refusal": refusal,
        "qualifies": item.purpose == LabelItem.Purpose.QUALIFICATION,
        "trains": item.purpose == LabelItem.Purpose.TRAINING,
        "standing": queue.standing(annotator),
        "undo": annotating.to_take_back(annotator),
        "client_id": get_random_string(20),
        **_questions(study),
    }
    return render(request, f"{_PAGES}/item.html", context, status=422 if refusal else 200)


def _questions(study: LabelStudy) -> dict[str, Any]:
    return {
        "question": question_of(study, language()),
        "choices": choice_words(study),
        "dimensions": dimension_words(study, language()),
        "rating_keys": keys_of(study.scales.values()),
    }


@as_annotator
def guidelines(request: HttpRequest, annotator: Annotator) -> HttpResponseBase:
    """Read the guidelines, at first or again; the button says that they were read."""
    shut = annotating.gate(annotator)
    if shut not in (None, Gate.UNREAD):
        return redirect(annotator)
    if request.method == "POST":
        if annotator.study.asks_consent and annotator.consented_at is None:
            if request.POST.get("consent") != "1":
                return _guidelines(request, annotator, refused=True)
            annotating.agree(annotator=annotator)
        version = request.POST.get("version", "")
        if version == str(annotator.study.guidelines_version):
            annotating.read_guidelines(annotator=annotator, version=int(version))
        return redirect(annotator)
    return _guidelines(request, annotator)


def _guidelines(request: HttpRequest, annotator: Annotator, *, refused: bool = False) -> HttpResponse:
    study = annotator.study
    context = {
        "annotator": annotator,
        "study": study,
        "guidelines": guidelines_html(study, language()),
        "consent": annotator.consented_at is None and markdown_html(study.text("consent", language())),
        "refused": refused,
        "examples": annotating.examples_of(study),
        "again": 0 < annotator.guidelines_read != study.guidelines_version,
        "qualifies": study.items.filter(purpose=LabelItem.Purpose.QUALIFICATION, withdrawn_at=None).exists(),
        "trains": study.items.filter(purpose=LabelItem.Purpose.TRAINING, withdrawn_at=None).exists(),
        "kept_days": kept_days(study),
        **_questions(study),
    }
    return render(request, f"{_PAGES}/guidelines.html", context, status=422 if refused else 200)


@as_annotator
def example(request: HttpRequest, annotator: Annotator, place: int) -> HttpResponseBase:
    """One example of the guidelines, with its answer and why."""
    examples = list(annotating.examples_of(annotator.study))
    if not 1 <= place <= len(examples):
        raise Http404
    if annotating.gate(annotator) not in (None, Gate.UNREAD):
        return redirect(annotator)
    item = examples[place - 1]
    context = {
        "annotator": annotator,
        "study": annotator.study,
        "item": item,
        "shown": shown_item(item, blind=annotator.study.blind),
        "answer": _answer_words(item.answer or {}, annotator.study),
        "place": place,
        "after": place + 1 if place < len(examples) else 0,
        **_questions(annotator.study),
    }
    return render(request, f"{_PAGES}/example.html", context)


def _answer_words(known: Mapping[str, Any], study: LabelStudy, *, swapped: bool = False) -> list[str]:
    """An answer in words, by the sides as they are shown."""
    if choice := page_choice(known, swapped):
        words = {value: said for value, _key, said in choice_words(study)}
        return [words.get(choice) or choice_label(choice.removeprefix(SLIGHTLY), slight=is_slight(known))]
    scores = known.get("scores", {})
    return [
        f"{words}: {rating_words(scores[name], study.scales.get(name))}"
        for name, words in dimension_words(study, language())
        if name in scores
    ]


@as_annotator
def training(request: HttpRequest, annotator: Annotator, assignment_id: int) -> HttpResponseBase:
    """What they answered to a training item, the known answer, and why; there only once they have answered."""
    assignment = annotating.assignment_of(annotator, str(assignment_id))
    label = assignment.labels.filter(current=True).first() if assignment else None
    if assignment is None or label is None or assignment.item.purpose != LabelItem.Purpose.TRAINING:
        raise Http404
    if annotating.gate(annotator) is not None:
        return redirect(annotator)
    study, item = annotator.study, assignment.item
    item.study = study
    context = {
        "annotator": annotator,
        "study": study,
        "item": item,
        "item_html": item_html(item, swapped=assignment.swapped),
        "right": is_right(item, label.answer),
        "given": _answer_words(label.answer, study, swapped=assignment.swapped),
        "answer": _answer_words(item.answer or {}, study, swapped=assignment.swapped),
        **_questions(study),
    }
    return render(request, f"{_PAGES}/training.html", context)


@require_POST
@as_annotator
def answer(request: HttpRequest, annotator: Annotator) -> HttpResponseBase:
    """Take an answer; sent twice, it counts once. A refusal keeps what was chosen and written.

    What was at work when the study was paused, or its guidelines changed, is taken too.
    """
    assignment = _assignment(request, annotator)
    given = annotating.sent_answer(request.POST, annotator.study)
    qualified = annotator.qualified_at
    try:
        queue.answer(assignment, given=given)
    except AnswerRefused as refusal:
        kept = _form_values(given)
        return _refusal_page(request, annotator, assignment, refusal, **kept)
    if assignment.item.purpose == LabelItem.Purpose.TRAINING:
        return _on(request, reverse("annotate_training", args=[annotator.pk, assignment.pk]))
    return _on(request, _after(annotator, qualified))


def _after(annotator: Annotator, qualified: datetime | None) -> str:
    """Where they go after an answer or a skip, which may have let them pass; qualified: when they had before."""
    annotator.refresh_from_db(fields=["qualified_at", "failed_at"])
    now_passed = annotator.qualified_at is not None and qualified is None
    return reverse("annotate_passed" if now_passed else "annotate", args=[annotator.pk])


def _form_values(given: queue.Answer) -> dict[str, Any]:
    """What of an answer the form shows again."""
    return {
        "choice": given.choice,
        "scores": given.scores,
        "rationale": given.rationale,
        "seen": sorted(given.seen),
    }


@require_POST
@as_annotator
def skip(request: HttpRequest, annotator: Annotator) -> HttpResponseBase:
    """Give an item back, with a reason."""
    assignment, reason = _assignment(request, annotator), request.POST.get("reason", "")
    qualified = annotator.qualified_at
    try:
        queue.skip(assignment, reason=reason)
    except AnswerRefused as refusal:
        return _refusal_page(request, annotator, assignment, refusal, reason=reason)
    return _on(request, _after(annotator, qualified))


@require_POST
@as_annotator
def undo(request: HttpRequest, annotator: Annotator) -> HttpResponseBase:
    """Take the last answer back: its item is shown again, with the answer in the form."""
    try:
        queue.undo(annotator, last=request.POST.get("last", ""))
    except AnswerRefused as refusal:
        if request.headers.get(SCRIPT):
            return JsonResponse({"refused": str(refusal), "gone": False}, status=422)
        context = {"annotator": annotator, "words": str(refusal), "rationale": ""}
        return render(request, f"{_PAGES}/gone.html", context, status=422)
    return _on(request, annotator.get_absolute_url())


def _on(request: HttpRequest, to: str) -> HttpResponseBase:
    """Go on to another page: a script is told where."""
    return JsonResponse({"next": to}) if request.headers.get(SCRIPT) else redirect(to)


def _assignment(request: HttpRequest, annotator: Annotator) -> Assignment:
    assignment = annotating.assignment_of(annotator, request.POST.get("assignment", ""))
    if assignment is None:
        raise Http404
    return assignment


def _refusal_page(
    request: HttpRequest, annotator: Annotator, assignment: Assignment, refusal: AnswerRefused, **kept: Any
) -> HttpResponseBase:
    if request.headers.get(SCRIPT):
        return JsonResponse({"refused": str(refusal), "gone": refusal.is_gone}, status=422)
    if refusal.is_gone:
        words = kept.get("rationale") or kept.get("reason", "")
        context = {"annotator": annotator, "words": str(refusal), "rationale": words}
        return render(request, f"{_PAGES}/gone.html", context, status=422)
    return _item(request, annotator, assignment, refusal=str(refusal), **kept)


@require_POST
@as_annotator
def draft(request: HttpRequest, annotator: Annotator) -> HttpResponseBase:
    """Keep what is not sent yet, and the item for whoever looks at it."""
    assignment = _assignment(request, annotator)
    given = annotating.sent_answer(request.POST, annotator.study)
    queue.keep_draft(assignment, draft=_form_values(given), seconds=given.seconds)
    annotating.record_visit(annotator)
    return HttpResponse(status=204)


@require_safe
@as_annotator
def draw_ahead(request: HttpRequest, annotator: Annotator) -> HttpResponseBase:
    """Draw the item that comes next while this one is looked at. Nothing is told of it, and nothing given out."""
    if annotating.gate(annotator) is None and (coming := queue.coming_for(annotator)) is not None:
        item, swapped = coming
        item.study = annotator.study
        item_html(item, swapped=swapped)
    return HttpResponse(status=204)


@as_annotator
def leave(request: HttpRequest, annotator: Annotator) -> HttpResponseBase:
    """Stop here; asked once more before."""
    if request.method == "POST":
        annotators.leave(annotator=annotator)
        return redirect(annotator)
    context = {"annotator": annotator, "standing": queue.standing(annotator)}
    return render(request, f"{_PAGES}/leave.html", context)


@as_annotator
def passed_page(request: HttpRequest, annotator: Annotator) -> HttpResponseBase:
    """That they were let on to the study's items."""
    if annotator.qualified_at is None or annotating.gate(annotator) is not None:
        return redirect(annotator)
    return render(request, f"{_PAGES}/passed.html", {"annotator": annotator})


@as_annotator
def waiting(request: HttpRequest, annotator: Annotator) -> HttpResponseBase:
    """Whether a page that waits should look again. Nothing is given out."""
    shut = annotating.gate(annotator)
    standing = queue.standing(annotator)
    return JsonResponse({"shut": str(shut or ""), "left": standing.left, "waiting": standing.waiting})
