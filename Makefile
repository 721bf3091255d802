.DEFAULT_GOAL := help
.PHONY: help verify test laws rocq peers cluster docs

PYTHON := .venv/bin/python
READY := .venv/.ready
SHARED := --numprocesses 2 --dist loadfile

help:  ## show this list
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' Makefile

verify: $(READY)  ## judge every claim of every paper; print counts and what does not hold
	.venv/bin/derivations verify

test: $(READY)  ## lint, types and the default tests, the last two at the same time
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check
	@$(PYTHON) -m mypy >.venv/types.txt 2>&1 & types=$$!; $(PYTHON) -m pytest $(SHARED); tests=$$?; \
	    wait $$types; types=$$?; cat .venv/types.txt; exit $$((tests | types))

laws: $(READY)  ## everything long: all laws, all lies, a full recheck of a fresh ledger
	HYPOTHESIS_PROFILE=laws $(PYTHON) -m pytest --numprocesses 2 --dist worksteal -m 'laws or hypothesis or drawn' tests tests/laws
	.venv/bin/derivations verify --json .venv/ledger.json
	.venv/bin/derivations recheck .venv/ledger.json

rocq: $(READY)  ## have Rocq confirm the certificates of every paper, if coq is installed (20 minutes; the second time seconds)
	.venv/bin/derivations verify --json .venv/ledger.json
	.venv/bin/derivations rocq .venv/ledger.json

peers: $(READY)  ## what is computed here against PyTorch, and kernels in JAX, diffrax and PyTorch, which are installed first
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[peers,jax,torch]'
	$(PYTHON) -m pytest -m 'peers or not laws' tests/peers tests/kernels/test_derivatives.py

cluster: $(READY)  ## sweeps on workers of Dask and on a Slurm of one node, if slurm-wlm and munge are installed
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[cluster]'
	$(PYTHON) -m pytest -m 'cluster or not laws' tests/cluster tests/sweep

docs: $(READY)  ## the documentation site, in .site/html: built offline, every link looked at (a few minutes)
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[docs]'
	$(PYTHON) docs/site/stage.py .site $(RESULTS)

# A name may be found and yet not run (a version manager's stand-in), so each one is tried.
$(READY): pyproject.toml setup.cfg constraints.txt
	@test ! -L .venv || { echo ".venv is a link, and what it leads to would be emptied: remove the link and run make again." >&2; exit 1; }
	@for python in python3 python3.11 python3.12 python3.13 python3.14; do \
	    $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	    python=; \
	done; \
	test -n "$$python" || { echo "Python 3.11 or newer is needed, and none was found on the PATH: install it and run make again." >&2; exit 1; }; \
	echo "Setting up .venv with $$($$python --version) (a minute or two, only when its recipe changes)"; \
	$$python -m venv --clear .venv
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	@touch $@
