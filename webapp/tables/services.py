"""Saving and deleting views."""

from __future__ import annotations

from webapp.accounts.models import User
from webapp.tables.models import SavedView


def save_view(*, user: User, name: str, query: str) -> SavedView:
    """Keep a view under a name, in place of an earlier one of that name."""
    view, _created = SavedView.objects.update_or_create(user=user, name=name, defaults={"query": query})
    return view


def delete_view(*, user: User, pk: int) -> None:
    """Forget a view, if it is this person's."""
    SavedView.objects.filter(user=user, pk=pk).delete()
