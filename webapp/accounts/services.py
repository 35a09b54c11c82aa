"""Accounts and sign-in links: everything that writes them."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.utils import timezone

from webapp.accounts.models import Role, SigninLink, User

LINK_LIFETIME = timedelta(hours=12)
LOCAL_USERNAME = "local"


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def create_account(*, username: str, password: str, role: str = Role.RESEARCHER) -> User:
    """A new account.

    Raises:
        django.core.exceptions.ValidationError: the password is too weak, or a field is invalid or taken.
    """
    user = User(username=username, role=role)
    validate_password(password, user)
    user.set_password(password)
    user.full_clean()
    user.save()
    return user


def local_researcher() -> User:
    """The account of whoever runs Caravan on their own machine; it has no password."""
    user, created = User.objects.get_or_create(
        username=LOCAL_USERNAME, defaults={"role": Role.RESEARCHER, "is_superuser": True}
    )
    if created:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def issue_signin_link(*, user: User, loopback_only: bool = True) -> str:
    """A new token; unused older links of the same person stop working."""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        user.signin_links.filter(used_at=None).delete()
        SigninLink.objects.create(
            user=user,
            token_hash=_hash(token),
            expires_at=timezone.now() + LINK_LIFETIME,
            loopback_only=loopback_only,
        )
    return token


def redeem_signin_link(*, token: str, from_loopback: bool) -> User | None:
    """The person whom the link signs in, None when it is unknown, used, expired, or asked for from elsewhere."""
    now = timezone.now()
    usable = SigninLink.objects.filter(token_hash=_hash(token), used_at=None, expires_at__gt=now)
    if not from_loopback:
        usable = usable.filter(loopback_only=False)
    link = usable.select_related("user").first()
    if link is None or not usable.filter(pk=link.pk).update(used_at=now):
        return None
    return link.user if link.user.is_active else None


def public_account_exists() -> bool:
    """Whether somebody could sign in with a password, which serving beyond loopback needs."""
    return any(user.has_usable_password() for user in User.objects.filter(is_active=True))
