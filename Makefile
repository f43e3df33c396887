# make demo    install into .venv if needed, audit a generated world, print where the report is
# make test    install the dev extra, chromium if it can be had, then lint, types and all tests
# make quick   lint, types and the quick tests
# make bench   the performance runs, each a table of ratios taken side by side
# make clean   remove .venv and caches
.PHONY: help demo test quick lint bench clean
PY := .venv/bin/python
OUT ?= demo
WORKERS ?= 2

help:
	@sed -n 's/^# //p' Makefile

.venv/core.stamp: pyproject.toml constraints.txt scripts/venv.sh
	@sh scripts/venv.sh core

.venv/dev.stamp: pyproject.toml constraints.txt scripts/venv.sh
	@sh scripts/venv.sh dev

demo: .venv/core.stamp
	@.venv/bin/vidence demo --out $(OUT)

lint: .venv/dev.stamp
	@echo "== lint and types"
	@$(PY) -m ruff check src tests examples benchmarks docs
	@$(PY) -m ruff format --check src tests examples benchmarks docs
	@$(PY) -m mypy

test: .venv/dev.stamp lint
	@sh scripts/chromium.sh
	@echo "== tests ($(WORKERS) workers)"
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal

quick: .venv/dev.stamp lint
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal -m "not slow and not browser"

bench: .venv/dev.stamp
	@for run in benchmarks/*.py; do echo "== $$run"; $(PY) $$run || exit 1; done

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
