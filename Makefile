# Every target does its own set-up in .venv and may be run in any order: docs/decisions/001-layout-and-setup.md.
# PYTHON=/path/to/python3.12 names an interpreter; otherwise scripts/find_python.sh looks for one.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help setup setup-browser demo test test-slow check bench screenshots lock clean

PYTHON ?=
SET_UP = python=$$(PYTHON="$(PYTHON)" sh scripts/find_python.sh) && "$$python" -m scripts.setup_environment
VENV_PYTHON := .venv/bin/python

help:
	@echo "make demo         open the review console on a demo database"
	@echo "make test         run the tests"
	@echo "make check        style, types, import rules, tests and the examples in the docs"
	@echo "make test-slow    run the long simulations"
	@echo "make bench        print speed and store figures"
	@echo "make screenshots  take the README's pictures from the running console"
	@echo "make setup        only build .venv; the targets above do it themselves"
	@echo "make lock         write requirements.lock anew (needs uv)"
	@echo "make clean        remove .venv and every cache; databases stay"

setup:
	@$(SET_UP)

setup-browser:
	@$(SET_UP) --browser

demo: setup
	.venv/bin/proofdesk demo

# -v takes back the -q of pyproject.toml: a file a line, and the reasons of what was skipped.
test: setup-browser
	$(VENV_PYTHON) -m pytest -v -rs

test-slow: setup-browser
	$(VENV_PYTHON) -m pytest -v -rs -m slow

check: setup-browser
	$(VENV_PYTHON) -m ruff check .
	$(VENV_PYTHON) -m ruff format --check .
	$(VENV_PYTHON) -m mypy
	$(VENV_PYTHON) -m pytest -v -rs --doctest-modules --ignore=db/migrations \
		tests evalcore db workflows cli seed_data scripts

bench: setup
	$(VENV_PYTHON) -m benchmarks.speed
	$(VENV_PYTHON) -m benchmarks.startup
	$(VENV_PYTHON) -m benchmarks.decisions
	$(VENV_PYTHON) -m benchmarks.store

screenshots: setup-browser
	$(VENV_PYTHON) -m scripts.screenshots

lock:
	@python=$$(PYTHON="$(PYTHON)" sh scripts/find_python.sh) && "$$python" -m scripts.lock $(UPGRADE)

clean:
	rm -rf .venv .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist proofdesk.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
