# Each command sets itself up: python3 (3.11 or newer), make and git are all a machine needs.
PYTHON ?= python3
PY     := .venv/bin/python
PIP    := $(PY) -m pip --disable-pip-version-check --quiet --quiet
READY  := .venv/.ready
BENCH  := .venv/.ready-bench
DOCS   := .venv/.ready-docs

# Threads of BLAS gain nothing on the small matrices here, and fight each other when tests run side by side.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help demo test tools problems oldest newest portable prove frames hunt fuzz bench docs pages site release-check clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    derive, prove and draw Example One, film a two-link arm, leave pictures and reports in out/"
	@echo "make test    style, types, import rules and tests"
	@echo "make tools   install what some tests look for: Chromium, pandoc, poppler and LaTeX, of Debian (as root, or by sudo)"
	@echo "make problems  solve every problem of the book and hold its answer to the known value"
	@echo "make oldest  run the tests with the lowest versions that pyproject.toml allows; make newest with the newest"
	@echo "make portable  run the tests under seven combinations of kernel, Python, versions and seeds; it can be resumed"
	@echo "make prove   compare the routes on 5,000 random systems, energies with parts on 2,000 models"
	@echo "make hunt    put 1,000 random machines through every verb, beside other solutions; it can be resumed"
	@echo "make bench   run every bench/bench_*.py; ratios beside those of the last time"
	@echo "make fuzz    damage 3,000 files of each format; only sentences may come out"
	@echo "make docs    make pages, then make site"
	@echo "make pages   run what the pages show and write what it prints"
	@echo "make site    build the manual, the problems and the reference into out/site"
	@echo "make release-check  build sdist and wheel and try both in an empty environment"
	@echo "make clean   remove what these commands made, .venv included"

demo: $(READY)
	@$(PY) examples/demo/demo.py

test: $(READY)
	@.venv/bin/ruff check --quiet .
	@.venv/bin/ruff format --check --quiet .
	@$(PY) -m mypy
	@.venv/bin/lint-imports --no-logo
	@$(PY) -m pytest

# Tests that need them say so where they are missing.
tools:
	@command -v apt-get >/dev/null || { echo "make tools installs packages of Debian, and there is no apt-get here."; exit 1; }
	@$$(test "$$(id -u)" = 0 || echo sudo) apt-get install --yes --no-install-recommends \
		chromium pandoc poppler-utils texlive-latex-recommended texlive-latex-extra texlive-pictures

problems: $(READY)
	@.venv/bin/flexura problems --check

# In environments of their own; PYTHON=python3.12 chooses another Python.
oldest newest:
	@$(PYTHON) tools/environments.py $@

# `make portable ONLY=--prepare` makes the environments and asks for the kernels, no more.
portable:
	@$(PYTHON) tools/portable.py $(ONLY)

prove: $(READY)
	@FLEXURA_PROOF_CASES=5000 $(PY) -m pytest tests/derivation/test_routes_agree.py -n 2 --dist load
	@FLEXURA_PROOF_CASES=2000 $(PY) -m pytest tests/derivation/prove/test_random_models.py -n 2 --dist load

frames: $(READY)
	@FLEXURA_FRAMES=200 $(PY) -m pytest tests/model/test_closed_frames.py -k "planar or spatial" -n 2 --dist load

hunt: $(READY)
	@PYTHONPATH=tests $(PY) -m hunt

fuzz: $(READY)
	@FLEXURA_FUZZ_CASES=3000 $(PY) -m pytest tests -k damaged -n 2 --dist load

bench: $(BENCH)
	@status=0; for file in bench/bench_*.py; do echo "== $$file"; $(PY) "$$file" || status=1; done; exit $$status

docs: pages site

pages: $(READY)
	@$(PY) docs/refresh.py

# From files only, without network; what is missing, stale or linked to nothing stops it.
site: $(DOCS)
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --quiet
	@echo "out/site/index.html; to search in it, python3 -m http.server -d out/site"

# `make release-check PLATFORMS=--platforms` also asks for wheels of all dependencies on three systems.
release-check:
	@$(PYTHON) tools/release_check.py $(PLATFORMS)

clean:
	@rm -rf .venv .venv-* out dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find src tests examples bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# The stamps: rebuilt when pyproject.toml or this file changes, free otherwise.
$(READY): pyproject.toml Makefile
	@command -v $(PYTHON) >/dev/null || { echo "flexura needs Python 3.11 or newer, and there is no $(PYTHON) here."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "flexura needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) -V 2>&1 | cut -d' ' -f2)."; exit 1; }
	@echo "Setting up .venv."
	@$(PY) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@$(PIP) install -e '.[dev]'
	@touch $@

$(BENCH): $(READY)
	@$(PIP) install -e '.[bench]'
	@touch $@

$(DOCS): $(READY)
	@$(PIP) install -e '.[docs]'
	@touch $@
