"""Signing in and out, and tokens of programs."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path

from webapp.accounts import token_views, views

urlpatterns = [
    path("signin/", views.SigninView.as_view(), name="signin"),
    path("signin/<str:token>/", views.signin_link, name="signin_link"),
    path("signout/", LogoutView.as_view(), name="signout"),
    path("account/tokens/", token_views.tokens, name="api_tokens"),
    path("account/tokens/<int:pk>/revoke", token_views.revoke, name="revoke_api_token"),
]
