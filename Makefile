# Needs only make and a Python 3.11-3.13 with venv. Everything else goes into .venv, from the package index.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
JOBS ?= 2

ifdef UV
install = $(UV) pip install --quiet --python $(BIN)/python --editable "$(1)"
else
install = $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable "$(1)"
endif

.DEFAULT_GOAL := help
.PHONY: help demo test test-all bench docs clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/installed  ## simulate a Gough-Stewart platform; table on screen, picture in out/demo
	@MPLBACKEND=Agg $(BIN)/python -m loopwright demo --out out/demo

test: $(VENV)/installed-test  ## format, lint, types, rooms and the tests that take minutes
	@echo "== format (ruff format --check)"
	@$(BIN)/ruff format --check --quiet . || { echo "mend with: $(BIN)/ruff format ."; exit 1; }
	@echo "== lint (ruff check)"
	@$(BIN)/ruff check --quiet .
	@echo "== types (mypy, strict)"
	@$(BIN)/mypy --no-error-summary
	@echo "== rooms (import-linter)"
	@said=$$($(BIN)/lint-imports) || { echo "$$said"; exit 1; }
	@echo "== tests (pytest)"
	@MPLBACKEND=Agg OMP_NUM_THREADS=1 $(BIN)/python -m pytest --quiet -n $(JOBS)

test-all:  ## the same over larger sweeps, tens of minutes
	@LOOPWRIGHT_FULL=1 $(MAKE) --no-print-directory test

bench: $(VENV)/installed-bench  ## measure, print tables, keep the numbers in benchmarks/results
	@OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks

docs: $(VENV)/installed-docs  ## the pages of docs/ as HTML in out/docs
	@$(BIN)/mkdocs build --strict --quiet
	@echo "open out/docs/index.html"

clean:  ## remove everything these targets made, .venv too
	@rm -rf .venv out benchmarks/results .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is newer than pyproject.toml once the environment holds what that file asks for.
$(VENV)/installed: extras =
$(VENV)/installed-test: extras = [test]
$(VENV)/installed-bench: extras = [test,bench]
$(VENV)/installed-docs: extras = [docs]
$(VENV)/installed $(VENV)/installed-test $(VENV)/installed-bench $(VENV)/installed-docs: pyproject.toml $(VENV)/created
	@echo "installing loopwright$(extras) into $(VENV) (a minute or two the first time)"
	@$(call install,.$(extras))
	@touch $@

$(VENV)/created:
	@command -v $(PYTHON) >/dev/null || { echo "Loopwright needs Python 3.11 to 3.13, and there is no $(PYTHON) here."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
	  echo "Loopwright needs Python 3.11 to 3.13, and $(PYTHON) is $$($(PYTHON) -V 2>&1). Say which to use: make PYTHON=python3.12"; exit 1; }
	@rm -rf .venv
ifdef UV
	@$(UV) venv --quiet --python "$$(command -v $(PYTHON))" $(VENV)
else
	@$(PYTHON) -m venv $(VENV) || { rm -rf .venv; echo "$(PYTHON) could not make a virtual environment; its package manager calls the missing part python3-venv."; exit 1; }
endif
	@touch $@
