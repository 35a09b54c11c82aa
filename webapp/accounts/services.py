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


def create_account(
    *, username: str, password: str, role: str = Role.RESEARCHER, administrator: bool = False
) -> User:
    """A new account. administrator: whether it may read who saw personal data.

    Raises:
        django.core.exceptions.ValidationError: the password is too weak, or a field is invalid or taken.
    """
    user = User(username=username, role=role, is_superuser=administrator)
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


def usable_signin_link(*, token: str, from_loopback: bool) -> SigninLink | None:
    """A link that would sign in now; None when it is unknown, used, expired, or asked for from elsewhere."""
    usable = SigninLink.objects.filter(
        token_hash=_hash(token), used_at=None, expires_at__gt=timezone.now(), user__is_active=True
    )
    if not from_loopback:
        usable = usable.filter(loopback_only=False)
    return usable.select_related("user").first()


def redeem_signin_link(*, token: str, from_loopback: bool) -> User | None:
    """The person whom the link signs in, None when it is not usable. Of two at the same moment one gets in."""
    link = usable_signin_link(token=token, from_loopback=from_loopback)
    if link is None or not SigninLink.objects.filter(pk=link.pk, used_at=None).update(used_at=timezone.now()):
        return None
    return link.user


def public_account_exists() -> bool:
    """Whether somebody could sign in with a password, which serving beyond loopback needs."""
    return any(user.has_usable_password() for user in User.objects.filter(is_active=True))
