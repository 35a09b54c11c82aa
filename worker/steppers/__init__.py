"""One stepper a kind of job."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from webapp.judging.jobs import JUDGEMENT
from webapp.labelling.jobs import COMPARISON_KIND, LABEL_REMOVAL
from webapp.people.jobs import REMOVAL
from webapp.sessions.jobs import SCORE, SESSION
from webapp.webhooks.jobs import DELIVERY
from worker.sessions import advance
from worker.steppers.archives import archive
from worker.steppers.comparisons import advance_comparison
from worker.steppers.endpoint_tests import endpoint_test
from worker.steppers.experiments import experiment_job
from worker.steppers.group_namings import group_naming
from worker.steppers.imports import label_files, record_import
from worker.steppers.indexes import cache_index
from worker.steppers.judgements import advance_judgement
from worker.steppers.removals import label_removal, removal
from worker.steppers.repairs import repair_job
from worker.steppers.report_archives import report_archive
from worker.steppers.run_files import run_file
from worker.steppers.scores import score
from worker.steppers.search_indexes import search_index
from worker.steppers.task_sets import task_preview, task_set
from worker.steppers.webhooks import webhook_delivery
from worker.steppers.weight_searches import weight_search

STEPPERS: Mapping[str, Callable[[str], object]] = {
    endpoint_test.kind.name: endpoint_test,
    cache_index.kind.name: cache_index,
    record_import.kind.name: record_import,
    label_files.kind.name: label_files,
    report_archive.kind.name: report_archive,
    run_file.kind.name: run_file,
    search_index.kind.name: search_index,
    archive.kind.name: archive,
    SESSION.name: advance,
    SCORE.name: score,
    REMOVAL.name: removal,
    LABEL_REMOVAL.name: label_removal,
    DELIVERY.name: webhook_delivery,
    weight_search.kind.name: weight_search,
    task_preview.kind.name: task_preview,
    task_set.kind.name: task_set,
    repair_job.kind.name: repair_job,
    group_naming.kind.name: group_naming,
    experiment_job.kind.name: experiment_job,
    JUDGEMENT.name: lambda subject: advance_judgement(int(subject)),
    COMPARISON_KIND.name: lambda subject: advance_comparison(int(subject)),
}
"""What does a step of the job of a subject, by the name of its kind; nothing where the job is not to be had."""
