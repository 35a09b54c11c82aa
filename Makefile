# Caravan. `make help` lists what there is.
PYTHON ?= python3
PY := .venv/bin/python
COMPILE := $(PY) -m uv pip compile -q --universal --python-version 3.11 --no-header --no-emit-index-url --no-annotate --generate-hashes
export PORT HOST

.PHONY: help run test test-both test-hosts test-faults test-models test-inspect test-labels test-training test-exports check check-types check-rest messages bench bench-served platforms lock audit

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

run: ## Install what is needed and start Caravan on 127.0.0.1:8000 (PORT=, HOST=)
	@$(PYTHON) worker/embedded/install.py requirements.txt
	@exec $(PY) -m worker.embedded

test: ## Run every test: SQLite, PostgreSQL, Chromium (PART=fast|slow|storage|browser for one)
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.run $(PART)

test-both: ## Run every test, and what depends on the database on both engines
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.run --both-engines $(PART)

test-models: ## Run sessions over a real llama.cpp server with a small model (docs/test-models.md)
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.real_models

test-inspect: ## Have Inspect's own reader load the logs that we write (docs/exports.md)
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.inspect_log

test-labels: ## Have datasets, TRL and Label Studio's SDK read our files of labels (docs/exports.md)
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.label_files

test-training: ## Have TRL and verl read our sets of training, and compare their advantages (docs/training.md)
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.label_files --training

test-exports: ## Draw every chart by matplotlib, and read figures and tables for papers; LaTeX compiles them if it is here
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.paper_files

test-hosts: ## Deploy on ten hosts (network namespaces; as root), unplug one, upgrade, restore (docs/development.md)
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.hosts $(if $(FROM),--from $(FROM))

test-faults: ## Let everything fail once under sessions, people and viewers (SEED= repeats a run; docs/development.md)
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.faults $(if $(SEED),--seed $(SEED))

check: ## Lint code and templates, types, import rules, licences, names, Django's checks, missing migrations
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target check-types check-rest

check-types:
	@$(PY) -m mypy

check-rest:
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m djlint templates --lint --quiet
	@.venv/bin/lint-imports --no-cache
	@$(PY) -m tests.licences
	@$(PY) -m tests.names
	@$(PY) -m tests.django_checks

messages: ## Bring the catalogues of translations up to date, and list what lacks one
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.messages

bench: ## Measure what docs/performance.md reports
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.bench

bench-served: ## Measure what a served installation carries: sockets, viewers, pages, workers
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.bench.serving

platforms: ## Prove that every pin has a wheel for each platform that the README names
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	@$(PY) -m tests.platforms

lock: ## Compile the pins of requirements*.in
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt
	$(COMPILE) requirements.in -o requirements.txt
	$(COMPILE) requirements-dev.in -o requirements-dev.txt
	$(COMPILE) -c requirements-dev.txt requirements-telemetry.in -o requirements-telemetry.txt
	$(COMPILE) -c requirements-dev.txt requirements-figures.in -o requirements-figures.txt
	$(COMPILE) -c requirements-dev.txt requirements-audit.in -o requirements-audit.txt

audit: ## Ask which pins have known vulnerabilities: needs a way to PyPI or OSV
	@$(PYTHON) worker/embedded/install.py requirements-dev.txt requirements-audit.txt
	@$(PY) -m tests.audit
