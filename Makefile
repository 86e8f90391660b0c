# Everything runs in .venv, which is set up when pyproject.toml or constraints.txt change.

PYTHON ?= python3
GAME ?= truc_v0
MINUTES ?= 3
OUT ?=
ARGS ?=

PY := .venv/bin/python
KEY := $(shell cat pyproject.toml constraints.txt | cksum | cut -d' ' -f1)
READY := .venv/ready-$(KEY)
PYTEST := OMP_NUM_THREADS=1 $(PY) -m pytest --durations=20

.DEFAULT_GOAL := help
.PHONY: help setup train test test-full lint test-compiled test-bounds test-plain test-tianshou test-ray test-browser bench format baselines docs clean

help:  ## this list
	@echo "make train GAME=truc_v0 MINUTES=3   learn a game and measure what was learnt"
	@echo
	@awk -F ':.*## *' '/^[a-z-]+:.*##/ {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "Variables: GAME, MINUTES, OUT (folder of the run), ARGS (passed on to naips), PYTHON."

setup: $(READY)  ## the virtual environment .venv with everything the project uses

$(READY):
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if (3, 11) <= v[:2] <= (3, 13) else \
	"Naips needs Python 3.11, 3.12 or 3.13, and $(PYTHON) is %d.%d; try: make setup PYTHON=python3.12" % v[:2])'
	$(PYTHON) -m venv .venv
	$(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[train,play,interop,notebooks,dev]'
	@rm -f .venv/ready-*
	@touch $@

train: $(READY)  ## learn GAME for MINUTES, play it against its heuristics, report under runs/
	$(PY) -m training.cli train $(GAME) --minutes $(MINUTES) $(if $(OUT),--out $(OUT)) $(ARGS)

test: lint test-compiled test-bounds test-plain  ## every check that a change has to pass

test-full: lint  ## the same, with the slow tests
	$(PYTEST) -n 2 --dist loadgroup --full

lint: $(READY)  ## style, types, and which package may import which
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports

test-compiled: $(READY)  ## all tests, as users run the code
	$(PYTEST) -n 2 --dist loadgroup -m 'not slow'

test-bounds: $(READY)  ## the games with checked array bounds
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -n 2 --dist loadgroup -m 'bounds and not slow'

test-plain: $(READY)  ## the worked examples of the rule pages, not compiled
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m worked

test-tianshou: $(READY)  ## the example for Tianshou, in .venv-tianshou: it wants an older filelock
	$(PY) -m venv .venv-tianshou
	$(PY) -c 'import site; print(site.getsitepackages()[0])' > \
		"$$(.venv-tianshou/bin/python -c 'import site; print(site.getsitepackages()[0])')/naips.pth"
	.venv-tianshou/bin/pip install --quiet --disable-pip-version-check 'tianshou==2.0.1'
	.venv-tianshou/bin/python -m pytest tests/interop/test_page.py -k 'Tianshou or versions'

test-ray: $(READY)  ## RLlib on a cluster of two simulated nodes, in .venv-ray: it wants an older gymnasium
	$(PY) -m venv .venv-ray
	$(PY) -c 'import site; print(site.getsitepackages()[0])' > \
		"$$(.venv-ray/bin/python -c 'import site; print(site.getsitepackages()[0])')/naips.pth"
	.venv-ray/bin/pip install --quiet --disable-pip-version-check 'ray[rllib]==2.60.0'
	OMP_NUM_THREADS=1 .venv-ray/bin/python -m pytest --durations=20 --full tests/rllib
	.venv-ray/bin/python -m pytest tests/interop/test_page.py -k 'RLlib or ray'

test-browser: $(READY)  ## the browser app, played by clicks in Chromium
	$(PYTEST) tests/web/test_browser.py

bench: $(READY)  ## how fast GAME runs here
	$(PY) -m training.cli bench $(GAME) $(ARGS)

format: $(READY)  ## rewrite the sources in the project's style
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

baselines: $(READY)  ## train and measure the agents that come with the games; hours
	$(PY) -m training.baselines $(ARGS)

docs: $(READY)  ## write the generated tables of README.md anew
	$(PY) -m training.docs

clean:  ## remove .venv and caches; runs/ stays
	rm -rf .venv .venv-tianshou .venv-ray build *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
