"""Addresses of the researcher's side of labelling."""

from __future__ import annotations

from django.urls import include, path, register_converter

from webapp.converters import SessionId
from webapp.labelling import adjudication_views, figure_views, item_views, people_views, study_views

register_converter(SessionId, "labelling")

STUDY = "<labelling:study_id>/"
urlpatterns = [
    path("", study_views.study_list, name="label_studies"),
    path("new/", study_views.new_study, name="new_label_study"),
    path("sessions/", item_views.label_sessions, name="label_sessions"),
    path(STUDY, study_views.overview, name="label_study"),
    path(f"{STUDY}live/", study_views.live, name="label_study_live"),
    path(f"{STUDY}settings/", study_views.edit_study, name="edit_label_study"),
    path(f"{STUDY}state/<slug:verb>/", study_views.move, name="move_label_study"),
    path(f"{STUDY}copy/", study_views.copy, name="copy_label_study"),
    path(f"{STUDY}delete/", study_views.delete, name="delete_label_study"),
    path(f"{STUDY}items/", item_views.items, name="label_items"),
    path(f"{STUDY}items/runs/", item_views.add_runs, name="add_label_runs"),
    path(f"{STUDY}items/tasks/", item_views.add_of_tasks, name="add_label_tasks"),
    path(f"{STUDY}items/withdraw/", item_views.withdraw, name="withdraw_label_items"),
    path(f"{STUDY}items/<int:number>/", item_views.item, name="label_item"),
    path(f"{STUDY}items/<int:number>/known/", item_views.set_known_answer, name="known_label_item"),
    path(f"{STUDY}adjudication/", adjudication_views.queue, name="label_adjudication"),
    path(f"{STUDY}adjudication/next/", adjudication_views.next_undecided, name="next_adjudication"),
    path(f"{STUDY}adjudication/<int:number>/", adjudication_views.adjudicate, name="adjudicate_label"),
    path(f"{STUDY}quality/", figure_views.quality, name="label_quality"),
    path(f"{STUDY}statistics/", figure_views.statistics, name="label_statistics"),
    path(f"{STUDY}statistics/live/", figure_views.live, name="label_statistics_live"),
    path(f"{STUDY}statistics.<slug:ending>", figure_views.statistics_file, name="label_statistics_file"),
    path(f"{STUDY}annotators/", people_views.annotators, name="label_annotators"),
    path(f"{STUDY}annotators/live/", people_views.live, name="label_annotators_live"),
    path(f"{STUDY}annotators/invite/", people_views.invite, name="invite_annotators"),
    path(f"{STUDY}annotators/known/", people_views.invite_others, name="invite_known_annotators"),
    path(f"{STUDY}annotators/links.csv", people_views.links, name="label_links"),
    path(
        f"{STUDY}annotators/<slug:annotator_id>/<slug:verb>/", people_views.link, name="annotator_link_verb"
    ),
    path(STUDY, include("webapp.labelling.rater_urls")),
    path(STUDY, include("webapp.labelling.weight_urls")),
]
