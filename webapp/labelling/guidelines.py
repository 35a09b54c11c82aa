"""What annotators read before they begin: the study's Markdown, or our own text for its kind."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import nh3
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt

from benchmark.suites import suite_named
from webapp.labelling.choices import SLIGHTLY, page_choices
from webapp.labelling.models import OWN_SCALE, Choice, Kind, LabelStudy
from webapp.labelling.scales import dimension_label, scales_words

_TEXTS = Path(__file__).parent / "texts"
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_TAGS = nh3.ALLOWED_TAGS - {"img", "area", "map"}


def markdown_html(text: str) -> SafeString:
    """Untrusted Markdown as HTML without scripts, styles and pictures; headings begin at the third level."""
    tokens = _MARKDOWN.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return mark_safe(nh3.clean(html, tags=_TAGS))  # cleaned


def guidelines_html(study: LabelStudy, language: str) -> SafeString:
    """The guidelines of a study, in a language where it has them."""
    given = study.text("guidelines", language)
    return markdown_html(given or _own_text(study, language))


def _own_text(study: LabelStudy, language: str) -> str:
    if (rubric := study.message_rubric) is not None and rubric.guidelines:
        return rubric.guidelines["zh" if language.startswith("zh") else "en"].read_text()
    text = default_guidelines(_text_of(study), language)
    return text.replace("{scales}", scales_words(study)) if study.kind == Kind.RUBRIC else text


def _text_of(study: LabelStudy) -> str:
    """Which of our own texts fits: pairs of words are told otherwise than pairs of plans, and 1 to 5 in words."""
    if study.kind == Kind.RUBRIC and {*study.scales.values()} - {OWN_SCALE}:
        return f"{study.kind}-scales"
    return f"{study.kind}-words" if study.kind == Kind.PAIRWISE and not _plans(study) else study.kind


def _plans(study: LabelStudy) -> bool:
    return suite_named(study.suite).rating.answer == "plan"


@cache
def default_guidelines(text: str, language: str) -> str:
    """One of our own texts, by the kind of study, Markdown. language: `zh…` or any other for English."""
    return (_TEXTS / f"{text}.{'zh' if language.startswith('zh') else 'en'}.md").read_text()


def question_of(study: LabelStudy, language: str) -> str:
    """What is asked of each item."""
    if asked := study.text("question", language):
        return asked
    if study.kind == Kind.PAIRWISE:
        return _("Which plan serves this request better?") if _plans(study) else _("Which answer is better?")
    if study.kind != Kind.RUBRIC:
        return _("Yes or no?")
    if study.message_rubric is not None:
        return _(study.message_rubric.question)
    if len({*study.scales.values()}) != 1:
        return _("How good is it?")
    return _("How good is it, %(scales)s?") % {"scales": scales_words(study)}


def dimension_words(study: LabelStudy, language: str) -> list[tuple[str, str]]:
    """The dimensions of a rubric: name and what it means, the study's words or the judge's."""
    if study.dimensions:
        own, other = ("zh", "en") if language.startswith("zh") else ("en", "zh")
        return [
            (name, label.get(own) or label.get(other) or name) for name, label in study.dimensions.items()
        ]
    return [(name, dimension_label(study, name)) for name in study.dimension_names]


def invitation_words(study: LabelStudy) -> str:
    """What an annotator is invited to: messages, plans, or answers where the benchmark's answers are words."""
    if study.message_rubric is not None:
        return _("You are invited to rate messages of travel conversations")
    plans = _plans(study)
    if study.kind == Kind.PAIRWISE:
        return (
            _("You are invited to compare travel plans")
            if plans
            else _("You are invited to compare answers to travel requests")
        )
    if study.kind == Kind.RUBRIC:
        return (
            _("You are invited to rate travel plans")
            if plans
            else _("You are invited to rate answers to travel requests")
        )
    return (
        _("You are invited to answer questions about travel plans")
        if plans
        else _("You are invited to answer questions about replies to travel requests")
    )


def choice_words(study: LabelStudy) -> list[tuple[str, str, str]]:
    """The answers of a study: value, key, and words."""
    plans = _plans(study)
    words: dict[str, tuple[str, str]] = {
        Choice.LEFT: ("a", _("Plan A is better") if plans else _("Answer A is better")),
        Choice.RIGHT: ("b", _("Plan B is better") if plans else _("Answer B is better")),
        f"{SLIGHTLY}{Choice.LEFT}": ("q", _("A is slightly better")),
        f"{SLIGHTLY}{Choice.RIGHT}": ("w", _("B is slightly better")),
        Choice.NEITHER: ("n", _("Neither is satisfactory")),
        Choice.TIE: ("t", _("Equally good")),
        Choice.YES: ("y", _("Yes")),
        Choice.NO: ("n", _("No")),
    }
    return [(sent, *words[sent]) for sent in page_choices(study)]
