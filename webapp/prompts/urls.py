"""Addresses of sets of prompts."""

from __future__ import annotations

from django.urls import path

from webapp.prompts import views

urlpatterns = [
    path("", views.prompt_sets, name="prompt_sets"),
    path("new/", views.new_set, name="new_prompt_set"),
    path("import/", views.import_set, name="import_prompt_set"),
    path("compare/<slug:suite>/", views.compare, name="compare_prompts"),
    path("shipped/<slug:suite>/", views.words_page, name="shipped_prompts"),
    path("shipped/<slug:suite>/export.zip", views.export, name="export_shipped_prompts"),
    path("shipped/<slug:suite>/<path:path>", views.file_page, name="shipped_prompt_file"),
    path("<slug:name>/", views.prompt_set, name="prompt_set"),
    path("<slug:name>/retire/", views.retire, name="retire_prompt_set"),
    path("<slug:name>/delete/", views.delete, name="delete_prompt_set"),
    path("<slug:name>/edit/<path:path>", views.edit_file, name="edit_prompt_file"),
    path("<slug:name>/<int:number>/", views.words_page, name="prompt_set_version"),
    path("<slug:name>/<int:number>/export.zip", views.export, name="export_prompt_set"),
    path("<slug:name>/<int:number>/<path:path>", views.file_page, name="prompt_file"),
]
