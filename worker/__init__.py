"""The worker: it steps sessions, through Celery or at the command line, on the services of the web application."""
