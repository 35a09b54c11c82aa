"""`python -m worker.embedded`: what `make run` runs once everything is installed."""

from __future__ import annotations

import os
import sys

from webapp.memory import loading
from webapp.surroundings import faults_in_a_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    with loading(), faults_in_a_line():
        import django

        django.setup()
        from worker.embedded.launcher import main

    sys.exit(main())
