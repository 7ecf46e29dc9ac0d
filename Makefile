# Needs Python 3.11 or newer and make, nothing else: the rest goes into .venv, and again only when it changes.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
PIP_INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile -c constraints.txt

# Where `make demo` writes; empty leaves it to the command. What else pytest is given: make test ARGS='-k craps'.
DEMO ?=
ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo live test lint types format bench bench-live clean

help: ## list what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(READY) ## play a night on a small floor with planted faults, audit it, report (DEMO=FOLDER: write there)
	@$(BIN)/retally demo $(if $(DEMO),--to "$(DEMO)")

live: $(READY_DEV) ## a broker, ClickHouse, a worker and simulated tables on this machine; findings as they come (ARGS=--help)
	@$(BIN)/python -m tests.live $(ARGS)

test: $(READY_DEV) ## every test that can run on this machine; what is skipped says why (ARGS=...: pytest's)
	@$(BIN)/python -m pytest -n auto --dist loadgroup $(ARGS)

lint: $(READY_DEV) ## lint, and check the format
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(READY_DEV) ## check the types, strictly
	@$(BIN)/mypy

format: $(READY_DEV) ## put imports and format in order
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

bench: $(READY_DEV) ## measure: events and settlements a second, start-up time, memory
	@$(BIN)/python -m tests.bench $(ARGS)

bench-live: $(READY_DEV) ## measure the live side: a worker beside a bare consumer, and how soon a finding can be read
	@$(BIN)/python -m tests.bench.bench_live

clean: ## remove .venv, caches and build products
	rm -rf $(VENV) build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/pip:
	@command -v $(PYTHON) >/dev/null || \
	  { echo "error: $(PYTHON) is not here; retally needs Python 3.11 or newer (make PYTHON=/path/to/python3)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: $$($(PYTHON) --version 2>&1) is too old; retally needs Python 3.11 or newer (make PYTHON=python3.12)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "error: $(PYTHON) cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(READY): pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Installing retally into $(VENV) (about half a minute, once) ..."
	@$(PIP_INSTALL) -e .
	@touch $@

$(READY_DEV): pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Installing retally and its development tools into $(VENV) (about a minute, once) ..."
	@$(PIP_INSTALL) -e '.[dev]'
	@touch $(READY) $@
