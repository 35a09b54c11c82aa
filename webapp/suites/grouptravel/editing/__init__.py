"""Making and changing tasks in a form."""

from webapp.pages import TaskEditor
from webapp.suites.grouptravel.editing.checking import check_context, review_remarks
from webapp.suites.grouptravel.editing.form import TaskForm

EDITOR = TaskEditor(form=TaskForm, check_context=check_context, review=review_remarks)

__all__ = ["EDITOR", "TaskForm"]
