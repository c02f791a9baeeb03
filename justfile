# Development commands. `just` lists them.
python := ".venv/bin/python"

default:
    @just --list

# a virtual environment with an editable install and all tools
dev:
    python3 -m venv .venv
    .venv/bin/pip install scikit-build-core nanobind cmake ninja setuptools wheel
    .venv/bin/pip install --no-build-isolation -e ".[test,lint,compile]"

# rebuild after a change in core/ or bindings/
build:
    .venv/bin/pip install -q --no-build-isolation -e .

test *args:
    {{python}} -m pytest {{args}}

lint:
    .venv/bin/ruff check .
    .venv/bin/ruff format --check .
    git ls-files 'core/*.hpp' 'core/*.cpp' 'bindings/*' | xargs .venv/bin/clang-format --dry-run --Werror

types:
    .ci/types .venv

format:
    .venv/bin/ruff check --fix .
    .venv/bin/ruff format .
    git ls-files 'core/*.hpp' 'core/*.cpp' 'bindings/*' | xargs .venv/bin/clang-format -i

bench:
    {{python}} benchmarks/all.py

# everything CI does
all:
    .ci/run
