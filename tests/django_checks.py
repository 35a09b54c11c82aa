"""`make check`: Django's own checks, warnings too, and models whose migration is missing, in one process."""

from __future__ import annotations

import os

import django
from django.core.management import call_command


def main() -> None:
    """Raises SystemExit, or CommandError with what is wrong."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    django.setup()
    call_command("check", fail_level="WARNING")
    call_command("makemigrations", check=True, dry_run=True, skip_checks=True)


if __name__ == "__main__":
    main()
