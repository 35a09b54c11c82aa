"""What the Jobs page says of a job."""

from __future__ import annotations

from django import template

from webapp.jobs.wording import attempts_words, progress_words, state_words

register = template.Library()
register.filter("job_state_words", state_words)
register.filter("job_attempts_words", attempts_words)
register.filter("job_progress_words", progress_words)
