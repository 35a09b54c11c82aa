"""Every address of the web application."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language

from webapp import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("live/", views.home_live, name="home_live"),
    path("demo/", views.demo, name="demo"),
    path("", include("webapp.watching.urls")),
    path("language/", login_not_required(set_language), name="set_language"),
    path("", include("webapp.accounts.urls")),
    path("tasks/", include("webapp.tables.task_urls")),
    path("tasks/", include("webapp.synthesis.urls")),
    path("tasks/", include("webapp.catalogue.urls")),
    path("worlds/", include("webapp.catalogue.world_urls")),
    path("search/", include("webapp.tables.search_urls")),
    path("sets/", include("webapp.sets.urls")),
    path("sessions/", include("webapp.tables.urls")),
    path("sessions/", include("webapp.comparisons.urls")),
    path("sessions/", include("webapp.sessions.urls")),
    path("", include("webapp.notes.urls")),
    path("sessions/", include("webapp.cassettes.urls")),
    path("sessions/", include("webapp.experiments.urls")),
    path("sessions/", include("webapp.runs.session_urls")),
    path("", include("webapp.exchange.urls")),
    path("runs/", include("webapp.tables.run_urls")),
    path("runs/", include("webapp.runs.urls")),
    path("runs/", include("webapp.repairs.urls")),
    path("runs/", include("webapp.misses.urls")),
    path("judging/", include("webapp.judging.urls")),
    path("labelling/", include("webapp.labelling.urls")),
    path("labelling/", include("webapp.labelling.file_urls")),
    path("reports/", include("webapp.reports.urls")),
    path("caches/", include("webapp.caches.urls")),
    path("jobs/", include("webapp.jobs.urls")),
    path("models/", include("webapp.endpoints.urls")),
    path("prompts/", include("webapp.prompts.urls")),
    path("", include("webapp.people.urls")),
    path("", include("webapp.people.agent_urls")),
    path("", include("webapp.people.monitor_urls")),
    path("annotate/", include("webapp.labelling.annotate_urls")),
    path("api/v1/", include("webapp.api.v1")),
    path("api/", include("webapp.people.api")),
    path("audit/", include("webapp.audits.urls")),
    path("account/webhooks/", include("webapp.webhooks.urls")),
    path("account/api/", include("webapp.api.urls")),
]
