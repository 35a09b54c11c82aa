"""Signing in and out."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path

from webapp.accounts import views

urlpatterns = [
    path("signin/", views.SigninView.as_view(), name="signin"),
    path("signin/<str:token>/", views.signin_link, name="signin_link"),
    path("signout/", LogoutView.as_view(), name="signout"),
]
