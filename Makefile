# Weather Gage: `make run` runs the site, `make test` tests it. Both need only make and Python 3.11 or later.
#
# PYTHON   the Python to build the environment with (found by trying)
# PORT     where `make run` listens, and where the links in emails lead (8000)
# PARTS    which parts `make test` runs (all; `make parts` names them)
# AREA, N, SEED   for `make mutants`: campaign, kohler, thomas, age_of_sail, cordery, barker or apart; how many; drawn by which seed

SHELL := /bin/sh
.DELETE_ON_ERROR:
.PHONY: setup run test fast fast-check wheel bench replays sixty study mutants chaos screenshots lint format types cases coverage lock parts clean help

VENV := .venv
PY := $(VENV)/bin/python
BIN := $(VENV)/bin
PORT ?= 8000
PARTS ?=
AREA ?= campaign
N ?= 100
SEED ?= 1

help:
	@echo "make setup     make the environment and the database"
	@echo "make run       set up, play the demo campaign if there is no campaign yet, then run the site"
	@echo "make test      test everything: lint, types, templates, imports, unit, SQLite, PostgreSQL, Redis, processes, browser"
	@echo "make fast      compile the rules engine, which then runs about three times as fast; needs gcc"
	@echo "make fast-check   fight every shipped scenario compiled and interpreted, 20 seeds each, and compare"
	@echo "make wheel     pack the compiled engine for another server, below var/wheels"
	@echo "make bench     run the benchmarks and print a table; GOALS=1 measures every goal of docs/speed.md, which takes some 20 minutes"
	@echo "make replays   play every campaign of this database and every recorded game again, under the rules of then"
	@echo "make sixty     play 60 days of the Narrow Seas without a browser, then audit and verify them"
	@echo "make study     play the captains against each other and print a table"
	@echo "make mutants   make small mistakes in the code and count those that the tests notice (AREA=, N=, SEED=)"
	@echo "make chaos     play 10 turns while parts of the real site are killed, and compare with an undisturbed run"
	@echo "make chaos FAULTS=1   play on while the disk is full, the clock jumps and the like, and compare; needs root"
	@echo "make screenshots   open every page of a demo site on a phone and a desk, light and dark, and report what is wrong"
	@echo "make cases     run every test that shows a clause; write the results that the site shows beside the rules"
	@echo "make lint types coverage format lock parts clean"

# The stamps hold the environment to the locks: what is installed is installed once.
$(VENV)/stamp-venv:
	@PYTHON="$(PYTHON)" sh deploy/make_venv.sh $(VENV)
	@touch $@

$(VENV)/stamp-run: requirements.lock | $(VENV)/stamp-venv
	@sh deploy/install_lock.sh $(VENV) requirements.lock
	@touch $@

$(VENV)/stamp-dev: requirements-dev.lock $(VENV)/stamp-run
	@sh deploy/install_lock.sh $(VENV) requirements-dev.lock
	@touch $@

setup: $(VENV)/stamp-run
	@$(PY) manage.py migrate --verbosity 0

run: setup
	@PORT=$(PORT) $(PY) manage.py first_run
	@$(PY) manage.py serve --port $(PORT)

test: $(VENV)/stamp-dev
	@$(PY) -m tests.suite $(PARTS)

parts: $(VENV)/stamp-dev
	@$(PY) -m tests.suite --list

# some minutes: everything works without it, and it is ignored as soon as the engine's sources change
fast: $(VENV)/stamp-dev
	@nice -n 5 $(PY) -m tests.fast build

fast-check: $(VENV)/stamp-dev
	@nice -n 5 $(PY) -m tests.fast check

wheel: $(VENV)/stamp-dev
	@nice -n 5 $(PY) -m tests.fast wheel

bench: $(VENV)/stamp-dev
	@$(PY) -m tests.bench$(if $(GOALS),_goals)

# before a release and in every update: each campaign under the rules it was played by, the archives of rules, the recorded games
replays: $(VENV)/stamp-run
	@$(PY) manage.py verify --all --quiet
	@$(PY) -m tests.playthroughs --check

# some minutes: a campaign to its 60th day, its data checked and every die thrown again
sixty: $(VENV)/stamp-dev
	@$(PY) -m tests.sixty_days

study: $(VENV)/stamp-dev
	@$(PY) -m tests.study

# 10 minutes or more for 100 mistakes; after a stop it continues where it was
mutants: $(VENV)/stamp-dev
	@$(PY) -m tests.mutants $(AREA) --number $(N) --seed $(SEED)

# half an hour: parts of the real site are killed while it plays; LAYOUTS="embedded" or "club" for one of them. With FAULTS=1, a quarter
# of an hour: a full disk, a clock that jumps and the like instead
chaos: $(VENV)/stamp-dev
	@$(PY) -m tests.chaos$(if $(FAULTS),.faults) $(LAYOUTS)

# some 20 minutes: every page of a throw-away site; pictures and their index below var/screenshots
screenshots: $(VENV)/stamp-dev
	@nice -n 5 $(PY) -m tests.walk

lint: $(VENV)/stamp-dev
	@$(PY) -m tests.suite lint format templates imports

types: $(VENV)/stamp-dev
	@$(PY) -m tests.suite types

# some minutes: every test that shows a clause of the rules, and nothing else; writes battles/data/cases, to be committed
cases: $(VENV)/stamp-dev
	@$(PY) -m pytest -q -n 2 --clauses

coverage: $(VENV)/stamp-dev
	@$(PY) -m pytest -q -n 2 --cov -m "not browser and not redis and not processes"

format: $(VENV)/stamp-dev
	@$(BIN)/ruff check --fix-only --quiet . ; $(BIN)/ruff format . ; $(BIN)/djhtml --tabwidth 2 templates

# run it after a change of dependencies
lock: $(VENV)/stamp-dev
	@sh deploy/make_locks.sh $(VENV)

# what builds and tests leave behind; never the database, the mails or the key in var/
clean:
	rm -rf $(VENV)/stamp-* .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage .coverage.* htmlcov
	rm -rf var/mutants var/chaos var/chaos-faults var/hosting var/fast var/wheels var/screenshots var/bench
	find . -name __pycache__ -type d -not -path "./$(VENV)/*" -prune -exec rm -rf {} +
