# make book | test | lab | execute | bench | clean
.DEFAULT_GOAL := book
.PHONY: book test lab execute bench clean format

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
SITE := _build/html

$(READY): requirements.txt pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed; set PYTHON=python3.11')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements.txt
	touch $@

# Pages show stored outputs; nothing is executed here.
book: $(READY)
	$(BIN)/jupyter-book build . -W -n --keep-going --quiet
	@echo "Open file://$(CURDIR)/$(SITE)/index.html"

# Formatting, the library and facts, the stored notebooks, every output
# recomputed and compared, the built book, and the pages in a real browser.
test: $(READY)
	$(BIN)/ruff check lib tests figures chapters
	$(BIN)/ruff format --check lib tests figures chapters
	$(BIN)/python tests/chromium.py
	$(BIN)/python -m pytest --nbval chapters -n 2 --dist loadfile
	$(BIN)/jupyter-book build . -W -n --keep-going --quiet --all
	$(BIN)/python -m pytest tests lib --doctest-modules -n 2

# Run the chapters in order and store their outputs in canonical form.
execute: $(READY)
	$(BIN)/python -m roofline.book.notebooks execute

lab: $(READY)
	$(BIN)/jupyter lab chapters

# Budgets of the book, measured and printed; nothing fails on a slow machine.
bench: $(READY)
	$(BIN)/python tests/chromium.py
	$(BIN)/jupyter-book build . -W -n --keep-going --quiet
	$(BIN)/python tests/bench.py

format: $(READY)
	$(BIN)/ruff check --fix --quiet lib tests figures chapters
	$(BIN)/ruff format --quiet lib tests figures chapters

clean:
	rm -rf _build $(VENV) .pytest_cache .ruff_cache lib/*.egg-info
