"""Pages of quality and of statistics."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from textwrap import wrap
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from benchmark.labelling.statistic import Statistic
from benchmark.labelling.votes import Votes
from benchmark.reports.paper_results import published_results
from benchmark.suites import suite_named
from webapp.accounts.access import researchers_only
from webapp.labelling.annotator_quality import care_of, check_leaks
from webapp.labelling.figures import Figures, file_lines
from webapp.labelling.models import Kind, LabelStudy
from webapp.labelling.study_views import study_named
from webapp.sessions.log import seq_in
from webapp.spreadsheets import csv_text
from webapp.wording.numbers import number_words


@researchers_only
def quality(request: HttpRequest, study_id: str) -> HttpResponse:
    """How carefully annotators work; and, where it is asked for, whether names are told."""
    study = study_named(study_id)
    first = seq_in(request.GET.get("leaks", ""))
    context = {
        "study": study,
        "tab": "quality",
        "rows": care_of(study),
        "leaks": check_leaks(study, first=first) if first is not None else None,
    }
    return render(request, "labelling/quality.html", context)


def _figures(request: HttpRequest, study: LabelStudy) -> Figures:
    return Figures(study, "regularised" in request.GET, _share(request.GET.get("model", "")))


def _share(text: str) -> float | None:
    """Per cent as a share; None for what is none."""
    try:
        share = float(text.replace(",", ".").removesuffix("%")) / 100
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None


@researchers_only
def statistics(request: HttpRequest, study_id: str) -> HttpResponse:
    """Every statistic of what people say."""
    return render(request, "labelling/statistics.html", _context(request, study_named(study_id)))


@researchers_only
def live(request: HttpRequest, study_id: str) -> HttpResponse:
    """The part of that which changes."""
    return render(request, "labelling/statistics_live.html", _context(request, study_named(study_id)))


def _context(request: HttpRequest, study: LabelStudy) -> dict[str, Any]:
    figures = _figures(request, study)
    asked = request.GET.get("model", "")
    return {
        "study": study,
        "tab": "statistics",
        "figures": figures,
        "query": request.GET.urlencode(),
        "asked_model": asked,
        "wrong_model": bool(asked) and figures.model is None,
        "charts": _charts(figures),
        "rubric": study.kind == Kind.RUBRIC,
        "published": _paper_means(study),
        "pairwise": study.kind == Kind.PAIRWISE,
    }


class PublishedMean(NamedTuple):
    """What a paper says of messages. where: in it; who: spoke, and of what kind they were; messages: how many."""

    where: str
    who: str
    messages: float | None
    value: str


def _paper_means(study: LabelStudy) -> list[PublishedMean]:
    """What the paper of a study's benchmark says of such messages."""
    rubric, reporting = study.message_rubric, suite_named(study.suite).reporting
    path = reporting().paper_results if reporting else None
    if rubric is None or rubric.paper_column is None or path is None:
        return []
    named, key, counted = rubric.paper_column
    results = published_results(path)
    table = next(table for table in results.tables if table.id == named)
    column = next(column for column in table.columns if column.key == key)
    unit = " %" if column.unit == "%" else ""
    return [
        PublishedMean(
            _("Published: %(paper)s, %(table)s") % {"paper": results.paper, "table": table.id},
            " · ".join(filter(None, (row.model, row.group))),
            row.values.get(counted),
            number_words(value, column.digits) + unit,
        )
        for row in table.rows
        if (value := row.values.get(key)) is not None
    ]


def _charts(figures: Figures) -> dict[str, Any]:
    if figures.study.kind == Kind.RUBRIC or not figures.rows:
        return {}
    votes = votes_chart(figures.votes, _("votes"), _("items"))
    scores = None
    if figures.study.kind == Kind.PAIRWISE:
        scores = scores_chart(figures.preference.scores, _("score, 95 % interval"))
    return {"votes": votes, "scores": scores}


@researchers_only
def statistics_file(request: HttpRequest, study_id: str, ending: str) -> HttpResponse:
    """The same figures for other programs."""
    study = study_named(study_id)
    lines = file_lines(list(_figures(request, study).lines()))
    named = f'attachment; filename="statistics-{study.pk}.{ending}"'
    if ending == "json":
        given = {"study": study.pk, "name": study.name, "version": study.version, "statistics": lines}
        return JsonResponse(given, headers={"Content-Disposition": named})
    if ending != "csv":
        raise Http404
    columns = list(lines[0]) if lines else ["part", "of", "statistic", "value"]
    text = csv_text(columns, lines)
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers={"Content-Disposition": named})


# Charts of the statistics page as Plotly takes them; static/js/charts.js draws them in the theme's colours.


WIDEST = 24
"""Letters of a label on an axis before it breaks."""
LINE = 34
"""Pixels of a line of points."""


class Drawing(NamedTuple):
    """One chart. plotly: data and layout."""

    id: str
    plotly: dict[str, Any]


def _lines(text: str) -> str:
    """Plotly reads some tags in any text."""
    return "<br>".join(escape(line, quote=False) for line in wrap(text, WIDEST))


def _axis(title: str, **more: Any) -> dict[str, Any]:
    return {"title": {"text": title}, **more}


def votes_chart(votes: Votes, title: str, count: str) -> Drawing:
    """How many items got which votes."""
    names = list(votes.patterns)
    bar = {
        "type": "bar",
        "x": names,
        "y": list(votes.patterns.values()),
        "marker": {"color": "var(--accent)"},
    }
    along = _axis(title, type="category", categoryarray=names, showgrid=False)
    return Drawing("votes", {"data": [bar], "layout": {"height": 260, "xaxis": along, "yaxis": _axis(count)}})


def scores_chart(scores: Mapping[str, Statistic], title: str) -> Drawing | None:
    """Scores of agents with their intervals, the best on top; None where none is defined."""
    known = [(agent, score) for agent, score in scores.items() if score.value is not None]
    if not known:
        return None
    values = [score.value or 0.0 for _agent, score in known]
    above = [
        max(0.0, (score.high or value) - value) for (_agent, score), value in zip(known, values, strict=True)
    ]
    below = [
        max(0.0, value - (score.low or value)) for (_agent, score), value in zip(known, values, strict=True)
    ]
    names = [agent for agent, _found in known]
    points = {
        "type": "scatter",
        "mode": "markers",
        "x": values,
        "y": names,
        "error_x": {"type": "data", "symmetric": False, "array": above, "arrayminus": below},
        "marker": {"color": "var(--accent)"},
    }
    along = _axis("", type="category", categoryarray=names, autorange="reversed", showgrid=False)
    along |= {"tickvals": names, "ticktext": [_lines(name) for name in names]}
    layout = {"height": 110 + LINE * len(names), "xaxis": _axis(title, zeroline=True), "yaxis": along}
    return Drawing("scores", {"data": [points], "layout": layout})
