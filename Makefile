# Two commands do it on a fresh machine: `make sandbox` and `make test`.
PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready

.PHONY: sandbox test run check format lock

sandbox: $(READY)
	$(VENV)/bin/python -m bot sandbox

run: $(READY)
	$(VENV)/bin/python -m bot run

test: check
	$(VENV)/bin/python -m pytest --cov --cov-report=term -q

check: $(READY)
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/pyright
	$(VENV)/bin/lint-imports

format: $(READY)
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

# The environment holds exactly what requirements/dev.txt names.
$(READY): requirements/dev.txt pyproject.toml
	sh requirements/setup.sh $(PYTHON) $(VENV)
	touch $@

lock:
	uv pip compile --universal --python-version 3.11 --group dev --generate-hashes \
		--no-header --no-annotate pyproject.toml -o requirements/dev.txt
